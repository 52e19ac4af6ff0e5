// The page begins: a known guest goes to the room, all others to the door.

import { Api, pathOf, room } from "./connection.js";
import { $ } from "./dom.js";
import { openDoor, showCards } from "./door.js";
import { beInThisTab, isKnown, leaveText, LOOKS, NOTICE, returning, takeLink, takeText } from "./memory.js";
import { tell, toast } from "./notices.js";
import { said, translatePage } from "./texts.js";

// --- The page begins: a known guest goes to the room, all others to the door.

const api = new Api(pathOf(room));
const TITLE = `Durak · ${room}`;

translatePage();
showCards();
installWorker();
addEventListener("hashchange", () => location.reload());
document.title = TITLE;
const { secret: linked, ownerKey } = takeLink();
/** @type {Promise<typeof import("./room.js")> | null} */
let fetched = null;
let isLeaving = false;
addEventListener("beforeunload", () => (isLeaving = true)); // what is not fetched then was not to be
const notice = takeText(NOTICE);
const isOthers = Boolean(linked) && isKnown() && !isKnown(linked); // perhaps somebody sent it
const coming = isOthers ? "" : linked;
const known = coming || (isOthers || ownerKey || notice ? "" : returning());
if (known) enter(known);
else {
  openDoor(api, { notice, isOwner: Boolean(ownerKey), linked: isOthers ? linked : "", come });
  requestAnimationFrame(() => setTimeout(() => theRoom().catch(() => {}))); // once the door is seen
}

/** @param {string} secret */
async function come(secret) {
  api.secret = secret;
  if (ownerKey && (await tell(api.send("owner", { key: ownerKey })))) {
    toast(said("You own this page: you are a moderator in all its rooms."));
  }
  enter(secret);
}

/** Let a guest or a spectator into the room. @param {string} who a secret, or `LOOKS` */
async function enter(who) {
  const secret = who === LOOKS ? "" : who;
  api.secret = secret;
  beInThisTab(who);
  $("sign-in").hidden = true;
  const isNew = !fetched;
  const found = await theRoom().catch(() => null);
  if (found) found.openRoom(api, secret, TITLE);
  else if (!isLeaving) {
    if (isNew) leaveText(NOTICE, said("Not sent: there is no connection. Please try again."));
    location.reload(); // a script that could not be fetched once is not fetched again
  }
}

/** Fetch all that the room needs, at once and not one after the other. */
function theRoom() {
  const { content } = $("in-the-room");
  const styles = [...content.querySelectorAll("[rel=stylesheet]")].map(
    (link) => new Promise((resolve, reject) => Object.assign(link, { onload: resolve, onerror: reject })),
  );
  document.head.append(content);
  fetched ??= Promise.all([import("./room.js"), ...styles]).then(([room]) => room);
  return fetched;
}

// --- Lets a browser install the page, and say a friendly sentence where there is no network.

export function installWorker() {
  if (!isSecureContext || !navigator.serviceWorker) return; // by http only on the machine itself
  navigator.serviceWorker.register("/page/worker.js", { scope: "/" }).catch(() => {});
}
