// The layout of the table: boxes computed from its size, the reader's text size and the number of players. Nothing is
// measured or drawn here.

/** @typedef {{x: number, y: number, width: number, height: number}} Box in pixels */
/** @typedef {{width: number, height: number}} Size in pixels */
/** @typedef {{x: number, y: number}} Spot in pixels */

/**
 * @typedef {object} Layout
 * @property {number} em the size of the text on the table, in pixels
 * @property {boolean} isCompact whether seats are low: an avatar beside its cards, with the name below
 * @property {boolean} isRound whether players sit around an ellipse, not side by side
 * @property {Box} rim the edge of the table; of a round one, it passes through the faces
 * @property {Box[]} seats the other players' seats, clockwise from the reader's left
 * @property {Box | null} own the reader's face at the edge of a round table; null if there is no room for it
 * @property {Box} talon
 * @property {Box} heap
 * @property {Box} bout
 * @property {number} pileCard the width of a card of talon and heap, in pixels
 * @property {number} largest the maximum width of a card of the bout, in pixels
 * @property {NotesBox | null} notes the messages over the hand; null if there are none
 */

/** @typedef {Box & {letter: number, isInCorner: boolean}} NotesBox `letter`: the size of the text, in pixels */

/** @typedef {{letters: number, row: number}} Note a paragraph, or a row of buttons that is `row` pixels high */
/** @typedef {Size & {text: number, others: number}} SeatedTable `text`: the size of the reader's ordinary text, in pixels */

/* Lengths in em. */
export const FACE = { round: 4, whole: 2.9, compact: 2.3, own: 3 };
export const BACKS = { height: 1.25, rise: 0.45 }; // of the cards below a face; `rise`: how far they overlap the face

const SEAT = { width: 6.8, narrowest: 4.5, height: 5.9 };
const ROUND = { width: 6.8, narrowest: 4.5, height: SEAT.height + FACE.round - FACE.whole };
const COMPACT = { width: 6.8, narrowest: 4.3, height: FACE.compact + 1.4 };
const PILE = { card: 2.75, width: 4.4, height: 4.5 };
const PILE_BESIDE = { card: 3.6, width: 5.7, height: 6.3 };
const GAP = 0.4;
const LANE = { row: 1.7, round: 0.9 }; // below the seats, for an arrow between two of them
const LANE_BETWEEN = 1.6; // between two rows of seats, for the same
const ASIDE = 0.16; // share of the field's width: the distance of two seats from the edges
const FLAT = 2; // ratio of width to height from which a single seat may be beside the bout
const ARC = 1.6; // how far the outermost seats of a row are below the middle one
const RIM = { top: 1.4, compact: COMPACT.height + 0.1, bottom: 0.5, aside: 0.04 }; // em above and below the ellipse; share of the width at each side
const OUTERMOST = 0.375; // share of a half circle, divided by the seats, between its ends and the outermost seats

/* The piles of a round table. `from`: the width of the field, in em, from which they are on the table and not below its
   outermost seats. `aside`: their distance from its sides, as shares of its width, of which the first free one counts.
   `above`: em between them and the edge below. */
const ROUND_PILES = { from: 58, aside: [0.115, 0.16, 0.2], above: 1.4 };

/* The messages over the hand. In em of their own text: the height of a line, the width of a letter, the space around, and
   the maximum width. Then the size relative to ordinary text, the maximum growth with the table, the least readable size
   in pixels, the maximum share of the table below the bout and beside it, and the shares of a round table in its corner. */
const NOTES = {
  line: 1.3,
  letter: 0.6,
  around: 1.4,
  widest: 40,
  size: 0.9,
  growth: 1.3,
  least: 11,
  below: 0.36,
  beside: 0.36,
  // `from`: the width of the table, in em, from which its corner is used; `usual`: the growth of the table up to which the
  // text there does not grow
  corner: { width: 0.31, height: 0.4, from: 60, usual: 1.5 },
};

