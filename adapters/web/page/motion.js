// Animations of cards and effects. Elements are in their new place at once; an animation only makes them appear to come
// from elsewhere.

/** @import {Board, View} from "../types" */
/** @import {BoardView} from "./table.js" */
import { back } from "./cards.js";
import { $, all, element, first, unspoken } from "./dom.js";

const FLIGHT_MS = 260;
const STAGGER_MS = 45;
const MOMENT_MS = 1_000;
const FALL_MS = 700;
const SHAKE_MS = 400;
const RAIN_MS = 3_000;
const CONFETTI = 36;
const SUITS = [["♥", "hearts"], ["♠", "spades"], ["♦", "diamonds"], ["♣", "clubs"]];
const DEAL_MS = 45; // between the cards for one player and the next, unless the deal would get too long
const LONGEST_DEAL_MS = 1_000;
const MAX_DEALT = 6; // cards that are animated for one player
const EASE = { duration: FLIGHT_MS, easing: "cubic-bezier(.2,.7,.3,1)" };
const calm = matchMedia("(prefers-reduced-motion: reduce)");
/** @type {Animation[]} */
let gliding = [];

/** @typedef {{left: number, top: number, width: number, height: number}} Box in pixels */
/** @typedef {Map<string, {card: HTMLElement, box: Box}>} Places of cards, by `zone|key` */

/** Returns the places of all visible cards; none if nothing is animated. @param {HTMLElement} root */
export function places(root) {
  /** @type {Places} */
  const spots = new Map();
  if (calm.matches || document.hidden) return spots;
  for (const card of all("[data-zone]", root)) {
    const box = card.getBoundingClientRect();
    if (box.width) spots.set(`${card.dataset.zone}|${card.dataset.card}`, { card, box }); // otherwise it is hidden
  }
  return spots;
}

/**
 * Animates cards from their previous places to the current ones, and cards that have gone.
 * @param {HTMLElement} root
 * @param {Places} before
 * @param {(zone: string, card: HTMLElement) => Box | null} from returns the origin of a card that was not visible before
 * @param {(zone: string) => Box | null} to returns the target of a card that is no longer visible
 * @param {number} [pace] milliseconds between two cards
 */
export function move(root, before, from, to, pace = STAGGER_MS) {
  if (calm.matches || document.hidden) return;
  for (const each of gliding) each.cancel();
  gliding = [];
  const now = places(root);
  let late = 0;
  for (const [name, { card, box }] of now) {
    const [zone, key] = name.split("|");
    const last = before.get(name)?.box ?? anywhere(before, key);
    const origin = last ?? from(zone, card);
    if (!origin) continue;
    const delay = before.has(name) ? 0 : late++ * pace;
    glide(card, origin, box, { delay, isSeen: Boolean(last) });
  }
  for (const [name, { card, box }] of before) {
    const [zone, key] = name.split("|");
    if (now.has(name) || anywhere(now, key)) continue;
    const target = to(zone);
    if (target) fly(card, box, target);
  }
}

/**
 * Animates a copy of an element from one box to another, where it disappears.
 * @param {HTMLElement} thing
 * @param {Box} box
 * @param {Box} target
 * @param {number} [delay] milliseconds
 */
export function fly(thing, box, target, delay = 0) {
  if (calm.matches || document.hidden) return;
  const ghost = /** @type {HTMLElement} */ (thing.cloneNode(true));
  ghost.classList.add("ghost");
  ghost.ariaHidden = "true";
  for (const name of ["id", "data-zone", "data-key"]) ghost.removeAttribute(name);
  const { left, top, width, height } = box;
  for (const [side, pixels] of Object.entries({ left, top, width, height }))
    ghost.style.setProperty(side, `${pixels}px`);
  ghost.style.setProperty("--size", `${box.width}px`);
  document.body.append(ghost);
  const x = target.left + target.width / 2 - box.left - box.width / 2;
  const y = target.top + target.height / 2 - box.top - box.height / 2;
  const end = { transform: `translate(${x}px, ${y}px) scale(.6)`, opacity: 0.3 };
  const flight = ghost.animate([{ transform: "none", opacity: 1 }, end], { ...EASE, delay, fill: "both" });
  flight.onfinish = flight.oncancel = () => ghost.remove();
}

