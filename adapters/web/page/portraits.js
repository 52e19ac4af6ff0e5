// Portraits: the pictures that people of a chat show of themselves there, on their faces.

import { avatarOf, initial } from "./avatars.js";
import { element } from "./dom.js";

/** @type {((key: string) => Promise<Blob>) | null} */
let source = null; // null on pages of guests, who have none

/** @type {Map<string, string | Promise<string>>} */
const addresses = new Map(); // blob addresses, by key

/** Shows portraits on faces from now on. @param {(key: string) => Promise<Blob>} fetch fetches one by its key */
export function showPortraits(fetch) {
  source = fetch;
}

/** Lays a person's portrait onto their face once it is here. @param {HTMLElement} face @param {string | undefined} key */
export function withPortrait(face, key) {
  if (!key || !source) return face;

  const image = element("img", "portrait");
  image.alt = ""; // the name is beside the face
  image.decoding = "sync"; // a seat that is drawn again shows no letter in between
  const address = addresses.get(key) ?? fetched(key, source);
  if (typeof address === "string") image.src = address;
  else address.then((ready) => (image.src = ready)).catch(() => image.remove());

  face.prepend(image);
  return face;
}

/** Draws a player's face with their portrait, in the colour of their team if there is one. @param {{name: string, team: string, portrait: string}} player */
export function portraitOf({ name, team, portrait }) {
  const avatar = withPortrait(avatarOf(name, initial(name)), portrait);
  if (team) avatar.dataset.team = team;
  return avatar;
}

/** @param {string} key @param {(key: string) => Promise<Blob>} fetch */
function fetched(key, fetch) {
  const address = fetch(key).then((blob) => URL.createObjectURL(blob));
  addresses.set(key, address);
  address.then(
    (ready) => addresses.set(key, ready),
    () => addresses.delete(key),
  );
  return address;
}
