// The page's own sentences in the reader's language; the code has them in English.

import { $, all } from "./dom.js";

const CHOSEN = "durak-language"; // a cookie, because the server inserts the translations into the HTML
const YEAR = 31_536_000; // seconds

/**
 * The reader's language, all languages of the page, and its sentences in the reader's language.
 * @type {{language: string, languages: string[], texts: Record<string, string>}}
 */
export const { language, languages, texts } = JSON.parse($("texts").textContent);

/**
 * Returns a sentence in the reader's language; `values` replace its placeholders, as in `{n}`.
 * @param {string} english
 * @param {Record<string, string | number>} [values]
 */
export function t(english, values = {}) {
  return (texts[english] ?? english.replaceAll("'", "’")).replace(/\{(\w+)\}/g, (place, name) =>
    String(values[name] ?? place),
  );
}

const SIGN = /^\p{Extended_Pictographic}(?:\u200D\p{Extended_Pictographic}|\uFE0F)*\s*/u;

/** Returns a label without the emoji at its beginning, for lists whose other entries have none. @param {string} label */
export function withoutSign(label) {
  return label.replace(SIGN, "");
}

/** Sets the language of the next pages. @param {string} wanted */
export function speak(wanted) {
  document.cookie = `${CHOSEN}=${wanted}; path=/; max-age=${YEAR}; samesite=lax`;
}

/**
 * Switches the page to the language that the bot uses for the reader; returns whether a reload would change the page.
 * @param {string} wanted
 */
export function speaks(wanted) {
  if (wanted === language || !languages.includes(wanted)) return false;
  speak(wanted);
  return document.cookie.includes(`${CHOSEN}=${wanted}`); // the frame of another site may have no cookies
}

/** Translates all text in the HTML. */
export function translatePage() {
  document.documentElement.lang = language;
  const nodes = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (nodes.nextNode()) {
    const node = /** @type {Text} */ (nodes.currentNode);
    const english = node.data.trim().replace(/\s+/g, " ");
    if (english) node.data = node.data.replace(node.data.trim(), t(english));
  }
  for (const name of ["placeholder", "aria-label", "alt"]) {
    for (const each of all(`[${name}]`)) each.setAttribute(name, t(each.getAttribute(name) ?? ""));
  }
}
