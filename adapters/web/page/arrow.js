// The arrow from the attacker to the defender: its way around everything on the table, and its drawing.

/** @import {Box, Layout, Spot} from "./layout.js" */
import { svg } from "./dom.js";
import {
  BACKS,
  bottomOf,
  centreOf,
  FACE,
  lyingIn,
  middleOf,
} from "./layout.js";

/** @typedef {Spot[]} Way the corners of an arrow, of which the last is its tip */

/**
 * @typedef {object} Attack
 * @property {number} pairs the number of pairs on the table
 * @property {boolean} [hasBeaten] whether a card of them is beaten
 * @property {number | null} from the attacker, as an index of the layout's seats; null for the reader
 * @property {number | null} to the defender
 */

/* The parts of a seat, in em from the middle of its upper edge: the face with its badge, the cards, and the name,
   which takes the whole width. */
const DRAWN_ROUND = drawnWith(FACE.round);
const DRAWN = drawnWith(FACE.whole);
const DRAWN_COMPACT = {
  face: [-2.7, 2.8, -0.1, FACE.compact + 0.1],
  cards: [-2.7, 2.8, 0, FACE.compact + 0.1],
  name: FACE.compact + 0.1,
  level: 0.5 * FACE.compact,
};

const CLEARANCE = 0.15; // em between an arrow and anything else
const BEYOND = [0.5, CLEARANCE]; // em between a player at a round table and an arrow's end, best first
const AROUND_CARDS = 0.8; // em between an arrow and the cards that it passes, if there is room
const INSIDE = [1.6, 1.1, 0.7]; // em between the edge of a round table and an arrow along it, best first
const CORNERS = 6; // of such an arrow, of which it may skip some at its ends
const SHARPEST = 0.55 * Math.PI; // turn at a corner
const SLANT = 1.6; // em by which an arrow through a lane goes aside on its way there and back, like a bow
const LEG = 1.1; // em between a seat and an arrow that passes it
const SHORTEST = 0.9; // em of an arrow: its head and a little of its line
const LEAST_EM = 6; // pixels; with a smaller em no arrow would be visible
const LONG_ENOUGH = 2; // em of a part of an arrow that shows its direction

/**
 * Returns the arrow from the attacker to the defender, straight or around the seats. If every way is blocked beside rows of
 * seats, returns one end of a straight way, because a part in the middle could belong to other seats. An end at a pile is
 * no choice either, as it would point at the pile. Returns null if there is no room for an arrow, or if the reader attacks
 * or defends at a table without their face.
 * @param {Layout} layout
 * @param {Attack} attack
 * @returns {Way | null}
 */
export function arrowOf(layout, { pairs, hasBeaten = true, from, to }) {
  const { em, own, seats } = layout;
  const [one, other] = [from, to].map((seat) => (seat === null ? own : seats[seat]));
  if (em < LEAST_EM || !one || !other) return null;

  const margin = CLEARANCE * em * 0.99; // ends are exactly `CLEARANCE` from their seats
  const piles = [layout.talon, layout.heap].map((box) => widened(box, margin));
  const obstacles = obstaclesOf(layout, pairs, hasBeaten).map((box) => widened(box, margin));

  const ways = waysBetween(layout, one, other);
  const crosses = (/** @type {Way} */ way, /** @type {Box[]} */ around) =>
    way.some((spot, n) => n && around.some((box) => shareIn(box, way[n - 1], spot)));
  const isFree = (/** @type {Way} */ way, around = obstacles) =>
    !crosses(way, around) && !crosses(rounded(way, em), around);
  const hasHead = (/** @type {Way} */ way) => lengthOf(way.slice(-2)) >= SHORTEST * em;
  const nearCards = pairs ? [widened(lyingIn(layout, pairs, hasBeaten), AROUND_CARDS * em)] : [];
  const isPossible = (/** @type {Way} */ way) => hasHead(way) && isFree(way);
  const free = ways.find((way) => isFree(way, nearCards) && isPossible(way)) ?? ways.find(isPossible);
  if (free || layout.isRound) return free ?? null;

  const straight = ways.filter(({ length }) => length === 2);
  const parts = straight.flatMap((way) => freeEnds(way, obstacles, piles));
  const isAsLongAs = (/** @type {number} */ least) => (/** @type {Way} */ part) => lengthOf(part) >= least * em;
  return parts.find(isAsLongAs(LONG_ENOUGH)) ?? parts.find(isAsLongAs(SHORTEST)) ?? null;
}

