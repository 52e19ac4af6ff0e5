// Small things that people throw at each other's seats, visible for a moment to everybody at the table.

/** @import {Thing, Throw, View} from "../types" */
import { rustle } from "./announcer.js";
import { $, all, button, element, first, svg } from "./dom.js";
import { preferences } from "./memory.js";
import { t } from "./texts.js";

/** @typedef {(message: string, seat: number, thing: Thing) => Promise<unknown>} ThrowAt throws something at a seat of a table's message */
/** @typedef {{x: number, y: number}} Spot in pixels of the window */

const PAUSE_MS = 5_000; // between two throws of one person
const FLIGHT_MS = 450;
const REST_MS = 650; // on a face; the thing fades in the second half
const STAIN_MS = 2_000; // the stain fades in the last quarter
const HEIGHT = 90; // pixels that a thing rises above the straight way
const MAX_FLYING = 12;
const EDGE = 6; // pixels kept free at the edges of the table
const calm = matchMedia("(prefers-reduced-motion: reduce)");

/**
 * Returns the button over a seat that throws something at it.
 * @param {number} seat
 * @param {string} name of the player there
 * @param {HTMLElement | null} [before] the existing button, which is reused because it may have the focus
 */
export function aimAt(seat, name, before = null) {
  const aim = before ?? button("aim");
  aim.dataset.aim = String(seat);
  aim.ariaLabel = t("Throw something at {name}", { name });
  aim.title = aim.ariaLabel;
  return aim;
}

export class Throws {
  /** @param {ThrowAt} send */
  constructor(send) {
    this.send = send;
    this.isPausing = false;
  }

  /** Throws something at a seat. @param {number} seat @param {View} view @param {Thing} thing */
  async throwAt(seat, { tableMessage }, thing) {
    this.pause(true);
    await this.send(tableMessage, seat, thing).catch(() => {}); // a lost throw needs no notice
    setTimeout(() => this.pause(false), PAUSE_MS);
  }

  /** Offers the things that can be thrown at a seat, unless the pause after the last throw is not over. @param {number} seat @param {View} view */
  offer(seat, view) {
    if (this.isPausing) return;
    first(".things")?.remove();
    const isFool = view.board.losers.includes(seat);
    const choices = NAMES.filter(([thing]) => thing !== "tomato" || isFool).map(([thing, name]) => {
      const choice = button("tool", pictureOf(thing));
      choice.title = choice.ariaLabel = name;
      choice.onclick = () => {
        close();
        this.throwAt(seat, view, thing);
      };
      return choice;
    });
    const things = element("div", "things", ...choices);
    Object.assign(things, { role: "group", ariaLabel: t("Throw something at {name}", { name: view.board.seats[seat].name }) });
    $("stage").append(things);
    putAt(things, spotOf(seat, view.own));
    choices[0].focus({ preventScroll: true });

    const outside = new AbortController();
    const close = () => {
      outside.abort();
      things.remove();
    };
    const { signal } = outside;
    addEventListener("pointerdown", ({ target }) => things.contains(/** @type {Node} */ (target)) || close(), { signal });
    addEventListener("keydown", ({ key }) => key === "Escape" && close(), { signal });
  }

  /** @param {boolean} isPausing */
  pause(isPausing) {
    this.isPausing = isPausing;
    $("stage").classList.toggle("throw-pause", isPausing);
    for (const aim of all("button.aim")) aim.ariaDisabled = String(isPausing); // `disabled` would lose the focus
  }

  /** Shows a throw, unless the reader has switched throws off. @param {Throw} flight @param {number | null} own the reader's seat */
  show({ thing, by, seat }, own) {
    const isUnseen = document.hidden || !preferences.throws;
    if (isUnseen || all(".thrown").length >= MAX_FLYING) return;

    const from = by === null ? beside() : spotOf(by, own);
    const to = spotOf(seat, own);
    const picture = pictureOf(thing);
    picture.classList.add("thrown");
    document.body.append(picture);
    const { width } = picture.getBoundingClientRect();
    const { duration, steps } = calm.matches ? still(to) : flight(from, to);
    const path = steps.map(({ x, y, ...look }) => ({ ...look, translate: `${x - width / 2}px ${y - width / 2}px` }));
    const moving = picture.animate(path, { duration, fill: "both" });
    moving.onfinish = moving.oncancel = () => picture.remove();
    setTimeout(() => {
      rustle("hit");
      stain(thing, spotOf(seat, own));
    }, calm.matches ? 0 : FLIGHT_MS);
  }
}