const LETTERS = 16; // the size of ordinary text, in pixels
const SHRINKING = 0.95; // factor from one try to the next
const ROOMY = { width: 620, height: 350 }; // pixels of a table; on a larger one, everything grows
const ROOMY_HEIGHT = 300; // pixels; a lower table counts as low
const LARGEST = 2; // maximum growth, relative to ordinary text
const DEEPEST_FIELD = 3.3; // maximum width of the field, in heights of the table
const NARROWEST_FIELD = 640; // pixels that the maximum width is at least
const HIGHEST = 0.25; // share of a round table above its cards, which would be too high with less
const WIDEST_SHARE = 0.9; // maximum width of a seat around an ellipse, as a share of the room side by side
const USUAL_PAIRS = 3; // pairs that must fit, so that nothing moves when the next one is laid
const MOST_PAIRS = 6; // the usual maximum of pairs in a bout

/* Compromises if there is little room, in order: a smaller card (pixels) beside the reader's face at a round table, no such
   face, smaller text (relative to ordinary text), less room for questions over the hand (em), and at last a single opponent
   beside the bout instead of above it. */
const COMPROMISES = [
  { card: 88, text: 1, below: 2.9, hasOwn: true },
  { card: 76, text: 1, below: 2.9, hasOwn: true },
  { card: 66, text: 0.95, below: 2.9 },
  { card: 56, text: 0.85, below: 2.4 },
  { card: 46, text: 0.7, below: 1 },
  { card: 46, text: 0.7, below: 1, isAside: true },
  { card: 30, text: 0.55, below: 0.4, isAside: true },
  { card: 14, text: 0.3, below: 0.2, isAside: true },
];

/**
 * Lays out the table.
 * @param {SeatedTable & {notes?: Note[], largest?: number}} table `largest`: the width of a card in the reader's hand, in pixels
 * @returns {Layout}
 */
export function layoutOf({ notes = [], largest = USUAL_CARD, ...table }) {
  const corner = notes.length ? cornerBox(table, notes) : null;
  const beside = corner && wholeLayout(table, { ...table, largest, box: corner });
  if (beside) return beside;

  const box = notes.length ? notesBox(table, notes) : null;
  const rest = box ? restBeside(box, table) : table;
  return (
    wholeLayout(table, { ...rest, largest, box }) ??
    { ...emergency({ ...rest, others: table.others }), largest, notes: box }
  );
}

/**
 * Returns the best layout in which everything is whole; null if there is none. With the messages in the corner, only the best
 * ones count.
 * @param {SeatedTable} table
 * @param {Size & {largest: number, box: NotesBox | null}} room without the messages in `box`, unless they are in the corner
 * @returns {Layout | null}
 */
function wholeLayout(table, { width, height, largest, box }) {
  const { text, others } = table;
  const room = { width, height };
  const wanted = Math.max(text / LETTERS, Math.min(growthOf(table), growthWithPiles(room)));
  const mayBeAside = others === 1 && isFlat(room);
  for (const { card, scale, below, ...options } of tries(wanted, text / LETTERS, mayBeAside)) {
    if (box?.isInCorner && !options.hasOwn) return null;

    const free = box ? GAP : below; // questions take the place of the messages
    const corner = box?.isInCorner ? box : null;
    const layout = arranged({ ...room, others, em: scale * LETTERS, below: free, largest, corner, ...options });
    if (layout && cardWidth(USUAL_PAIRS, layout.bout, largest) >= card) return { ...layout, largest, notes: box };
  }
  return null;
}

/**
 * Yields all ways to lay out a table, the best first. Whole faces in the reader's text size come before small faces in
 * larger text.
 * @param {number} wanted the preferred text size, relative to ordinary text
 * @param {number} own the reader's text size, relative to ordinary text
 * @param {boolean} mayBeAside whether there is a single opponent, with room beside the bout
 */
function* tries(wanted, own, mayBeAside) {
  for (const { card, text: least, below, isAside = false, hasOwn = false } of COMPROMISES) {
    const isBeside = mayBeAside && isAside;
    for (let scale = wanted; scale >= Math.max(own, least); scale *= SHRINKING) {
      yield { card, scale, below, isCompact: false, isAside: false, hasOwn };
    }
    if (hasOwn) continue;

    for (let scale = wanted; scale >= least; scale *= SHRINKING) {
      yield { card, scale, below, isCompact: false, isAside: false, hasOwn };
      yield { card, scale, below, isCompact: true, isAside: isBeside, hasOwn };
    }
  }
}

