// Fingers, pointers and menus of the live table: what is touched, dragged, opened.

import { mayNotify, obstacle, ring } from "./alert.js";
import { $, all } from "./dom.js";
import { openDrawer } from "./drawer.js";
import { listenToKeys } from "./keys.js";
import { said } from "./texts.js";
import { listen } from "./touch.js";
import { wish, wishes } from "./wishes.js";

const NEAR = 110; // pixels from the middle of a card that still mean it when something is dropped

export function furnish(live) {
  listen($("stage"), {
    find,
    tap: (found) => live.tap(found),
    mayDrag: (found) => found.type === "card" && pickUp(live, found.key),
    drag: ({ key }, x, y) => carry(live.hand.cardAt(key), x, y),
    drop: ({ key }, x, y) => drop(live, key, x, y),
    rest: () => putDown(live),
  });
  listenToKeys(live);
  openMenu(live);
  openDrawer();
}

/** What is under a finger. */
function find(target) {
  const button = target.closest("button, .pair, #table");
  if (!button || button.disabled || button.matches("[data-menu], [data-how]")) return null;
  const { move, other, key } = button.dataset;
  if (button.id === "undo") return { type: "undo" };
  if (move) return { type: "move", name: move };
  if (other) return { type: "other", token: other, from: whoseButtons(button) };
  if (button.classList.contains("held")) return { type: "card", key };
  if (button.classList.contains("pair")) return { type: "attack", attack: button.dataset.attack };
  return button.id === "table" ? { type: "table" } : null;
}

/** Under which message a button stands that is no move. */
function whoseButtons(button) {
  if (button.closest(".next")) return "result";
  if (button.closest(".lobby")) return "lobby";
  return button.closest("#question") ? "table" : "hand";
}

// --- dragging a card ---

function pickUp(live, key) {
  const card = live.hand.cardAt(key);
  if (!card || live.underway.move || !live.choice.isPlayable(key.slice(0, 2))) return false;
  if (!live.choice.chosen.includes(key)) {
    live.choice.clear();
    live.choice.tapCard(key);
  }
  card.classList.add("dragged");
  $("stage").classList.add("dragging");
  live.draw();
  return true;
}

function carry(card, x, y) {
  if (!card) return;
  card.classList.add("dragged");
  card.style.setProperty("--dx", `${x}px`);
  card.style.setProperty("--dy", `${y}px`);
}

function drop(live, key, x, y) {
  const table = $("table").getBoundingClientRect();
  const isOnTable = x > table.left && x < table.right && y > table.top && y < table.bottom;
  if (!isOnTable || !live.view || live.underway.move) return;
  const near = all(".pair.target")
    .map((pair) => ({ pair, far: distance(pair.getBoundingClientRect(), x, y) }))
    .sort((one, other) => one.far - other.far)[0];
  const move = live.choice.drop(key, near && near.far < NEAR ? near.pair.dataset.attack : null);
  if (move) live.play(move, true);
}

function putDown(live) {
  $("stage").classList.remove("dragging");
  for (const card of all(".dragged")) card.classList.remove("dragged");
  if (live.view) live.draw();
}

function distance({ left, top, width, height }, x, y) {
  return Math.hypot(left + width / 2 - x, top + height / 2 - y);
}

// --- the menu ---

function openMenu(live) {
  const open = Object.assign(document.createElement("button"), { type: "button", className: "tool", textContent: "⋯" });
  open.dataset.menu = "menu";
  open.title = said("Table and settings");
  open.ariaLabel = open.title;
  live.hand.tools.append(open);
  open.onclick = () => {
    live.hand.drawOthers($("table-buttons"), live.view?.common ?? [], "button");
    for (const box of all("[data-wish]")) box.checked = wishes[box.dataset.wish];
    showObstacle();
    $("menu").showModal();
  };
  $("table-buttons").onclick = ({ target }) => {
    const token = target.closest("[data-other]")?.dataset.other;
    if (!token) return;
    $("menu").close();
    live.pressOther(token, "table");
  };
  for (const box of all("[data-wish]")) {
    box.onchange = async () => {
      if (box.dataset.wish === "notify" && box.checked) box.checked = await mayNotify();
      wish(box.dataset.wish, box.checked);
      showObstacle();
      if (box.dataset.wish === "sound" && box.checked) ring();
    };
  }
}

/** Say why no notification can come; the box for them is not ticked then. */
function showObstacle() {
  const [box] = all("[data-wish=notify]");
  box.disabled = Boolean(obstacle());
  box.checked &&= !box.disabled;
  $("no-notifications").hidden = !box.disabled;
  $("no-notifications").textContent = obstacle();
}
