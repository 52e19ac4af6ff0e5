// The doors through which people from chats enter: each passes on a proof of their identity.

/** @import {ChatDoor} from "../types" */
import { keep, read } from "./memory.js";
import { t } from "./texts.js";

/** Discord shows the page at the root of its own host, other chats under the name of their door. */
const isInDiscord = location.host.endsWith(".discordsays.com");

/** The name of the door of this page, as in `/in/link`. */
export const door = isInDiscord ? "discord" : location.pathname.split("/")[2];

/** Whether this page is a view for a person from a chat, in the chat's frame or opened by a link. */
export const isInside = isInDiscord || location.pathname.startsWith("/in/");

/**
 * Returns the address of a place behind this door, with the query that the chat has put into the page's address.
 * @param {"" | `/games/${string}`} place
 * @param {{wantsReview?: boolean}} [options]
 */
export function behindDoor(place, { wantsReview = false } = {}) {
  const query = new URLSearchParams(location.search);
  query.delete("review");
  if (wantsReview) query.set("review", "");
  const path = isInDiscord ? place || "/" : `/in/${door}${place}`;
  const rest = String(query);
  return rest ? `${path}?${rest}` : path;
}

const SHADE = "durak-shade";
const SECRET = `durak-visit-${door}`;

const CARRIED = "#visit="; // before the secret in an address, if the tab's storage is blocked in a frame

/** The secret for which this tab has exchanged a proof, and the person and table it is for (`whose`). */
let visit = { secret: "", whose: "" };

if (isInside && location.hash.startsWith(CARRIED)) {
  visit.secret = location.hash.slice(CARRIED.length);
  history.replaceState(null, "", location.pathname + location.search);
} else {
  visit = { ...visit, ...parse(read("sessionStorage", SECRET)) };
}

/** @param {string | null} text @returns {{secret?: string, whose?: string}} */
function parse(text) {
  try {
    return JSON.parse(text ?? "{}");
  } catch {
    return {};
  }
}

/**
 * Returns the secret for which this tab has exchanged a proof; empty if there is none.
 * @param {string} [whose] the person and table it has to be for, if known
 */
export function secretOf(whose) {
  return whose === undefined || visit.whose === whose ? visit.secret : "";
}

/** @param {string} secret @param {string} [whose] */
export function keepSecret(secret, whose = "") {
  visit = { secret, whose };
  keep("sessionStorage", SECRET, JSON.stringify(visit));
}

/** Returns whether the secret survives a reload of this tab. */
export function isStored() {
  return parse(read("sessionStorage", SECRET)).secret === visit.secret;
}

/** Returns an address behind this door, with the secret added if the tab can't store it. @param {string} address */
export function carrying(address) {
  return visit.secret && !isStored() ? address + CARRIED + visit.secret : address;
}

/** Removes the part after the `#` from the address and returns it, so a reloaded page no longer has it. */
export function takeFragment() {
  const text = location.hash.slice(1);
  if (text) history.replaceState(null, "", location.pathname + location.search);
  return text;
}

/** Makes this page light or dark like its chat, and stores that for later pages in this tab. @param {"light" | "dark"} shade */
export function applyShade(shade) {
  keep("sessionStorage", SHADE, shade);
  document.documentElement.dataset.theme = shade;
  document.documentElement.style.colorScheme = shade;
  const colours = darkColours();
  if (colours) colours.media.mediaText = shade === "dark" ? "all" : "not all";
}

/** Finds the media rule with the dark colours in the page's styles. @returns {CSSMediaRule | undefined} */
function darkColours() {
  const rules = [...document.styleSheets].flatMap((sheet) => [...sheet.cssRules]);
  const conditional = rules.filter((rule) => rule instanceof CSSMediaRule);
  return conditional.find((rule) => rule.cssRules[0]?.cssText.startsWith("html:root"));
}

/** Applies the shade that this tab has stored; a reloaded page gets none from the chat. */
export function restoreShade() {
  const shade = read("sessionStorage", SHADE);
  if (shade === "light" || shade === "dark") applyShade(shade);
}

/** The door for a personal link, whose secret is the proof. @type {ChatDoor} */
export const linkDoor = {
  unproven: t("This link is incomplete. Open the table anew from the chat."),
  proof: async () => {
    const proof = takeFragment();
    return { proof, wanted: "", whose: proof };
  },
  ways: (way) => (way ? [{ label: t("Back to the chat"), href: way }] : []),
  onDraw: () => {},
  onPress: () => {},
};
