// Choices as a form. What is chosen is pressed at once, as a button would be; the answer is the form as it is now.

/** @import {Answer, Form, FormField} from "../types" */
import { $, button, element, first, keep } from "./dom.js";
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
    this.message = message;
    $("form-title").textContent = form.title;
    $("form-told").textContent = form.told;
    keep($("form-others"), form.others, {
      key: ({ label }) => label,
      make: ({ label }) => button("button", label),
      update: (made, { token }) => (made.onclick = () => this.choose(token)),
    });
    keep($("form-fields"), form.fields, {
      key: ({ label }) => label,
      make: empty,
      update: (item, field) => this.update(item, field),
    });
    if (!$("form").open) $("form").showModal();
  }

  /** @param {string} token */
  async choose(token) {
    $("form-refused").hidden = true;
    const answer = await this.press(this.message, token);
    $("form-refused").hidden = !answer.toast;
    $("form-refused").textContent = answer.toast ?? "";
    if (answer.form && $("form").open) this.show(this.message, answer.form); // else it was closed before the answer came
  }

  /** Draw what may be chosen; the field with the focus keeps it. @param {HTMLElement} item @param {FormField} field */
  update(item, { choices, chosen, is_switch }) {
    const about = element("p", "", ...withCards(
      choices[is_switch ? 0 : (chosen ?? 0)].told || choices.find((choice) => choice.told)?.told || "",
    ));
    about.id = `about-${choices[0].token}`;
    const looks = chosen === null ? null : choices[chosen].sketch;
    first("div", item)?.replaceWith(element("div", looks ? "sketched" : "", ...(looks ? [sketch(looks)] : []), about));
    const [toggle, list] = [first("input", item), first("select", item)];
    (toggle ?? list)?.setAttribute("aria-describedby", about.id);
    if (toggle) {
      toggle.checked = chosen === 0;
      toggle.onchange = () => this.choose(choices[toggle.checked ? 0 : 1].token);
    }
    if (list) {
      const none = chosen === null ? [Object.assign(new Option("–", "", true, true), { disabled: true })] : [];
      list.replaceChildren(...none, ...choices.map(({ token, label }, place) => new Option(label, token, false, place === chosen)));
      list.onchange = () => this.choose(list.value);
    }
  }
}

/** Make a field in which nothing may be chosen yet. @param {FormField} field */
function empty({ label, is_switch }) {
  const input = is_switch ? Object.assign(element("input"), { type: "checkbox" }) : element("select");
  const name = element("label", is_switch ? "switch" : "", ...(is_switch ? [input, label] : [label, input]));
  return element("div", "field", name, element("div"));
}
