// Fingers, pointers, keys and menus of the live table.

/** @import {Button, CardKey, From, Touched} from "../types" */
/** @import {Live} from "./live.js" */
import { mayNotify, obstacle, ring } from "./announcer.js";
import { $, all, button, element, first, keep, openDialog } from "./dom.js";
import { wish, wishes } from "./memory.js";
import { t } from "./texts.js";

const NEAR = 110; // pixels from the middle of a card that still mean it when something is dropped

/** @param {Live} live */
export function connectControls(live) {
  listen($("stage"), {
    find,
    tap: (found) => live.tap(found),
    hold: (found) => live.hold(found),
    mayDrag: (found) => found.type === "card" && pickUp(live, found.key),
    drag: (found, x, y) => found.type === "card" && carry(live, found.key, x, y),
    drop: (found, x, y) => found.type === "card" && drop(live, found.key, x, y),
    rest: () => putDown(live),
  });
  listenToKeys(live);
  openMenu(live);
}

/** Returns the thing under a finger. @param {Element} target @returns {Touched | null} */
function find(target) {
  /** @type {HTMLElement | null} */
  const touched = target.closest("button, .pair, [data-aim], #table");
  if (!touched || touched.matches(":disabled, .share, [data-menu], [data-how], [data-play], [data-leave]")) return null;
  const { move, other, key, attack, aim } = touched.dataset;
  if (touched.id === "undo") return { type: "undo" };
  if (aim) return { type: "seat", seat: Number(aim) };
  if (move) return { type: "move", name: move };
  if (other) return { type: "other", token: other, from: whoseButtons(touched) };
  if (key && touched.classList.contains("held")) return { type: "card", key };
  if (attack) return { type: "attack", attack };
  return touched.id === "table" ? { type: "table" } : null;
}

/** Returns the kind of message that a button without a move belongs to. @param {HTMLElement} button @returns {From} */
function whoseButtons(button) {
  if (button.closest(".next")) return "result";
  if (button.closest(".lobby")) return "lobby";
  return button.closest("#question") ? "table" : "hand";
}

// --- dragging a card ---

/** @param {Live} live @param {CardKey} key */
function pickUp(live, key) {
  const card = live.hand.cardAt(key);
  if (!card || !live.turn.pickUp(key)) return false;

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
  const { left, right, top, bottom } = $("table").getBoundingClientRect();
  const isOnTable = x > left && x < right && y > top && y < bottom;
  if (isOnTable) live.turn.drop(key, attackNear(x, y));
}

/** Returns the attack card that a point of the window means; null: none. @param {number} x @param {number} y */
function attackNear(x, y) {
  const targets = all(".pair.target").map((pair) => ({
    pair,
    far: distance(pair.getBoundingClientRect(), x, y),
  }));
  const [near] = targets.sort((one, other) => one.far - other.far);
  return near?.far < NEAR ? (near.pair.dataset.attack ?? null) : null;
}

/** @param {Live} live */
function putDown(live) {
  $("stage").classList.remove("dragging");
  for (const card of all(".dragged")) card.classList.remove("dragged");
  live.draw();
}

/** Returns the way from the middle of a box to a point. @param {DOMRect} box @param {number} x @param {number} y */
function distance({ left, top, width, height }, x, y) {
  return Math.hypot(left + width / 2 - x, top + height / 2 - y);
}

// --- the menu ---

