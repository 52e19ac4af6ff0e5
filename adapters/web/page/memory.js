// The browser's storage: the reader's earlier names, the guest of this tab, and preferences.

/** @import {Secret} from "../types" */

// --- The guests of this browser, and the one of this tab. Secrets do not stay in an address.

const KNOWN = "durak-guests";
const FINISHERS = "durak-finished"; // the ids of guests who are known to have finished a game
const MAX_KNOWN = 8;
const TAB = "durak-guest"; // a secret, LOOKS for a spectator, or empty after a guest has left
export const NOTICE = "durak-notice"; // a sentence to be shown
const WAY_BACK = "durak-room"; // the address of the page from which this tab can open a replay
const ROOM = "durak-last-room"; // the address of the room that this tab has shown last
export const LINE = "durak-line"; // a line to be sent in the room
const OWNER = "owner=";

export const LOOKS = "looks";

/** Removes the secret or the owner's key after the `#` from the address, and returns them. */
export function takeLink() {
  const text = location.hash.slice(1);
  if (text) history.replaceState(null, "", location.pathname + location.search);
  return text.startsWith(OWNER)
    ? { secret: "", ownerKey: text.slice(OWNER.length) }
    : { secret: text, ownerKey: "" };
}

/** Returns the guests that this browser has been, the latest first. @returns {Secret[]} */
export function knownGuests() {
  try {
    const guests = JSON.parse(read("localStorage", KNOWN) ?? "[]");
    return Array.isArray(guests) ? guests : [];
  } catch {
    return [];
  }
}

/** Returns whether this browser has been the guest with this secret or, without a secret, any guest. @param {string} [secret] */
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

/** Returns the secret of the guest who returns without a link: this tab's, or else the latest of this browser. */
export function returning() {
  return read("sessionStorage", TAB) ?? knownGuests()[0]?.secret ?? "";
}

/** Returns whether a guest has just left in this tab, to enter under another name. */
export function hasLeft() {
  return read("sessionStorage", TAB) === "";
}

/** Assigns this tab to a guest, also after a reload. @param {string} secret */
export function beInThisTab(secret) {
  keep("sessionStorage", TAB, secret);
}

/**
 * Stores a text, such as a `NOTICE` or a `LINE`, for the next page in this tab.
 * @param {string} what
 * @param {string} text
 */
export function leaveText(what, text) {
  keep("sessionStorage", what, text);
}

/** Returns whether a guest is known to have finished a game. @param {string} id */
export function hasFinished(id) {
  return finishers().includes(id);
}

/** @param {string} id of a guest */
export function noteFinished(id) {
  keep("localStorage", FINISHERS, [id, ...finishers()].slice(0, MAX_KNOWN).join(" "));
}

function finishers() {
  return (read("localStorage", FINISHERS) ?? "").split(" ").filter(Boolean);
}

/** Returns the address of the last room of this tab; empty if it has shown none. */
export function lastRoom() {
  return read("sessionStorage", ROOM) ?? "";
}

/** Makes results lead back to this room. @param {string} address */
export function beTheLastRoom(address) {
  keep("sessionStorage", ROOM, address);
}

/** Makes replays lead back to this page, also after the reader has returned to it by Back. @param {string} address */
export function beTheWayBack(address) {
  keep("sessionStorage", WAY_BACK, address);
  addEventListener("pageshow", () => keep("sessionStorage", WAY_BACK, address));
}

/** Returns the address of the page to which a replay leads back: the last room or the results; empty if neither was open. */
export function wayBack() {
  return read("sessionStorage", WAY_BACK) ?? "";
}

/** Returns the text that the previous page has stored, and removes it. @param {string} what */
export function takeText(what) {
  const text = read("sessionStorage", what) ?? "";
  keep("sessionStorage", what, "");
  return text;
}

/**
 * Reads a value from the storage of this browser or tab; null if there is none.
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
    // The value is lost with the page, but a guest still has the link.
  }
}

// --- Preferences: how moves are confirmed, sounds, notifications, the chat beside the table, colours, thrown things; and
// whether the reader has ever played a card here, and has agreed that a dragged card may break the rules.

/** @typedef {keyof typeof DEFAULTS} Preference */

const KEY = "durak-wishes"; // browsers have stored preferences under this name
const DEFAULTS = {
  undo: false,
  sounds: true,
  notify: false,
  played: false,
  cheats: false,
  chat: true,
  colours: true,
  throws: true,
};

export const preferences = { ...DEFAULTS, ...storedPreferences() };
applyPreferences();

/** @param {Preference} name @param {boolean} value */
export function setPreference(name, value) {
  preferences[name] = value;
  keep("localStorage", KEY, JSON.stringify(preferences));
  applyPreferences();
}

/** Applies the preferences that styles need: suits in four or two colours, and whether things can be thrown. */
function applyPreferences() {
  const root = globalThis.document?.documentElement;
  if (!root) return;
  root.dataset.suits = preferences.colours ? "four" : "two";
  root.classList.toggle("no-throws", !preferences.throws);
}

/** @returns {Partial<typeof DEFAULTS>} */
function storedPreferences() {
  try {
    return JSON.parse(read("localStorage", KEY) ?? "{}");
  } catch {
    return {};
  }
}
