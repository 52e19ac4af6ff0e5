// Draws the table: the seats, the talon, the discard heap, and the cards of the bout.

/** @import {Board, BoardMove, BoardPair, BoardSeat, Card, Role} from "../types" */
/** @import {Box, Layout, Note} from "./layout.js" */

/** @typedef {{seat: number, box: Box, isOwn: boolean}} Place a player's seat at the drawn table; `isOwn`: the reader's */

import { Arrow, arrowOf } from "./arrow.js";
import { avatarOf, besideFace, initial, shortened } from "./avatars.js";
import { back, face, keyed, shortly, suitSign, suitWords, words, withCards } from "./cards.js";
import { button, classes, element, fill, first, keep, svg, unspoken } from "./dom.js";
import { cardWidth, layoutOf, LENGTHS, placeOfPairs, USUAL_CARD } from "./layout.js";
import { withPortrait } from "./portraits.js";
import { t } from "./texts.js";
import { aimAt } from "./throws.js";

const OWN_NAME = 3.2; // em of the name beside the reader's own face

const { style: shared } = globalThis.document?.documentElement ?? {};
for (const [name, length] of Object.entries(LENGTHS)) shared?.setProperty(name, length);

export class BoardView {
  /** @param {HTMLElement} root @param {{hasAims?: boolean}} [options] `hasAims`: things can be thrown at its seats */
  constructor(root, { hasAims = false } = {}) {
    this.root = root;
    this.hasAims = hasAims;
    this.again = () => {}; // repeats the last drawing
    this.bounds = new DOMRect(); // the bounds of the last drawing
    this.rim = element("div", "rim");
    this.arrow = new Arrow();
    this.around = element("ol", "seats");
    this.around.ariaLabel = t("Players");
    this.talon = element("div", "pile talon");
    this.heap = element("div", "pile heap");
    this.bout = element("ol", "bout");
    this.bout.ariaLabel = t("On the table");
    root.append(this.rim, this.arrow.root, this.around, this.talon, this.heap, this.bout);
    new ResizeObserver(() => this.again()).observe(root);
  }

  /** Redraws if the table's size has changed; the observer misses a change that is reverted before it runs. */
  fit() {
    const { width, height } = this.root.getBoundingClientRect();
    if (width !== this.bounds.width || height !== this.bounds.height) this.again();
  }

  /**
   * Draws a board.
   * @param {Board} board
   * @param {number | null} own the reader's seat
   * @param {(pair: BoardPair) => string} mark returns the class of a pair
   * @param {{isAbsent?: (seat: BoardSeat) => boolean, notes?: Note[]}} [options] `isAbsent`: whether the player does not have
   *   the page open; `notes`: the messages that need room over the hand
   */
  draw(board, own, mark, { isAbsent = () => false, notes = [] } = {}) {
    this.again = () => this.draw(board, own, mark, { isAbsent, notes });
    this.bounds = this.root.getBoundingClientRect(); // measured before any change, which would cost a layout
    const { width, height } = this.bounds;
    if (!width || !height) return; // the observer draws it once it has a size

    const style = getComputedStyle(document.documentElement);
    const text = parseFloat(style.fontSize);
    const largest = Math.max(USUAL_CARD, parseFloat(style.getPropertyValue("--widest")));
    const around = seatsAround(board, own);
    const layout = layoutOf({ width, height, text, others: around.length, notes, largest });
    this.root.style.setProperty("--em", `${layout.em}px`);
    const rem = Math.min(layout.em, text);
    this.root.style.setProperty("--rem", `${rem}px`);
    this.placeNotes(layout, rem);
    this.root.style.setProperty("--pile", `${layout.pileCard}px`);
    place(this.rim, layout.rim);
    this.root.parentElement?.classList.toggle("round", layout.isRound);
    place(this.talon, layout.talon);
    place(this.heap, layout.heap);

    const places = around.map((seat, n) => ({ seat, box: layout.seats[n], isOwn: false }));
    if (own !== null && layout.own) places.push({ seat: own, box: layout.own, isOwn: true });
    this.drawSeats(board, places, layout, isAbsent);
    this.drawTalon(board);
    this.drawHeap(board);
    const isInviting = own !== null && isWaitingForCard(board, own);
    this.bout.classList.toggle("inviting", isInviting);
    this.drawBout(board, mark, layout);
    this.drawArrow(board, own, around, layout, isInviting);
  }

