// Taps and drags on things that may be drawn again at any moment: what counts is the key under the finger when it
// came down, not whether the same element is still there when it goes up.

const STILL = 9; // pixels that a finger may stray and still tap

/**
 * Listen within `root`.
 * @template Found
 * @param {HTMLElement} root
 * @param {object} on
 * @param {(target: Element) => Found | null} on.find gives what is touched there
 * @param {(found: Found) => void} on.tap
 * @param {(found: Found) => boolean} on.mayDrag
 * @param {(found: Found, x: number, y: number) => void} on.drag so many pixels from where it was
 * @param {(found: Found, x: number, y: number) => void} on.drop at this point of the window
 * @param {() => void} on.rest ends a drag, with a drop or without
 */
export function listen(root, on) {
  /** @type {{found: Found, x: number, y: number, id: number, isDragged: boolean} | null} */
  let down = null;
  root.addEventListener("pointerdown", (event) => {
    const found = event.isPrimary && event.button === 0 ? on.find(/** @type {Element} */ (event.target)) : null;
    if (!found) return;
    down = { found, x: event.clientX, y: event.clientY, id: event.pointerId, isDragged: false };
  });
  addEventListener("pointermove", (event) => {
    if (!down || event.pointerId !== down.id) return;
    const { clientX: x, clientY: y } = event;
    if (!down.isDragged && Math.hypot(x - down.x, y - down.y) > STILL) down.isDragged = on.mayDrag(down.found);
    if (down.isDragged) on.drag(down.found, x - down.x, y - down.y);
  });
  addEventListener("pointerup", (event) => {
    if (!down || event.pointerId !== down.id) return;
    const { found, x, y, isDragged } = down;
    down = null;
    if (isDragged) {
      on.drop(found, event.clientX, event.clientY);
      on.rest();
    } else if (Math.hypot(event.clientX - x, event.clientY - y) <= STILL * 2) on.tap(found);
  });
  addEventListener("pointercancel", (event) => {
    if (!down || event.pointerId !== down.id) return;
    if (down.isDragged) on.rest();
    down = null;
  });
  root.addEventListener("click", (event) => {
    if (event.detail !== 0) return; // a finger's click: its tap was counted above
    const found = on.find(/** @type {Element} */ (event.target));
    if (found) on.tap(found);
  });
}
