// What this browser stores: the reader's earlier names, the guest of this tab, and preferences.

/** @import {Secret} from "../types" */

// --- Who has been here, and who this tab is. Secrets are never in an address.

const KNOWN = "durak-guests";
const MAX_KNOWN = 8;
const TAB = "durak-guest"; // a secret; LOOKS: a spectator; empty: the guest who comes in next
export const NOTICE = "durak-notice"; // a sentence to be shown
export const WAY_BACK = "durak-room"; // the address of the room that this tab was in last
export const LINE = "durak-line"; // a line to be sent in the room
const OWNER = "owner=";

export const LOOKS = "looks";

/** Removes the secret or the owner's key from the address, after the `#`. */
export function takeLink() {
  const text = location.hash.slice(1);
  if (text) history.replaceState(null, "", location.pathname + location.search);
  return text.startsWith(OWNER)
    ? { secret: "", ownerKey: text.slice(OWNER.length) }
    : { secret: text, ownerKey: "" };
}

/** Returns the guests this browser came in as, newest first. @returns {Secret[]} */
export function knownGuests() {
  try {
    const guests = JSON.parse(read("localStorage", KNOWN) ?? "[]");
    return Array.isArray(guests) ? guests : [];
  } catch {
    return [];
  }
}

/** Returns whether this browser came in as the guest with this secret, or without one as anybody. @param {string} [secret] */
export function isKnown(secret) {
  return knownGuests().some((known) => !secret || known.secret === secret);
}

/** Returns whether only a cookie, which no script can read, holds a guest's secret. @param {string} secret */
export function isInCookie(secret) {
  return secret.startsWith("cookie:");
}

/** @param {Secret} guest */
export function remember(guest) {
  const others = knownGuests().filter((known) => known.secret !== guest.secret);
  keep("localStorage", KNOWN, JSON.stringify([guest, ...others].slice(0, MAX_KNOWN)));
}

/** @param {string} secret */
export function forget(secret) {
  keep("localStorage", KNOWN, JSON.stringify(knownGuests().filter((known) => known.secret !== secret)));
  beInThisTab("");
}

/** Returns the secret for coming back here without a link: the guest of this tab, else the last one of this browser. */
export function returning() {
  return read("sessionStorage", TAB) ?? knownGuests()[0]?.secret ?? "";
}

/** Returns whether a guest has just left in this tab, to come in as another. */
export function hasLeft() {
  return read("sessionStorage", TAB) === "";
}

/** Assigns this tab to a guest from now on, also after a reload. @param {string} secret */
export function beInThisTab(secret) {
  keep("sessionStorage", TAB, secret);
}

/**
 * Keeps a text, a `NOTICE` or a `LINE`, for the page that this tab loads next.
 * @param {string} what
 * @param {string} text
 */
export function leaveText(what, text) {
  keep("sessionStorage", what, text);
}

/** Returns the text that the page before has left, once. @param {string} what */
export function takeText(what) {
  const text = read("sessionStorage", what) ?? "";
  keep("sessionStorage", what, "");
  return text;
}

/**
 * Reads what this browser, or this tab, keeps under a name; null: nothing.
 * @param {"localStorage" | "sessionStorage"} where
 * @param {string} name
 */
export function read(where, name) {
  try {
    return globalThis[where].getItem(name);
  } catch {
    return null; // the reader allows no storage
  }
}

/** @param {"localStorage" | "sessionStorage"} where @param {string} name @param {string} text */
export function keep(where, name, text) {
  try {
    globalThis[where].setItem(name, text);
  } catch {
    // It is lost with the page; a guest still has the link.
  }
}

// --- Preferences: how a move is confirmed, sounds, the chat beside the table, thrown things, and whether they have
// ever played a card here.

/** @typedef {keyof typeof DEFAULTS} Wish */

const KEY = "durak-wishes";
const DEFAULTS = { undo: false, sounds: true, notify: false, played: false, chat: true, colours: true, throws: true };

export const wishes = { ...DEFAULTS, ...storedWishes() };
showWishes();

/** @param {Wish} name @param {boolean} value */
export function wish(name, value) {
  wishes[name] = value;
  keep("localStorage", KEY, JSON.stringify(wishes));
  showWishes();
}

/** Shows suits in four colours, or in two as on printed cards; and seats as something to be thrown at, or not. */
function showWishes() {
  const root = globalThis.document?.documentElement;
  if (!root) return;
  root.dataset.suits = wishes.colours ? "four" : "two";
  root.classList.toggle("no-throws", !wishes.throws);
}

/** @returns {Partial<typeof DEFAULTS>} */
function storedWishes() {
  try {
    return JSON.parse(read("localStorage", KEY) ?? "{}");
  } catch {
    return {};
  }
}
