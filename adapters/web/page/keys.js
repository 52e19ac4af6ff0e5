// The live table by keys alone: 1 to 9 and arrows choose, Enter plays, T takes, D is done, Escape lets go.

import { $, all } from "./dom.js";

const BIG = { KeyT: "take", KeyD: "done" };

export function listenToKeys(live) {
  addEventListener("keydown", (event) => {
    const { code, key } = event;
    const target = /** @type {HTMLElement} */ (event.target);
    if ($("stage").hidden || event.ctrlKey || event.metaKey || event.altKey || event.repeat) return;
    if (target.closest("input, textarea, select, dialog, #side")) return;
    if (act(live, code, key, target)) event.preventDefault();
  });
}

function act(live, code, key, target) {
  if (/^[1-9]$/.test(key)) return focusAndTap(live, held()[Number(key) - 1]);
  if (BIG[code]) return tapMove(live, document.querySelector(`.big .${BIG[code]}`));
  if (key === "Escape") return letGo(live);
  if (key === "ArrowLeft" || key === "ArrowRight") return step(rowOf(target), target, key === "ArrowRight" ? 1 : -1);
  if (key === "ArrowUp") return toFirst(all("#mine .choices button, .pair.target"));
  if (key === "ArrowDown") return toFirst(all(".held.chosen, .held"));
  if (key === "Enter" && !target.closest("button, a")) return confirm(live);
  return false;
}

function held() {
  return all(".held");
}

function rowOf(target) {
  const row = target.closest(".choices, .bar");
  return row ? [...row.querySelectorAll("button")] : held();
}

function step(row, target, by) {
  if (!row.length) return false;
  const place = row.indexOf(target);
  row[place < 0 ? (by > 0 ? 0 : row.length - 1) : (place + by + row.length) % row.length].focus();
  return true;
}

function toFirst(elements) {
  elements[0]?.focus();
  return elements.length > 0;
}

function focusAndTap(live, card) {
  if (!card) return false;
  card.focus();
  live.tap({ type: "card", key: card.dataset.key });
  return true;
}

function tapMove(live, button) {
  if (!button) return false;
  button.focus();
  live.tap({ type: "move", name: button.dataset.move });
  return true;
}

/** Play what is chosen, if that means one thing. */
function confirm(live) {
  if (live.armed) live.tap({ type: "move", name: live.armed });
  else if (live.choice.exact.length === 1) live.play(live.choice.exact[0]);
  else return false;
  return true;
}

function letGo(live) {
  live.choice.clear();
  live.armed = null;
  if (live.view) live.draw();
  return false;
}