/** Returns the box of the messages over the hand: along the lower edge, or at the right of a low table. @param {SeatedTable} table @param {Note[]} notes @returns {NotesBox} */
function notesBox(table, notes) {
  const { width: whole, height: high, text } = table;
  const isAside = isLow(table);
  const most = isAside ? high : high * NOTES.below;
  let letter = text * NOTES.size * Math.min(NOTES.growth, growthOf(table));
  const width = isAside ? whole * NOTES.beside : Math.min(whole, letter * NOTES.widest);
  while (letter > NOTES.least && notesHeight(notes, width, letter) > most) letter *= SHRINKING;

  const height = Math.min(most, notesHeight(notes, width, letter));
  const x = isAside ? whole - width : (whole - width) / 2;
  return { x, y: high - height, width, height, letter, isInCorner: false };
}

/** Returns the box of the messages in the corner beside a round table, at the reader's left; null if they do not fit. @param {SeatedTable} table @param {Note[]} notes @returns {NotesBox | null} */
function cornerBox(table, notes) {
  const { corner } = NOTES;
  if (!isWide(table) || isLow(table) || table.width < corner.from * table.text) return null;

  const width = table.width * corner.width;
  const most = table.height * corner.height;
  const growth = Math.min(NOTES.growth, Math.max(1, growthOf(table) / corner.usual));
  const letter = table.text * NOTES.size * growth;
  const height = notesHeight(notes, width, letter);
  return height > most ? null : { x: 0, y: table.height - height, width, height, letter, isInCorner: true };
}

/** @param {Note[]} notes @param {number} width @param {number} letter pixels */
function notesHeight(notes, width, letter) {
  const perLine = Math.max(1, Math.floor((width - NOTES.around * letter) / (letter * NOTES.letter)));
  const heights = notes.map(({ letters, row }) => Math.ceil(letters / perLine) * (row || letter * NOTES.line));
  return heights.reduce((sum, height) => sum + height, letter * NOTES.around);
}

/** Returns the table without the box of the messages over the hand. @param {Box} box @param {Size} table @returns {Size} */
function restBeside(box, { width, height }) {
  const isAside = isLow({ width, height });
  return isAside ? { width: box.x - GAP * LETTERS, height } : { width, height: box.y };
}

/** Returns whether a table is low, and has room beside the bout. @param {Size} table */
function isLow(table) {
  return isWide(table) && table.height < ROOMY_HEIGHT;
}

/** Returns the factor by which everything on a table of this size grows. @param {Size} size */
function growthOf({ width, height }) {
  const room = Math.min(width / ROOMY.width, height / ROOMY.height);
  return Math.min(LARGEST, Math.max(1, room));
}

/** Returns the growth up to which a round table has its piles on it; no limit for other tables. @param {Size} table */
function growthWithPiles(table) {
  if (!isWide(table) || isLow(table)) return Infinity;

  const growth = fieldOf(table).width / (ROUND_PILES.from * LETTERS);
  return growth >= 1 ? growth : Infinity;
}

/** Returns whether a table is wide enough for piles beside the bout. @param {Size} size */
function isWide({ width, height }) {
  return width > height * 1.25;
}

/** Returns whether a table is wide enough for a single opponent beside the bout. @param {Size} table */
function isFlat({ width, height }) {
  return width > FLAT * height;
}

/** Returns the size of a pile, in em: larger beside the bout, unless the table is low. @param {Size} table */
function pileOf(table) {
  return isWide(table) && !isLow(table) ? PILE_BESIDE : PILE;
}

/**
 * Tries one arrangement; returns null if something does not fit.
 * @param {Size & {others: number, em: number, isCompact: boolean, isAside: boolean, hasOwn: boolean, below: number,
 *   largest: number, corner: Box | null}} options `hasOwn`: around a round table, with the reader's face below the bout;
 *   `below`: the room there otherwise, in em; `corner`: the messages in the corner
 * @returns {Omit<Layout, "notes" | "largest"> | null}
 */
