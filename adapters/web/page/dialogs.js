// The dialogs of every table: the settings as a form, and how to play; and the ways to close any dialog.

/** @import {Answer, Form, FormField} from "../types" */
/** @import {Api} from "./connection.js" */
import { cap, gestures, rulesOf } from "./answers.js";
import { sketch, withCards } from "./cards.js";
import { $, all, button, element, first, keep, openDialog, topDialog, unspoken } from "./dom.js";
import { t } from "./texts.js";

// --- Settings as a form. A choice is sent at once, like a press on a button; the answer has the updated form.

export class FormDialog {
  /** @param {(message: string, token: string) => Promise<Answer>} press presses a button; a refusal's toast has the reason */
  constructor(press) {
    this.press = press;
    this.message = "";
  }

  /** Shows the form of a message. @param {string} message @param {Form} form */
  show(message, form) {
    this.message = message;
    $("form-title").textContent = form.title;
    $("form-about").textContent = form.about;
    keep($("form-others"), form.others, {
      key: ({ label }) => label,
      make: ({ label }) => button("button", label),
      update: (made, { token }) => (made.onclick = () => this.choose(token)),
    });
    keep($("form-fields"), form.fields, {
      key: (field) => `${kindOf(field)} ${field.label}`,
      make: empty,
      update: (item, field) => this.update(item, field),
    });
    openDialog($("form"));
  }

  /** @param {string} token */
  async choose(token) {
    $("form-refused").hidden = true;
    const answer = await this.press(this.message, token);
    $("form-refused").hidden = !answer.toast;
    $("form-refused").textContent = answer.toast ?? "";
    if (answer.form && $("form").open) this.show(this.message, answer.form); // unless it was closed meanwhile
  }

  /** Updates a field in place, so that the focus stays. @param {HTMLElement} item @param {FormField} field */
  update(item, field) {
    const about = aboutOf(field);
    first(".about", item)?.replaceWith(about);

    const control = /** @type {HTMLElement | null} */ (item.querySelector("[type=checkbox], select, .options"));
    control?.setAttribute("aria-describedby", about.lastElementChild?.id ?? "");
    if (control instanceof HTMLInputElement) this.updateSwitch(control, field);
    else if (control instanceof HTMLSelectElement) this.updateList(control, field);
    else if (control) this.updateRow(control, field);
  }

  /** @param {HTMLInputElement} toggle @param {FormField} field */
  updateSwitch(toggle, { choices: [on, off], chosen }) {
    toggle.checked = chosen === 0;
    toggle.onchange = () => this.choose((toggle.checked ? on : off).token);
  }

  /** @param {HTMLSelectElement} list @param {FormField} field */
  updateList(list, { choices, chosen }) {
    const options = choices.map(({ token, label }, n) => new Option(label, token, false, n === chosen));
    if (chosen === null) options.unshift(noChoice());
    list.replaceChildren(...options);
    list.onchange = () => this.choose(list.value);
  }

  /** @param {HTMLElement} row @param {FormField} field */
  updateRow(row, { label: name, choices, chosen }) {
    row.classList.toggle("words", choices.some(({ label }) => label.length > NUMBER_LENGTH));
    keep(row, [...choices.entries()], {
      key: ([, { label }]) => label,
      make: ([, { label }]) => {
        const radio = Object.assign(element("input"), { type: "radio", name });
        return element("label", "option", radio, element("span", "", ...withCards(label)));
      },
      update: (option, [n, { token }]) => {
        const radio = /** @type {HTMLInputElement} */ (option.firstElementChild);
        radio.checked = n === chosen;
        radio.onchange = () => this.choose(token);
      },
    });
  }
}

const NUMBER_LENGTH = 3;
const LONGEST_ROW = 8; // choices shown as a row of buttons; more are a list

/** Returns how a field is drawn. @param {FormField} field @returns {"switch" | "row" | "list"} */
function kindOf({ choices, is_switch }) {
  if (is_switch) return "switch";
  return choices.length <= LONGEST_ROW ? "row" : "list";
}

