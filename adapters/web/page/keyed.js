// Elements that are kept by what they stand for: what is still there is the same element as before, so that a
// finger on it, the focus and an animation outlive every update.

/** Let `parent` hold an element for each of `items`, in their order. */
export function keep(parent, items, { key, make, update }) {
  const known = new Map([...parent.children].map((child) => [child.dataset.key, child]));
  const wanted = new Set(items.map(key));
  const focused = parent.contains(document.activeElement) ? document.activeElement : null;
  const focusedPlace = [...parent.children].findIndex((child) => child.contains(focused));
  for (const [each, child] of known) if (!wanted.has(each)) child.remove();
  let place = parent.firstElementChild;
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
  else parent.children[Math.min(focusedPlace, parent.children.length - 1)]?.focus(); // its neighbour
}

/** Replace what an element holds unless it is the same already. */
export function fill(parent, mark, ...children) {
  if (parent.dataset.mark === mark) return;
  parent.dataset.mark = mark;
  parent.replaceChildren(...children);
}