/** Lists the boxes that an arrow must not cross: seats, piles, the cards of the bout, the reader's face, and the messages over the hand. @param {Layout} layout @param {number} pairs @param {boolean} [hasBeaten] */
export function obstaclesOf(layout, pairs, hasBeaten = true) {
  const { seats, own, talon, heap, notes } = layout;
  const around = seats.flatMap((seat) => partsOf(seat, layout));
  const cards = pairs ? [lyingIn(layout, pairs, hasBeaten)] : [];
  return [...around, talon, heap, ...cards, ...[own, notes].filter((box) => box !== null)];
}

/** Returns the parts of a seat whose face is above its cards. @param {number} face em */
function drawnWith(face) {
  const backs = face - BACKS.rise;
  return {
    face: [-0.55 * face, 0.72 * face, -0.3, backs],
    cards: [-2.4, 2.6, backs - 0.05, backs + BACKS.height],
    name: backs + BACKS.height,
    level: 0.45 * face,
  };
}

/** Returns the parts of the seats of a layout. @param {Layout} layout */
function drawnIn({ isCompact, isRound }) {
  if (isCompact) return DRAWN_COMPACT;
  return isRound ? DRAWN_ROUND : DRAWN;
}

/** Lists the boxes of the face, the cards and the name at a seat. @param {Box} seat @param {Layout} layout @returns {Box[]} */
function partsOf({ x, y, width, height }, layout) {
  const { em } = layout;
  const { face, cards, name } = drawnIn(layout);
  const middle = x + width / 2;
  const above = [face, cards].map(([left, right, top, bottom]) => ({
    x: middle + left * em,
    y: y + top * em,
    width: (right - left) * em,
    height: (bottom - top) * em,
  }));
  return [...above, { x, y: y + name * em, width, height: height - name * em }];
}

/** Returns the spot beside a seat of a round table, on the way from its face to another spot. @param {Layout} layout @param {Box} seat @param {Spot} other @param {number} [far] em from the seat @returns {Spot} */
function besideFaceOf(layout, seat, other, far = CLEARANCE) {
  const parts = seat === layout.own ? [seat] : partsOf(seat, layout);
  return edgeOf(parts, faceIn(layout, seat), other, far * layout.em);
}

/** Returns the middle of the face at a seat of a round table. @param {Layout} layout @param {Box} seat @returns {Spot} */
function faceIn({ own, em }, seat) {
  return seat === own ? centreOf(own) : { x: middleOf(seat), y: seat.y + (FACE.round / 2) * em };
}

/** Returns the first spot on the way from one spot to another that is `far` pixels from all boxes around the former. @param {Box[]} boxes @param {Spot} from @param {Spot} other @param {number} far @returns {Spot} */
function edgeOf(boxes, from, other, far) {
  const shares = boxes.map((box) => shareIn(widened(box, far), from, other)?.[1] ?? 0);
  const leaves = Math.max(...shares);
  return between(from, other, leaves);
}

/** Lists the ways between two seats: at the height of their faces, or through a lane. @param {Layout} layout @param {Box} one @param {Box} other @returns {Way[]} */
function waysBetween(layout, one, other) {
  const { em, isRound } = layout;
  if (isRound) return waysAlong(layout, one, other);

  const around = lanesOf(one, other, layout).flatMap((y) => {
    const tail = besideLane(one, y, em);
    const tip = besideLane(other, y, em);
    const inwards = Math.sign(tip.x - tail.x) * Math.min(SLANT * em, Math.abs(tip.x - tail.x) / 3);
    return [inwards, 0].map((slant) => [tail, { x: tail.x + slant, y }, { x: tip.x - slant, y }, tip]);
  });
  return [...levelWays(one, other, layout), ...around];
}