/** @param {Thing} thing */
function pictureOf(thing) {
  return svg("svg", { viewBox: "0 0 40 40", "aria-hidden": "true" }, ...DRAWINGS[thing]());
}

/** Shows a stain where a thing has hit. @param {Thing} thing @param {Spot} spot */
function stain(thing, spot) {
  const { left, top } = $("stage").getBoundingClientRect();
  const splash = svg("svg", { class: "stain", viewBox: "0 0 40 40", "aria-hidden": "true" }, shape(SPLASH, STAINS[thing]));
  splash.style.setProperty("left", `${spot.x - left}px`);
  splash.style.setProperty("top", `${spot.y - top}px`);
  $("stage").append(splash);
  const fading = splash.animate([{ opacity: 0.85 }, { opacity: 0.85, offset: 0.75 }, { opacity: 0 }], STAIN_MS);
  fading.onfinish = fading.oncancel = () => splash.remove();
}

/** Puts an element on the table at a spot, within its edges at both sides. @param {HTMLElement} thing @param {Spot} spot */
export function putAt(thing, { x, y }) {
  const { left, top, width } = $("stage").getBoundingClientRect();
  const half = thing.offsetWidth / 2 + EDGE;
  thing.style.setProperty("left", `${Math.min(Math.max(x - left, half), width - half)}px`);
  thing.style.setProperty("top", `${y - top}px`);
}

/** Returns the middle of a player's face; for the reader, whose face may not be drawn, a spot over the hand. @param {number} seat @param {number | null} own @returns {Spot} */
export function spotOf(seat, own) {
  const face = faceAt(seat);
  if (!face) return seat === own ? overHand() : beside();

  const { left, top, width, height } = face.getBoundingClientRect();
  return { x: left + width / 2, y: top + height / 2 };
}

/** Returns a player's face; undefined if it is not drawn. @param {number} seat */
export function faceAt(seat) {
  const faces = all(`.avatar[data-seat="${seat}"], [data-seat="${seat}"] .avatar`, $("stage"));
  return faces.find((each) => each.getClientRects().length > 0);
}

/** Returns a spot over the hand, and over the messages there. @returns {Spot} */
function overHand() {
  const { left, width, top } = $("mine").getBoundingClientRect();
  const x = left + width / 2;
  const boxes = all(".above > *", $("mine")).map((each) => each.getBoundingClientRect());
  const tops = boxes.filter((box) => box.height && box.left < x && box.right > x).map((box) => box.top);
  return { x, y: Math.min(top, ...tops) };
}

/** Returns the spot at the edge of the table from which spectators throw. @returns {Spot} */
function beside() {
  const { left, bottom } = $("stage").getBoundingClientRect();
  return { x: left, y: bottom - HEIGHT };
}

/** @typedef {{x: number, y: number, opacity: number, rotate: string, scale: string, offset: number, easing: string}} Step */

/** Returns the animation of a thing that stays still for a moment. @param {Spot} to @returns {{duration: number, steps: Step[]}} */
function still(to) {
  const look = { ...to, opacity: 1, rotate: "0deg", scale: "1", easing: "linear" };
  return { duration: REST_MS, steps: [{ ...look, offset: 0 }, { ...look, offset: 1 }] };
}

/** Returns the animation of a flight in an arc, and a moment of rest. @param {Spot} from @param {Spot} to @returns {{duration: number, steps: Step[]}} */
function flight(from, to) {
  const duration = FLIGHT_MS + REST_MS;
  const landed = FLIGHT_MS / duration;
  const top = { x: (from.x + to.x) / 2, y: Math.min(from.y, to.y) - HEIGHT };
  const look = { opacity: 1, rotate: "0deg", scale: "1", easing: "linear" };
  const steps = [
    { ...look, ...from, offset: 0, rotate: "-200deg", scale: ".6", easing: "cubic-bezier(.2,.6,.6,1)" },
    { ...look, ...top, offset: landed / 2, rotate: "-100deg", easing: "cubic-bezier(.4,0,.8,.4)" },
    { ...look, ...to, offset: landed },
    { ...look, ...to, offset: landed + 0.08, scale: "1.25" },
    { ...look, ...to, offset: 1 - (1 - landed) / 2 },
    { ...look, x: to.x, y: to.y + HEIGHT / 6, offset: 1, opacity: 0 },
  ];
  return { duration, steps };
}

