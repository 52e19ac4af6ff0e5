// Cards: what they look like, and what they are called in words. A card is a rank and a suit, as in `9H`.

/** @import {Card, CardKey} from "../types" */
import { element, unspoken } from "./dom.js";
import { said } from "./texts.js";

const LETTERS = Object.fromEntries(said("J Q K A").split(" ").map((letter, n) => ["JQKA"[n], letter]));
const AS_TEXT = "\uFE0E"; // keeps phones from drawing a suit as an emoji
/** @type {Record<string, {sign: string, name: string, of: string, alone: string}>} */
const SUITS = {
  S: { sign: "♠", name: "spades", of: said("spades"), alone: said("Spades") },
  H: { sign: "♥", name: "hearts", of: said("hearts"), alone: said("Hearts") },
  D: { sign: "♦", name: "diamonds", of: said("diamonds"), alone: said("Diamonds") },
  C: { sign: "♣", name: "clubs", of: said("clubs"), alone: said("Clubs") },
};
/** @type {Record<string, string>} */
const RANKS = {
  2: said("two"),
  3: said("three"),
  4: said("four"),
  5: said("five"),
  6: said("six"),
  7: said("seven"),
  8: said("eight"),
  9: said("nine"),
  T: said("ten"),
  J: said("jack"),
  Q: said("queen"),
  K: said("king"),
  A: said("ace"),
};
const SHOWN = /(10|[2-9]|\p{Lu})([♠♥♦♣])\uFE0F?/gu;

/** What stands on a card: `10` for a ten, letters in the reader's language. @param {Card} card */
function rankOf(card) {
  return card[0] === "T" ? "10" : (LETTERS[card[0]] ?? card[0]);
}

/** A card as it stands in a text. @param {Card} card */
export function shortly(card) {
  return rankOf(card) + SUITS[card[1]].sign;
}

/** A card in words. @param {Card} card */
export function words(card) {
  return said("{rank} of {suit}", { rank: RANKS[card[0]], suit: SUITS[card[1]].of });
}

/** A suit in words. @param {string} suit */
export function suitWords(suit) {
  return SUITS[suit].alone;
}

/** A sentence with its cards in words, for screen readers. @param {string} text */
export function spoken(text) {
  return text.replace(SHOWN, (whole, rank, sign) => {
    const suit = Object.keys(SUITS).find((each) => SUITS[each].sign === sign);
    const known = Object.keys(RANKS).find((each) => rankOf(each + suit) === rank);
    return known ? words(known + suit) : whole;
  });
}

/** A card's face; its name in words stands beside it, unless it is named elsewhere. @param {Card} card */
export function face(card) {
  const sign = SUITS[card[1]].sign + AS_TEXT;
  const corner = element("span", "corner", element("b", "", rankOf(card)), element("i", "", sign));
  return unspoken(element("span", `face ${SUITS[card[1]].name}`, corner, element("span", "pip", sign)));
}

/** A suit's sign alone. @param {string} suit */
export function suitSign(suit) {
  return element("span", `suit-sign ${SUITS[suit].name}`, SUITS[suit].sign + AS_TEXT);
}

/**
 * Keys for cards of which some may be equal: `9H`, and `9H#2` for the second.
 * @param {Card[]} cards
 * @returns {{card: Card, key: CardKey}[]}
 */
export function keyed(cards) {
  /** @type {Record<Card, number>} */
  const seen = {};
  return cards.map((card) => {
    seen[card] = (seen[card] ?? 0) + 1;
    return { card, key: seen[card] > 1 ? `${card}#${seen[card]}` : card };
  });
}
