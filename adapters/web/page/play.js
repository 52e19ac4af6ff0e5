// How a game begins: against the house with one tap, or at a table with rules of one's choice.

import { element, withCards } from "./draw.js";

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

  card({ name, title, cards, special }) {
    const button = element("button", "button rule-set", element("strong", "", title), element("span", "", cards));
    if (special) button.append(element("span", "", ...withCards(special)));
    button.type = "button";
    button.onclick = () => this.begin(`/durak ${name}`);
    return button;
  }

  begin(line) {
    $("play").close();
    this.say(line);
  }
}
