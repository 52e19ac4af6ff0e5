// The table: who sits around it, talon and discard heap, and the cards of the bout as they lie.

/** @import {Board, BoardPair, BoardSeat, Card, Role} from "../types" */
/** @import {Box, Layout, Told} from "./layout.js" */
import { face, keyed, shortly, suitSign, suitWords, words, withCards } from "./cards.js";
import { button, classes, element, fill, first, keep, svg, unspoken } from "./dom.js";
import { cardWidth, layoutOf } from "./layout.js";
import { said } from "./texts.js";
import { aimAt } from "./throws.js";

export class BoardView {
  /** @param {HTMLElement} root @param {{hasAims?: boolean}} [how] `hasAims`: things can be thrown at its seats */
  constructor(root, { hasAims = false } = {}) {
    this.root = root;
    this.hasAims = hasAims;
    this.again = () => {}; // draws what was drawn last
    this.bounds = new DOMRect(); // in which it was drawn
    this.arrow = new Arrow();
    this.around = element("ol", "seats");
    this.around.ariaLabel = said("Players");
    this.talon = element("div", "pile talon");
    this.heap = element("div", "pile heap");
    this.bout = element("ol", "bout");
    this.bout.ariaLabel = said("On the table");
    root.append(this.arrow.root, this.around, this.talon, this.heap, this.bout);
    new ResizeObserver(() => this.again()).observe(root);
  }

  /** Draws again if the lines or the hand took room: an observer hears only of sizes that differ from what it heard last. */
  fit() {
    const { width, height } = this.root.getBoundingClientRect();
    if (width !== this.bounds.width || height !== this.bounds.height) this.again();
  }

  /**
   * Draws a board.
   * @param {Board} board
   * @param {number | null} own the reader's seat
   * @param {(pair: BoardPair) => string} mark returns how an attack card looks
   * @param {{isAbsent?: (seat: BoardSeat) => boolean, told?: Told[]}} [how] `isAbsent`: whether who sits there has closed
   *   the page; `told` needs room over the hand
   */
  draw(board, own, mark, { isAbsent = () => false, told = [] } = {}) {
    this.again = () => this.draw(board, own, mark, { isAbsent, told });
    this.bounds = this.root.getBoundingClientRect(); // is measured first: after a change it costs a layout
    const { width, height } = this.bounds;
    if (!width || !height) return; // it is drawn as soon as it has room

    const text = parseFloat(getComputedStyle(document.documentElement).fontSize);
    const around = seatsAround(board, own);
    const layout = layoutOf({ width, height, text, others: around.length, told });
    this.root.style.setProperty("--em", `${layout.em}px`);
    this.makeRoom(layout, text);
    this.root.style.setProperty("--pile", `${layout.pileCard}px`);
    place(this.talon, layout.talon);
    place(this.heap, layout.heap);
    place(this.bout, layout.bout);

    this.drawSeats(board, around, layout, isAbsent);
    this.drawTalon(board);
    this.drawHeap(board);
    this.drawBout(board, mark, layout.bout);
    this.drawArrow(board, own, around, layout);
  }

  /** Gives what is told over the hand the place and the size that the layout has for it. @param {Layout} layout @param {number} text */
  makeRoom({ told, em }, text) {
    const { width } = this.bounds;
    const right = told ? width - told.x - told.width : 0;
    const rem = Math.min(em, text);
    const sizes = { "--rem": rem, "--letter": told?.letter ?? rem, "--told-left": told?.x ?? 0, "--told-right": right };
    for (const [name, pixels] of Object.entries(sizes)) {
      this.root.parentElement?.style.setProperty(name, `${pixels}px`);
    }
  }

