// Avatars: a face with the first letter of a name, and the name beside it.

import { element, unspoken } from "./dom.js";
import { keep, read } from "./memory.js";

const COLOURS = ["#2f6fb3", "#b04a17", "#7b3fa0", "#0b7473", "#b0336b", "#6b6a1f", "#4a4fb5", "#7d4b2c"]; // of people
const BOT = "🤖"; // before the name of a bot
const BOTS_COLOUR = "#3b4654";
const PRIME = 9_973;
const LAST = 5; // letters kept at the end of a shortened name, because other names may begin alike

/** Returns a name shortened to about `most` letters, from its beginning and its end. @param {string} name @param {number} most */
export function shortened(name, most) {
  const letters = [...name];
  if (letters.length <= most + 1) return name;

  const beginning = letters.slice(0, Math.max(1, Math.floor(most) - LAST)).join("");
  return `${beginning.trim()}…${letters.slice(-LAST).join("")}`;
}

/** Draws a person's face with the first letter of their name, which stands beside it. @param {string} name */
export function faceOf(name) {
  return unspoken(avatarOf(name, initial(name)));
}

/** Draws a person's face in their colour. @param {string} name @param {...(Node | string)} children */
export function avatarOf(name, ...children) {
  const face = element("span", "avatar", ...children);
  face.style.setProperty("--colour", name.startsWith(BOT) ? BOTS_COLOUR : colourOf(name));
  return face;
}

const COLOURS_SEEN = "durak-colours";

/** @type {Map<string, string>} */
const colours = new Map(JSON.parse(read("sessionStorage", COLOURS_SEEN) || "[]")); // of the people seen in this tab, by name

/** Returns a person's colour: the one that follows from the name, or the next one that nobody else here has. @param {string} name */
function colourOf(name) {
  const known = colours.get(name);
  if (known) return known;

  const hash = [...name].reduce((sum, sign) => (sum * 37 + (sign.codePointAt(0) ?? 0)) % PRIME, 5);
  const first = hash % COLOURS.length;
  const inOrder = [...COLOURS.slice(first), ...COLOURS.slice(0, first)];
  const taken = new Set(colours.values());
  const colour = inOrder.find((each) => !taken.has(each)) ?? inOrder[0];
  colours.set(name, colour);
  keep("sessionStorage", COLOURS_SEEN, JSON.stringify([...colours]));
  return colour;
}

/** Returns the first letter of a name. @param {string} name */
export function initial(name) {
  return (lettersOf(name)[0] ?? "").toUpperCase(); // one letter may be several characters
}

/** Returns a name without a leading sign such as a bot's, which the face beside it shows. @param {string} name */
export function besideFace(name) {
  const sign = lettersOf(name)[0] ?? "";
  if (/[\p{L}\p{N}]/u.test(sign)) return name;
  return name.slice(sign.length).trim() || name;
}

/** @param {string} name */
function lettersOf(name) {
  if (!Intl.Segmenter) return [...name];
  // eslint-disable-next-line compat/compat -- asked for above
  const segments = new Intl.Segmenter().segment(name);
  return Array.from(segments, ({ segment }) => segment);
}