/** Lists the ways between two seats of a round table: straight, along the inside of its edge, or past the seats between them. @param {Layout} layout @param {Box} one @param {Box} other @returns {Way[]} */
function waysAlong(layout, one, other) {
  const straight = BEYOND.map((far) => [
    besideFaceOf(layout, one, centreOf(other), far),
    besideFaceOf(layout, other, centreOf(one), far),
  ]);
  const ways = straight.filter((way) => lengthOf(way) >= SHORTEST * layout.em);
  const isReaders = [one, other].includes(/** @type {Box} */ (layout.own));
  if (isReaders) return [...ways, ...waysInside(layout, one, other)];
  return [...ways, ...levelWays(one, other, layout), ...waysInside(layout, one, other), wayPast(layout, one, other)];
}

/** Returns the way past the seats between two others. @param {Layout} layout @param {Box} one @param {Box} other @returns {Way} */
function wayPast(layout, one, other) {
  const [from, to] = [one, other].map((seat) => layout.seats.indexOf(seat));
  const step = to > from ? 1 : -1;
  const passed = Array.from({ length: Math.abs(to - from) + 1 }, (_, n) => layout.seats[from + step * n]);
  const middle = centreOf(layout.bout);
  const along = passed.map((seat) => besideFaceOf(layout, seat, middle, LEG));
  return [besideFaceOf(layout, one, middle), ...along, besideFaceOf(layout, other, middle)];
}

/** Lists the ways between two seats along the inside of the edge of a round table. @param {Layout} layout @param {Box} one @param {Box} other @returns {Way[]} */
function waysInside(layout, one, other) {
  const { rim, em } = layout;
  const middle = centreOf(rim);
  const across = rim.width / 2;
  const down = rim.height / 2;
  const turnOf = (/** @type {Box} */ seat) => {
    const face = faceIn(layout, seat);
    return Math.atan2((face.y - middle.y) / down, (face.x - middle.x) / across);
  };
  const start = turnOf(one);
  const whole = 2 * Math.PI;
  const turned = ((turnOf(other) - start + 1.5 * whole) % whole) - whole / 2; // the shorter way around

  const distances = BEYOND.flatMap((far) => INSIDE.map((inside) => ({ far, inside })));
  const ways = distances.flatMap(({ far, inside }) => {
    const spots = Array.from({ length: CORNERS }, (_, n) => {
      const turn = start + (turned * (n + 1)) / (CORNERS + 1);
      return {
        x: middle.x + (across - inside * em) * Math.cos(turn),
        y: middle.y + (down - inside * em) * Math.sin(turn),
      };
    });
    return partsWithin(spots).map((corners) => {
      const [first] = corners;
      const last = corners[corners.length - 1];
      return [besideFaceOf(layout, one, first, far), ...corners, besideFaceOf(layout, other, last, far)];
    });
  });
  const ranked = ways.map((way) => ({ way, sharpest: sharpestIn(way) }));
  const gentle = ranked.filter(({ sharpest }) => sharpest < Infinity);
  return gentle.sort((some, more) => some.sharpest - more.sharpest).map(({ way }) => way);
}

/** Lists all parts of a row of spots, which leave out some at its ends. @param {Spot[]} spots @returns {Spot[][]} */
function partsWithin(spots) {
  return spots.flatMap((_, from) => spots.slice(from).map((_, more) => spots.slice(from, from + more + 1)));
}

/** Returns how sharp the sharpest corner of a way is: its turn in proportion to the shorter of the two parts that meet there; infinite if it goes back. @param {Way} way */
function sharpestIn(way) {
  const corners = way.slice(1, -1).map((corner, n) => {
    const [before, after] = [[way[n], corner], [corner, way[n + 2]]];
    const apart = Math.abs(directionOf(after) - directionOf(before));
    const turn = Math.min(apart, 2 * Math.PI - apart);
    return turn > SHARPEST ? Infinity : turn / Math.min(lengthOf(before), lengthOf(after));
  });
  return Math.max(...corners);
}