  /** @param {Board} board @param {number[]} around @param {Layout} layout @param {(seat: BoardSeat) => boolean} isAbsent */
  drawSeats(board, around, { seats, em, isCompact }, isAbsent) {
    this.around.classList.toggle("compact", isCompact);
    const drawn = around.map((seat, n) => ({
      ...board.seats[seat],
      seat,
      isLoser: board.losers.includes(seat),
      isAbsent: isAbsent(board.seats[seat]),
      hasAim: this.hasAims,
      box: seats[n],
      line: seats[n].width / (LETTER * em),
      lines: isCompact ? 1 : 2,
    }));
    keep(this.around, drawn, {
      key: ({ seat }) => String(seat),
      make: () => element("li", "seat"),
      update: drawSeat,
    });
  }

  /** @param {Board} board */
  drawTalon({ talon, turn_up, trump }) {
    this.talon.classList.toggle("empty", !talon);
    fill(this.talon, [talon, turn_up, trump], () => {
      const parts = [turn_up ? element("span", "turn-up", face(turn_up)) : suitSign(trump)];
      if (talon > 1) parts.push(element("span", "back"));
      parts.push(talon ? element("b", "count", String(talon)) : element("b", "count named", said("Trump")));

      const shown = turn_up ? words(turn_up) : suitWords(trump);
      const told = `${said("Trump")}: ${shown}. ${said("In the deck")}: ${talon}`;
      return [...parts.map(unspoken), element("span", "unseen", told)];
    });
  }

  /** @param {Board} board */
  drawHeap({ discard, discarded }) {
    fill(this.heap, [discard, discarded], () => {
      const count = Math.min(3, Math.ceil(discard / 2));
      /** @type {HTMLElement[]} */
      const parts = Array.from({ length: count }, () => element("span", "back"));
      if (discard) parts.push(element("b", "count named", `${said("Discard")} ${discard}`));

      const cards = discarded.map(words).join(", ");
      const told = `${said("Discard")}: ${discard}${cards && `. ${cards}`}`;
      const closed = [...parts.map(unspoken), element("span", "unseen", told)];
      if (!discarded.length) return closed;

      const open = button("unbutton", ...closed);
      open.onclick = () => this.heap.classList.toggle("open");
      return [open, element("span", "discarded", ...discarded.map(face))];
    });
  }

  /** @param {Board} board @param {(pair: BoardPair) => string} mark @param {Box} room */
  drawBout({ bout }, mark, room) {
    this.bout.style.setProperty("--card", `${cardWidth(bout.length, room)}px`);
    drawBout(this.bout, bout, mark);
  }

  /** Points from who attacks to who is attacked; of two everybody knows that. @param {Board} board @param {number | null} own @param {number[]} around @param {Layout} layout */
  drawArrow({ seats, is_over }, own, around, layout) {
    const attacker = seats.findIndex(({ role }) => role === "attacker");
    const defender = seats.findIndex(({ role }) => role === "defender");
    const isNeeded = !is_over && attacker >= 0 && defender >= 0 && seats.length > 2;
    const { width, height } = this.bounds;
    const edge = layout.told?.y ?? height;
    const bottom = { x: width / 2, y: edge + 12, radius: layout.em, name: 0 }; // the reader's own seat
    const endAt = (/** @type {number} */ seat) =>
      seat === own ? bottom : endOf(layout.seats[around.indexOf(seat)], layout);
    if (isNeeded) this.arrow.point(endAt(attacker), endAt(defender), { width, height }, layout.isCompact);
    else this.arrow.hide();
  }

  /** Returns the box from which a player's cards come and to which they go. @param {number} seat */
  boxOf(seat) {
    return first(`[data-key="${seat}"]`, this.around)?.getBoundingClientRect() ?? null;
  }
}

/** Lists the seats of everybody but the reader, clockwise from the reader's left. @param {Board} board @param {number | null} own */
function seatsAround({ seats }, own) {
  const count = seats.length;
  if (own === null) return [...seats.keys()];
  return Array.from({ length: count - 1 }, (_, n) => (own + 1 + n) % count);
}

/** @param {HTMLElement} item @param {Box} box */
function place(item, { x, y, width, height }) {
  for (const [side, pixels] of Object.entries({ left: x, top: y, width, height })) {
    item.style.setProperty(side, `${pixels}px`);
  }
}

