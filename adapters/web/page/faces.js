// The picture on a card: its pips, or a figure of our own drawing. A card is 100 wide and 140 high here.

/** @import {Card} from "../types" */
import { svg } from "./dom.js";

/** Each suit as a path in a square of 20. */
const SUITS = {
  H: "M10 18C4 13 1 9.5 1 6a4.5 4.5 0 0 1 9-1.2A4.5 4.5 0 0 1 19 6c0 3.5-3 7-9 12z",
  D: "M10 1l7 9-7 9-7-9z",
  S: "M10 1C15 6 19 9 19 12.5a4.2 4.2 0 0 1-7.4 2.7L13 19H7l1.4-3.8A4.2 4.2 0 0 1 1 12.5C1 9 5 6 10 1z",
  C: "M10 1a4.2 4.2 0 0 1 3.3 6.8 4.2 4.2 0 1 1-1.9 6.8L13 19H7l1.6-4.4a4.2 4.2 0 1 1-1.9-6.8A4.2 4.2 0 0 1 10 1z",
};

const PIP = 18; // how large a pip is
const ACE = 46;
/** @type {Record<string, number>} The middles of the columns, beside the corner with rank and suit. */
const COLUMNS = { L: 57, M: 70, R: 83 };
const MIDDLE = 67; // of an ace and of the figures

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
export function pictureOf(card) {
  const [rank, suit] = card;
  const picture = svg("svg", { class: "picture-of", viewBox: "0 0 100 140" });
  if (rank === "A") picture.append(pip(suit, MIDDLE, 74, ACE));
  else if (rank in PLACES) picture.append(...pipsOf(rank, suit));
  else picture.append(...figure(rank, suit));
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
    d: SUITS[/** @type {keyof typeof SUITS} */ (suit)],
    transform: at,
    fill: "currentColor",
  });
}

// --- court cards ---

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

/** Draws jack, queen or king to the waist, with the suit on the robe. @param {string} rank @param {string} suit */
function figure(rank, suit) {
  const kind = /** @type {"J" | "Q" | "K"} */ (rank);
  const shapes = [
    ["frame", "M38 10h52q4 0 4 4v112q0 4-4 4H38q-4 0-4-4V14q0-4 4-4z"],
    ["robe", "M36 128q0-42 18-48h26q18 6 18 48z"],
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
  const drawn = shapes.map(([of, d]) => svg("path", { class: of, d }));
  const sign = pip(suit, 67, 112, 22);
  sign.setAttribute("class", "sign");
  return [...drawn, sign];
}