/** @param {Way} way */
function directionOf([start, end]) {
  return Math.atan2(end.y - start.y, end.x - start.x);
}

/** Lists the heights of the lanes for an arrow: between two rows, or below one row, with a second one below the piles. @param {Box} one @param {Box} other @param {Layout} layout @returns {number[]} */
function lanesOf(one, other, { seats, talon, heap, em }) {
  const leg = LEG * em;
  const upper = Math.min(bottomOf(one), bottomOf(other));
  const isOneRow = Math.abs(one.y - other.y) < one.height;
  if (!isOneRow) return [one.y < other.y ? other.y - leg : upper + leg];

  const left = Math.min(one.x, other.x);
  const right = Math.max(one.x, other.x) + one.width;
  const isAbove = (/** @type {Box} */ { x, y, width }) => x < right && x + width > left && y < upper;
  const below = (/** @type {Box[]} */ boxes) => Math.max(...boxes.filter(isAbove).map(bottomOf)) + leg;
  return [below(seats), below([...seats, talon, heap])];
}

/** Returns the spot at a seat from which an arrow goes up or down to a lane. @param {Box} seat @param {number} lane @param {number} em @returns {Spot} */
function besideLane(seat, lane, em) {
  const isBelow = lane > seat.y;
  const y = isBelow ? bottomOf(seat) + CLEARANCE * em : seat.y - 1.7 * CLEARANCE * em; // a badge extends above the face
  return { x: middleOf(seat), y };
}

/** Lists the straight way from one face to another, if there is room between them. @param {Box} one @param {Box} other @param {Layout} layout @returns {Way[]} */
function levelWays(one, other, layout) {
  const { em } = layout;
  const { face, level } = drawnIn(layout);
  const [left, right] = face;
  const isRightwards = middleOf(other) > middleOf(one);

  const beside = (/** @type {Box} */ seat, /** @type {boolean} */ isOnRight) => ({
    x: middleOf(seat) + (isOnRight ? right + CLEARANCE : left - CLEARANCE) * em,
    y: seat.y + level * em,
  });
  const tail = beside(one, isRightwards);
  const tip = beside(other, !isRightwards);
  const free = isRightwards ? tip.x - tail.x : tail.x - tip.x;
  return free >= SHORTEST * em ? [[tail, tip]] : [];
}

/**
 * Returns the free parts at both ends of a straight way, without the first part if it ends at a pile.
 * @param {Way} way
 * @param {Box[]} obstacles
 * @param {Box[]} piles
 * @returns {Way[]}
 */
function freeEnds([start, end], obstacles, piles) {
  const sharesOf = (/** @type {Box[]} */ boxes) =>
    boxes.map((box) => shareIn(box, start, end)).filter((share) => share !== null);
  const blocked = sharesOf(obstacles);
  const first = Math.min(...blocked.map(([enters]) => enters));
  const last = Math.max(...blocked.map(([, leaves]) => leaves));

  const at = (/** @type {number} */ share) => ({
    x: start.x + share * (end.x - start.x),
    y: start.y + share * (end.y - start.y),
  });
  const isAtPile = sharesOf(piles).some(([enters]) => enters === first);
  const beginning = [start, at(first)];
  return isAtPile ? [[at(last), end]] : [beginning, [at(last), end]];
}

/** Returns the shares of a line at which it enters and leaves a box; null if it misses the box. @param {Box} box @param {Spot} start @param {Spot} end @returns {[number, number] | null} */
function shareIn({ x, y, width, height }, start, end) {
  const across = shareBetween(x, x + width, start.x, end.x);
  const down = shareBetween(y, y + height, start.y, end.y);
  const enters = Math.max(0, across[0], down[0]);
  const leaves = Math.min(1, across[1], down[1]);
  return enters < leaves ? [enters, leaves] : null;
}

