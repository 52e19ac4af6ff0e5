// Fingers, pointers and menus of the live table: what is touched, dragged, opened.

/** @import {Live} from "./live.js" */
/** @import {CardKey, From, Touched} from "../types" */
import { mayNotify, obstacle, ring } from "./alert.js";
import { cardOf } from "./choice.js";
import { $, all, button } from "./dom.js";
import { openDrawer } from "./drawer.js";
import { listenToKeys } from "./keys.js";
import { said } from "./texts.js";
import { listen } from "./touch.js";
import { wish, wishes } from "./wishes.js";

const NEAR = 110; // pixels from the middle of a card that still mean it when something is dropped

/** @param {Live} live */
export function connectControls(live) {
  listen($("stage"), {
    find,
    tap: (found) => live.tap(found),
    mayDrag: (found) => found.type === "card" && pickUp(live, found.key),
    drag: (found, x, y) => found.type === "card" && carry(live, found.key, x, y),
    drop: (found, x, y) => found.type === "card" && drop(live, found.key, x, y),
    rest: () => putDown(live),
  });
  listenToKeys(live);
  openMenu(live);
  openDrawer();
}

/** What is under a finger. @param {Element} target @returns {Touched | null} */
function find(target) {
  /** @type {HTMLElement | null} */
  const touched = target.closest("button, .pair, #table");
  if (!touched || touched.matches(":disabled, [data-menu], [data-how]")) return null;
  const { move, other, key, attack } = touched.dataset;
  if (touched.id === "undo") return { type: "undo" };
  if (move) return { type: "move", name: move };
  if (other) return { type: "other", token: other, from: whoseButtons(touched) };
  if (key && touched.classList.contains("held")) return { type: "card", key };
  if (attack) return { type: "attack", attack };
  return touched.id === "table" ? { type: "table" } : null;
}

/** Under which message a button stands that is no move. @param {HTMLElement} button @returns {From} */
function whoseButtons(button) {
  if (button.closest(".next")) return "result";
  if (button.closest(".lobby")) return "lobby";
  return button.closest("#question") ? "table" : "hand";
}

// --- dragging a card ---

/** @param {Live} live @param {CardKey} key */
function pickUp(live, key) {
  const card = live.hand.cardAt(key);
  if (!card || live.underway.move || !live.choice.isPlayable(cardOf(key))) return false;
  if (!live.choice.chosen.includes(key)) {
    live.choice.clear();
    live.choice.tapCard(key);
  }
  card.classList.add("dragged");
  $("stage").classList.add("dragging");
  live.draw();
  return true;
}

/** @param {Live} live @param {CardKey} key @param {number} x pixels to the right @param {number} y pixels down */
function carry(live, key, x, y) {
  const card = live.hand.cardAt(key);
  if (!card) return;
  card.classList.add("dragged");
  card.style.setProperty("--dx", `${x}px`);
  card.style.setProperty("--dy", `${y}px`);
}

/** @param {Live} live @param {CardKey} key @param {number} x @param {number} y */
function drop(live, key, x, y) {
  const table = $("table").getBoundingClientRect();
  const isOnTable = x > table.left && x < table.right && y > table.top && y < table.bottom;
  if (!isOnTable || !live.view || live.underway.move) return;
  const near = all(".pair.target")
    .map((pair) => ({ pair, far: distance(pair.getBoundingClientRect(), x, y) }))
    .sort((one, other) => one.far - other.far)[0];
  const move = live.choice.drop(key, near?.far < NEAR ? (near.pair.dataset.attack ?? null) : null);
  if (move) live.play(move, true);
}

/** @param {Live} live */
function putDown(live) {
  $("stage").classList.remove("dragging");
  for (const card of all(".dragged")) card.classList.remove("dragged");
  live.draw();
}

/** From the middle of a box to a point. @param {DOMRect} box @param {number} x @param {number} y */
function distance({ left, top, width, height }, x, y) {
  return Math.hypot(left + width / 2 - x, top + height / 2 - y);
}

// --- the menu ---

/** @param {Live} live */
function openMenu(live) {
  const open = button("tool", "⋯");
  open.dataset.menu = "menu";
  open.title = said("Table and settings");
  open.ariaLabel = open.title;
  live.hand.tools.append(open);
  open.onclick = () => {
    live.hand.drawOthers($("table-buttons"), live.view?.common ?? [], "button");
    for (const box of all("input[data-wish]")) box.checked = wishes[wishOf(box)];
    showObstacle();
    $("menu").showModal();
  };
  $("table-buttons").onclick = ({ target }) => {
    const found = find(/** @type {Element} */ (target));
    if (found?.type !== "other") return;
    $("menu").close();
    live.pressOther(found.token, "table");
  };
  for (const box of all("input[data-wish]")) {
    const wanted = wishOf(box);
    box.onchange = async () => {
      if (wanted === "notify" && box.checked) box.checked = await mayNotify();
      wish(wanted, box.checked);
      showObstacle();
      if (wanted === "sound" && box.checked) ring();
    };
  }
}

/** @param {HTMLInputElement} box */
function wishOf(box) {
  return /** @type {import("./wishes.js").Wish} */ (box.dataset.wish);
}

/** Say why no notification can come; the box for them is not ticked then. */
function showObstacle() {
  const [box] = all("input[data-wish=notify]");
  box.disabled = Boolean(obstacle());
  box.checked &&= !box.disabled;
  $("no-notifications").hidden = !box.disabled;
  $("no-notifications").textContent = obstacle();
}
