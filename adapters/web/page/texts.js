// The page's own sentences in its reader's language; in the code they stand in English.

import { all } from "./dom.js";
import { keep, read } from "./memory.js";

const CHOSEN = "durak-language";
const chosen = read("localStorage", CHOSEN);

/**
 * What requests say of the reader's language: what they have chosen on the page, if they have.
 * @type {Record<string, string>}
 */
export const LANGUAGE_HEADER = chosen ? { "Accept-Language": chosen } : {};

/** The reader's language, all languages of the page, and its sentences in this one. */
export const { language, languages, texts } = await fetched();

/** @returns {Promise<{language: string, languages: string[], texts: Record<string, string>}>} */
async function fetched() {
  try {
    return await (await fetch("/texts", { headers: LANGUAGE_HEADER })).json();
  } catch {
    return { language: "en", languages: ["en"], texts: {} }; // English is better than no page
  }
}

/**
 * Say a sentence; `values` stand in its places, as in `{n}`.
 * @param {string} english
 * @param {Record<string, string | number>} [values]
 */
export function said(english, values = {}) {
  return (texts[english] ?? english.replaceAll("'", "’")).replace(/\{(\w+)\}/g, (place, name) =>
    String(values[name] ?? place),
  );
}

/** Speak another language from the next page on. @param {string} wanted */
export function speak(wanted) {
  keep("localStorage", CHOSEN, wanted);
}

/** Say everything that stands in the HTML. */
export function translatePage() {
  document.documentElement.lang = language;
  const nodes = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (nodes.nextNode()) {
    const node = /** @type {Text} */ (nodes.currentNode);
    const english = node.data.trim().replace(/\s+/g, " ");
    if (english) node.data = node.data.replace(node.data.trim(), said(english));
  }
  for (const name of ["placeholder", "aria-label", "alt"]) {
    for (const each of all(`[${name}]`)) each.setAttribute(name, said(each.getAttribute(name) ?? ""));
  }
}