function arranged({ width, height, others, em, isCompact, isAside, hasOwn, below, largest, corner }) {
  const table = { width, height };
  const field = fieldOf(table);
  const isRound = !isCompact && isWide(table) && !isLow(table);
  if (hasOwn && !isRound) return null;

  const round = isRound ? seatsAround(field, table, { others, em, hasOwn }) : null;
  const seats = isRound ? round?.seats : seatsIn(field, { others, em, isCompact, isAside });
  if (!seats) return null;

  const piles = pilesOf(field, table, { em, seats, within: round?.within ?? null });
  if (!piles) return null;

  const own = hasOwn ? ownFace(table, em) : null;
  const lane = isRound ? LANE.round : laneBelow(others);
  const free = own ? FACE.own + GAP : below;
  const beside = corner ? [...piles, corner] : piles;
  const bout = boutAmong(seats, beside, table, { em, lane, below: free, largest: isRound ? largest : null });
  const boxes = [...seats, ...beside, bout];
  const isWhole = boxes.every((box) => isInside(box, table));
  const apart = isRound ? seats : withLanes(seats, em);
  if (!isWhole || overlapOf([...apart, ...beside, bout])) return null;

  const [talon, heap] = piles;
  const { card } = pileOf(table);
  const rim = round?.rim ?? rimOf(field, table, { em, isCompact });
  return { em, isCompact, isRound, rim, seats, own, talon, heap, bout, pileCard: card * em };
}

/** Returns the reader's face in the middle of the lower edge. @param {Size} table @param {number} em @returns {Box} */
function ownFace({ width, height }, em) {
  const face = FACE.own * em;
  return { x: (width - face) / 2, y: height - face, width: face, height: face };
}

/** Returns the edge of a table at which players sit side by side: behind their faces, or below low seats. @param {{x: number, width: number}} field @param {Size} table @param {{em: number, isCompact: boolean}} options @returns {Box} */
function rimOf(field, { height: whole }, { em, isCompact }) {
  const aside = RIM.aside * field.width;
  const y = (isCompact ? RIM.compact : RIM.top) * em;
  const height = whole - y - RIM.bottom * em;
  return { x: field.x + aside, y, width: field.width - 2 * aside, height };
}

/** Returns the part of the table in which players sit, which is limited on a very wide table. @param {Size} table */
function fieldOf({ width, height }) {
  const widest = Math.max(NARROWEST_FIELD, height * DEEPEST_FIELD);
  const field = Math.min(width, widest);
  return { x: (width - field) / 2, width: field };
}

/**
 * Returns seats around the upper half of an ellipse, which is the edge of the table; null if they do not fit. On a wide table
 * the piles are within the ellipse, otherwise below the outermost seats.
 * @param {{x: number, width: number}} field
 * @param {Size} table
 * @param {{others: number, em: number, hasOwn: boolean}} options `hasOwn`: the reader's face is on the lower edge
 * @returns {{seats: Box[], rim: Box, within: Box | null} | null}
 */
function seatsAround(field, table, { others, em, hasOwn }) {
  const width = Math.min(ROUND.width * em, (field.width / others) * WIDEST_SHARE);
  const height = ROUND.height * em;
  const isWithin = field.width >= ROUND_PILES.from * em - 0.5;
  const top = (FACE.round / 2) * em;
  const bottom = table.height - (hasOwn ? FACE.own / 2 : RIM.bottom) * em;
  const rim = { x: field.x + width / 2, y: top, width: field.width - width, height: bottom - top };

  const outermost = (OUTERMOST * Math.PI) / others; // from the reader's left
  const steepest = others > 1 ? 1 - Math.sin(outermost) : 1; // of the outermost seats
  const lowest = table.height - height - (isWithin ? GAP : pileOf(table).height + 2 * GAP) * em;
  const depth = Math.min(rim.height / 2, lowest / steepest);
  if (width < ROUND.narrowest * em || lowest < 0) return null;

  const seats = Array.from({ length: others }, (_, n) => {
    const turn = others > 1 ? outermost + ((Math.PI - 2 * outermost) * n) / (others - 1) : Math.PI / 2;
    const x = field.x + (field.width - width) * (1 - Math.cos(turn)) * 0.5;
    return { x, y: depth * (1 - Math.sin(turn)), width, height };
  });

  return { seats, rim, within: isWithin ? rim : null };
}

