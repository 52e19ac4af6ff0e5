// A list of messages that changes in place and stays at its newest end unless its reader scrolled up.

/** @import {Message, MessageActions, Reader} from "../types" */
import { all, element, first, keep } from "./dom.js";
import { drawMessage } from "./draw.js";

const NEAR = 80; // pixels from the end that still count as "at the end"

export class MessageList {
  /** @param {HTMLElement} list @param {HTMLElement} scroll what scrolls it @param {MessageActions} on */
  constructor(list, scroll, on) {
    this.list = list;
    this.scroll = scroll;
    this.on = on;
    /** @type {Reader} */
    this.me = { id: "" };
    /** @type {Map<string, Message>} */
    this.messages = new Map();
    /** @type {WeakMap<HTMLElement, Message>} */
    this.drawn = new WeakMap();
    this.isAtEnd = true;
    this.top = 0; // where the reader was at the last scroll
    scroll.addEventListener("scroll", () => this.scrolled(), { passive: true });
    const watch = new ResizeObserver(() => this.settle()); // once all is laid out: to ask before costs as much again
    watch.observe(list);
    watch.observe(scroll);
  }

  /** Show exactly these messages. @param {Message[]} messages @param {Reader} me */
  reset(messages, me) {
    this.me = me;
    this.messages = new Map(messages.map((message) => [message.id, message]));
    this.draw();
  }

  /** Show a message, in its old place if it has one; say whether it is new. @param {Message} message */
  put(message) {
    const isNew = !this.messages.has(message.id);
    this.messages.set(message.id, message);
    this.draw();
    return isNew;
  }

  /** @param {string} id */
  remove(id) {
    this.messages.delete(id);
    this.draw();
  }

  draw() {
    keep(this.list, [...this.messages.values()].sort((one, other) => Number(one.id) - Number(other.id)), {
      key: ({ id }) => id,
      make: () => element("li"),
      update: (item, message) => this.update(item, message),
    });
  }

  /**
   * Draw a message unless it is there already; a button of it that has the focus keeps it.
   * @param {HTMLElement} item
   * @param {Message} message
   */
  update(item, message) {
    const before = this.drawn.get(item);
    this.drawn.set(item, message);
    if (before === message || JSON.stringify(before) === JSON.stringify(message)) return;
    item.dataset.id = message.id;
    const focused = first("button:focus", item)?.dataset.token;
    drawMessage(item, message, this.me, this.on);
    if (focused) all("button", item).find(({ dataset }) => dataset.token === focused)?.focus();
  }

  /** Bring a message into view and point at it; say whether it is here. @param {string} id */
  lead(id) {
    const item = first(`[data-id="${id}"]`, this.list);
    if (!item) return false;
    item.scrollIntoView({ block: "nearest" });
    item.classList.remove("pointed");
    void item.offsetWidth; // lets the animation start again
    item.classList.add("pointed");
    return true;
  }

  /** Leave the end only for a reader who scrolled up: what came since an own scroll has grown the list, too. */
  scrolled() {
    const isUp = this.scroll.scrollTop < this.top;
    this.top = this.scroll.scrollTop;
    if (isUp || !this.isAtEnd) this.isAtEnd = this.distance() < NEAR;
  }

  toEnd() {
    this.isAtEnd = true;
    this.settle();
  }

  settle() {
    if (this.isAtEnd) this.scroll.scrollTop = this.scroll.scrollHeight;
  }

  distance() {
    return this.scroll.scrollHeight - this.scroll.scrollTop - this.scroll.clientHeight;
  }
}