/** Shows a sign over everything for a second, when a game has ended. @param {string} sign @param {HTMLElement} root */
export function show(sign, root) {
  if (calm.matches || document.hidden) return;
  const moment = element("div", "moment", sign);
  moment.ariaHidden = "true";
  root.append(moment);
  const path = [
    { transform: "scale(.2) rotate(-25deg)", opacity: 0 },
    { transform: "scale(1.15) rotate(6deg)", opacity: 1, offset: 0.35 },
    { transform: "scale(1)", opacity: 1, offset: 0.7 },
    { transform: "scale(1.6)", opacity: 0 },
  ];
  const flight = moment.animate(path, { duration: MOMENT_MS, easing: "ease-out" });
  flight.onfinish = flight.oncancel = () => moment.remove();
}

/** Animates a hat that falls on the head below it. @param {Element} hat */
export function fall(hat) {
  if (calm.matches || document.hidden) return;
  const path = [{ translate: "0 -9rem", rotate: "-30deg", opacity: 0 }, {}];
  hat.animate(path, { duration: FALL_MS, easing: "cubic-bezier(.3, 1.4, .5, 1)" });
}

/** Animates a rain of suits over everything, when the reader has won. @param {HTMLElement} root */
export function celebrate(root) {
  if (calm.matches || document.hidden) return;
  for (let n = 0; n < CONFETTI; n++) {
    const suit = unspoken(element("span", `confetti ${SUITS[n % SUITS.length][1]}`, SUITS[n % SUITS.length][0]));
    suit.style.setProperty("left", `${Math.random() * 100}%`);
    root.append(suit);

    const turn = (Math.random() - 0.5) * 900;
    const aside = (Math.random() - 0.5) * 160;
    const path = [
      { transform: "translate(0, -3rem)", opacity: 1 },
      { transform: `translate(${aside}px, 70vh) rotate(${turn}deg)`, opacity: 1, offset: 0.8 },
      { transform: `translate(${aside}px, 90vh) rotate(${turn}deg)`, opacity: 0 },
    ];
    const timing = { duration: RAIN_MS * (0.6 + Math.random() * 0.4), delay: Math.random() * RAIN_MS * 0.4 };
    const falling = suit.animate(path, { ...timing, easing: "cubic-bezier(.3, .2, .6, 1)", fill: "both" });
    falling.onfinish = falling.oncancel = () => suit.remove();
  }
}

/** Shakes an element that was refused. @param {HTMLElement} thing */
export function shake(thing) {
  if (calm.matches || document.hidden) return;
  const path = ["0", "-8px", "7px", "-5px", "3px", "0"].map((x) => ({ translate: x }));
  thing.animate(path, { id: "shake", duration: SHAKE_MS, composite: "add" }); // the card may still be moving back
}

/** Returns the box of a card in any zone, because the hand and the table may be updated one after the other. @param {Places} places @param {string} key */
function anywhere(places, key) {
  for (const [name, { box }] of places) if (name.endsWith(`|${key}`)) return box;
  return null;
}

/**
 * Animates a card from its origin to its box; one that was not visible before stays hidden until its animation starts.
 * @param {HTMLElement} card
 * @param {Box} origin
 * @param {Box} box
 * @param {{delay: number, isSeen: boolean}} options `delay` in milliseconds
 */
function glide(card, origin, box, { delay, isSeen }) {
  const x = origin.left + origin.width / 2 - box.left - box.width / 2;
  const y = origin.top + origin.height / 2 - box.top - box.height / 2;
  if (Math.abs(x) < 1 && Math.abs(y) < 1) return;
  const scale = box.width ? origin.width / box.width : 1;
  const path = [
    { translate: `${x}px ${y}px`, scale: `${scale}`, opacity: isSeen ? 1 : 0 },
    { opacity: 1, offset: 0.15 },
    { translate: "0 0", scale: "1", opacity: 1 },
  ];
  gliding.push(card.animate(path, { ...EASE, delay, fill: "backwards" }));
}

