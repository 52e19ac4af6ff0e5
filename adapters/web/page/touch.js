// Touch and mouse at the live table and in lessons: taps, drags and long presses.

/** @import {Card, CardKey, From, Target} from "../types" */
/** @import {Live} from "./live.js" */
import { $, all } from "./dom.js";

const NEAR = 110; // the maximum distance, in pixels, between a drop and the middle of the card it means

/** @param {Live} live */
export function listenToTouch(live) {
  listen($("stage"), {
    find,
    tap: (found) => live.tap(found),
    hold: (found) => live.hold(found),
    ...dragOn({
      root: $("stage"),
      table: $("table"),
      cardAt: (key) => live.hand.cardAt(key),
      pickUp: (key) => live.turn.pickUp(key),
      targets: (key) => live.turn.choice.dropTargets(key),
      drop: (key, attack) => live.turn.drop(key, attack),
      draw: () => live.draw(),
    }),
  });
}

/** Returns what a touched element represents; null if it is not part of the game. @param {Element} target @returns {Target | null} */
export function find(target) {
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

/** Returns the kind of message to which a button other than a move belongs. @param {HTMLElement} button @returns {From} */
function whoseButtons(button) {
  if (button.closest(".next")) return "result";
  if (button.closest(".lobby")) return "lobby";
  return button.closest("#question") ? "table" : "hand";
}

// --- dragging a card ---

/**
 * @typedef {object} Ground where cards are dragged: the live table, or a lesson
 * @property {HTMLElement} root contains the hand and the table
 * @property {HTMLElement} table where cards are dropped
 * @property {(key: CardKey) => HTMLElement | null} cardAt
 * @property {(key: CardKey) => boolean} pickUp chooses a card; returns whether it can be played
 * @property {(key: CardKey) => Set<Card>} targets returns the attack cards on which it can be dropped
 * @property {(key: CardKey, attack: Card | null) => void} drop plays it on an attack card, or elsewhere on the table
 * @property {() => void} draw
 */

/** Returns the handlers of `listen` that drag a card. @param {Ground} ground */
export function dragOn(ground) {
  return {
    mayDrag: (/** @type {Target} */ found) => found.type === "card" && pickUp(ground, found.key),
    drag: (/** @type {Target} */ found, /** @type {number} */ x, /** @type {number} */ y) =>
      found.type === "card" && carry(ground, found.key, x, y),
    drop: (/** @type {Target} */ found, /** @type {number} */ x, /** @type {number} */ y) =>
      found.type === "card" && drop(ground, found.key, x, y),
    rest: () => putDown(ground),
  };
}

/** @param {Ground} ground @param {CardKey} key */
function pickUp(ground, key) {
  const card = ground.cardAt(key);
  if (!card || !ground.pickUp(key)) return false;

  card.classList.add("dragged");
  ground.root.classList.add("dragging");
  ground.draw();
  return true;
}

/** @param {Ground} ground @param {CardKey} key @param {number} x pixels to the right @param {number} y pixels down */
function carry(ground, key, x, y) {
  const card = ground.cardAt(key);
  if (!card) return;
  card.classList.add("dragged");
  card.style.setProperty("--dx", `${x}px`);
  card.style.setProperty("--dy", `${y}px`);
}

/** @param {Ground} ground @param {CardKey} key @param {number} x @param {number} y */
function drop(ground, key, x, y) {
  const { left, right, top, bottom } = ground.table.getBoundingClientRect();
  const isOnTable = x > left && x < right && y > top && y < bottom;
  if (isOnTable) ground.drop(key, attackNear(ground, x, y, ground.targets(key)));
}

/** Returns the nearest of these attack cards, for a drop at a point of the window; null if none is near. @param {Ground} ground @param {number} x @param {number} y @param {Set<Card>} cards */
function attackNear({ root }, x, y, cards) {
  const isTarget = (/** @type {HTMLElement} */ { dataset }) => cards.has(dataset.attack ?? "");
  const targets = all(".pair:not(.beaten)", root).filter(isTarget).map((pair) => ({
    pair,
    far: distance(pair.getBoundingClientRect(), x, y),
  }));
  const [near] = targets.sort((one, other) => one.far - other.far);
  return near?.far < NEAR ? (near.pair.dataset.attack ?? null) : null;
}

/** @param {Ground} ground */
function putDown(ground) {
  ground.root.classList.remove("dragging");
  for (const card of all(".dragged", ground.root)) {
    card.classList.remove("dragged");
    for (const way of ["--dx", "--dy"]) card.style.removeProperty(way); // a card that is not played goes back
  }
  ground.draw();
}

/** Returns the distance from the middle of a box to a point. @param {DOMRect} box @param {number} x @param {number} y */
function distance({ left, top, width, height }, x, y) {
  return Math.hypot(left + width / 2 - x, top + height / 2 - y);
}

// --- Taps and drags on elements that may be redrawn at any moment. What counts is the thing that was under the finger
// when it came down, even if its element is gone when the finger goes up.

const HELD_MS = 450; // the duration of a long press
const STILL = 9; // pixels that a finger may move without dragging

/**
 * Listens within `root`.
 * @template Item
 * @param {HTMLElement} root
 * @param {object} on
 * @param {(target: Element) => Item | null} on.find returns what an element represents
 * @param {(found: Item) => void} on.tap
 * @param {(found: Item) => boolean} on.hold handles a long press, which is no longer a tap if it returns true
 * @param {(found: Item) => boolean} on.mayDrag
 * @param {(found: Item, x: number, y: number) => void} on.drag with the distance in pixels from the start
 * @param {(found: Item, x: number, y: number) => void} on.drop with the point of the window
 * @param {() => void} on.rest ends a drag, with a drop or without
 */
export function listen(root, on) {
  /** @type {{found: Item, x: number, y: number, id: number, isDragged: boolean} | null} */
  let down = null;
  let holding = 0;
  let listening = new AbortController(); // to the whole window, while a finger is down
  const lift = () => {
    listening.abort();
    clearTimeout(holding);
    down = null;
  };
  const move = (/** @type {PointerEvent} */ event) => {
    if (!down || event.pointerId !== down.id) return;
    const { clientX: x, clientY: y } = event;
    if (Math.hypot(x - down.x, y - down.y) > STILL) clearTimeout(holding);
    if (!down.isDragged && Math.hypot(x - down.x, y - down.y) > STILL)
      down.isDragged = on.mayDrag(down.found);
    if (down.isDragged) on.drag(down.found, x - down.x, y - down.y);
  };
  const up = (/** @type {PointerEvent} */ event) => {
    if (!down || event.pointerId !== down.id) return;
    const { found, x, y, isDragged } = down;
    lift();
    if (isDragged) {
      on.drop(found, event.clientX, event.clientY);
      on.rest();
    } else if (Math.hypot(event.clientX - x, event.clientY - y) <= STILL * 2) on.tap(found);
  };
  const cancel = (/** @type {PointerEvent} */ event) => {
    if (!down || event.pointerId !== down.id) return;
    if (down.isDragged) on.rest();
    lift();
  };

  root.addEventListener("pointerdown", (event) => {
    const found =
      event.isPrimary && event.button === 0 ? on.find(/** @type {Element} */ (event.target)) : null;
    clearTimeout(holding);
    if (!found) return;
    lift();
    listening = new AbortController();
    addEventListener("pointermove", move, listening);
    addEventListener("pointerup", up, listening);
    addEventListener("pointercancel", cancel, listening);
    down = { found, x: event.clientX, y: event.clientY, id: event.pointerId, isDragged: false };
    holding = setTimeout(() => {
      if (down && !down.isDragged && on.hold(down.found)) lift();
    }, HELD_MS);
  });
  root.addEventListener("contextmenu", (event) => {
    const found = on.find(/** @type {Element} */ (event.target));
    if (found && on.hold(found)) event.preventDefault(); // by the menu key, or by the right mouse button
  });
  root.addEventListener("click", (event) => {
    if (event.detail !== 0) return; // a click by a pointer, which was handled above
    const found = on.find(/** @type {Element} */ (event.target));
    if (found) on.tap(found);
  });
}

// --- Controls that have just appeared or moved: a finger that comes down there was meant for what it saw before.

const SETTLE_MS = 350; // the time that people need to see a change before they press
const SLACK = 8; // pixels by which a control may move under a finger

/** Keeps fingers from pressing what has come under them. It is not for moves, which are never too late while legal. */
export class Settling {
  constructor() {
    /** @type {WeakMap<HTMLElement, {x: number, y: number}>} */
    this.places = new WeakMap();
    /** @type {WeakMap<HTMLElement, number>} */
    this.timers = new WeakMap();
  }

  /** Looks where controls are after a drawing, and lets nobody press for a moment those that were elsewhere. @param {HTMLElement[]} controls */
  look(controls) {
    for (const control of controls) {
      if (!control.getClientRects().length) {
        this.places.delete(control);
        continue;
      }

      const before = this.places.get(control);
      const { x, y } = control.getBoundingClientRect();
      this.places.set(control, { x, y });
      const isThere = before && Math.hypot(x - before.x, y - before.y) <= SLACK;
      if (!isThere) this.wait(control);
    }
  }

  /** @param {HTMLElement} control */
  wait(control) {
    control.dataset.settling = "";
    clearTimeout(this.timers.get(control));
    this.timers.set(control, setTimeout(() => delete control.dataset.settling, SETTLE_MS));
  }
}
