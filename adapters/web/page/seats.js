// Who sits around the table, and the arrow from who attacks to who is attacked.

/** @import {Board, BoardSeat, Card, Role} from "../types" */
import { shortly, words } from "./cards.js";
import { element, fill, first, keep, svg, unspoken } from "./dom.js";
import { withCards } from "./draw.js";
import { said } from "./texts.js";

const MOST_BACKS = 6;
const MOST_KNOWN = 2;
export const LETTERS = 16; // pixels of ordinary text, for which all other numbers of pixels here are meant
/* In pixels: how far from the `middle` of an avatar an arrow ends, how much further below, where the name stands;
   `bend`: how much of the way to the middle of the table an arrow leans. */
const ARC = { radius: 40, name: 30, bend: 0.4, middle: 26 };
const LARGE = { radius: 54, name: 40, bend: 0.4, middle: 38 };
const ROWS = { radius: 18, name: 20, bend: 0.08, middle: 16 };
const NARROWEST = 74; // pixels in which an ordinary name finds room
const LETTER = 8.5; // pixels of a letter in it
const SMALLER = 1.16; // so many more letters find room in a name with a long word
const LAST = 5; // letters at the end of a name that is shortened: others may begin alike
const BELOW_ARC = 128; // pixels for the outermost seats of a flat arc, and a pile below each
const MOST_ON_ARC = 5;
export const SHORT = 400; // pixels of height below which everything is smaller
const ROW = { high: 62, low: 50 }; // pixels from one row of seats to the next

/** @typedef {{x: number, y: number}} Spot */
/** @typedef {{width: number, height: number}} Size in pixels */
/** @typedef {Size & {scale: number, isLarge: boolean, isWide: boolean}} Box of the table, with the size of its text */

export class Seats {
  /** @param {HTMLElement} list @param {SVGElement} arrow */
  constructor(list, arrow) {
    this.list = list;
    this.arrow = arrow;
    this.way = ARC;
    /** @type {Map<number, Spot>} */
    this.spots = new Map();
    this.line = arrow.appendChild(svg("path", {}));
  }

  /**
   * Draw everybody but the reader, clockwise from the reader's left.
   * @param {Board} board
   * @param {number | null} own the reader's seat
   * @param {Box} box
   * @param {(seat: BoardSeat) => boolean} isAbsent
   */
  draw(board, own, box, isAbsent) {
    const count = board.seats.length;
    const first = own === null ? 0 : own + 1;
    const around = Array.from({ length: own === null ? count : count - 1 }, (_, n) => (first + n) % count);
    const spots = spotsOf(around.length, box);
    const isInRows = rowsOf(around.length, box) > 0;
    const way = isInRows ? ROWS : box.isLarge ? LARGE : ARC;
    const { width, scale } = box;
    this.way = { ...way, radius: way.radius * scale, name: way.name * scale };
    /** @param {Spot} spot */
    const middle = ({ x, y }) => ({ x: (x / 100) * width * scale, y: (y + way.middle) * scale });
    this.spots = new Map(around.map((seat, n) => [seat, middle(spots[n])]));
    this.list.classList.toggle("many", isInRows);
    const room = seatWidth(around.length, box);
    this.list.style.setProperty("--seat", inLetters(room));
    const [line, lines] = [room / LETTER, isInRows ? 1 : 2];
    const seats = around.map((seat, n) => ({ seat, spot: spots[n], isLoser: board.losers.includes(seat), isAbsent: isAbsent(board.seats[seat]), line, lines, ...board.seats[seat] }));
    keep(this.list, seats, {
      key: ({ seat }) => String(seat),
      make: () => element("li", "seat"),
      update: drawSeat,
    });
  }

  /** Where an arrow to a seat ends, once the seat has arrived there; the reader's own has none here. @param {number} seat */
  spotOf(seat) {
    return this.spots.get(seat) ?? null;
  }

  /** The box of a seat; the reader's own has none here. @param {number} seat */
  boxOf(seat) {
    return first(`[data-key="${seat}"]`, this.list)?.getBoundingClientRect() ?? null;
  }

  /** Point from one spot to the other; null: no arrow. @param {Spot | null} from @param {Spot | null} to @param {Size} size */
  point(from, to, { width, height }) {
    this.arrow.classList.toggle("shown", Boolean(from && to));
    if (!from || !to) {
      this.line.removeAttribute("d");
      return;
    }
    const { bend: share } = this.way;
    const bend = { x: towards((from.x + to.x) / 2, width / 2, share), y: towards((from.y + to.y) / 2, height / 2, share) };
    const [start, end] = [beside(from, bend, this.way), beside(to, bend, this.way)];
    this.line.setAttribute("d", `M${start.x} ${start.y} Q${bend.x} ${bend.y} ${end.x} ${end.y}`);
  }
}

/** @param {number} place @param {number} middle @param {number} share */
function towards(place, middle, share) {
  return place + (middle - place) * share;
}

/** A spot beside another one, on the way to a third. @param {Spot} spot @param {Spot} other @param {{radius: number, name: number}} way */
function beside(spot, other, { radius, name }) {
  const far = Math.hypot(other.x - spot.x, other.y - spot.y) || 1;
  const [x, y] = [(other.x - spot.x) / far, (other.y - spot.y) / far];
  return { x: spot.x + x * radius, y: spot.y + y * (y > 0 ? radius + name : radius) };
}

/** Pixels among ordinary text, as a length that grows with the text on the table. @param {number} pixels */
export function inLetters(pixels) {
  return `${pixels / LETTERS}em`;
}

