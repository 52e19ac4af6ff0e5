// How a game begins: against the house with one tap, or at a table with rules of one's choice.

/** @import {Api} from "./api.js" */
/** @import {RuleSetCard} from "../types" */
import { $, all, button, element } from "./dom.js";
import { withCards } from "./draw.js";
import { sketch } from "./sketch.js";

const TABLE = "/durak"; // opens one

export class Play {
  /**
   * @param {Api} api
   * @param {object} on
   * @param {(line: string) => void} on.say sends a line
   * @param {() => boolean} on.mayPlay whether no others play here
   * @param {(line: string) => void} on.leave goes to where one may play, and says the line there
   */
  constructor(api, on) {
    this.api = api;
    this.on = on;
    for (const each of all("button[data-say]")) each.onclick = () => this.begin(each.dataset.say ?? "");
    for (const each of all("button[data-play]")) each.onclick = () => this.open();
  }

  async open() {
    $("play-elsewhere").hidden = this.on.mayPlay();
    $("play").showModal();
    const ruleSets = await this.api.get("rule-sets").catch(() => []);
    $("rule-sets").replaceChildren(...ruleSets.map((ruleSet) => this.card(ruleSet)));
  }

  /** @param {RuleSetCard} ruleSet */
  card({ name, title, cards, special, sketch: looks }) {
    const told = element("span", "told", element("strong", "", title), element("span", "", cards));
    if (special) told.append(element("span", "", ...withCards(special)));
    const made = button("button rule-set", sketch(looks), told);
    made.onclick = () => this.begin(`/durak ${name}`);
    return made;
  }

  /** @param {string} line */
  begin(line) {
    $("play").close();
    if (line.startsWith(TABLE) && !this.on.mayPlay()) this.on.leave(line);
    else this.on.say(line);
  }
}
