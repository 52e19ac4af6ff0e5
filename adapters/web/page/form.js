// Choices as a form. Whatever is chosen is pressed at once, as a button would be; the answer is the form as it is now.

import { $, element } from "./dom.js";
import { withCards } from "./draw.js";
import { sketch } from "./sketch.js";

export class FormDialog {
  /** `press(message, token)` gives the answer, or null when it was refused. */
  constructor(press) {
    this.press = press;
    this.message = "";
  }

  /** Show a form that belongs to a message. */
  show(message, form) {
    const focused = document.activeElement?.getAttribute("data-field");
    this.message = message;
    $("form-title").textContent = form.title;
    $("form-told").textContent = form.told;
    $("form-others").replaceChildren(...form.others.map((other) => this.way(other)));
    $("form-fields").replaceChildren(...form.fields.map((field) => this.field(field)));
    if (!$("form").open) $("form").showModal();
    if (focused) $("form").querySelector(`[data-field="${CSS.escape(focused)}"]`)?.focus();
  }

  async choose(token) {
    $("form-refused").hidden = true;
    const answer = await this.press(this.message, token);
    $("form-refused").hidden = !answer.toast;
    $("form-refused").textContent = answer.toast ?? "";
    if (answer.form && $("form").open) this.show(this.message, answer.form); // it may have been closed meanwhile
  }

  way({ token, label }) {
    const button = element("button", "button", label);
    button.type = "button";
    button.dataset.field = label;
    button.onclick = () => this.choose(token);
    return button;
  }

  field({ label, choices, chosen, is_switch }) {
    const input = is_switch ? this.toggle(choices, chosen) : this.list(choices, chosen);
    input.dataset.field = label;
    const name = element("label", is_switch ? "switch" : "", ...(is_switch ? [input, label] : [label, input]));
    const told = choices[is_switch ? 0 : (chosen ?? 0)].told || choices.find((choice) => choice.told)?.told || "";
    const about = element("p", "", ...withCards(told));
    about.id = `about-${choices[0].token}`;
    input.setAttribute("aria-describedby", about.id);
    const looks = choices[chosen]?.sketch;
    return element("div", "field", name, ...(looks ? [element("div", "sketched", sketch(looks), about)] : [about]));
  }

  toggle(choices, chosen) {
    const input = Object.assign(element("input"), { type: "checkbox", checked: chosen === 0 });
    input.onchange = () => this.choose(choices[input.checked ? 0 : 1].token);
    return input;
  }

  list(choices, chosen) {
    const options = choices.map(({ token, label }, place) => new Option(label, token, false, place === chosen));
    const input = element("select", "", ...options);
    if (chosen === null) input.prepend(Object.assign(new Option("–", "", true, true), { disabled: true }));
    input.onchange = () => this.choose(input.value);
    return input;
  }
}