  /** Applies the layout's place and text size to the messages over the hand. @param {Layout} layout @param {number} rem the size of small text on the table, in pixels */
  placeNotes({ notes, own, em }, rem) {
    const above = first(".above", this.root.parentElement ?? undefined);
    if (!above) return;

    const right = notes ? this.bounds.width - notes.x - notes.width : 0;
    const sizes = {
      "--letter": notes?.letter ?? rem,
      "--from-left": notes?.x ?? 0,
      "--from-right": right,
      "--own": own ? own.width / 2 + OWN_NAME * em : 0,
    };
    for (const [name, pixels] of Object.entries(sizes)) above.style.setProperty(name, `${pixels}px`);
    above.classList.toggle("corner", Boolean(notes?.isInCorner));
    above.classList.toggle("beside-own", Boolean(own));
  }

  /** @param {Board} board @param {Place[]} places @param {Layout} layout @param {(seat: BoardSeat) => boolean} isAbsent */
  drawSeats(board, places, { em, isCompact }, isAbsent) {
    this.around.classList.toggle("compact", isCompact);
    const players = places.map(({ seat, box, isOwn }) => ({
      ...board.seats[seat],
      seat,
      box,
      isOwn,
      isLoser: board.losers.includes(seat),
      isAbsent: isAbsent(board.seats[seat]),
      hasAim: this.hasAims && !isOwn,
      line: box.width / (LETTER * em),
      lines: isCompact ? 1 : 2,
    }));
    keep(this.around, players, {
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
      if (talon > 1) parts.push(back(), element("b", "count", String(talon)));
      parts.push(element("b", "count pile-name", ...(talon ? [suitSign(trump)] : []), t("Trump")));

      const card = turn_up ? words(turn_up) : suitWords(trump);
      const label = `${t("Trump")}: ${card}. ${t("In the deck")}: ${talon}`;
      return [...parts.map(unspoken), element("span", "unseen", label)];
    });
  }

  /** @param {Board} board */
  drawHeap({ discard, discarded }) {
    fill(this.heap, [discard, discarded], () => {
      const count = Math.min(3, Math.ceil(discard / 2));
      /** @type {HTMLElement[]} */
      const parts = Array.from({ length: count }, () => back());
      if (discard) parts.push(element("b", "count pile-name", `${t("Discard")} ${discard}`));

      const cards = discarded.map(words).join(", ");
      const label = [`${t("Discard")}: ${discard}`, cards].filter(Boolean).join(". ");
      const closed = [...parts.map(unspoken), element("span", "unseen", label)];
      if (!discarded.length) return closed;

      const open = button("unbutton", ...closed);
      open.onclick = () => this.heap.classList.toggle("open");
      return [open, element("span", "discarded", ...discarded.map(face))];
    });
  }

  /** @param {Board} board @param {(pair: BoardPair) => string} mark @param {Layout} layout */
  drawBout({ bout }, mark, layout) {
    const { y, height } = placeOfPairs(layout, bout.length);
    place(this.bout, { ...layout.bout, y, height });
    this.bout.style.setProperty("--card", `${cardWidth(bout.length, layout.bout, layout.largest)}px`);
    drawBout(this.bout, bout, mark);
  }

  /** Draws the arrow from the attacker to the defender; hides it with two players, or after the game. @param {Board} board @param {number | null} own @param {number[]} around @param {Layout} layout @param {boolean} isInviting whether there is a place for the first card */
  drawArrow({ seats, bout, is_over }, own, around, layout, isInviting) {
    const attacker = seats.findIndex(({ role }) => role === "attacker");
    const defender = seats.findIndex(({ role }) => role === "defender");
    const isNeeded = !is_over && attacker >= 0 && defender >= 0 && seats.length > 2;
    const placeOf = (/** @type {number} */ seat) => (seat === own ? null : around.indexOf(seat));
    const hasBeaten = bout.some(({ beat }) => beat);
    const attack = { pairs: bout.length || Number(isInviting), hasBeaten, from: placeOf(attacker), to: placeOf(defender) };
    const isClose = (/** @type {number} */ n) => !layout.isRound || n === attack.from; // others keep the arrow's bow wide
    const boxes = layout.seats.map((box, n) => (isClose(n) ? hugging(box, seats[around[n]].name, layout) : box));
    const way = isNeeded ? arrowOf({ ...layout, seats: boxes }, attack) : null;
    this.arrow.draw(way, layout.em);

    const { own: face } = layout;
    const isReaders = attack.from === null || attack.to === null;
    const isOnTheRight = isReaders && face && way?.some(({ x }) => x > face.x + face.width);
    this.around.classList.toggle("met-on-the-right", Boolean(isOnTheRight));
  }

  /** Returns the box of a player's seat, for cards that come from or go to it. @param {number} seat */
  boxOf(seat) {
    return first(`[data-key="${seat}"]`, this.around)?.getBoundingClientRect() ?? null;
  }
}

