// The table: talon with the trump under it, discard heap, and the cards of the bout as they lie.

/** @import {Board, BoardPair, BoardSeat, Card} from "../types" */
import { face, keyed, suitSign, suitWords, words } from "./cards.js";
import { button, element, fill, first, keep, svg, unspoken } from "./dom.js";
import { LETTERS, SHORT, Seats, inLetters, rowHeight, rowsOf } from "./seats.js";
import { said } from "./texts.js";

const WIDEST = 92; // pixels of a card's width where the table is not large
const LARGEST = 150;
const LARGE = { width: 1000, height: 480 }; // pixels from which on everything on the table grows
const NARROWEST = 26;
const RATIO = 1.4; // of a card's height to its width
const BESIDE = 1.3; // of a pair's width to a card's
const BELOW = 1.2; // of a pair's height to a card's
const GAP = 8;
const ROOMY = { width: 340, height: SHORT }; // pixels of a table where ordinary text finds room, however many play
const TIGHT = { wide: { width: 430, height: 130 }, high: { width: 300, height: 290 } }; // in which it just does

export class BoardView {
  /** @param {HTMLElement} root */
  constructor(root) {
    const tip = svg("path", { d: "M0 0 10 5 0 10z" });
    const marker = { id: "tip", viewBox: "0 0 10 10", refX: 7, refY: 5, markerWidth: 5, markerHeight: 5, orient: "auto" };
    const arrow = svg("svg", { id: "arrow", "aria-hidden": "true" }, svg("marker", marker, tip));
    this.root = root;
    this.again = () => {}; // draws what was drawn last
    this.bounds = new DOMRect(); // in which it was drawn
    this.around = element("ol", "seats");
    this.around.ariaLabel = said("Players");
    this.talon = element("div", "pile talon");
    this.heap = element("div", "pile heap");
    this.bout = element("ol", "bout");
    this.bout.ariaLabel = said("On the table");
    root.append(arrow, this.around, element("div", "piles", this.talon, this.heap), this.bout);
    this.seats = new Seats(this.around, arrow);
    new ResizeObserver(() => this.again()).observe(root);
  }

  /** Draw again if the lines or the hand took room: an observer hears only of sizes that differ from what it heard last. */
  fit() {
    const { width, height } = this.root.getBoundingClientRect();
    if (width !== this.bounds.width || height !== this.bounds.height) this.again();
  }

  /**
   * Draw a board.
   * @param {Board} board
   * @param {number | null} own the reader's seat
   * @param {(pair: BoardPair) => string} mark says how an attack card looks
   * @param {(seat: BoardSeat) => boolean} [isAbsent] whether who sits there has closed the page
   */
  draw(board, own, mark, isAbsent = () => false) {
    this.again = () => this.draw(board, own, mark, isAbsent);
    const bounds = this.root.getBoundingClientRect(); // all is measured first: after a change it costs a layout
    this.bounds = bounds;
    if (!bounds.width || !bounds.height) return; // it is drawn as soon as it has room
    const scale = scaleOf(bounds); // of everything but the cards of the bout
    const [width, height] = [bounds.width / scale, bounds.height / scale];
    const isLarge = width >= LARGE.width && height >= LARGE.height;
    const box = { width, height, scale, isLarge, isWide: isWide(bounds) };
    this.root.parentElement?.style.setProperty("--rem", `${scale * LETTERS}px`);
    this.root.classList.toggle("large", isLarge);
    this.root.classList.toggle("wide", box.isWide);
    const others = board.seats.length - (own === null ? 0 : 1);
    const rows = rowsOf(others, box);
    this.root.classList.toggle("short", height < SHORT);
    this.root.classList.toggle("single", others % 2 === 1);
    this.root.classList.toggle("packed", others > 3);
    this.root.classList.toggle("crowded", !box.isWide && others > 3 && !rows);
    this.root.classList.toggle("open-top", !box.isWide && others === 2);
    this.root.classList.toggle("deep", rows > 0);
    this.root.style.setProperty("--seats", inLetters(rows * rowHeight(box)));
    const room = { width: this.bout.clientWidth, height: this.bout.clientHeight };
    this.seats.draw(board, own, box, isAbsent);
    this.drawTalon(board);
    this.drawHeap(board);
    this.drawBout(board, mark, room);
    this.drawArrow(board, own, bounds);
  }

  /** @param {Board} board */
  drawTalon({ talon, turn_up, trump }) {
    this.talon.classList.toggle("empty", !talon);
    fill(this.talon, [talon, turn_up, trump], () => {
      const parts = [turn_up ? element("span", "turn-up", face(turn_up)) : suitSign(trump)];
      if (talon > 1) parts.push(element("span", "back"));
      if (talon) parts.push(element("b", "count", String(talon)));
      const told = `${said("Trump")}: ${turn_up ? words(turn_up) : suitWords(trump)}. ${said("In the deck")}: ${talon}`;
      return [...parts.map(unspoken), element("span", "unseen", told)];
    });
  }