/** In how many rows so many seats stand; 0: they stand on an arc. @param {number} count @param {Box} box */
export function rowsOf(count, { width, isWide }) {
  if (isWide || count < 2 || (count <= MOST_ON_ARC && width / count >= NARROWEST)) return 0;
  return Math.max(2, Math.ceil(count / Math.max(1, Math.floor(width / NARROWEST))));
}

/** How far below one another these rows stand, in pixels. @param {Size} size */
export function rowHeight({ height }) {
  return height < SHORT ? ROW.low : ROW.high;
}

/** @param {number} count @param {Box} box */
function seatWidth(count, box) {
  const { width, height, isLarge, isWide } = box;
  const rows = rowsOf(count, box);
  if (rows) return width / Math.ceil(count / rows) - 2;
  const perRow = Math.max(count, height < SHORT ? 4.5 : 0); // of little height: the cards lie between the names
  return isWide ? Math.min(isLarge ? 220 : 170, width / perRow) : Math.min(Math.max(80, width / 6), width / Math.max(count, 4) - 2);
}

/** Spots on an arc, in hundredths of the width and pixels from the top. @param {number} count @param {Box} box */
function spotsOf(count, box) {
  const { width, height, isWide } = box;
  const seat = seatWidth(count, box);
  const rows = rowsOf(count, box);
  if (rows) {
    const perRow = Math.ceil(count / rows);
    return Array.from({ length: count }, (_, n) => {
      const row = Math.floor(n / perRow);
      const here = Math.min(perRow, count - row * perRow);
      return { x: (((n % perRow) + 0.5) / here) * 100, y: row * rowHeight(box) };
    });
  }
  const depth = isWide ? Math.min(height * 0.42, 220, Math.max(0, height - BELOW_ARC)) : count > 3 ? 112 : 96;
  const reach = 50 - (seat / 2 / width) * 100;
  return Array.from({ length: count }, (_, n) => {
    const angle = Math.PI * (1 - (n + 0.5) / count);
    const widest = Math.cos(Math.PI / (2 * count)) || 1;
    return {
      x: 50 + (count > 1 ? (Math.cos(angle) / widest) * reach : 0),
      y: depth * (1 - Math.sin(angle)),
    };
  });
}

/**
 * @param {HTMLElement} item
 * @param {BoardSeat & {spot: Spot, isLoser: boolean, isAbsent: boolean, line: number, lines: number}} seat
 *   `line`: how many letters find room beside one another, `lines`: below one another
 */
function drawSeat(item, seat) {
  const { name, cards, role, is_awaited, is_out, is_away, team, seen, spot, isLoser, isAbsent, line, lines } = seat;
  const isLong = name.split(" ").some((word) => word.length > line);
  item.className = ["seat", role, is_awaited && "awaited", is_out && "out", is_away && "away", isLoser && "loser", isAbsent && "absent"].filter(Boolean).join(" ");
  item.style.setProperty("left", `${spot.x}%`);
  item.style.setProperty("top", inLetters(spot.y));
  const isTimed = isAbsent && is_awaited; // until the table moves for them
  fill(item, [name, cards, role, isTimed, is_out, is_away, team, seen, isLoser, isAbsent, line, lines], () => [
    element(
      "span", "avatar",
      element("span", "initial", is_out ? "✓" : initial(name)),
      ...(isTimed ? [element("span", "clock")] : []),
      ...badges(isLoser ? "loser" : is_away ? "away" : role),
    ),
    backs(cards, seen),
    element("bdi", isLong ? "name long" : "name", `${team}${shortened(name, line * lines * (isLong ? SMALLER : 1))}`),
    element("span", "unseen", facts(seat)),
  ]);
}

/** A name of about so many letters at most, from its beginning and its end. @param {string} name @param {number} most */
export function shortened(name, most) {
  const letters = [...name];
  if (letters.length <= most + 1) return name;
  return `${letters.slice(0, Math.floor(most) - LAST).join("").trim()}…${letters.slice(-LAST).join("")}`;
}

/** The first letter of a name. @param {string} name */
export function initial(name) {
  // eslint-disable-next-line compat/compat -- without it the first character has to do
  const letters = Intl.Segmenter ? Array.from(new Intl.Segmenter().segment(name), ({ segment }) => segment) : [...name];
  return (letters[0] ?? "").toUpperCase(); // one letter may be several characters
}

/** @param {Role | "away" | "loser"} what */
function badges(what) {
  const sign = { attacker: "⚔️", defender: "🛡️", away: "💤", loser: "🃏", none: "" }[what];
  return sign ? [unspoken(element("span", "badge", sign))] : [];
}

/** A few cards from behind, and those in front of them that everybody knows. @param {number} cards @param {Card[]} seen */
function backs(cards, seen) {
  const made = element("span", "backs", ...seen.slice(0, MOST_KNOWN).map((card) => element("span", "known", ...withCards(shortly(card)))));
  made.ariaHidden = "true";
  for (let n = 0; n < Math.min(cards - seen.length, MOST_BACKS - 2 * seen.length); n++) made.append(element("span", "back"));
  made.append(element("b", "", String(cards)));
  return made;
}

/** What the signs of a seat mean, for screen readers. @param {BoardSeat & {isAbsent: boolean}} seat */
function facts({ cards, role, is_out, is_away, isAbsent, seen }) {
  const told = [is_out ? said("out of cards") : `${said("cards")}: ${cards}`];
  if (role === "attacker") told.push(said("attacks"));
  if (role === "defender") told.push(said("defends"));
  if (is_away) told.push(said("is away"));
  if (isAbsent) told.push(said("has closed the page"));
  told.push(...seen.map(words));
  return told.join(", ");
}