/**
 * Returns seats side by side, the outer ones a little lower. If they do not fit into one row, returns a horseshoe of
 * several rows, with a seat at both ends of each lower row.
 * @param {{x: number, width: number}} field
 * @param {{others: number, em: number, isCompact: boolean, isAside: boolean}} options `isAside`: beside the bout, not
 *   above it
 * @returns {Box[] | null}
 */
function seatsIn(field, { others, em, isCompact, isAside }) {
  const size = isCompact ? COMPACT : SEAT;
  const gap = GAP * em;
  const most = Math.max(2, Math.floor((field.width + gap) / (size.narrowest * em + gap)));
  const lower = Math.max(0, Math.ceil((others - most) / 2)); // rows below the upper one
  if (lower && !isCompact) return null;

  const upper = others - 2 * lower;
  const isArc = !lower && !isCompact && upper > 2;
  const depth = isArc ? ARC * em : 0;
  const height = size.height * em;
  return Array.from({ length: others }, (_, n) => {
    const row = Math.max(0, lower - n, n - lower - upper + 1);
    const here = row ? 2 : upper;
    const place = row ? Number(n > lower) : n - lower;
    const room = field.width / here;
    const width = Math.min(size.width * em, room - gap);
    const across = isAside ? ASIDE : spread(place, here, width / field.width); // from 0 to 1
    const off = 2 * across - 1; // from the middle
    return {
      x: field.x + across * field.width - width / 2,
      y: row * (height + LANE_BETWEEN * em) + depth * off * off,
      width,
      height,
    };
  });
}

/** Returns the free space below a row of seats, in em; a single seat needs no lane. @param {number} others */
function laneBelow(others) {
  return others > 1 ? LANE.row : GAP;
}

/** Returns seats extended by the lane below them, which has the same lower edge for a whole row. @param {Box[]} seats @param {number} em */
function withLanes(seats, em) {
  const lane = laneBelow(seats.length) * em;
  return seats.map((seat) => {
    const row = seats.filter(({ y }) => Math.abs(y - seat.y) < seat.height);
    const lowest = Math.max(...row.map(bottomOf));
    return { ...seat, height: lowest + lane - seat.y };
  });
}

/** Returns the middle of a seat as a share of the width; two seats are at the ends, with the piles between them. @param {number} place @param {number} count @param {number} width */
function spread(place, count, width) {
  if (count !== 2) return (place + 0.5) / count;
  const end = Math.max(width / 2, ASIDE);
  return place ? 1 - end : end;
}

/**
 * Returns talon and heap: on a round table, beside the bout, or above it; null if they do not fit.
 * @param {{x: number, width: number}} field
 * @param {Size} table
 * @param {{em: number, seats: Box[], within: Box | null}} options `within`: the edge of a round table
 * @returns {Box[] | null}
 */
function pilesOf(field, table, { em, seats, within }) {
  if (within) return pilesWithin(within, seats, table, em);
  return isWide(table) ? pilesBeside(field, table, em) : pilesAbove(field, seats, em);
}

/** Returns talon and heap on a round table, on both sides of the bout and as low as its edge allows. @param {Box} rim @param {Box[]} seats @param {Size} table @param {number} em @returns {Box[] | null} */
function pilesWithin(rim, seats, table, em) {
  const size = pileOf(table);
  const pile = { width: size.width * em, height: size.height * em };
  const ways = ROUND_PILES.aside.map((share) => {
    const off = 1 - 2 * share; // of the outer corners from the middle, where the edge is at 1
    const deep = Math.sqrt(1 - off * off) * (rim.height / 2);
    const y = rim.y + rim.height / 2 + deep - ROUND_PILES.above * em - pile.height;
    const aside = share * rim.width;
    return [
      { ...pile, x: rim.x + aside, y },
      { ...pile, x: rim.x + rim.width - aside - pile.width, y },
    ];
  });
  return ways.find((piles) => !overlapOf([...seats, ...piles])) ?? null;
}

