// Cards: their pictures, their names in words, and small pictures of rule sets. A card is a rank and a suit, as in `9H`.

/** @import {BoardPair, Card, CardKey, RuleSketch} from "../types" */
/** @import {Layer, Place} from "./deck.js" */
import {
  BACK,
  BACK_PATTERN,
  BEHIND,
  CARRIED,
  COURT_SUIT,
  FIGURES,
  FRAME,
  HAIR,
  INDEX,
  INDEX_SUIT,
  INDEX_WIDTH,
  OUTLINE,
  PAINTS,
  PIPS,
  SASH,
  SIGNS,
} from "./deck.js";
import { all, element, svg, unspoken } from "./dom.js";
import { t } from "./texts.js";

const LETTERS = Object.fromEntries(
  t("J Q K A")
    .split(" ")
    .map((letter, n) => ["JQKA"[n], letter]),
);
const AS_TEXT = "\uFE0E"; // keeps phones from drawing a suit as an emoji
/** @type {Record<string, {sign: string, name: string, of: string, alone: string}>} */
const SUITS = {
  S: { sign: "♠", name: "spades", of: t("spades"), alone: t("Spades") },
  H: { sign: "♥", name: "hearts", of: t("hearts"), alone: t("Hearts") },
  D: { sign: "♦", name: "diamonds", of: t("diamonds"), alone: t("Diamonds") },
  C: { sign: "♣", name: "clubs", of: t("clubs"), alone: t("Clubs") },
};
/** @type {Record<string, string>} */
const RANKS = {
  2: t("two"),
  3: t("three"),
  4: t("four"),
  5: t("five"),
  6: t("six"),
  7: t("seven"),
  8: t("eight"),
  9: t("nine"),
  T: t("ten"),
  J: t("jack"),
  Q: t("queen"),
  K: t("king"),
  A: t("ace"),
};
const SHOWN = /(10|[2-9]|\p{Lu})([♠♥♦♣])\uFE0F?/gu;

/** Returns the rank printed on a card: `10` for a ten, letters in the reader's language. @param {Card} card */
function rankOf(card) {
  return card[0] === "T" ? "10" : (LETTERS[card[0]] ?? card[0]);
}

/** Returns a card as written in a text. @param {Card} card */
export function shortly(card) {
  return rankOf(card) + SUITS[card[1]].sign;
}

/** Returns a card in words. @param {Card} card */
export function words(card) {
  return t("{rank} of {suit}", { rank: RANKS[card[0]], suit: SUITS[card[1]].of });
}

/** Returns a suit in words. @param {string} suit */
export function suitWords(suit) {
  return SUITS[suit].alone;
}

/** Returns a sentence with its cards in words, for screen readers. @param {string} text */
export function spoken(text) {
  return text.replace(SHOWN, (whole, rank, sign) => {
    const suit = Object.keys(SUITS).find((each) => SUITS[each].sign === sign);
    const match = Object.keys(RANKS).find((each) => rankOf(each + suit) === rank);
    return match ? words(match + suit) : whole;
  });
}

/** Draws a card's face, hidden from screen readers: the caller names the card in words. @param {Card} card */
export function face(card) {
  return unspoken(element("span", `face ${SUITS[card[1]].name}`, print(`card-${card}`, () => printOf(card))));
}

/** Draws a card's back. */
export function back() {
  return element("span", "back", print("card-back", printOfBack));
}

const FANNED = ["6S", "9D", "TC", "QD", "KS", "AH"];

/** Draws a fan of a few cards in each placeholder for one. */
export function showCards() {
  for (const fan of all(".fanned")) {
    const faces = FANNED.map(face);
    faces.forEach((card, n) => card.style.setProperty("--n", String(n)));
    fan.replaceChildren(...faces);
  }
}

/** Draws a suit's sign alone. @param {string} suit */
export function suitSign(suit) {
  return element("span", `suit-sign ${SUITS[suit].name}`, SUITS[suit].sign + AS_TEXT);
}

/**
 * Returns a unique key for each card, also for equal ones: `9H`, and `9H#2` for the second.
 * @param {Card[]} cards
 * @returns {{card: Card, key: CardKey}[]}
 */
export function keyed(cards) {
  /** @type {Record<Card, number>} */
  const counts = {};
  return cards.map((card) => {
    counts[card] = (counts[card] ?? 0) + 1;
    return { card, key: counts[card] > 1 ? `${card}#${counts[card]}` : card };
  });
}

/** Counts the cards of a bout. @param {BoardPair[]} bout */
export function sizeOf(bout) {
  return bout.length + bout.filter(({ beat }) => beat).length;
}

// --- What is printed on a card: its index in two corners, and its pips or a two-headed figure. ---

const TURNED = { transform: "rotate(180 50 70)" };
const CAPITALS = 0.355; // half of the height of capitals, as a share of the font size
const NARROW = "J"; // is not stretched to the width of the other ranks

const prints = svg("svg", { class: "prints", "aria-hidden": "true" });

/**
 * Returns the print of a card. The page contains each print once, and cards refer to it.
 * @param {string} id
 * @param {() => SVGElement[]} draw returns its shapes; only called the first time
 */
function print(id, draw) {
  if (!prints.isConnected) document.body.append(prints);
  if (!prints.querySelector(`#${id}`)) prints.append(svg("symbol", { id, viewBox: "0 0 100 140" }, ...draw()));
  return svg("svg", { class: "print" }, svg("use", { href: `#${id}` }));
}

