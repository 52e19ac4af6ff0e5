// How one plays: what to touch, in pictures of the game, and the rules of the table in this room.

/** @import {Api} from "./api.js" */
/** @import {Card} from "../types" */
import { face } from "./cards.js";
import { $, element, unspoken } from "./dom.js";
import { withCards } from "./draw.js";
import { said } from "./texts.js";

/** @type {{held?: Card[], laid?: Card[], chosen?: Card, button?: string, told: string}[]} */
const PICTURES = [
  { held: ["7S", "9D", "KH"], chosen: "9D", told: said("Tap a card to choose it, and once more to play it. Or drag it to the table.") },
  { laid: ["9S", "JS"], told: said("You defend? Lay a higher card of the same suit on it, or a trump.") },
  { laid: ["9S"], held: ["JS", "KH"], chosen: "JS", told: said("If your card beats several, tap the one that it is for.") },
  { button: said("Take"), told: said("You can't or won't beat it? Take everything that lies there.") },
];

export class HowToPlay {
  /** @param {Api} api */
  constructor(api) {
    this.api = api;
    document.addEventListener("click", ({ target }) => {
      if (target instanceof Element && target.closest("[data-how]")) this.open();
    });
  }

  async open() {
    $("how-pictures").replaceChildren(...PICTURES.map(draw));
    $("how").showModal();
    const { title, sentences, special } = await this.api.get("rules").catch(() => ({ title: "", sentences: [], special: [] }));
    $("how-rules").textContent = title;
    $("how-sentences").replaceChildren(...sentences.map(line));
    $("how-special").replaceChildren(...special.map(line));
  }
}

/** @param {string} sentence */
function line(sentence) {
  return element("li", "", ...withCards(sentence));
}

/** @param {typeof PICTURES[number]} picture */
function draw({ held = [], laid = [], chosen, button, told }) {
  /** @param {Card[]} shown @param {string} className */
  const cards = (shown, className) => element("span", className, ...shown.map((card) => {
    const drawn = face(card);
    drawn.classList.toggle("chosen", card === chosen);
    return drawn;
  }));
  const parts = [
    ...(laid.length ? [cards(laid, "how-laid")] : []),
    ...(held.length ? [cards(held, "how-held")] : []),
    ...(button ? [element("span", "how-button", button)] : []),
  ];
  return element("figure", "", unspoken(element("span", "how-picture", ...parts)), element("figcaption", "", told));
}