/** Returns talon and heap on both sides of the bout. @param {{x: number, width: number}} field @param {Size} table @param {number} em @returns {Box[]} */
function pilesBeside(field, table, em) {
  const size = pileOf(table);
  const pile = { width: size.width * em, height: size.height * em };
  const y = table.height - pile.height - GAP * em;
  const left = field.x + GAP * em;
  const right = field.x + field.width - GAP * em - pile.width;
  return [
    { ...pile, x: left, y },
    { ...pile, x: right, y },
  ];
}

/**
 * Returns talon and heap in the middle, as high as the seats allow. They are below one or two seats: within the edge of the
 * table, and out of the way of an arrow.
 * @param {{x: number, width: number}} field
 * @param {Box[]} seats
 * @param {number} em
 * @returns {Box[] | null}
 */
function pilesAbove(field, seats, em) {
  const pile = { width: PILE.width * em, height: PILE.height * em };
  const middle = field.x + field.width / 2;
  const beside = [middle - field.width * 0.33 - pile.width / 2, middle + field.width * 0.33 - pile.width / 2];
  const together = [middle - pile.width - GAP * em, middle + GAP * em];
  const ways = seats.length === 1 ? [together, beside] : [together];
  const reserved = withLanes(seats, em);
  const lower = reserved.map(bottomOf).sort((one, other) => one - other);
  const upper = GAP * em;
  const tops = seats.length <= 2 ? [...lower, upper] : [upper, ...lower];
  for (const y of tops) {
    for (const way of ways) {
      const piles = way.map((x) => ({ ...pile, x, y }));
      if (!overlapOf([...reserved, ...piles])) return piles;
    }
  }
  return null;
}

/**
 * Returns the room for the bout in the middle, below seats or between them, that holds the largest cards.
 * @param {Box[]} seats
 * @param {Box[]} beside the piles, and the messages in the corner
 * @param {Size} table
 * @param {{em: number, lane: number, below: number, largest: number | null}} options `lane` below the seats, and the room
 *   `below` the bout, in em; `largest`: the width of a card at a round table, in whose middle cards lie if possible
 * @returns {Box}
 */
function boutAmong(seats, beside, table, { em, lane, below, largest }) {
  const gap = GAP * em;
  const middle = table.width / 2;
  const reserved = [
    ...seats.map((seat) => ({ ...seat, height: seat.height + lane * em })),
    ...beside.map((box) => ({ ...box, height: box.height + gap })),
  ];
  const innerEdges = reserved.map(({ x, width }) => (x + width / 2 < middle ? middle - x - width : x - middle));
  const edge = largest === null ? (1 - 2 * RIM.aside) * middle : middle; // cards lie within the wooden edge
  const halves = [edge, ...innerEdges].filter((half) => half > gap).map((half) => half - gap);

  const height = table.height - below * em;
  const rooms = halves.map((half) => {
    const isAbove = (/** @type {Box} */ box) => box.x < middle + half && box.x + box.width > middle - half;
    const y = Math.max(gap, ...reserved.filter(isAbove).map(bottomOf));
    return { x: middle - half, y, width: 2 * half, height: height - y };
  });
  const ranked = rooms.map((room) => {
    const [usual, most] = [USUAL_PAIRS, MOST_PAIRS].map((count) => cardWidth(count, room, largest ?? 2 * USUAL_CARD));
    const isOneRow = USUAL_PAIRS * (usual * PAIR.width + PAIR_GAP) <= room.width + PAIR_GAP;
    const isForMiddle = largest !== null && isOneRow;
    const top = isForMiddle ? Math.max(room.y, table.height * HIGHEST) : table.height;
    return { room, rank: [usual, -top, most, room.width] };
  });
  const isBetter = (/** @type {number[]} */ one, /** @type {number[]} */ other) => {
    const n = one.findIndex((value, place) => value !== other[place]);
    return n >= 0 && one[n] > other[n];
  };
  return ranked.reduce((best, each) => (isBetter(each.rank, best.rank) ? each : best)).room;
}