/**
 * Draws the pairs of a bout.
 * @param {HTMLElement} list
 * @param {BoardPair[]} bout
 * @param {(pair: BoardPair) => string} [mark] returns how an attack card looks
 */
export function drawBout(list, bout, mark = () => "") {
  const keys = keyed(bout.map(({ attack }) => attack));
  const pairs = bout.map((pair, n) => ({ ...pair, ...keys[n] }));
  keep(list, pairs, {
    key: (pair) => pair.key,
    make: () => element("li", "pair"),
    update: (item, pair) => drawPair(item, pair, mark(pair)),
  });
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
    update: (laid, each) => {
      Object.assign(laid.dataset, { zone: "bout", card: each.key, by: each.by ?? "" });
    },
  });
  const aside = first(".unseen", item) ?? item.appendChild(element("span", "unseen"));
  if (aside.textContent !== told) aside.textContent = told;
}

/** Returns a small turn that is always the same for a card, as if laid by hand. @param {Card} card */
function turnOf(card) {
  return ((card.charCodeAt(0) * 7 + card.charCodeAt(1) * 13) % 9) - 4;
}

// --- the arrow from who attacks to who is attacked ---

/** @typedef {{x: number, y: number, radius: number, name: number}} End of an arrow: it keeps off by `radius`, below by `name` more */

/* In em: the middle of an avatar below the top of its seat, how far from it an arrow ends, how much further below,
   where the name is; `bend`: how much of the way to the middle of the table an arrow leans. */
const ARC = { middle: 1.5, radius: 2.3, name: 2.2, bend: 0.4 };
const ROWS = { middle: 1, radius: 1.2, name: 1.3, bend: 0.08 };

/** @param {Box} seat @param {Layout} layout @returns {End} */
function endOf({ x, y, width }, { em, isCompact }) {
  const { middle, radius, name } = isCompact ? ROWS : ARC;
  return { x: x + width / 2, y: y + middle * em, radius: radius * em, name: name * em };
}

class Arrow {
  constructor() {
    const size = { viewBox: "0 0 10 10", refX: 7, refY: 5, markerWidth: 5, markerHeight: 5, orient: "auto" };
    const tip = svg("marker", { id: "tip", ...size }, svg("path", { d: "M0 0 10 5 0 10z" }));
    this.line = svg("path", {});
    this.root = svg("svg", { id: "arrow", "aria-hidden": "true" }, tip, this.line);
  }

  hide() {
    this.root.classList.remove("shown");
    this.line.removeAttribute("d");
  }

  /** @param {End} from @param {End} to @param {{width: number, height: number}} table @param {boolean} isFlat */
  point(from, to, { width, height }, isFlat) {
    const { bend } = isFlat ? ROWS : ARC;
    const middle = {
      x: between((from.x + to.x) / 2, width / 2, bend),
      y: between((from.y + to.y) / 2, height / 2, bend),
    };
    const start = beside(from, middle);
    const end = beside(to, middle);
    this.root.classList.add("shown");
    this.line.setAttribute("d", `M${start.x} ${start.y} Q${middle.x} ${middle.y} ${end.x} ${end.y}`);
  }
}

/** @param {number} from @param {number} to @param {number} share of the way */
function between(from, to, share) {
  return from + (to - from) * share;
}

/** Returns a spot beside the end of an arrow, on the way to another one. @param {End} end @param {{x: number, y: number}} other */
function beside({ x, y, radius, name }, other) {
  const far = Math.hypot(other.x - x, other.y - y) || 1;
  const right = (other.x - x) / far;
  const down = (other.y - y) / far;
  const distance = down > 0 ? radius + name : radius;
  return { x: x + right * radius, y: y + down * distance };
}

// --- seats ---

const MAX_BACKS = 6;
const MAX_KNOWN = 2;
const LETTER = 0.53; // em of a letter in a name
const SMALLER = 1.16; // so many more letters find room in a name with a long word
const LAST = 5; // letters at the end of a name that is shortened: others may begin alike