  /** @param {Board} board */
  drawHeap({ discard, discarded }) {
    fill(this.heap, [discard, discarded], () => {
      /** @type {HTMLElement[]} */
      const parts = Array.from({ length: Math.min(3, Math.ceil(discard / 2)) }, () => element("span", "back"));
      if (discard) parts.push(element("b", "count", String(discard)));
      const told = [`${said("Discard")}: ${discard}`, discarded.map(words).join(", ")].filter(Boolean).join(". ");
      const closed = [...parts.map(unspoken), element("span", "unseen", told)];
      if (!discarded.length) return closed;
      const open = button("unbutton", ...closed);
      open.onclick = () => this.heap.classList.toggle("open");
      return [open, element("span", "discarded", ...discarded.map(face))];
    });
  }

  /** @param {Board} board @param {(pair: BoardPair) => string} mark @param {{width: number, height: number}} room */
  drawBout({ bout }, mark, { width, height }) {
    const size = sizeOf(bout.length, width, height);
    this.bout.style.setProperty("--card", `${size}px`);
    const keys = keyed(bout.map(({ attack }) => attack));
    keep(this.bout, bout.map((pair, n) => ({ ...pair, ...keys[n] })), {
      key: (pair) => pair.key,
      make: () => element("li", "pair"),
      update: (item, pair) => drawPair(item, pair, mark(pair)),
    });
  }

  /** @param {Board} board @param {number | null} own @param {DOMRect} frame */
  drawArrow({ seats, is_over }, own, frame) {
    const attacker = seats.findIndex(({ role }) => role === "attacker");
    const defender = seats.findIndex(({ role }) => role === "defender");
    const isNeeded = !is_over && attacker >= 0 && defender >= 0 && seats.length > 2; // two know whom they attack
    /** Where the arrow begins or ends; the reader's own seat is at the bottom. @param {number} seat */
    const spotOf = (seat) => (seat === own ? { x: frame.width / 2, y: frame.height + 12 } : this.seats.spotOf(seat));
    this.seats.point(isNeeded ? spotOf(attacker) : null, isNeeded ? spotOf(defender) : null, frame);
  }

  /** The box from which a player's cards come and to which they go. @param {number} seat */
  boxOf(seat) {
    return this.seats.boxOf(seat);
  }
}

/**
 * @param {HTMLElement} item
 * @param {BoardPair & {key: string}} pair
 * @param {string} state
 */
function drawPair(item, { attack, beat, key, by }, state) {
  item.className = ["pair", beat && "beaten", state].filter(Boolean).join(" ");
  item.dataset.attack = attack;
  const told = beat ? `${words(attack)}, ${said("beaten by")} ${words(beat)}` : words(attack);
  item.style.setProperty("--turn", `${turnOf(attack)}deg`);
  const cards = [{ card: attack, key, by }, ...(beat ? [{ card: beat, key: beat, by: -1 }] : [])];
  const places = first(".lying", item) ?? item.appendChild(element("span", "lying"));
  keep(places, cards, {
    key: (each) => each.key,
    make: ({ card }) => element("span", "laid", face(card)),
    update: (laid, each) => void Object.assign(laid.dataset, { zone: "bout", card: each.key, by: each.by ?? "" }),
  });
  const aside = first(".unseen", item) ?? item.appendChild(element("span", "unseen"));
  if (aside.textContent !== told) aside.textContent = told;
}

/** A small turn that is always the same for a card, as if laid by hand. @param {Card} card */
function turnOf(card) {
  return ((card.charCodeAt(0) * 7 + card.charCodeAt(1) * 13) % 9) - 4;
}

/** @param {{width: number, height: number}} size */
function isWide({ width, height }) {
  return width > height * 1.25;
}

/**
 * How much larger than ordinarily everything is: like the reader's text, as far as there is room for that.
 * @param {{width: number, height: number}} size
 */
function scaleOf({ width, height }) {
  const text = parseFloat(getComputedStyle(document.documentElement).fontSize) / LETTERS;
  /** @param {{width: number, height: number}} size */
  const shareOf = (size) => Math.min(width / size.width, height / size.height);
  const tight = isWide({ width, height }) ? TIGHT.wide : TIGHT.high;
  return Math.min(text, shareOf(tight), Math.max(1, shareOf(ROOMY)));
}

/** The largest width of a card with which so many pairs find room. @param {number} count @param {number} width @param {number} height */
export function sizeOf(count, width, height) {
  const widest = Math.max(WIDEST, Math.min(LARGEST, height / 2.6));
  for (let card = widest; card > NARROWEST; card -= 2) {
    const across = Math.max(1, Math.floor((width + GAP) / (card * BESIDE + GAP)));
    if (Math.ceil(Math.max(count, 2) / across) * (card * RATIO * BELOW + GAP) <= height) return card;
  }
  return NARROWEST;
}