// --- the origins and targets of cards between two moments of a game ---

/** Animates the cards between two moments of a game. */
export class Choreographer {
  /** @param {BoardView} table */
  constructor(table) {
    this.table = table;
    /** @type {Places} */
    this.before = new Map();
  }

  /** Stores the places of the cards before they are redrawn. */
  remember() {
    this.before = places($("stage"));
  }

  /** Animates the cards from one view to the next; without a `last` one, the cards have just been dealt. @param {View | null} last @param {View} view */
  play(last, view) {
    const { board, own } = view;
    const before = last?.board.id === board.id ? last.board : null;
    const spots = this.spots(board, own); // measures before anything is animated
    const isDealt = !before || board.talon < before.talon;
    const counts = isDealt ? drawsSince(before, board) : [];
    const pace = paceOf(counts);
    move(
      $("stage"),
      this.before,
      (zone, card) => (zone === "hand" ? spots.talon : originOf(card, board, spots)),
      (zone) => (zone === "bout" && before ? targetOf(before, board, spots) : null),
      before ? STAGGER_MS : pace * counts.length,
    );
    this.deal(counts, own, spots, pace);
  }

  /** @param {Board} board @param {number | null} own @returns {Spots} */
  spots(board, own) {
    const mine = $("mine").getBoundingClientRect();
    return {
      mine,
      talon: this.table.talon.getBoundingClientRect(),
      heap: this.table.heap.getBoundingClientRect(),
      seats: board.seats.map((_, seat) => (seat === own ? mine : this.table.boxOf(seat))),
    };
  }

  /**
   * Animates the cards that the other players have drawn, round by round.
   * @param {number[]} counts the numbers of cards by seat
   * @param {number | null} own
   * @param {Spots} spots
   * @param {number} pace milliseconds between two cards
   */
  deal(counts, own, { talon, seats }, pace) {
    const card = first(".back", this.table.talon) ?? back();
    counts.forEach((count, n) => {
      const box = seats[n];
      if (n === own || !box) return;
      for (let round = 0; round < count; round++) fly(card, talon, box, (round * counts.length + n) * pace);
    });
  }
}

/** Returns the number of cards that each seat has drawn, up to `MAX_DEALT`. @param {Board | null} before @param {Board} board */
function drawsSince(before, { seats }) {
  return seats.map(({ cards }, n) => {
    const count = cards - (before?.seats[n]?.cards ?? 0);
    return Math.max(0, Math.min(MAX_DEALT, count));
  });
}

/** Returns the milliseconds between two cards of a deal. @param {number[]} counts */
function paceOf(counts) {
  const rounds = Math.max(1, ...counts);
  return Math.min(DEAL_MS, LONGEST_DEAL_MS / (rounds * Math.max(1, counts.length)));
}

/** @typedef {{mine: Box, talon: Box, heap: Box, seats: (Box | null)[]}} Spots where cards come from and go to */

/** Returns the box of the player who laid a card. @param {HTMLElement} card @param {Board} board @param {Spots} spots */
function originOf(card, { seats }, spots) {
  const defender = seats.findIndex(({ role }) => role === "defender");
  const by = card.dataset.by === "" ? defender : Number(card.dataset.by);
  return spots.seats[by === -1 ? defender : by] ?? spots.mine;
}

/** Returns the target of a bout's cards: the heap, or the player who took them. @param {Board} before @param {Board} board @param {Spots} spots */
function targetOf(before, board, { heap, seats }) {
  if (board.discard > before.discard) return heap;
  const taker = board.seats.findIndex((seat, n) => {
    const was = before.seats[n];
    return was?.role === "defender" && seat.cards > was.cards;
  });
  return taker < 0 ? null : seats[taker];
}