/** Returns the shares of a line, in one dimension, at which it passes two bounds. @param {number} low @param {number} high @param {number} start @param {number} end */
function shareBetween(low, high, start, end) {
  const step = end - start;
  if (!step) return start > low && start < high ? [-Infinity, Infinity] : [Infinity, -Infinity];
  const shares = [(low - start) / step, (high - start) / step];
  return shares.sort((one, other) => one - other);
}

/** @param {Way} way */
function lengthOf([start, end]) {
  return Math.hypot(end.x - start.x, end.y - start.y);
}

/** @param {Box} box @param {number} margin @returns {Box} */
function widened({ x, y, width, height }, margin) {
  return { x: x - margin, y: y - margin, width: width + 2 * margin, height: height + 2 * margin };
}

// --- drawing ---

/* In em: the size of the head, and the largest distance from a corner at which the line begins to bend. */
const HEAD = { length: 0.7, width: 0.75 };
const BEND = 5;

export class Arrow {
  constructor() {
    this.line = svg("path", { class: "line" });
    this.head = svg("path", { class: "head" });
    this.root = svg("svg", { id: "arrow", "aria-hidden": "true" }, this.line, this.head);
  }

  /** @param {Way | null} way null hides the arrow @param {number} em */
  draw(way, em) {
    this.root.classList.toggle("shown", Boolean(way));
    if (!way) return;

    const [before, tip] = way.slice(-2);
    const { x, y } = towards(tip, before, HEAD.length * em);
    const right = ((tip.x - x) / HEAD.length) * (HEAD.width / 2);
    const down = ((tip.y - y) / HEAD.length) * (HEAD.width / 2);
    this.head.setAttribute("d", `M${tip.x} ${tip.y}L${x - down} ${y + right}L${x + down} ${y - right}z`);
    this.line.setAttribute("d", lineAlong([...way.slice(0, -1), { x, y }], BEND * em));
  }
}

/** Returns the path of a line that bends at its corners. @param {Way} way @param {number} bend pixels */
function lineAlong(way, bend) {
  const [start] = way;
  const end = way[way.length - 1];
  const bends = bendsOf(way, bend).map(([before, corner, after]) => {
    return `L${before.x} ${before.y}Q${corner.x} ${corner.y} ${after.x} ${after.y}`;
  });
  return `M${start.x} ${start.y}${bends.join("")}L${end.x} ${end.y}`;
}

/** Returns for each corner where the line begins to bend, the corner, and where it is straight again: at most from an end, or from the middle between two corners. @param {Way} way @param {number} bend pixels */
function bendsOf(way, bend) {
  return way.slice(1, -1).map((corner, n) => {
    const before = towards(corner, way[n], bend, n ? 0.5 : 1);
    const after = towards(corner, way[n + 2], bend, n + 3 < way.length ? 0.5 : 1);
    return [before, corner, after];
  });
}

/** Returns a way with its corners rounded, as it is drawn. @param {Way} way @param {number} em @returns {Way} */
function rounded(way, em) {
  const along = bendsOf(way, BEND * em).flatMap(([before, corner, after]) => {
    return [0, 0.25, 0.5, 0.75, 1].map((share) => {
      const one = between(before, corner, share);
      return between(one, between(corner, after, share), share);
    });
  });
  return [way[0], ...along, way[way.length - 1]];
}

/** Returns the spot at a distance from one spot towards another, at most at a share of the way. @param {Spot} from @param {Spot} to @param {number} distance pixels @param {number} [most] @returns {Spot} */
function towards(from, to, distance, most = 1) {
  const far = Math.hypot(to.x - from.x, to.y - from.y) || 1;
  return between(from, to, Math.min(distance / far, most));
}

/** Returns the spot at a share of the way from one spot to another. @param {Spot} from @param {Spot} to @param {number} share @returns {Spot} */
function between(from, to, share) {
  return { x: from.x + share * (to.x - from.x), y: from.y + share * (to.y - from.y) };
}