/** @param {Card} card */
function printOf(card) {
  const [rank, suit] = card;
  const picture = rank in PIPS ? PIPS[rank].map((place) => sign(suit, place)) : courtOf(rank, suit);
  return [...picture, ...indexOf(card), svg("g", TURNED, ...indexOf(card))];
}

function printOfBack() {
  return [svg("path", { class: "back-print", d: BACK }), svg("path", { d: BACK_PATTERN })];
}

/** @param {Card} card */
function indexOf(card) {
  const [x, y, size] = INDEX;
  const at = { class: "rank-print", x, y: y + size * CAPITALS, "font-size": size };
  const rank = svg("text", at, rankOf(card));
  if (rankOf(card) !== NARROW) {
    rank.setAttribute("textLength", String(INDEX_WIDTH));
    rank.setAttribute("lengthAdjust", "spacingAndGlyphs");
  }
  return [rank, sign(card[1], INDEX_SUIT)];
}

/** Draws a suit's sign, turned in the lower half of a card. @param {string} suit @param {Place} place */
function sign(suit, [x, y, size]) {
  const scale = (y > 70 ? -size : size) / 20;
  return svg("path", { d: SIGNS[suit], transform: `translate(${x} ${y}) scale(${scale}) translate(-10 -10)` });
}

/** Draws jack, queen or king. @param {string} rank @param {string} suit */
function courtOf(rank, suit) {
  const layers = [...(BEHIND[rank + suit] ?? []), ...FIGURES[rank], ...CARRIED[rank + suit]];
  const half = () => [...layers.map((layer) => shape(layer, suit)), sign(suit, COURT_SUIT)];
  return [
    shape(["ground", FRAME, 0], suit),
    svg("g", {}, ...half()),
    svg("g", TURNED, ...half()),
    shape(["gold", SASH, 1], suit),
    svg("path", { class: "frame-print", d: FRAME }),
  ];
}

/** @param {Layer} layer @param {string} suit */
function shape([paint, d, isOutlined], suit) {
  const colour = PAINTS[paint === "hair" ? HAIR[suit] : paint] ?? "currentColor";
  const line = isOutlined ? OUTLINE : 0;
  return svg("path", { d, fill: colour, stroke: PAINTS.ink, "stroke-width": line, "stroke-linejoin": "round" });
}

// --- Cards in a text. ---

export const CARD = /(10|[2-9]|\p{Lu})?([♠♥♦♣])\uFE0F?/gu; // with the letters of any language
const COMMAND = /(\/[a-z]{2,20}\b)(?!\/)/; // Firefox breaks lines after a slash
const CLOSING = /[.,:;!?)»]+/y; // must not begin a line

/**
 * Returns a text as nodes in which cards look like cards, and commands do not break across lines.
 * @param {string} text
 */
export function withCards(text) {
  return text.split(COMMAND).flatMap((part, n) => (n % 2 ? [element("span", "whole", part)] : cardsIn(part)));
}

/** @param {string} text */
function cardsIn(text) {
  /** @type {(string | HTMLElement)[]} */
  const nodes = [];
  let end = 0;
  for (const match of text.matchAll(CARD)) {
    if (match.index > end) nodes.push(text.slice(end, match.index));
    const [whole, rank, suit] = match;
    const face = element("span", `card ${suitOf(suit).name}`);
    if (rank) face.append(element("span", "rank", rank));
    face.append(element("span", "suit", suit + AS_TEXT));
    CLOSING.lastIndex = match.index + whole.length;
    const [closing] = CLOSING.exec(text) ?? [""];
    nodes.push(closing ? element("span", "whole", face, closing) : face);
    end = match.index + whole.length + closing.length;
  }
  if (end < text.length) nodes.push(text.slice(end));
  return nodes;
}

/** @param {string} sign */
function suitOf(sign) {
  return Object.values(SUITS).find((suit) => suit.sign === sign) ?? SUITS.S;
}

// --- A small picture of a rule set: a fan that ends with the deck's lowest card.

const WIDTH = 66;
const HEIGHT = 46;
const CARDS_PER_FANNED = 12;
const TURN = 14; // degrees between two cards
const ONWARD = "M46 37h13m-5-5 5 5-5 5"; // an arrow from the front card to the right

/** Draws a rule set; its description is beside the picture. @param {RuleSketch} rules */
export function sketch({ lowest, size, transfers = false }) {
  const picture = svg("svg", { class: "sketch", viewBox: `0 0 ${WIDTH} ${HEIGHT}`, "aria-hidden": "true" });
  picture.append(...fan(Math.round(size / CARDS_PER_FANNED), lowest));
  if (transfers) picture.append(svg("path", { class: "onward", d: ONWARD })); // an earlier version has no `transfers`
  return picture;
}

/** @param {number} count @param {string} lowest */
function fan(count, lowest) {
  return Array.from({ length: count }, (_, n) => {
    const isLast = n === count - 1;
    const card = svg("rect", {
      class: isLast ? "front" : "behind",
      x: WIDTH / 2 - 12,
      y: 5,
      width: 24,
      height: 34,
      rx: 3,
    });
    const rank = isLast ? [svg("text", { x: WIDTH / 2, y: 28 }, lowest)] : [];
    return svg("g", { transform: `rotate(${(n - (count - 1) / 2) * TURN} ${WIDTH / 2} 62)` }, card, ...rank);
  });
}
