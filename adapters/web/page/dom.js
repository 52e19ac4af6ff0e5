// Finds and makes elements, and keeps them by key, so that a finger on them, the focus and animations survive updates.

/** @import {ElementOf, Elements} from "../types" */

/** Whether the reader points with a mouse: sentences say "click" then, not "tap". */
export const hasMouse = matchMedia("(hover: hover) and (pointer: fine)").matches;

/**
 * Returns the element of the page with this id.
 * @template {keyof Elements} Id
 * @param {Id} id
 * @returns {Elements[Id]}
 */
export const $ = (id) => /** @type {Elements[Id]} */ (document.getElementById(id));

/**
 * Returns all elements that match a selector, with the type that the selector begins with.
 * @template {string} Selector
 * @param {Selector} selector
 * @param {ParentNode} [root]
 * @returns {ElementOf<Selector>[]}
 */
export const all = (selector, root = document) => [
  .../** @type {NodeListOf<ElementOf<Selector>>} */ (root.querySelectorAll(selector)),
];

/**
 * Returns the first element that matches a selector.
 * @template {string} Selector
 * @param {Selector} selector
 * @param {ParentNode} [root]
 * @returns {ElementOf<Selector> | null}
 */
export const first = (selector, root = document) => root.querySelector(selector);

/**
 * Makes an element with these children.
 * @template {keyof HTMLElementTagNameMap} Name
 * @param {Name} name
 * @param {string} [className]
 * @param {...(Node | string)} children
 */
export function element(name, className, ...children) {
  const node = document.createElement(name);
  if (className) node.className = className;
  node.append(...children);
  return node;
}

/**
 * Makes a button that does not submit a form.
 * @param {string} [className]
 * @param {...(Node | string)} children
 */
export function button(className, ...children) {
  const node = element("button", className, ...children);
  node.type = "button";
  return node;
}

/**
 * Disables a button until its press is done, and restores the focus, which some browsers take from a disabled button.
 * @param {HTMLButtonElement} button
 * @param {Promise<unknown>} press
 */
export async function hold(button, press) {
  const hadFocus = document.activeElement === button;
  button.classList.add("busy");
  button.disabled = true;
  await press;

  button.classList.remove("busy");
  button.disabled = false;
  if (hadFocus && document.activeElement === document.body) button.focus({ preventScroll: true });
}

/**
 * Makes an element of a drawing.
 * @param {string} name
 * @param {Record<string, string | number>} attributes
 * @param {...(Node | string)} children
 */
export function svg(name, attributes, ...children) {
  const node = document.createElementNS("http://www.w3.org/2000/svg", name);
  for (const [key, value] of Object.entries(attributes)) node.setAttribute(key, String(value));
  node.append(...children);
  return node;
}

/** Returns the classes of an element: those in `always`, and each of `marks` that is true. @param {string} always @param {Record<string, boolean>} marks */
export function classes(always, marks) {
  const holding = Object.keys(marks).filter((mark) => marks[mark]);
  return [always, ...holding].join(" ");
}

/** Hides an element from screen readers, because its text is elsewhere; returns it. @template {HTMLElement} Hidden @param {Hidden} node */
export function unspoken(node) {
  node.ariaHidden = "true";
  return node;
}

/**
 * Updates `parent` to have one element for each of `items`, in their order; its children without a key stay.
 * @template {HTMLElement} Child
 * @template Item
 * @param {HTMLElement} parent
 * @param {Item[]} items
 * @param {{key: (item: Item) => string, make: (item: Item) => Child, update: (element: Child, item: Item) => void}} options
 *   `key` identifies an item; `update` is also called for new elements
 */
export function keep(parent, items, { key, make, update }) {
  const before = /** @type {Child[]} */ ([...parent.children]);
  const keyed = before.filter((child) => child.dataset.key !== undefined);
  const byKey = new Map(keyed.map((child) => [child.dataset.key, child]));
  const keys = new Set(items.map(key));
  const focused = /** @type {HTMLElement | null} */ (document.activeElement);
  const focusedPlace = before.findIndex((child) => child.contains(focused));
  for (const child of keyed) if (!keys.has(child.dataset.key ?? "")) child.remove();

  let place = parent.firstElementChild;
  for (const item of items) {
    let child = byKey.get(key(item));
    if (!child) {
      child = make(item);
      child.dataset.key = key(item);
    }
    update(child, item);
    if (child === place) place = place.nextElementSibling;
    else parent.insertBefore(child, place);
  }

  const hasLostIt = focused && focusedPlace >= 0 && focused !== document.activeElement;
  if (!hasLostIt) return;

  const after = /** @type {Child[]} */ ([...parent.children]);
  const neighbour = after.at(Math.min(focusedPlace, after.length - 1));
  (focused.isConnected ? focused : neighbour)?.focus();
}

