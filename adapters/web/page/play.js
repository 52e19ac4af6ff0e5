// How a game begins: against the house with one tap, or at a table with rules of one's choice.

import { $, all, element } from "./dom.js";
import { withCards } from "./draw.js";
import { sketch } from "./sketch.js";

const TABLE = "/durak"; // opens one

export class Play {
  /** `on` holds `say(text)`, which sends a line, `mayPlay()`: no others play here, and `leave(line)`: go where one may. */
  constructor(api, on) {
    this.api = api;
    this.on = on;
    for (const button of all("[data-say]")) button.onclick = () => this.begin(button.dataset.say);
    for (const button of all("[data-play]")) button.onclick = () => this.open();
  }

  async open() {
    $("play-elsewhere").hidden = this.on.mayPlay();
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
    if (line.startsWith(TABLE) && !this.on.mayPlay()) this.on.leave(line);
    else this.on.say(line);
  }
}
