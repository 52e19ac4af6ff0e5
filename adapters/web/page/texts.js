// The page's own sentences in its reader's language. In the code they stand in English.

const TRANSLATED = ["de", "lt", "ru", "uk"];

const wanted = navigator.languages.map((tag) => tag.split("-")[0]);
export const language = wanted.find((each) => each === "en" || TRANSLATED.includes(each)) ?? "en";
const texts = TRANSLATED.includes(language) ? await textsOf(language) : {};

async function textsOf(language) {
  try {
    return (await import(`./texts.${language}.js`)).default;
  } catch {
    return {}; // English is better than no page
  }
}

/** Say a sentence of the page or of its server; a number that changes is `{n}` in the dictionary. */
export function said(english) {
  const number = english.match(/\d+/)?.[0];
  const text = texts[english] ?? (number && texts[english.replace(number, "{n}")]);
  return !text ? english : text.replace("{n}", number);
}

/** Say everything that stands in the HTML. */
export function translatePage() {
  document.documentElement.lang = language;
  const nodes = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (nodes.nextNode()) {
    const { data } = nodes.currentNode;
    const english = data.trim().replace(/\s+/g, " ");
    if (english) nodes.currentNode.data = data.replace(data.trim(), said(english));
  }
  for (const name of ["placeholder", "aria-label", "alt"]) {
    for (const each of document.querySelectorAll(`[${name}]`)) each.setAttribute(name, said(each.getAttribute(name)));
  }
}