/** @param {Live} live */
function openMenu(live) {
  const open = button("tool", element("span", "sign", "⋯"), element("span", "label", t("Menu")));
  open.dataset.menu = "menu";
  open.title = t("Menu");
  open.ariaLabel = open.title;
  live.hand.tools.append(open);
  open.onclick = () => {
    const { more = [], common = [], quiet = [] } = live.view ?? {};
    drawLines($("table-buttons"), [...more, ...common, ...quiet]);
    for (const box of all("input[data-wish]")) box.checked = wishes[wishOf(box)];
    $("open-last-bout").hidden = !live.lastBout.bout.length;
    $("open-other-games").hidden = !live.view?.result;
    showObstacle();
    openDialog($("menu"));
  };
  $("open-last-bout").onclick = () => {
    $("menu").close();
    live.lastBout.show();
  };
  $("open-other-games").onclick = () => {
    $("menu").close();
    live.moments.leave();
  };
  $("table-buttons").onclick = ({ target }) => {
    const found = find(/** @type {Element} */ (target));
    if (found?.type !== "other") return;
    $("menu").close();
    const isOf = (/** @type {Button[]} */ buttons = []) => buttons.some(({ token }) => token === found.token);
    if (isOf(live.view?.more)) live.press(found.token, "result");
    else live.press(found.token, isOf(live.view?.quiet) ? "hand" : "table");
  };
  for (const box of all("input[data-wish]")) {
    const name = wishOf(box);
    box.onchange = async () => {
      if (name === "notify" && box.checked) box.checked = await mayNotify();
      wish(name, box.checked);
      showObstacle();
      if (name === "sounds" && box.checked) ring();
    };
  }
}

/** Draws buttons of a message as lines of the menu. @param {HTMLElement} list @param {Button[]} buttons */
function drawLines(list, buttons) {
  keep(list, buttons, {
    key: ({ token }) => token,
    make: () => button("setting opens"),
    update: (line, { token, label }) => {
      line.dataset.other = token;
      line.textContent = label;
    },
  });
}

/** @param {HTMLInputElement} box */
function wishOf(box) {
  return /** @type {import("./memory.js").Wish} */ (box.dataset.wish);
}

/** Shows the reason why no notification can come; the box for them is not ticked then. */
function showObstacle() {
  const [box] = all("input[data-wish=notify]");
  box.disabled = Boolean(obstacle());
  box.checked &&= !box.disabled;
  $("no-notifications").hidden = !box.disabled;
  $("no-notifications").textContent = obstacle();
}

// --- Taps and drags on things that may be drawn again at any moment: what counts is the key under the finger when it
// came down, not whether the same element is still there when it goes up.

const HELD_MS = 450; // a press as long as this is a long one
const STILL = 9; // pixels that a finger may stray and still tap

/**
 * Listens within `root`.
 * @template Found
 * @param {HTMLElement} root
 * @param {object} on
 * @param {(target: Element) => Found | null} on.find gives what is touched there
 * @param {(found: Found) => void} on.tap
 * @param {(found: Found) => boolean} on.hold is called for a long press, which is no tap if it returns true
 * @param {(found: Found) => boolean} on.mayDrag
 * @param {(found: Found, x: number, y: number) => void} on.drag so many pixels from where it was
 * @param {(found: Found, x: number, y: number) => void} on.drop at this point of the window
 * @param {() => void} on.rest ends a drag, with a drop or without
 */
