// The line at the bottom of the chat, and the list of commands above it.

/** @import {Command} from "../types" */
import { $, button, element } from "./dom.js";

export class Composer {
  /** @param {(text: string) => Promise<object | null>} say sends a line; null: it was not taken */
  constructor(say) {
    /** @type {Command[]} */
    this.commands = [];
    this.line = $("line");
    this.list = $("commands");
    this.line.oninput = () => this.suggest();
    this.line.addEventListener("keydown", (event) => event.key === "Escape" && this.hide());
    $("open-commands").onclick = () => (this.list.hidden ? this.show(this.commands) : this.hide());
    $("composer").onsubmit = async (event) => {
      event.preventDefault();
      const text = this.line.value.trim();
      if (!text) return;
      this.line.value = "";
      this.hide();
      if (!(await say(text)) && !this.line.value) this.line.value = text;
    };
  }

  /** Offer these commands. @param {Command[]} commands */
  offer(commands) {
    this.commands = commands;
  }

  suggest() {
    const typed = /^\/(\S*)$/.exec(this.line.value);
    const fitting = typed ? this.commands.filter(({ name }) => name.startsWith(typed[1].toLowerCase())) : [];
    if (fitting.length) this.show(fitting);
    else this.hide();
  }

  /** @param {Command[]} commands */
  show(commands) {
    this.list.replaceChildren(...commands.map((command) => this.entry(command)));
    this.expand(true);
  }

  hide() {
    this.expand(false);
  }

  /** @param {boolean} isExpanded */
  expand(isExpanded) {
    this.list.hidden = !isExpanded;
    $("open-commands").setAttribute("aria-expanded", String(isExpanded));
  }

  /** @param {Command} command */
  entry({ name, summary, arguments: words }) {
    const command = element("code", "", [`/${name}`, ...words.map((word) => `[${word}]`)].join(" "));
    const entry = button("command", command, element("span", "", summary));
    entry.onclick = () => {
      this.line.value = words.length ? `/${name} ` : `/${name}`;
      this.hide();
      this.line.focus();
    };
    return entry;
  }
}
