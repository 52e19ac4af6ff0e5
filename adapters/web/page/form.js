// Choices as a form. What is chosen is pressed at once, as a button would be; the answer is the form as it is now.

/** @import {Answer, Button, Form, FormChoice, FormField} from "../types" */
import { $, button, element, first } from "./dom.js";
import { withCards } from "./draw.js";
import { sketch } from "./sketch.js";

export class FormDialog {
  /** @param {(message: string, token: string) => Promise<Answer>} press refused, it gives the reason as a toast */
  constructor(press) {
    this.press = press;
    this.message = "";
  }

  /** Show a form that belongs to a message. @param {string} message @param {Form} form */
  show(message, form) {
    const focused = document.activeElement?.getAttribute("data-field");
    this.message = message;
    $("form-title").textContent = form.title;
    $("form-told").textContent = form.told;
    $("form-others").replaceChildren(...form.others.map((other) => this.way(other)));
    $("form-fields").replaceChildren(...form.fields.map((field) => this.field(field)));
    if (!$("form").open) $("form").showModal();
    if (focused) first(`[data-field="${CSS.escape(focused)}"]`, $("form"))?.focus();
  }

  /** @param {string} token */
  async choose(token) {
    $("form-refused").hidden = true;
    const answer = await this.press(this.message, token);
    $("form-refused").hidden = !answer.toast;
    $("form-refused").textContent = answer.toast ?? "";
    if (answer.form && $("form").open) this.show(this.message, answer.form); // else it was closed before the answer came
  }

  /** @param {Button} other */
  way({ token, label }) {
    const made = button("button", label);
    made.dataset.field = label;
    made.onclick = () => this.choose(token);
    return made;
  }

  /** @param {FormField} field */
  field({ label, choices, chosen, is_switch }) {
    const input = is_switch ? this.toggle(choices, chosen) : this.list(choices, chosen);
    input.dataset.field = label;
    const name = element("label", is_switch ? "switch" : "", ...(is_switch ? [input, label] : [label, input]));
    const told = choices[is_switch ? 0 : (chosen ?? 0)].told || choices.find((choice) => choice.told)?.told || "";
    const about = element("p", "", ...withCards(told));
    about.id = `about-${choices[0].token}`;
    input.setAttribute("aria-describedby", about.id);
    const looks = chosen === null ? null : choices[chosen].sketch;
    return element("div", "field", name, ...(looks ? [element("div", "sketched", sketch(looks), about)] : [about]));
  }

  /** @param {FormChoice[]} choices @param {number | null} chosen */
  toggle(choices, chosen) {
    const input = Object.assign(element("input"), { type: "checkbox", checked: chosen === 0 });
    input.onchange = () => this.choose(choices[input.checked ? 0 : 1].token);
    return input;
  }

  /** @param {FormChoice[]} choices @param {number | null} chosen */
  list(choices, chosen) {
    const options = choices.map(({ token, label }, place) => new Option(label, token, false, place === chosen));
    const input = element("select", "", ...options);
    if (chosen === null) input.prepend(Object.assign(new Option("–", "", true, true), { disabled: true }));
    input.onchange = () => this.choose(input.value);
    return input;
  }
}
