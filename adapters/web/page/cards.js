// Cards: what they look like, and what they are called in words. A card is a rank and a suit, as in `9H`.

import { element } from "./dom.js";
import { said } from "./texts.js";

const SIGNS = { S: "♠", H: "♥", D: "♦", C: "♣" };
const LETTERS = Object.fromEntries(said("J Q K A").split(" ").map((letter, n) => ["JQKA"[n], letter]));
const AS_TEXT = "\uFE0E"; // keeps phones from drawing a suit as an emoji
const SUITS = {
  S: { name: "spades", of: said("spades"), alone: said("Spades") },
  H: { name: "hearts", of: said("hearts"), alone: said("Hearts") },
  D: { name: "diamonds", of: said("diamonds"), alone: said("Diamonds") },
  C: { name: "clubs", of: said("clubs"), alone: said("Clubs") },
};
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

/** What stands on a card: `10` for a ten, letters in the reader's language. */
export function rankOf(card) {
  return card[0] === "T" ? "10" : (LETTERS[card[0]] ?? card[0]);
}

/** A card as it stands in a text. */
export function shortly(card) {
  return rankOf(card) + SIGNS[card[1]];
}

/** A card in words. */
export function words(card) {
  return said("{rank} of {suit}", { rank: RANKS[card[0]], suit: SUITS[card[1]].of });
}

/** A suit in words. */
export function suitWords(suit) {
  return SUITS[suit].alone;
}

/** A sentence with its cards in words, for who hears it. */
export function spoken(text) {
  return text.replace(SHOWN, (whole, rank, sign) => {
    const suit = Object.keys(SIGNS).find((each) => SIGNS[each] === sign);
    const known = Object.keys(RANKS).find((each) => rankOf(each + suit) === rank);
    return known ? words(known + suit) : whole;
  });
}

/** A card's face; what it is called in words stands beside it, or nowhere when it is named elsewhere. */
export function face(card) {
  const sign = SIGNS[card[1]] + AS_TEXT;
  const made = element(
    "span",
    `face ${SUITS[card[1]].name}`,
    element("span", "corner", element("b", "", rankOf(card)), element("i", "", sign)),
    element("span", "pip", sign),
  );
  made.ariaHidden = "true";
  return made;
}

/** A suit's sign alone. */
export function suitSign(suit) {
  return element("span", `suit-sign ${SUITS[suit].name}`, SIGNS[suit] + AS_TEXT);
}

/** Keys for cards of which some may be equal: `9H`, and `9H#2` for the second. */
export function keyed(cards) {
  const seen = {};
  return cards.map((card) => {
    seen[card] = (seen[card] ?? 0) + 1;
    return { card, key: seen[card] > 1 ? `${card}#${seen[card]}` : card };
  });
}
