// How a game begins: against the house with one tap, or at a table with rules of one's choice.

import { element, withCards } from "./draw.js";
import { sketch } from "./sketch.js";

const $ = (id) => document.getElementById(id);

export class Play {
  /** `say(text)` sends a line. */
  constructor(api, say) {
    this.api = api;
    this.say = say;
    for (const button of document.querySelectorAll("[data-say]")) button.onclick = () => this.begin(button.dataset.say);
    for (const button of document.querySelectorAll("[data-play]")) button.onclick = () => this.open();
  }

  async open() {
    $("play").showModal();
    const ruleSets = await this.api.get("rule-sets").catch(() => []);
    $("rule-sets").replaceChildren(...ruleSets.map((ruleSet) => this.card(ruleSet)));
  }

  card({ name, title, cards, special, sketch: looks }) {
    const told = element("span", "told", element("strong", "", title), element("span", "", cards));
    if (special) told.append(element("span", "", ...withCards(special)));
    const button = element("button", "button rule-set", sketch(looks), told);
    button.type = "button";
    button.onclick = () => this.begin(`/durak ${name}`);
    return button;
  }

  begin(line) {
    $("play").close();
    this.say(line);
  }
}
