// A list of messages that changes in place and stays at its newest end unless somebody scrolled up.

import { element } from "./dom.js";
import { drawMessage } from "./draw.js";

const NEAR = 80; // pixels from the end that still count as "at the end"

export class MessageList {
  constructor(list, scroll, on) {
    this.list = list;
    this.scroll = scroll;
    this.on = on;
    this.me = { id: "" };
    this.items = new Map();
    this.isAtEnd = true;
    scroll.addEventListener("scroll", () => (this.isAtEnd = this.distance() < NEAR), { passive: true });
    const watch = new ResizeObserver(() => this.settle());
    watch.observe(list);
    watch.observe(scroll);
  }

  /** Show exactly these messages; what is there and unchanged is not touched. */
  reset(messages, me) {
    this.me = me;
    const wanted = new Set(messages.map((message) => message.id));
    for (const id of [...this.items.keys()]) if (!wanted.has(id)) this.remove(id);
    for (const message of messages) this.put(message);
  }

  /** Show a message, in its old place if it has one; say whether it is new. */
  put(message) {
    const text = JSON.stringify(message);
    const known = this.items.get(message.id);
    if (known?.text === text) return false;
    const item = known?.item ?? element("li");
    const focused = item.contains(document.activeElement) ? document.activeElement.getAttribute("data-token") : null;
    drawMessage(item, message, this.me, this.on);
    if (!known) {
      item.dataset.id = message.id;
      this.insert(item, Number(message.id));
    }
    this.items.set(message.id, { item, text, message });
    if (focused) [...item.querySelectorAll("button")].find((b) => b.dataset.token === focused)?.focus();
    this.settle();
    return !known;
  }

  remove(id) {
    this.items.get(id)?.item.remove();
    this.items.delete(id);
  }

  /** Bring a message into view and point at it. */
  lead(id) {
    const item = this.items.get(id)?.item;
    if (!item) return false;
    item.scrollIntoView({ block: "nearest" });
    item.classList.remove("pointed");
    void item.offsetWidth; // lets the animation start anew
    item.classList.add("pointed");
    return true;
  }

  toEnd() {
    this.isAtEnd = true;
    this.settle();
  }

  insert(item, id) {
    let after = this.list.lastElementChild;
    while (after && Number(after.dataset.id) > id) after = after.previousElementSibling;
    if (after) after.after(item);
    else this.list.prepend(item);
  }

  settle() {
    if (this.isAtEnd) this.scroll.scrollTop = this.scroll.scrollHeight;
  }

  distance() {
    return this.scroll.scrollHeight - this.scroll.scrollTop - this.scroll.clientHeight;
  }
}