/** Lays out a table that is too small for any arrangement: names and cards are cut, but nothing overlaps. @param {Size & {others: number}} table @returns {Omit<Layout, "notes" | "largest">} */
function emergency({ width, height, others }) {
  const row = height / 4;
  const seat = width / (others + 2);
  const at = (/** @type {number} */ n) => ({ x: n * seat, y: 0, width: seat, height: row });
  return {
    em: Math.max(1, row / COMPACT.height),
    isCompact: true,
    isRound: false,
    rim: { x: 0, y: 0, width, height },
    seats: Array.from({ length: others }, (_, n) => at(n + 1)),
    own: null,
    talon: at(0),
    heap: at(others + 1),
    bout: { x: 0, y: row, width, height: height - row },
    pileCard: Math.min(seat, row / RATIO) * 0.6,
  };
}

/** @param {Box} box @param {Size} table */
function isInside({ x, y, width, height }, table) {
  const isReal = width > 0 && height > 0;
  return (
    isReal && x >= -0.5 && y >= -0.5 && x + width <= table.width + 0.5 && y + height <= table.height + 0.5
  );
}

/** Returns the first two boxes that overlap; null if none do. @param {Box[]} boxes @returns {[Box, Box] | null} */
export function overlapOf(boxes) {
  for (const [n, one] of boxes.entries()) {
    const other = boxes.slice(n + 1).find((each) => isOverlap(one, each));
    if (other) return [one, other];
  }
  return null;
}

/** @param {Box} one @param {Box} other */
function isOverlap(one, other) {
  const isBeside = one.x + one.width <= other.x + 0.5 || other.x + other.width <= one.x + 0.5;
  const isBelow = one.y + one.height <= other.y + 0.5 || other.y + other.height <= one.y + 0.5;
  return !isBeside && !isBelow;
}

// --- the cards of the bout ---

const RATIO = 1.4; // a card's height relative to its width
const BEATING = 0.28; // the offset of a beating card to the right and down, relative to a card's width
const PAIR = { width: 1.02 + BEATING, height: RATIO + BEATING }; // of a pair, relative to a card's width
const PAIR_GAP = 8;
const WIDE_ROW = 0.75; // share of a table's width from which a row of pairs would lie over the edge if it were low
export const USUAL_CARD = 92;
const SMALLEST_CARD = 12;

/** The lengths that the styles share with the layout, by the names of their custom properties. */
export const LENGTHS = {
  "--face-round": `${FACE.round}em`,
  "--face-whole": `${FACE.whole}em`,
  "--face-own": `${FACE.own}em`,
  "--face-compact": `${FACE.compact}em`,
  "--backs-height": `${BACKS.height}em`,
  "--backs-rise": `${-BACKS.rise}em`,
  "--ratio": String(RATIO),
  "--beating": String(BEATING),
  "--pair-width": String(PAIR.width),
  "--pair-height": String(PAIR.height),
  "--pair-gap": `${PAIR_GAP}px`,
};

/** Returns the largest width of a card with which `count` pairs fit. @param {number} count @param {Size} bout @param {number} [largest] */
export function cardWidth(count, { width, height }, largest = USUAL_CARD) {
  for (let card = largest; card > SMALLEST_CARD; card -= 2) {
    const across = Math.max(1, Math.floor((width + PAIR_GAP) / (card * PAIR.width + PAIR_GAP)));
    const rows = Math.ceil(Math.max(count, 2) / across);
    const isWideEnough = card * PAIR.width <= width;
    if (isWideEnough && rows * (card * PAIR.height + PAIR_GAP) <= height) return card;
  }
  return SMALLEST_CARD;
}

const TURNED = { above: 0.04, aside: 0.11, below: 0.09 }; // how far a turned card extends beyond its box, in card widths

/** Returns the part of the bout's room in which its cards lie, as near to the middle of a round table as the room allows; at another one, only a wide row is near to it, where it stays within the edge. @param {Layout} layout @param {number} pairs @returns {Box} */
export function placeOfPairs({ bout, largest, isRound, rim }, pairs) {
  const card = cardWidth(pairs, bout, largest);
  const wide = card * PAIR.width + PAIR_GAP;
  const high = card * PAIR.height + PAIR_GAP;
  const perRow = Math.max(1, Math.floor((bout.width + PAIR_GAP) / wide));
  const width = Math.min(pairs, perRow) * wide - PAIR_GAP;
  const height = Math.ceil(Math.max(pairs, 1) / perRow) * high - PAIR_GAP;
  const [widest, usual] = [rim, bout].map((box) => centreOf(box).y);
  const isWide = width > WIDE_ROW * rim.width;
  const middle = isRound ? widest : isWide ? (widest + usual) / 2 : usual;
  const y = Math.min(Math.max(middle - height / 2, bout.y), bottomOf(bout) - height);
  return { x: bout.x + (bout.width - width) / 2, y, width, height };
}

