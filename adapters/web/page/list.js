// A list of messages that changes in place and stays at its newest end unless somebody scrolled up.

import { element, keep } from "./dom.js";
import { drawMessage } from "./draw.js";

const NEAR = 80; // pixels from the end that still count as "at the end"

export class MessageList {
  constructor(list, scroll, on) {
    this.list = list;
    this.scroll = scroll;
    this.on = on;
    this.me = { id: "" };
    /** @type {Map<string, import("../types").Message>} */
    this.messages = new Map();
    this.drawn = new WeakMap(); // by element: its message
    this.isAtEnd = true;
    this.top = 0; // where the reader was at the last scroll
    scroll.addEventListener("scroll", () => this.scrolled(), { passive: true });
    const watch = new ResizeObserver(() => this.settle()); // once all is laid out: to ask before costs as much again
    watch.observe(list);
    watch.observe(scroll);
  }

  /** Show exactly these messages. */
  reset(messages, me) {
    this.me = me;
    this.messages = new Map(messages.map((message) => [message.id, message]));
    this.draw();
  }

  /** Show a message, in its old place if it has one; say whether it is new. */
  put(message) {
    const isNew = !this.messages.has(message.id);
    this.messages.set(message.id, message);
    this.draw();
    return isNew;
  }

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

  /** Draw a message unless it is there already; a button of it that has the focus keeps it. */
  update(item, message) {
    const before = this.drawn.get(item);
    this.drawn.set(item, message);
    if (before === message || JSON.stringify(before) === JSON.stringify(message)) return;
    item.dataset.id = message.id;
    const focused = item.querySelector("button:focus")?.dataset.token;
    drawMessage(item, message, this.me, this.on);
    if (focused) [...item.querySelectorAll("button")].find(({ dataset }) => dataset.token === focused)?.focus();
  }

  /** Bring a message into view and point at it. */
  lead(id) {
    const item = this.list.querySelector(`[data-id="${id}"]`);
    if (!item) return false;
    item.scrollIntoView({ block: "nearest" });
    item.classList.remove("pointed");
    void item.offsetWidth; // lets the animation start anew
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
