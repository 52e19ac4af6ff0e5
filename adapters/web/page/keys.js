// The keyboard at the live table: 1 to 9 and arrows choose, Enter plays, T takes, D is done, Escape cancels the choice.

/** @import {Live} from "./live.js" */
import { $, all, first } from "./dom.js";

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

/** Performs the action of a key; returns whether the key was used. @param {Live} live @param {string} code @param {string} key @param {HTMLElement} target */
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

/** Cancels the choice; returns false, because Escape may have another meaning as well. @param {Live} live */
function clear(live) {
  live.turn.clear();
  return false;
}
