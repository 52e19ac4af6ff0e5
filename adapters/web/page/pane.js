// The private pane: a column beside the chat, on a phone a sheet under it that can be folded. And the panel over
// the table: what was asked for there is not to be looked for in the chat.

import { $ } from "./dom.js";

export class Pane {
  constructor(list) {
    this.list = list;
    $("pane-handle").onclick = () => this.fold(!$("pane").classList.contains("folded"));
  }

  reset(messages, me) {
    this.list.reset(messages, me);
  }

  /** Show a private message; a new one unfolds the sheet, a changed one only says so. */
  put(message) {
    const isNew = this.list.put(message);
    if (isNew) this.open();
    else if ($("pane").classList.contains("folded")) $("pane-news").hidden = false;
    return isNew;
  }

  remove(id) {
    this.list.remove(id);
  }

  lead(id) {
    this.open();
    return this.list.lead(id);
  }

  open() {
    this.fold(false);
  }

  fold(isFolded) {
    $("pane").classList.toggle("folded", isFolded);
    $("pane-handle").setAttribute("aria-expanded", String(!isFolded));
    if (isFolded) return;
    $("pane-news").hidden = true;
    this.list.settle();
  }
}

const EXPECTED_MS = 5_000; // what comes later was not asked for here

export class Panel {
  /** `draw(item, message)` draws a message. */
  constructor(draw) {
    this.draw = draw;
    this.until = 0;
    this.shown = null;
  }

  /** Show the next answer here. */
  expect() {
    this.until = Date.now() + EXPECTED_MS;
  }

  /** Show a message if it is what was asked for; gives whether it is. */
  take(message) {
    const isAnswer = Boolean(message.content.asked || message.kind === "answer") || message.kind === "post";
    if (message.id !== this.shown) {
      if (!isAnswer || message.content.board || Date.now() > this.until) return false;
      this.until = 0;
      this.shown = message.id;
      $("panel").showModal();
    }
    this.draw($("panel-message"), message);
    return true;
  }
}
