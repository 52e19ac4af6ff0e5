// Elements: found, made, and kept by what they stand for, so that what is still there is the same element as
// before, and a finger on it, the focus and an animation outlive every update.

/**
 * Give the element of the page with this id, of whatever kind it is.
 * @param {string} id
 * @returns {any}
 */
export const $ = (id) => document.getElementById(id);

/**
 * Give all elements that a selector finds.
 * @param {string} selector
 * @returns {any[]}
 */
export const all = (selector) => [...document.querySelectorAll(selector)];

/**
 * Make an element that holds these children.
 * @param {string} name
 * @param {string} [className]
 * @param {...(Node | string)} children
 * @returns {any} of the kind that `name` says
 */
export function element(name, className, ...children) {
  const made = document.createElement(name);
  if (className) made.className = className;
  made.append(...children);
  return made;
}

/**
 * Let `parent` hold an element for each of `items`, in their order; what it holds besides, without a key, stays.
 * @template Item
 * @param {HTMLElement} parent
 * @param {Item[]} items
 * @param {{key: (item: Item) => string, make: (item: Item) => HTMLElement, update: (element: any, item: Item) => void}} how
 *   `key` says what an item stands for; `update` is called for new elements, too
 */
export function keep(parent, items, { key, make, update }) {
  const known = new Map(childrenOf(parent).filter(({ dataset }) => "key" in dataset).map((child) => [child.dataset.key, child]));
  const wanted = new Set(items.map(key));
  const focused = parent.contains(document.activeElement) ? /** @type {HTMLElement} */ (document.activeElement) : null;
  const focusedPlace = [...parent.children].findIndex((child) => child.contains(focused));
  for (const [each, child] of known) if (!wanted.has(each)) child.remove();
  let place = childrenOf(parent)[0] ?? null;
  for (const item of items) {
    let child = known.get(key(item));
    if (!child) {
      child = make(item);
      child.dataset.key = key(item);
    }
    update(child, item);
    if (child === place) place = place.nextElementSibling;
    else parent.insertBefore(child, place);
  }
  if (!focused || focused === document.activeElement) return;
  if (focused.isConnected) focused.focus();
  else childrenOf(parent).at(Math.min(focusedPlace, parent.children.length - 1))?.focus(); // its neighbour
}

/** @returns {any[]} */
function childrenOf(parent) {
  return [...parent.children];
}

/**
 * Replace what an element holds unless it is the same already: `mark` says what that is.
 * @param {HTMLElement} parent
 * @param {string} mark
 * @param {...(Node | string)} children
 */
export function fill(parent, mark, ...children) {
  if (parent.dataset.mark === mark) return;
  parent.dataset.mark = mark;
  parent.replaceChildren(...children);
}
