// A small picture of rules: a fan that ends with the deck's lowest card, and a sign for each thing that is special.

/** @import {RuleSketch} from "../types" */
import { svg } from "./dom.js";

const WIDTH = 66;
const FAN_HEIGHT = 46;
const SIGN = 22; // width and height of a sign
const CARDS_PER_FANNED = 12;
const TURN = 14; // degrees between two cards

/** Each sign as a path in a square of 24, by the name of its trait. */
const SIGNS = {
  transfer: "M3 19c0-9 6-12 15-12M13 2l6 5-6 5",
  show: "M5 2h14v20H5zM8 12q4-6 8 0-4 6-8 0zM12 11.5v1",
  teams: "M7 5a2 2 0 1 0 .1 0zM17 15a2 2 0 1 0 .1 0zM9 9l6 6M15 5h4v4h-4zM5 15h4v4H5zM15 9l-6 6",
  points: "M12 3l2.6 5.8 6.4.7-4.8 4.2 1.4 6.3-5.6-3.3L6.4 20l1.4-6.3L3 9.5l6.4-.7z",
  epaulettes: "M3 6h13a5 5 0 0 1 0 10H3zM7 9v4M11 9v4M5 16v4M9 16v4M13 16v4M17 16v4",
  neighbours: "M12 9a3 3 0 1 0 .1 0zM1 12h6M5 9l3 3-3 3M23 12h-6M19 9l-3 3 3 3",
  alone: "M18 9a3 3 0 1 0 .1 0zM2 12h10M9 9l3 3-3 3",
  unlimited: "M12 12c-3-6-10-5-10 0s7 6 10 0 10-5 10 0-7 6-10 0z",
  redeal: "M19 13a7 7 0 1 1-2-6M18 2v6h-6",
  equal: "M2 6h9v13H2zM13 6h9v13h-9zM5 11h3M5 14h3M16 11h3M16 14h3",
  closed: "M12 3a9 9 0 1 0 .1 0zM6 18 18 6",
};

/** Draw rules; what the picture shows is said beside it. @param {RuleSketch} rules */
export function sketch({ lowest, size, traits }) {
  const rows = Math.ceil(traits.length / 3);
  const picture = svg("svg", { class: "sketch", viewBox: `0 0 ${WIDTH} ${FAN_HEIGHT + rows * SIGN}`, "aria-hidden": "true" });
  picture.append(...fan(Math.round(size / CARDS_PER_FANNED), lowest));
  const left = (WIDTH - Math.min(3, traits.length) * SIGN) / 2;
  traits.forEach((trait, n) => {
    const at = `translate(${left + (n % 3) * SIGN + 2} ${FAN_HEIGHT + Math.floor(n / 3) * SIGN + 2}) scale(${(SIGN - 4) / 24})`;
    picture.append(svg("path", { d: SIGNS[trait], transform: at }));
  });
  return picture;
}

/** @param {number} count @param {string} lowest */
function fan(count, lowest) {
  return Array.from({ length: count }, (_, n) => {
    const isLast = n === count - 1;
    const card = svg("rect", { class: isLast ? "front" : "behind", x: WIDTH / 2 - 12, y: 5, width: 24, height: 34, rx: 3 });
    const rank = isLast ? [svg("text", { x: WIDTH / 2, y: 28 }, lowest)] : [];
    return svg("g", { transform: `rotate(${(n - (count - 1) / 2) * TURN} ${WIDTH / 2} 62)` }, card, ...rank);
  });
}