/**
 * Replaces the children of an element if `what` has changed, which determines everything that `make` returns.
 * @param {HTMLElement} parent
 * @param {unknown} what any JSON value
 * @param {() => (Node | string)[]} make
 */
export function fill(parent, what, make) {
  const mark = JSON.stringify(what);
  if (filled.get(parent) === mark) return;
  filled.set(parent, mark);
  parent.replaceChildren(...make());
}

/** @type {WeakMap<HTMLElement, string>} */
const filled = new WeakMap(); // the content of an element, as JSON

// --- Overlays: dialogs in the order in which they were opened, and short notices over all of them.

/** @type {HTMLDialogElement[]} */
let openDialogs = [];

/** Opens a dialog, scrolled to its top, over everything except the notices. @param {HTMLDialogElement} dialog */
export function openDialog(dialog) {
  if (dialog.open) return;

  openDialogs = [...openDialogs.filter(({ open }) => open), dialog];
  dialog.showModal();
  // Focusing its last button scrolls the dialog: at once, or in WebKit before the next paint.
  const showTop = () => dialog.scrollTo(0, 0);
  showTop();
  requestAnimationFrame(showTop);
  markMore(dialog);
  dialog.addEventListener("close", liftNotices, { once: true });
  liftNotices();
}

const UNREADABLE = 8; // pixels below that can't hold a line of text
const PAGE = 0.6; // of a box's height: how far its arrow scrolls, because buttons may cover its end
const ARROW = 48; // the width of the arrow in pixels
const calm = matchMedia("(prefers-reduced-motion: reduce)");

/** @type {WeakMap<HTMLElement, () => void>} */
const marks = new WeakMap(); // the update functions of boxes that are already followed

/** Marks a scrollable box while it has more content below, so that its end fades; its arrow then scrolls it. @param {HTMLElement} box */
export function markMore(box) {
  const update = marks.get(box);
  if (update) {
    update();
    return;
  }

  const mark = () => {
    const below = box.scrollHeight - box.clientHeight - box.scrollTop;
    box.classList.toggle("goes-on", below > UNREADABLE);
  };
  marks.set(box, mark);
  box.addEventListener("scroll", mark, { passive: true });
  box.addEventListener("click", (event) => {
    if (!isOnArrow(box, event)) return;
    box.scrollBy({ top: PAGE * box.clientHeight, behavior: calm.matches ? "auto" : "smooth" });
  });
  const watch = new ResizeObserver(mark);
  for (const each of [box, ...box.children]) watch.observe(each);
}

/**
 * Returns whether a press hits the arrow of a box. A press on drawn content counts as one on its element: the box itself,
 * or the row of buttons below the arrow.
 * @param {HTMLElement} box
 * @param {MouseEvent} event
 */
function isOnArrow(box, { target, clientX: x, clientY: y, detail }) {
  if (!detail || !(target instanceof Element) || !box.matches(".goes-on")) return false; // a click by a key has no position

  const { left, right, top, bottom } = target.getBoundingClientRect();
  const isBelow = target === box ? y > (top + bottom) / 2 : y < top;
  return isBelow && y < bottom && Math.abs(x - (left + right) / 2) <= ARROW / 2;
}

/** Returns the topmost open dialog; null if none is open. */
export function topDialog() {
  return openDialogs.filter(({ open }) => open).at(-1) ?? null;
}

/**
 * Moves the notices into the topmost dialog, because nothing outside it can cover it. Without a dialog, moves them to
 * the words above the hand, or above the buttons of a result, where they cover neither faces nor cards.
 */
export function liftNotices() {
  const place = topDialog() ?? wordsInSight() ?? buttonsOfResult() ?? document.body;
  const notices = document.getElementById("toasts");
  if (notices && notices.parentElement !== place) place.append(notices);
}

/** Returns the words above the hand; null if they are not shown. */
function wordsInSight() {
  const words = first("#mine > .says");
  return words?.getClientRects().length ? words : null;
}

/** Returns the buttons below a result; null if none is shown. */
function buttonsOfResult() {
  const result = first("#mine > .outcome");
  return result?.getClientRects().length ? first("#mine > .bar") : null;
}

// --- Keyboard use: only then a ring shows the focus. After a touch it would mark an unrelated element.

const AWAY = ["Escape", "Shift", "Control", "Alt", "Meta"]; // keys that do not move the focus

addEventListener("keydown", ({ key, target }) => {
  const isTyped = target instanceof Element && target.matches("input:not([type]), textarea");
  const isLeading = key === "Tab" || !(isTyped || AWAY.includes(key));
  if (isLeading) document.documentElement.dataset.keys = "";
});
addEventListener("pointerdown", () => delete document.documentElement.dataset.keys, { capture: true });
