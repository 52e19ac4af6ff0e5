// Avatars: a face with the first letter of a name, and the name beside it.

import { element, unspoken } from "./dom.js";

const HUES = 15; // colours of faces, from blue to ochre, without green like the felt
const BLUE = 195;
const OCHRE = 400;
const SHADES = 4; // of each hue, by their lightness in percent; the letter must be legible on all
const DARKEST = 22;
const LIGHTEST = 37;
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

/** Draws a person's face, in a colour that depends only on the name. @param {string} name @param {...(Node | string)} children */
export function avatarOf(name, ...children) {
  const hash = [...name].reduce((sum, sign) => (sum * 37 + (sign.codePointAt(0) ?? 0)) % PRIME, 5);
  const hue = BLUE + (hash % HUES) * ((OCHRE - BLUE) / (HUES - 1));
  const lightness = DARKEST + (hash % SHADES) * ((LIGHTEST - DARKEST) / (SHADES - 1));

  const face = element("span", "avatar", ...children);
  face.style.setProperty("--colour", `hsl(${hue}deg 45% ${lightness}%)`);
  return face;
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