export function listen(root, on) {
  /** @type {{found: Found, x: number, y: number, id: number, isDragged: boolean} | null} */
  let down = null;
  let holding = 0;
  root.addEventListener("pointerdown", (event) => {
    const found =
      event.isPrimary && event.button === 0 ? on.find(/** @type {Element} */ (event.target)) : null;
    clearTimeout(holding);
    if (!found) return;
    down = { found, x: event.clientX, y: event.clientY, id: event.pointerId, isDragged: false };
    holding = setTimeout(() => {
      if (down && !down.isDragged && on.hold(down.found)) down = null;
    }, HELD_MS);
  });
  addEventListener("pointermove", (event) => {
    if (!down || event.pointerId !== down.id) return;
    const { clientX: x, clientY: y } = event;
    if (Math.hypot(x - down.x, y - down.y) > STILL) clearTimeout(holding);
    if (!down.isDragged && Math.hypot(x - down.x, y - down.y) > STILL)
      down.isDragged = on.mayDrag(down.found);
    if (down.isDragged) on.drag(down.found, x - down.x, y - down.y);
  });
  addEventListener("pointerup", (event) => {
    if (!down || event.pointerId !== down.id) return;
    const { found, x, y, isDragged } = down;
    down = null;
    if (isDragged) {
      on.drop(found, event.clientX, event.clientY);
      on.rest();
    } else if (Math.hypot(event.clientX - x, event.clientY - y) <= STILL * 2) on.tap(found);
  });
  addEventListener("pointercancel", (event) => {
    if (!down || event.pointerId !== down.id) return;
    if (down.isDragged) on.rest();
    down = null;
  });
  root.addEventListener("contextmenu", (event) => {
    const found = on.find(/** @type {Element} */ (event.target));
    if (found && on.hold(found)) event.preventDefault(); // the menu key, or a mouse's other button
  });
  root.addEventListener("click", (event) => {
    if (event.detail !== 0) return; // a finger's click: its tap was counted above
    const found = on.find(/** @type {Element} */ (event.target));
    if (found) on.tap(found);
  });
}

// --- The live table by keys alone: 1 to 9 and arrows choose, Enter plays, T takes, D is done, Escape takes the choice back.

/** @type {Record<string, string>} */
const BIG = { KeyT: "take", KeyD: "done" };

/** @param {Live} live */
export function listenToKeys(live) {
  addEventListener("keydown", (event) => {
    const { code, key } = event;
    const target = /** @type {HTMLElement} */ (event.target);
    if ($("stage").hidden || event.ctrlKey || event.metaKey || event.altKey || event.repeat) return;
    if (target.closest("input, textarea, select, dialog, #side")) return;
    if (act(live, code, key, target)) event.preventDefault();
  });
}

/** Does what a key means; returns whether it means anything. @param {Live} live @param {string} code @param {string} key @param {HTMLElement} target */
function act(live, code, key, target) {
  live.catchUp();
  if (/^[1-9]$/.test(key)) return focusAndTap(live, handCards()[Number(key) - 1]);
  if (BIG[code]) return tapMove(live, first(`.big .${BIG[code]}`));
  if (key === "Escape") return clear(live);
  if (key === "ArrowLeft" || key === "ArrowRight")
    return step(rowOf(target), target, key === "ArrowRight" ? 1 : -1);
  if (key === "ArrowUp") return toFirst(all("#mine .choices button, .pair.target"));
  if (key === "ArrowDown") return toFirst(all(".held.chosen, .held"));
  if (key === "Enter" && !target.closest("button, a")) return live.turn.confirm();
  return false;
}

function handCards() {
  return all("button.held");
}

/** @param {HTMLElement} target */
function rowOf(target) {
  const row = target.closest(".choices, .bar");
  return row ? all("button", row) : handCards();
}

/** Moves the focus within a row. @param {HTMLElement[]} row @param {HTMLElement} target @param {1 | -1} by */
function step(row, target, by) {
  if (!row.length) return false;
  const place = row.indexOf(target);
  row[place < 0 ? (by > 0 ? 0 : row.length - 1) : (place + by + row.length) % row.length].focus();
  return true;
}

/** @param {HTMLElement[]} elements */
function toFirst(elements) {
  elements[0]?.focus();
  return elements.length > 0;
}

/** @param {Live} live @param {HTMLElement} [card] */
function focusAndTap(live, card) {
  if (!card?.dataset.key) return false;
  card.focus();
  live.turn.tap({ type: "card", key: card.dataset.key });
  return true;
}

/** @param {Live} live @param {HTMLElement | null} button */
function tapMove(live, button) {
  if (!button?.dataset.move) return false;
  button.focus();
  live.turn.tap({ type: "move", name: button.dataset.move });
  return true;
}

/** Takes the choice back; the key may mean something else besides. @param {Live} live */
function clear(live) {
  live.turn.clear();
  return false;
}