/** Returns whether a player is to lay the first card of a bout. @param {Board} board @param {number} seat */
function isWaitingForCard({ bout, seats, is_over }, seat) {
  const { role, is_awaited } = seats[seat];
  return !is_over && !bout.length && is_awaited && role === "attacker";
}

/** Lists the seats of everybody except the reader, clockwise from the reader's left. @param {Board} board @param {number | null} own */
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
 * @param {(pair: BoardPair) => string} [mark] returns the class of a pair
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
  const label = beat ? `${words(attack)}, ${t("beaten by")} ${words(beat)}` : words(attack);
  item.style.setProperty("--turn", `${turnOf(attack)}deg`);
  const cards = [{ card: attack, key, by }, ...(beat ? [{ card: beat, key: beat, by: -1 }] : [])];
  const places = first(".lying", item) ?? item.appendChild(element("span", "lying"));
  keep(places, cards, {
    key: (each) => each.key,
    make: ({ card }) => element("span", "laid", face(card)),
    update: (item, each) => {
      Object.assign(item.dataset, { zone: "bout", card: each.key, by: each.by ?? "" });
    },
  });
  const aside = first(".unseen", item) ?? item.appendChild(element("span", "unseen"));
  if (aside.textContent !== label) aside.textContent = label;
}

// --- a played move and a better one, compared on the cards of the bout and of a hand ---

/**
 * Returns a bout with the cards of both moves, and a function that returns the mark of each pair. An attack card that both
 * moves beat is there twice, once under each card.
 * @param {BoardPair[]} bout
 * @param {BoardMove | null} played
 * @param {BoardMove | null} better
 */
export function comparisonOn(bout, played, better) {
  /** @type {Map<string, string>} */
  const marks = new Map(); // of pairs
  const withPlayed = played ? withMove(bout, played, "played", marks) : bout;
  const withBoth = better ? withMove(withPlayed, better, "better", marks) : withPlayed;
  return { bout: withBoth, mark: (/** @type {BoardPair} */ pair) => marks.get(keyOf(pair)) ?? "" };
}

/**
 * Draws a card of a hand, with a mark if one of the moves has it.
 * @param {Card} card
 * @param {BoardMove | null} played
 * @param {BoardMove | null} better
 */
export function comparedFace(card, played, better) {
  const picture = face(card);
  picture.classList.toggle("played", Boolean(played?.cards.includes(card)));
  picture.classList.toggle("better", Boolean(better?.cards.includes(card)));
  return picture;
}

/** Passes to the styles the words that they print on marked cards. @param {HTMLElement} root @param {string} better */
export function nameMarks(root, better) {
  for (const [name, word] of Object.entries({ yours: t("Yours"), better })) {
    root.style.setProperty(`--${name}`, JSON.stringify(word));
  }
}

/**
 * Returns a bout with the cards of a move, and marks their pairs. A move without cards on the table does not change it.
 * @param {BoardPair[]} bout
 * @param {BoardMove} move
 * @param {string} mark
 * @param {Map<string, string>} marks
 */
function withMove(bout, { kind, cards, attack }, mark, marks) {
  if (attack) {
    return bout.flatMap((pair) => {
      if (pair.attack !== attack) return [pair];

      const beaten = { ...pair, beat: cards[0] };
      marks.set(keyOf(beaten), pair.beat ? `${mark} again` : mark);
      return pair.beat ? [pair, beaten] : [beaten];
    });
  }
  if (kind !== "attack" && kind !== "transfer") return bout;

  const pairs = cards.map((card) => ({ attack: card, beat: null, by: null }));
  for (const pair of pairs) marks.set(keyOf(pair), mark);
  return [...bout.filter(({ attack }) => !cards.includes(attack)), ...pairs];
}

/** @param {BoardPair} pair */
function keyOf({ attack, beat }) {
  return `${attack} ${beat ?? ""}`;
}

/** Returns a card's small rotation in degrees, always the same, as if it were laid by hand. @param {Card} card */
function turnOf(card) {
  return ((card.charCodeAt(0) * 7 + card.charCodeAt(1) * 13) % 9) - 4;
}

// --- seats ---

const MAX_BACKS = 6;
const MAX_KNOWN = 2;
const LETTER = 0.53; // the width of a letter in a name, in em
const SURE = 0.8; // share of a line that even wide letters do not exceed
const NAME_LINE = 0.9; // the height of a line of a name, in em
const SMALLER = 1.16; // factor for the letters that fit if a long word makes the text smaller

