// The door: a guest gives a name, goes on as who they were here before, or only looks.

/** @import {Secret} from "../types" */
/** @import {Api} from "./connection.js" */
import { face } from "./cards.js";
import { RefusedError } from "./connection.js";
import { $, all, button, element } from "./dom.js";
import { forget, hasLeft, isInCookie, knownGuests, LOOKS, remember } from "./memory.js";
import { language, languages, speak } from "./texts.js";

const SHOWN = ["6S", "9D", "TC", "QD", "KS", "AH"];

/** Lay out the cards that one will play with. */
export function showCards() {
  for (const fan of all(".fanned")) {
    fan.replaceChildren(
      ...SHOWN.map((card, n) => {
        const drawn = face(card);
        drawn.style.setProperty("--n", String(n));
        return drawn;
      }),
    );
  }
}

/** @typedef {(secret: string) => void} Come is called with the secret of who comes in, or `LOOKS` */

/**
 * Open the door.
 * @param {Api} api
 * @param {{notice: string, isOwner: boolean, linked: string, come: Come}} how `isOwner`: they hold the owner's link;
 *   `linked`: the secret in a guest's own link, who is not known here
 */
export function openDoor(api, { notice, isOwner, linked, come }) {
  $("sign-in").hidden = false;
  $("room").hidden = true;
  $("sign-in-owner").hidden = !isOwner;
  $("look").hidden = isOwner;
  say(notice);
  showKnown(come);
  $("linked").hidden = !linked;
  $("come-linked").onclick = () => come(linked);
  const mayGoOn = !notice && !isOwner && !linked && !hasLeft();
  if (knownGuests().every((known) => isInCookie(known.secret))) {
    api.send("return", {}).then(
      ({ guests }) => {
        const gone = knownGuests().filter((known) => !guests.some((guest) => guest.secret === known.secret));
        for (const { secret } of gone) forget(secret);
        for (const guest of [...guests].reverse()) remember(guest); // a cookie still knows them
        if (guests.length && mayGoOn && !$("sign-in").hidden && !$("name").value) come(guests[0].secret);
        else showKnown(come);
      },
      () => {},
    );
  }
  $("language").replaceChildren(
    ...languages.map((each) => new Option(nameOf(each), each, false, each === language)),
  );
  $("language").onchange = () => {
    speak($("language").value);
    location.reload();
  };
  $("look").onclick = () => come(LOOKS);
  $("sign-in-form").onsubmit = async (event) => {
    event.preventDefault();
    try {
      const { name, secret } = await api.send("guests", { name: $("name").value });
      remember({ name, secret });
      come(secret);
    } catch (error) {
      if (!(error instanceof RefusedError)) throw error;
      say(error.message);
      $("name").focus();
    }
  };
  $("name").focus();
}

/** What a language calls itself. @param {string} code */
function nameOf(code) {
  const name = new Intl.DisplayNames(code, { type: "language" }).of(code) ?? code;
  return name[0].toLocaleUpperCase(code) + name.slice(1);
}

/** @param {string} notice */
function say(notice) {
  $("sign-in-notice").hidden = !notice;
  $("sign-in-notice").textContent = notice;
}

/** @param {Come} come */
function showKnown(come) {
  const known = knownGuests();
  $("known").hidden = known.length === 0;
  $("known-guests").replaceChildren(...known.map((guest) => knownButton(guest, come)));
}

/** @param {Secret} guest @param {Come} come */
function knownButton({ name, secret }, come) {
  const made = button("button", element("bdi", "", name));
  made.onclick = () => come(secret);
  return made;
}
