// What this browser's reader likes: how a move is confirmed, whether something sounds, whether the chat stands
// beside the table, and whether they have ever played a card here. Kept in this browser alone.

import { keep, read } from "./identity.js";

/** @typedef {keyof typeof DEFAULTS} Wish */

const KEY = "durak-wishes";
const DEFAULTS = { undo: false, sound: false, notify: false, played: false, chat: true };

export const wishes = { ...DEFAULTS, ...kept() };

/** @param {Wish} name @param {boolean} value */
export function wish(name, value) {
  wishes[name] = value;
  keep("localStorage", KEY, JSON.stringify(wishes));
}

/** @returns {Partial<typeof DEFAULTS>} */
function kept() {
  try {
    return JSON.parse(read("localStorage", KEY) ?? "{}");
  } catch {
    return {};
  }
}
