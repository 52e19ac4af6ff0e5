// Cards: what they look like, what they are called in words, and small pictures of the rules for them. A card is a rank
// and a suit, as in `9H`.

/** @import {BoardPair, Card, CardKey, RuleSketch} from "../types" */
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

/** Draws a card's face, with its name in words beside it unless it is named elsewhere. @param {Card} card */
export function face(card) {
  const sign = SUITS[card[1]].sign + AS_TEXT;
  const corner = element("span", "corner", element("b", "", rankOf(card)), element("i", "", sign));
  return unspoken(element("span", `face ${SUITS[card[1]].name}`, corner, pictureOf(card)));
}

const FANNED = ["6S", "9D", "TC", "QD", "KS", "AH"];

/** Lays out a few cards wherever the page has room for a fan of them. */
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
 * Returns keys for cards of which some may be equal: `9H`, and `9H#2` for the second.
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

// --- The picture on a card: its pips, or a figure of our own drawing. A card is 100 wide and 140 high here. ---

/** Each suit as a path in a square of 20. */
const PIPS = {
  H: "M10 18C4 13 1 9.5 1 6a4.5 4.5 0 0 1 9-1.2A4.5 4.5 0 0 1 19 6c0 3.5-3 7-9 12z",
  D: "M10 1l7 9-7 9-7-9z",
  S: "M10 1C15 6 19 9 19 12.5a4.2 4.2 0 0 1-7.4 2.7L13 19H7l1.4-3.8A4.2 4.2 0 0 1 1 12.5C1 9 5 6 10 1z",
  C: "M10 1a4.2 4.2 0 0 1 3.3 6.8 4.2 4.2 0 1 1-1.9 6.8L13 19H7l1.6-4.4a4.2 4.2 0 1 1-1.9-6.8A4.2 4.2 0 0 1 10 1z",
};

const PIP = 17; // how large a pip is
const ACE = 46;
/** @type {Record<string, number>} The middles of the columns, beside the corner with rank and suit. */
const COLUMNS = { L: 60, M: 73, R: 86 };
const MIDDLE = 69; // of an ace

/** @type {Record<string, string>} The pips of each rank: a column, and how far from the top. */
const PLACES = {
  2: "M34 M106",
  3: "M26 M70 M114",
  4: "L34 R34 L106 R106",
  5: "L30 R30 M70 L110 R110",
  6: "L28 R28 L70 R70 L112 R112",
  7: "L26 R26 M48 L70 R70 L114 R114",
  8: "L24 R24 M47 L70 R70 M93 L116 R116",
  9: "L22 R22 L54 R54 M70 L86 R86 L118 R118",
  T: "L22 R22 M38 L54 R54 L86 R86 M102 L118 R118",
};

/** Draws what is on a card beside its rank and suit in the corner. @param {Card} card */
function pictureOf(card) {
  const [rank, suit] = card;
  const picture = svg("svg", { class: "picture-of", viewBox: "0 0 100 140" });
  if (rank === "A") picture.append(pip(suit, MIDDLE, 74, ACE));
  else if (rank in PLACES) picture.append(...pipsOf(rank, suit));
  else picture.append(figure(rank, suit));
  return picture;
}

/** @param {string} rank @param {string} suit */
function pipsOf(rank, suit) {
  return PLACES[rank].split(" ").map(([column, ...top]) => pip(suit, COLUMNS[column], Number(top.join("")), PIP));
}

/** @param {string} suit @param {number} x @param {number} y @param {number} size */
function pip(suit, x, y, size) {
  const at = `translate(${x - size / 2} ${y - size / 2}) scale(${size / 20})`;
  return svg("path", {
    d: PIPS[/** @type {keyof typeof PIPS} */ (suit)],
    transform: at,
    fill: "currentColor",
  });
}

const HEADGEAR = {
  J: [
    ["gold", "M46 44q4-20 22-20t20 16l-6 6H46z"],
    ["ink", "M78 30q14-14 18 4-8-2-14 4z"],
  ],
  Q: [
    ["gold", "M48 42l-2-16 10 8 11-14 11 14 10-8-2 16z"],
    ["red", "M67 18a4 4 0 1 0 .1 0z"],
  ],
  K: [
    ["gold", "M46 44l-4-24 13 11 12-17 12 17 13-11-4 24z"],
    ["red", "M67 34a4 4 0 1 0 .1 0z"],
  ],
};

const HAIR = {
  J: [["brown", "M48 44h38v14q-2 8-6 8V52H54v14q-4 0-6-8z"]],
  Q: [["brown", "M47 42h40q8 26 2 42H78V52H56v32H45q-6-16 2-42z"]],
  K: [["brown", "M49 44h36v22q-4 20-18 20T49 66z"]],
};

const BESIDE_CORNER = "translate(9.3 8.2) scale(0.883)"; // of a figure, so that the rank stays in sight

/** Draws jack, queen or king to the waist, with the suit on the robe. @param {string} rank @param {string} suit */
function figure(rank, suit) {
  const kind = /** @type {"J" | "Q" | "K"} */ (rank);
  const shapes = [
    ["frame", "M41 10h52q4 0 4 4v112q0 4-4 4H41q-4 0-4-4V14q0-4 4-4z"],
    ["robe", "M38.5 129q0-43 16-49h25q16 6 16 49z"],
    ...HAIR[kind],
    ["skin", "M54 46h26v18q-2 14-13 14T54 64z"],
    ["ink", "M60 54a2 2 0 1 0 .1 0zM74 54a2 2 0 1 0 .1 0z"],
    ["red", "M62 68q5 3 10 0-5-2-10 0z"],
    ...(kind === "K"
      ? [["brown", "M54 62q13 10 26 0v6q-2 16-13 18-11-2-13-18zM61 68q6 4 12 0-6-4-12 0z"]]
      : []),
    ["gold", "M54 82q13 12 26 0l3 7q-16 14-32 0z"],
    ...HEADGEAR[kind],
  ];
  const paths = shapes.map(([of, d]) => svg("path", { class: of, d }));
  const sign = pip(suit, 67, 112, 22);
  sign.setAttribute("class", "sign");
  return svg("g", { transform: BESIDE_CORNER }, ...paths, sign);
}

// --- Cards in a text. ---

export const CARD = /(10|[2-9]|\p{Lu})?([♠♥♦♣])\uFE0F?/gu; // a letter is that of any language
const COMMAND = /(\/[a-z]{2,20}\b)(?!\/)/; // Firefox breaks lines after a slash
const CLOSING = /[.,:;!?)»]+/y; // what no line begins with

/**
 * Returns a text as nodes in which every card looks like one, and every command stays in one piece.
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

// --- A small picture of rules: a fan that ends with the deck's lowest card.

const WIDTH = 66;
const HEIGHT = 46;
const CARDS_PER_FANNED = 12;
const TURN = 14; // degrees between two cards

/** Draws rules, with a description beside each picture. @param {RuleSketch} rules */
export function sketch({ lowest, size }) {
  const picture = svg("svg", { class: "sketch", viewBox: `0 0 ${WIDTH} ${HEIGHT}`, "aria-hidden": "true" });
  picture.append(...fan(Math.round(size / CARDS_PER_FANNED), lowest));
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
