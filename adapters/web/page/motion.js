// Cards that move. Everything stands in its new place at once; what moves only looks as if it came from elsewhere.

const SECONDS = 200;
const STAGGER = 35;
const MOMENT = 1_000;
const EASE = { duration: SECONDS, easing: "cubic-bezier(.2,.7,.3,1)" };
const calm = matchMedia("(prefers-reduced-motion: reduce)");

/** Where every card is now: from `zone|key` to its element and box. */
export function places(root) {
  const found = new Map();
  if (calm.matches || document.hidden) return found;
  for (const card of root.querySelectorAll("[data-zone]")) {
    const box = card.getBoundingClientRect();
    if (box.width) found.set(`${card.dataset.zone}|${card.dataset.card}`, { card, box }); // else it is not seen
  }
  return found;
}

/**
 * Let cards come from where they were before. `from(zone, card, element)` gives the box where a card comes from
 * that was not seen, `to(zone, card)` the one where a card goes that is not seen any more; null: nowhere.
 */
export function move(root, before, from, to) {
  if (calm.matches || document.hidden) return;
  for (const { card } of before.values()) for (const each of card.getAnimations()) each.cancel();
  const now = places(root);
  let late = 0;
  for (const [name, { card, box }] of now) {
    const [zone, key] = name.split("|");
    const origin = before.get(name)?.box ?? anywhere(before, key) ?? from(zone, key, card);
    if (origin) glide(card, origin, box, before.has(name) ? 0 : late++ * STAGGER);
  }
  for (const [name, { card, box }] of before) {
    const [zone, key] = name.split("|");
    if (now.has(name) || anywhere(now, key)) continue;
    const target = to(zone, key);
    if (target) fly(card, box, target);
  }
}

/** Let a copy of something fly from one box to another, and vanish there. */
export function fly(thing, box, target, delay = 0) {
  if (calm.matches || document.hidden) return;
  const ghost = thing.cloneNode(true);
  ghost.classList.add("ghost");
  ghost.ariaHidden = "true";
  for (const name of ["id", "data-zone", "data-key"]) ghost.removeAttribute(name);
  for (const side of ["left", "top", "width", "height"]) ghost.style.setProperty(side, `${box[side]}px`);
  ghost.style.setProperty("--size", `${box.width}px`);
  document.body.append(ghost);
  const x = target.left + target.width / 2 - box.left - box.width / 2;
  const y = target.top + target.height / 2 - box.top - box.height / 2;
  const end = { transform: `translate(${x}px, ${y}px) scale(.6)`, opacity: 0.3 };
  const flight = ghost.animate([{ transform: "none", opacity: 1 }, end], { ...EASE, delay, fill: "both" });
  flight.onfinish = flight.oncancel = () => ghost.remove();
}

/** Show a sign over everything for a second: a game has ended. */
export function show(sign, root) {
  if (calm.matches || document.hidden) return;
  const moment = Object.assign(document.createElement("div"), { className: "moment", textContent: sign });
  moment.ariaHidden = "true";
  root.append(moment);
  const path = [
    { transform: "scale(.2) rotate(-25deg)", opacity: 0 },
    { transform: "scale(1.15) rotate(6deg)", opacity: 1, offset: 0.35 },
    { transform: "scale(1)", opacity: 1, offset: 0.7 },
    { transform: "scale(1.6)", opacity: 0 },
  ];
  const flight = moment.animate(path, { duration: MOMENT, easing: "ease-out" });
  flight.onfinish = flight.oncancel = () => moment.remove();
}

/** The box of a card, in whatever zone; the hand and the table may hear of a move one after the other. */
function anywhere(places, key) {
  for (const [name, { box }] of places) if (name.endsWith(`|${key}`)) return box;
  return null;
}

function glide(card, origin, box, delay) {
  const x = origin.left + origin.width / 2 - box.left - box.width / 2;
  const y = origin.top + origin.height / 2 - box.top - box.height / 2;
  if (Math.abs(x) < 1 && Math.abs(y) < 1) return;
  const scale = box.width ? origin.width / box.width : 1;
  card.animate(
    [{ translate: `${x}px ${y}px`, scale: `${scale}` }, { translate: "0 0", scale: "1" }],
    { ...EASE, delay, fill: "backwards" },
  );
}
