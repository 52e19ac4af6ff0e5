// Starts the page. A known guest goes to the room. Everybody else gets the entry page, where they give a name, continue
// under an earlier one, or only watch.

/** @import {Invitation, Secret} from "../types" */
import { besideFace, faceOf, initial, shortened } from "./avatars.js";
import { showCards } from "./cards.js";
import { Api, pathOf, RefusedError, room, roomTitle } from "./connection.js";
import { $, all, button, element, first, unspoken } from "./dom.js";
import {
  beInThisTab,
  forget,
  hasLeft,
  isInCookie,
  isKnown,
  knownGuests,
  leaveText,
  LOOKS,
  NOTICE,
  remember,
  returning,
  takeLink,
  takeText,
} from "./memory.js";
import { tell, toast } from "./notices.js";
import { language, languages, speak, t, translatePage } from "./texts.js";

const api = new Api(pathOf(room));
const TITLE = roomTitle ? `${t("Durak")} · ${roomTitle}` : t("Durak");
// Suggested names, separated by spaces.
const FACES = [..."🦊🐻🐺🦉🐱🐸🦁🐼🐙🦄👻😎"];
const MOST_NAMES = 3; // of those at the table
const ANIMALS = t("Fox Owl Bear Wolf Cat Hare Hedgehog Otter Raccoon Crane Magpie Badger");

/** The lobby in this room when the page was served, or the players of a game. @type {Partial<Invitation>} */
const { names = [], host = "", most = 0, hasSeat = false } = JSON.parse($("facts").textContent || "{}");

translatePage();
showCards();
installWorker();
addEventListener("hashchange", () => location.reload());
document.title = TITLE;

/** @type {Promise<typeof import("./room.js")> | null} */
let loading = null;
let isLeaving = false;
let chosenFace = ""; // an emoji before the name; empty for the name's first letter
const isTouched = matchMedia("(pointer: coarse)");
addEventListener("beforeunload", () => (isLeaving = true)); // a failed fetch is no error then

const { secret: linked, ownerKey } = takeLink();
const notice = takeText(NOTICE);
const isOthers = Boolean(linked) && isKnown() && !isKnown(linked); // perhaps another person's link
const coming = isOthers ? "" : linked;
const mayReturn = !isOthers && !ownerKey && !notice;
const guest = coming || (mayReturn ? returning() : "");
if (guest) {
  enter(guest);
} else {
  showEntryPage(api, { notice, isOwner: Boolean(ownerKey), linked: isOthers ? linked : "", come });
  requestAnimationFrame(() => setTimeout(() => theRoom().catch(() => {}))); // once the entry page is visible
}

/** @param {string} secret @param {boolean} [sitsDown] whether they take a seat in the lobby */
async function come(secret, sitsDown = false) {
  api.secret = secret;
  if (ownerKey && (await tell(api.send("owner", { key: ownerKey })))) {
    toast(t("You own this page: you are a moderator in all its rooms."));
  }
  enter(secret, sitsDown);
}

/** Lets a guest or a spectator into the room. @param {string} who a secret, or `LOOKS` @param {boolean} [sitsDown] */
async function enter(who, sitsDown = false) {
  const secret = who === LOOKS ? "" : who;
  api.secret = secret;
  beInThisTab(who);
  const isEntered = !$("sign-in").hidden;
  $("sign-in").hidden = true;

  const isNew = !loading;
  const module = await theRoom().catch(() => null);
  if (module) {
    module.openRoom(api, secret, TITLE, { isEntered, sitsDown });
    return;
  }
  if (isLeaving) return;
  if (isNew) leaveText(NOTICE, t("Not sent: there is no connection. Please try again."));
  location.reload(); // a browser does not fetch a failed script again
}

/** Fetches everything the room needs, in parallel. */
function theRoom() {
  const { content } = $("in-the-room");
  const styles = [...content.querySelectorAll("[rel=stylesheet]")].map(
    (link) => new Promise((resolve, reject) => Object.assign(link, { onload: resolve, onerror: reject })),
  );
  document.body.append(content); // in the head, styles would keep WebKit from painting until they are loaded
  loading ??= Promise.all([import("./room.js"), ...styles]).then(([room]) => room);
  return loading;
}

// --- The service worker makes the page installable, and shows a friendly page without a network.

function installWorker() {
  if (!isSecureContext || !navigator.serviceWorker) return; // http counts as secure only on this machine
  navigator.serviceWorker.register("/page/worker.js", { scope: "/" }).catch(() => {});
}

// --- The entry page.

/**
 * Called with the secret of the person who enters, or `LOOKS`, and whether they take a seat.
 * @typedef {(secret: string, sitsDown?: boolean) => void} Come
 */

/**
 * Shows the entry page.
 * @param {Api} api
 * @param {{notice: string, isOwner: boolean, linked: string, come: Come}} options `isOwner`: they hold the owner's link;
 *   `linked`: the secret of a guest's own link, if this browser does not know the guest
 */