/** Returns the box of the bout's cards, which are slightly turned. @param {Layout} layout @param {number} pairs @param {boolean} [hasBeaten] whether one of them is beaten @returns {Box} */
export function lyingIn(layout, pairs, hasBeaten = true) {
  const card = cardWidth(pairs, layout.bout, layout.largest);
  const { x, y, width, height } = placeOfPairs(layout, pairs);
  const { above, aside, below } = TURNED;
  const free = hasBeaten ? 0 : BEATING / 2; // around unbeaten cards, which are in the middle of their places
  return {
    x: x - (aside - free) * card,
    y: y - (above - free) * card,
    width: width + 2 * (aside - free) * card,
    height: height + (above + below - 2 * free) * card,
  };
}

// --- boxes ---

/** @param {Box} box */
export function middleOf({ x, width }) {
  return x + width / 2;
}

/** @param {Box} box @returns {Spot} */
export function centreOf({ x, y, width, height }) {
  return { x: x + width / 2, y: y + height / 2 };
}

/** @param {Box} box */
export function bottomOf({ y, height }) {
  return y + height;
}

// --- the reader's hand ---

const USUAL_HAND = 4.6; // widths of a card in the room of a hand, so that the six of a deal overlap only a little
const NARROWEST_STRIP = 27; // pixels of a card that must be visible, to be read and touched
const DEEPEST = 8; // maximum pixels by which the outer cards of a fan are lower than its middle
const LIFTED = 22; // pixels above and below the cards, for chosen ones
const MAX_TURNED = 2.2; // degrees between two cards

/**
 * @typedef {object} Fan
 * @property {number} card the width of a card
 * @property {number} rows
 * @property {number} height
 * @property {{x: number, y: number, turn: number}[]} places of the cards, `turn` in degrees
 */

/**
 * Lays cards side by side, overlapping only as far as necessary, in several rows if they are many.
 * @param {{count: number, width: number, widest: number}} hand `width`: of its room, `widest`: of a card, in pixels
 * @returns {Fan}
 */
export function fanOf({ count, width: room, widest }) {
  const whole = Math.min(widest, Math.max(52, (room - 10) / USUAL_HAND));
  const turn = count > 2 ? Math.min(MAX_TURNED, 16 / count) : 0;
  const lean = whole * RATIO * Math.sin((turn * (count - 1) * Math.PI) / 360); // of the outer cards
  const margin = Math.max(5, lean - 5);
  const width = room - 2 * margin;

  const perRow = Math.max(1, Math.floor((width - whole) / NARROWEST_STRIP) + 1);
  const rows = Math.max(1, Math.ceil(count / perRow));
  const here = Math.ceil(count / rows);
  const card = rows > 1 ? whole * 0.86 : whole;
  const step = here > 1 ? Math.min(card + 6, (width - card - 2) / (here - 1)) : 0;
  const left = margin + (width - card - step * (here - 1)) / 2;
  const drop = card * RATIO * (rows > 2 ? 0.4 : 0.52);

  const bend = rows === 1 ? turn : 0;
  const dip = (/** @type {number} */ off) => Math.abs(off) ** 1.6 * bend * 0.5;
  const flat = Math.min(1, DEEPEST / (dip((here - 1) / 2) || DEEPEST));
  const places = Array.from({ length: count }, (_, n) => {
    const row = Math.floor(n / here);
    const off = (n % here) - (Math.min(here, count - row * here) - 1) / 2; // places from the middle
    return { x: left + (n % here) * step, y: 18 + row * drop + dip(off) * flat, turn: off * bend };
  });
  return { card, rows, height: card * RATIO + drop * (rows - 1) + LIFTED, places };
}