/** Returns the box of a seat without the second line of its name if one is surely enough. @param {Box} box @param {string} name @param {Layout} layout @returns {Box} */
function hugging(box, name, { em, isCompact }) {
  const isShort = name.length < (SURE * box.width) / (LETTER * em);
  return isShort && !isCompact ? { ...box, height: box.height - NAME_LINE * em } : box;
}

/**
 * @typedef {object} Drawn the appearance of a seat
 * @property {Box} box
 * @property {boolean} isOwn whether it is the reader's, whose name and cards are shown elsewhere
 * @property {boolean} isLoser
 * @property {boolean} isAbsent
 * @property {boolean} hasAim whether something can be thrown at it
 * @property {number} line the number of letters that fit in a line of the name
 * @property {number} lines the number of lines of the name
 */

/** @param {HTMLElement} item @param {BoardSeat & Drawn & {seat: number}} seat */
function drawSeat(item, seat) {
  const { name, cards, role, is_awaited, is_out, is_away, team, seen, portrait } = seat;
  const { isOwn, isLoser, isAbsent, line, lines } = seat;
  const isLong = name.split(" ").some((word) => word.length > line);
  const isTimed = isAbsent && is_awaited; // until the table moves for them
  const marks = { own: isOwn, awaited: is_awaited, out: is_out, away: is_away, loser: isLoser, absent: isAbsent };
  item.className = classes(`seat ${role}`, marks);
  item.dataset.seat = String(seat.seat);
  place(item, seat.box);

  const facts = [name, cards, role, isTimed, is_out, is_away, team, seen, portrait, isLoser, isAbsent, line, lines];
  fill(item, facts, () => {
    const letter = element("span", "initial", is_out ? "✓" : initial(name));
    const face = withPortrait(avatarOf(name, letter), portrait);
    if (isTimed) face.append(element("span", "clock"));
    face.append(...badges(isLoser ? "loser" : is_away ? "away" : role));
    if (isOwn) {
      const label = unspoken(element("span", "name", t("you")));
      return [unspoken(face), label, element("span", "unseen", `${name}, ${inWords(seat)}`)];
    }

    const letters = line * lines * (isLong ? SMALLER : 1);
    const whole = is_out ? name : besideFace(name);
    const title = lines === 1 && whole.length > letters ? whole.split(" ")[0] : whole;
    const label = element("bdi", classes("name", { long: isLong, wrapped: title.length > line }), `${team}${shortened(title, letters)}`);
    const parts = [face, backs(cards, seen), label, element("span", "unseen", inWords(seat))];
    return seat.hasAim ? [...parts, aimAt(seat.seat, name, first(".aim", item))] : parts;
  });
}

/** The signs of roles, as paths in a square of 24. */
const SIGNS = {
  attacker: "M5 4l11 12M19 4 8 16M4 15l5 5M20 15l-5 5M6 18l-2 2M18 18l2 2",
  defender: "M12 3l8 3v6c0 5-4 8-8 9-4-1-8-4-8-9V6z",
};

/** @param {Role | "away" | "loser"} what */
function badges(what) {
  if (what === "none") return [];
  if (what === "away") return [unspoken(element("span", "badge", "💤"))];
  if (what === "loser") return [unspoken(element("span", "badge", "🃏"))];

  const sign = svg("svg", { viewBox: "0 0 24 24" }, svg("path", { d: SIGNS[what] }));
  return [unspoken(element("span", `badge of-${what}`, sign))];
}

/** Draws a few backs of cards, with the cards that everybody knows in front, and their number. @param {number} cards @param {Card[]} seen */
function backs(cards, seen) {
  const pile = element(
    "span",
    "backs",
    ...seen.slice(0, MAX_KNOWN).map((card) => element("span", "known", ...withCards(shortly(card)))),
  );
  pile.ariaHidden = "true";
  const hidden = Math.min(cards - seen.length, MAX_BACKS - 2 * seen.length);
  for (let n = 0; n < hidden; n++) pile.append(back());
  pile.append(element("b", "", String(cards)));
  return pile;
}

/** Returns the signs of a seat in words, for screen readers. @param {BoardSeat & {isAbsent: boolean}} seat */
function inWords({ cards, role, is_out, is_away, isAbsent, seen }) {
  const facts = [is_out ? t("out of cards") : `${t("cards")}: ${cards}`];
  if (role === "attacker") facts.push(t("attacks"));
  if (role === "defender") facts.push(t("defends"));
  if (is_away) facts.push(t("is away"));
  if (isAbsent) facts.push(t("has closed the page"));
  facts.push(...seen.map(words));
  return facts.join(", ");
}