function showEntryPage(api, { notice, isOwner, linked, come }) {
  $("sign-in").hidden = false;
  $("room").hidden = true;
  $("sign-in-owner").hidden = !isOwner;
  $("look").hidden = isOwner;
  say(notice);
  showInvitation();
  showKnown(come);
  $("linked").hidden = !linked;
  $("come-linked").onclick = () => come(linked);

  const mayGoOn = !notice && !isOwner && !linked && !hasLeft();
  if (knownGuests().every((known) => isInCookie(known.secret))) askTheCookie(api, mayGoOn, come);

  $("language").replaceChildren(
    ...languages.map((each) => new Option(nameOf(each), each, false, each === language)),
  );
  $("language").onchange = () => {
    speak($("language").value);
    location.reload();
  };

  $("look").onclick = () => come(LOOKS);
  $("others").onclick = () => {
    $("others").hidden = true;
    $("face").focus(); // the name would open the keyboard of a phone
  };
  $("sign-in-form").onsubmit = async (event) => {
    event.preventDefault();
    try {
      const { name, secret } = await api.send("guests", { name: `${chosenFace} ${$("name").value}`.trim() });
      remember({ name, secret });
      come(secret, hasSeat);
    } catch (error) {
      if (!(error instanceof RefusedError)) throw error;
      say(error.message);
      $("name").focus();
    }
  };

  if (!$("name").value) {
    const suggestion = suggestedName();
    $("name").value = suggestion;
    // Typing replaces a suggestion. A tap sets the caret only after it has given the focus.
    $("name").onfocus = () => setTimeout(() => $("name").value === suggestion && $("name").select());
  }
  offerFaces();
  const isBack = !$("known").hidden; // then the focus opens no keyboard over the buttons
  if (isBack) first("#known-guests button")?.focus();
  else if (isTouched.matches) $("enter").focus();
  else $("name").select();
}

// --- The invitation: the players in the lobby, and an empty chair; or who is at the table, if no seat is free.

function showInvitation() {
  $("invitation").hidden = !names.length;
  if (hasSeat) invite();
  else if (names.length) showCompany();
}

/** Shows the players in the lobby, and makes the button take the free seat. */
function invite() {
  $("sign-in").classList.add("invited");
  $("enter").textContent = t("Sit down");
  $("invitation-title").textContent = t("{host} invites you to the table.", { host });
  const seats = names.map((name) => element("li", "", faceOf(name), element("bdi", "name", besideFace(name))));
  const chair = element("li", "free", unspoken(element("span", "avatar", `+${most - names.length}`)), t("Your seat"));
  $("invitation-seats").replaceChildren(...seats, chair);
}

/** Shows who is at the table, where the next game is open to a newcomer. */
function showCompany() {
  const others = names.length > MOST_NAMES ? ` +${names.length - MOST_NAMES}` : "";
  const company = names.slice(0, MOST_NAMES).map((name) => shortened(besideFace(name).split(" ")[0], 12)).join(", ") + others;
  $("invitation").className = "company";
  $("invitation-title").textContent = t("At the table: {names}. Watch, and play the next game.", { names: company });
  $("invitation-seats").replaceChildren(...names.slice(0, 4).map((name) => element("li", "", faceOf(name))));
}

// --- The face: the first letter of the name, or an emoji before it, which everybody sees beside the name.

function offerFaces() {
  const choices = ["", ...FACES].map((face) => {
    const choice = button("button", face || "Aa");
    choice.ariaPressed = String(face === chosenFace);
    choice.onclick = () => {
      chosenFace = face;
      for (const each of all("#faces button")) each.ariaPressed = String(each === choice);
      unfoldFaces(false);
      showFace();
      $("face").focus();
    };
    return choice;
  });
  $("faces").replaceChildren(...choices);
  $("face").onclick = () => unfoldFaces(Boolean($("faces").hidden));
  $("name").addEventListener("input", showFace);
  showFace();
}

/** @param {boolean} isOpen */
function unfoldFaces(isOpen) {
  $("faces").hidden = !isOpen;
  $("face").ariaExpanded = String(isOpen);
}

function showFace() {
  $("face").textContent = chosenFace || initial($("name").value.trim()) || "?";
}

/** Returns a suggested name that nobody in the lobby has; empty if all are taken. */
function suggestedName() {
  const free = ANIMALS.split(" ").filter((name) => !names.includes(name));
  return free[Math.floor(Math.random() * free.length)] ?? "";
}

/**
 * Finds the guests known only by a cookie, and continues as the last one if allowed, and if the reader has not started to
 * enter in another way.
 * @param {Api} api
 * @param {boolean} mayGoOn
 * @param {Come} come
 */
async function askTheCookie(api, mayGoOn, come) {
  let hasTyped = false; // the field's text does not tell, because Firefox restores it after a reload
  $("name").oninput = () => {
    hasTyped = true;
  };

  const answer = await api.send("return", {}).catch(() => null);
  if (!answer) return;

  const { guests } = answer;
  const gone = knownGuests().filter((known) => !guests.some((guest) => guest.secret === known.secret));
  for (const { secret } of gone) forget(secret);
  for (const guest of [...guests].reverse()) remember(guest); // the last to act becomes the first

  const isUntouched = !$("sign-in").hidden && !hasTyped;
  if (guests.length && mayGoOn && isUntouched) {
    come(guests[0].secret);
    return;
  }
  $("others").hidden ||= hasTyped; // the field stays
  showKnown(come);
}

/** Returns the name of a language in the language itself. @param {string} code */
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
  const guests = knownGuests();
  $("known").hidden = guests.length === 0;
  $("welcome").replaceChildren(faceOf(guests[0]?.name ?? ""), t("Welcome back!"));
  $("known-guests").replaceChildren(...guests.map((guest) => knownButton(guest, come)));
}

/** @param {Secret} guest @param {Come} come */
function knownButton({ name, secret }, come) {
  const label = hasSeat ? t("Sit down as {name}", { name }) : t("Go on as {name}", { name });
  const choice = button("button", label);
  choice.onclick = () => come(secret, hasSeat);
  return choice;
}