// --- the things, each in a square of 40 ---

/** @type {[Thing, string][]} */
const NAMES = [
  ["egg", t("Egg")],
  ["snowball", t("Snowball")],
  ["slipper", t("Slipper")],
  ["rose", t("Rose")],
  ["plane", t("Paper plane")],
  ["tomato", t("Tomato")],
];

/** @type {Record<Thing, string>} */
const STAINS = { tomato: "#d8392b", egg: "#f4cf4e", snowball: "#e9f4fb", slipper: "#8a4b2a", rose: "#ef7b8d", plane: "#c9d6de" };
const SPLASH = "M19 8c4-6 7-4 6 1 5-3 9-1 6 4 6 0 7 4 2 7 4 4 1 8-4 6 1 6-4 8-7 3-3 6-9 4-7-2-6 2-9-3-5-7-6-2-5-7 1-7-4-5 0-9 4-5 0-5 3-5 4 0z";

/** @type {Record<Thing, () => SVGElement[]>} */
const DRAWINGS = {
  tomato: () => [
    shape("M20 36c-10 0-16-6-16-14S10 9 20 10c10-1 16 4 16 12s-6 14-16 14z", "#d8392b"),
    shape("M9 20c0-4 3-6 6-7-3 3-4 6-4 9z", "#f58a78"),
    shape("M20 12l-8 3 4-5-5-4 7 1 2-5 2 5 7-1-5 4 4 5z", "#3c8f3a"),
  ],
  egg: () => [
    shape("M20 4c8 0 13 12 13 19s-6 13-13 13S7 30 7 23 12 4 20 4z", "#fbf1dd"),
    shape("M20 36c-7 0-13-6-13-13 4 6 18 8 26 0 0 7-6 13-13 13z", "#e6d2ac"),
    shape("M13 15c1-4 3-6 5-7-2 3-3 6-3 9z", "#ffffff"),
  ],
  snowball: () => [
    shape("M20 4a16 16 0 1 0 0 32 16 16 0 1 0 0-32z", "#e9f4fb"),
    shape("M33 29A16 16 0 0 1 6 28c7 5 20 5 27 1z", "#b9d6e8"),
    shape("M12 14a2 2 0 1 0 4 0 2 2 0 1 0-4 0zM23 20a2 2 0 1 0 4 0 2 2 0 1 0-4 0zM14 24a1.5 1.5 0 1 0 3 0 1.5 1.5 0 1 0-3 0z", "#cde3f0"),
  ],
  slipper: () => [
    shape("M2 27c0-5 4-9 10-10 3 4 7 6 13 6 6-1 13 0 13 5v2c0 2-2 3-4 3H7c-3 0-5-2-5-6z", "#8a4b2a"),
    shape("M12 17c4-6 9-8 12-8 6 3 12 9 14 16-4-2-9-2-13-2-6 0-10-2-13-6z", "#c9483a"),
    shape("M2 29h36v1c0 2-2 3-4 3H7c-2 0-4-1-5-4z", "#5b2f18"),
    shape("M23 13a3.5 3.5 0 1 0 7 0 3.5 3.5 0 1 0-7 0z", "#ffd77a"),
  ],
  rose: () => [
    shape("M19 20h2.4l1 18h-3z", "#3c8f3a"),
    shape("M21 30c4-5 9-5 12-3-3 4-8 6-12 3zM20 27c-4-5-8-5-11-3 3 4 7 6 11 3z", "#4fae4c"),
    shape("M20 22C11 22 8 15 9 8c4 0 5 1 7 2 1-3 2-5 4-7 2 2 3 4 4 7 2-1 3-2 7-2 1 7-2 14-11 14z", "#c6304a"),
    shape("M20 19c-4-2-5-6-4-9 2 1 3 2 4 4 1-2 2-3 4-4 1 3 0 7-4 9z", "#ef7b8d"),
  ],
  plane: () => [
    shape("M3 19 38 5 26 35l-8-9z", "#ffffff"),
    shape("M18 26 38 5 14 23v11z", "#c9d6de"),
    shape("M3 19 38 5 14 23z", "#e8eef2"),
  ],
};

/** @param {string} d the outline @param {string} fill its colour */
function shape(d, fill) {
  return svg("path", { d, fill, stroke: "#0006", "stroke-width": 0.6 });
}
