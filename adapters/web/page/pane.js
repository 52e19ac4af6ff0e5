// The private pane: a column beside the chat, on a phone a sheet under it that can be folded. And the panel over
// the table: what was asked for there is not to be looked for in the chat.

/** @import {MessageList} from "./list.js" */
/** @import {Message, Reader} from "../types" */
import { $ } from "./dom.js";

export class Pane {
  /** @param {MessageList} list */
  constructor(list) {
    this.list = list;
    $("pane-handle").onclick = () => this.fold(!$("pane").classList.contains("folded"));
  }

  /** @param {Message[]} messages @param {Reader} me */
  reset(messages, me) {
    this.list.reset(messages, me);
  }

  /** Show a private message; a new one unfolds the sheet, a changed one only says so. @param {Message} message */
  put(message) {
    const isNew = this.list.put(message);
    if (isNew) this.open();
    else if ($("pane").classList.contains("folded")) $("pane-news").hidden = false;
    return isNew;
  }

  /** @param {string} id */
  remove(id) {
    this.list.remove(id);
  }

  /** @param {string} id */
  lead(id) {
    this.open();
    return this.list.lead(id);
  }

  open() {
    this.fold(false);
  }

  /** @param {boolean} isFolded */
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
  /** @param {(item: HTMLElement, message: Message) => void} draw */
  constructor(draw) {
    this.draw = draw;
    this.until = 0;
    this.shown = ""; // the id of a message
  }

  /** Show the next answer here. */
  expect() {
    this.until = Date.now() + EXPECTED_MS;
  }

  /**
   * Show a message if it is what was asked for, or follows that in private, as a review follows the word that it
   * will come; gives whether it is.
   * @param {Message} message
   */
  take(message) {
    if (message.id !== this.shown) {
      const isAsked = Date.now() <= this.until || ($("panel").open && message.private);
      if (message.kind === "chat" || message.content.board || !isAsked) return false;
      this.until = 0;
      this.shown = message.id;
      if (!$("panel").open) $("panel").showModal();
    }
    this.draw($("panel-message"), message);
    return true;
  }
}
