// The doors through which people of chats come in: each hands over a proof of who they are.

/** @import {ChatDoor} from "../types" */
import { $ } from "./dom.js";
import { keep, read } from "./memory.js";

/** Discord shows the page at the root of a host of its own, other chats under the name of their door. */
const isInDiscord = location.host.endsWith(".discordsays.com");

/** The name of the door of this page, as in `/in/link`. */
export const door = isInDiscord ? "discord" : location.pathname.split("/")[2];

/** Whether this page is shown to somebody of a chat, in its frame or behind a link. */
export const isInside = isInDiscord || location.pathname.startsWith("/in/");

/**
 * Returns the address of a place behind this door; what the chat has put into the address of the page stays in it.
 * @param {"" | `/games/${string}`} place
 * @param {{wantsReview?: boolean}} [how]
 */
export function behindDoor(place, { wantsReview = false } = {}) {
  const query = new URLSearchParams(location.search);
  query.delete("review");
  if (wantsReview) query.set("review", "");
  const path = isInDiscord ? place || "/" : `/in/${door}${place}`;
  const kept = String(query);
  return kept ? `${path}?${kept}` : path;
}

const SHADE = "durak-shade";
const SECRET = `durak-visit-${door}`;

/** Returns the secret for which this tab has exchanged a proof; empty: none. */
export function keptSecret() {
  return read("sessionStorage", SECRET) ?? "";
}

/** @param {string} secret */
export function keepSecret(secret) {
  keep("sessionStorage", SECRET, secret);
}

/** Takes what stands after the `#` out of the address: a page that is loaded again has nothing left to show. */
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
  $("dark").media = shade === "dark" ? "all" : "not all";
}

/** Shows the page as this tab was told before; a page that is loaded again is told nothing. */
export function wearAgain() {
  const shade = read("sessionStorage", SHADE);
  if (shade === "light" || shade === "dark") wear(shade);
}

/** A link that somebody got alone: the proof is the secret in it. @type {ChatDoor} */
export const linkDoor = {
  proof: async () => ({ proof: takeFragment(), wanted: "" }),
  drawn: () => {},
  pressed: () => {},
};