/** Returns a new field without its choices, which `update` draws. @param {FormField} field */
function empty(field) {
  const { label } = field;
  const about = element("div", "about");
  const kind = kindOf(field);
  if (kind === "row") {
    const row = element("div", "options");
    Object.assign(row, { role: "radiogroup", ariaLabel: label });
    return element("div", "field", unspoken(element("span", "title", label)), row, about);
  }

  if (kind === "list") {
    return element("div", "field", element("label", "title", label, element("select")), about);
  }
  const box = Object.assign(element("input"), { type: "checkbox" });
  return element("div", "field", element("label", "title switch", box, label), about);
}

/** Returns the explanation below a field: the meaning of its choice, beside a picture if there is one. @param {FormField} field */
function aboutOf({ choices, chosen, is_switch }) {
  const choice = choices[is_switch ? 0 : (chosen ?? 0)];
  const about = choice.about || choices.find((other) => other.about)?.about || "";
  const words = element("p", "", ...withCards(about));
  words.id = `about-${choices[0].token}`;

  const looks = chosen === null ? null : choices[chosen].sketch;
  if (!looks) return element("div", "about", words);
  return element("div", "about sketched", sketch(looks), words);
}

function noChoice() {
  return Object.assign(new Option("–", "", true, true), { disabled: true });
}

// --- How to play: pictures of what to touch, and the rules of the table in this room.

export class HowToPlay {
  /** @param {Api} api @param {boolean} [hasLessons] whether the reader can take lessons here */
  constructor(api, hasLessons = false) {
    this.api = api;
    this.hasLessons = hasLessons;
    document.addEventListener("click", ({ target }) => {
      if (target instanceof Element && target.closest("[data-how]")) this.open();
    });
  }

  async open() {
    this.show(gestures());
    openDialog($("how"));
    const rules = await this.api.get("rules").catch(() => null);
    if (rules) this.show(rulesOf(rules));
  }

  /** @param {HTMLElement} explained */
  show(explained) {
    const lessons = this.hasLessons ? [element("div", "row", lessonsButton())] : [];
    $("how-rules").replaceChildren(explained, ...lessons);
  }
}

/** Returns the button that begins the lessons. */
function lessonsButton() {
  const learn = button("button primary", cap(), " ", t("Learn by playing"));
  learn.dataset.say = "/learn";
  return learn;
}

// --- Closing dialogs: by a tap beside them, and on a phone by Back, which also closes the chat below a table.
//
// One history entry represents everything that is open, and the next dialog reuses it, because browsers limit the rate of
// history changes.

/** @typedef {() => (() => void) | null} Beneath returns a function that closes an overlay below all dialogs; null if none is open */

/**
 * Makes all dialogs of the page close by a tap beside them and, on a phone, by Back.
 * @param {Beneath} [beneath]
 */
export function connectDialogs(beneath = () => null) {
  closeBeside();
  const isPhone = matchMedia("(pointer: coarse)").matches; // phones always have Back
  if (isPhone) closeByBack(beneath);
}

/** @param {Beneath} beneath */
function closeByBack(beneath) {
  const topmost = () => {
    const dialog = topDialog();
    return dialog ? () => dialog.close() : beneath();
  };
  let isGuarded = Boolean(history.state?.over);
  const guard = () => {
    if (isGuarded || !topmost()) return;
    history.pushState({ over: true }, "");
    isGuarded = true;
  };
  const watch = new MutationObserver(guard);
  for (const dialog of all("dialog")) watch.observe(dialog, { attributeFilter: ["open"] });
  watch.observe($("room"), { attributeFilter: ["class"] });

  addEventListener("popstate", ({ state }) => {
    if (!isGuarded || state?.over || location.hash) return;
    isGuarded = false;
    const close = topmost();
    if (close) close();
    else history.back(); // the dialog was closed in another way, so this entry is left over
  });
}

/** Closes every dialog of the page on a tap beside it. */
export function closeBeside() {
  for (const dialog of all("dialog")) {
    dialog.addEventListener("click", ({ target, clientX: x, clientY: y, detail }) => {
      if (target !== dialog || !detail) return; // a click by a key has no position

      const { left, right, top, bottom } = dialog.getBoundingClientRect();
      const isInside = x >= left && x <= right && y >= top && y <= bottom;
      if (!isInside) dialog.close();
    });
  }
}
