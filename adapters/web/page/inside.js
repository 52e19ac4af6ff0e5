// The entrances for people from chats: each passes on a proof of their identity.

/** @import {ChatDoor} from "../types" */
import { keep, read } from "./memory.js";
import { t } from "./texts.js";

/** Discord shows the page at the root of its own host, other chats under the name of their door. */
const isInDiscord = location.host.endsWith(".discordsays.com");

/** The name of the door of this page, as in `/in/link`. */
export const door = isInDiscord ? "discord" : location.pathname.split("/")[2];

/** Whether this page is shown to somebody of a chat, in its frame or behind a link. */
export const isInside = isInDiscord || location.pathname.startsWith("/in/");

/**
 * Returns the address of a place behind this door; what the chat has put into the address of the page stays in it.
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

const CARRIED = "#visit="; // begins the secret in an address, where the frame of another site may keep nothing

/** What this tab has exchanged a proof for, and for which table of which person. */
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
 * Returns the secret for which this tab has exchanged a proof; empty: none.
 * @param {string} [whose] whose it has to be, where that is known
 */
export function secretOf(whose) {
  return whose === undefined || visit.whose === whose ? visit.secret : "";
}

/** @param {string} secret @param {string} [whose] */
export function keepSecret(secret, whose = "") {
  visit = { secret, whose };
  keep("sessionStorage", SECRET, JSON.stringify(visit));
}

/** Returns whether a page that is loaded again in this tab still has the secret. */
export function isStored() {
  return parse(read("sessionStorage", SECRET)).secret === visit.secret;
}

/** Returns an address behind this door; it takes the secret along where the tab keeps none. @param {string} address */
export function carrying(address) {
  return visit.secret && !isStored() ? address + CARRIED + visit.secret : address;
}

/** Removes the part after the `#` from the address: a reloaded page has nothing left to show. */
export function takeFragment() {
  const text = location.hash.slice(1);
  if (text) history.replaceState(null, "", location.pathname + location.search);
  return text;
}

/** Shows the page light or dark as its chat is, and what is loaded after it in this tab. @param {"light" | "dark"} shade */
export function wear(shade) {
  keep("sessionStorage", SHADE, shade);
  document.documentElement.dataset.theme = shade;
  document.documentElement.style.colorScheme = shade;
  const colours = darkColours();
  if (colours) colours.media.mediaText = shade === "dark" ? "all" : "not all";
}

/** Finds the colours of a dark page in its style, where they depend on the device. @returns {CSSMediaRule | undefined} */
function darkColours() {
  const rules = [...document.styleSheets].flatMap((sheet) => [...sheet.cssRules]);
  const conditional = rules.filter((rule) => rule instanceof CSSMediaRule);
  return conditional.find((rule) => rule.cssRules[0]?.cssText.startsWith("html:root"));
}

/** Applies the display options that this tab got earlier; a reloaded page gets none. */
export function wearAgain() {
  const shade = read("sessionStorage", SHADE);
  if (shade === "light" || shade === "dark") wear(shade);
}

/** A link that somebody got alone: the proof is the secret in it. @type {ChatDoor} */
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