/**
 * @typedef {object} Drawn how a seat is drawn
 * @property {Box} box
 * @property {boolean} isLoser
 * @property {boolean} isAbsent
 * @property {boolean} hasAim whether something can be thrown at it
 * @property {number} line how many letters find room beside one another
 * @property {number} lines how many lines below one another
 */

/** @param {HTMLElement} item @param {BoardSeat & Drawn & {seat: number}} seat */
function drawSeat(item, seat) {
  const { name, cards, role, is_awaited, is_out, is_away, team, seen, isLoser, isAbsent, line, lines } = seat;
  const isLong = name.split(" ").some((word) => word.length > line);
  const isTimed = isAbsent && is_awaited; // until the table moves for them
  const marks = { awaited: is_awaited, out: is_out, away: is_away, loser: isLoser, absent: isAbsent };
  item.className = classes(`seat ${role}`, marks);
  item.dataset.seat = String(seat.seat);
  place(item, seat.box);

  const facts = [name, cards, role, isTimed, is_out, is_away, team, seen, isLoser, isAbsent, line, lines];
  fill(item, facts, () => {
    const face = element("span", "avatar", element("span", "initial", is_out ? "✓" : initial(name)));
    if (isTimed) face.append(element("span", "clock"));
    face.append(...badges(isLoser ? "loser" : is_away ? "away" : role));
    const letters = line * lines * (isLong ? SMALLER : 1);
    const label = element("bdi", isLong ? "name long" : "name", `${team}${shortened(name, letters)}`);
    const parts = [face, backs(cards, seen), label, element("span", "unseen", inWords(seat))];
    return seat.hasAim ? [...parts, aimAt(seat.seat, name, first(".aim", item))] : parts;
  });
}

/** Returns a name of about so many letters at most, from its beginning and its end. @param {string} name @param {number} most */
export function shortened(name, most) {
  const letters = [...name];
  if (letters.length <= most + 1) return name;

  const beginning = letters.slice(0, Math.max(1, Math.floor(most) - LAST)).join("");
  return `${beginning.trim()}…${letters.slice(-LAST).join("")}`;
}

/** Returns the first letter of a name. @param {string} name */
export function initial(name) {
  return (lettersOf(name)[0] ?? "").toUpperCase(); // one letter may be several characters
}

/** @param {string} name */
function lettersOf(name) {
  if (!Intl.Segmenter) return [...name];
  // eslint-disable-next-line compat/compat -- asked for above
  const segments = new Intl.Segmenter().segment(name);
  return Array.from(segments, ({ segment }) => segment);
}

/** @param {Role | "away" | "loser"} what */
function badges(what) {
  const sign = { attacker: "⚔️", defender: "🛡️", away: "💤", loser: "🃏", none: "" }[what];
  return sign ? [unspoken(element("span", "badge", sign))] : [];
}

/** Draws a few cards from behind, and those in front of them that everybody knows. @param {number} cards @param {Card[]} seen */
function backs(cards, seen) {
  const made = element(
    "span",
    "backs",
    ...seen.slice(0, MAX_KNOWN).map((card) => element("span", "known", ...withCards(shortly(card)))),
  );
  made.ariaHidden = "true";
  const hidden = Math.min(cards - seen.length, MAX_BACKS - 2 * seen.length);
  for (let n = 0; n < hidden; n++) made.append(element("span", "back"));
  made.append(element("b", "", String(cards)));
  return made;
}

/** Returns the signs of a seat in words, for screen readers. @param {BoardSeat & {isAbsent: boolean}} seat */
function inWords({ cards, role, is_out, is_away, isAbsent, seen }) {
  const told = [is_out ? said("out of cards") : `${said("cards")}: ${cards}`];
  if (role === "attacker") told.push(said("attacks"));
  if (role === "defender") told.push(said("defends"));
  if (is_away) told.push(said("is away"));
  if (isAbsent) told.push(said("has closed the page"));
  told.push(...seen.map(words));
  return told.join(", ");
}
