// What is said of the game: to screen readers, in the title and the icon as long as it is the reader's turn, and by a
// sound or a notification if wanted.

import { spoken } from "./cards.js";
import { $ } from "./dom.js";
import { wishes } from "./memory.js";
import { ring, wakeVoice } from "./sounds.js";
import { said } from "./texts.js";

const TAG = "durak-turn";
const icon = /** @type {HTMLLinkElement} */ (document.querySelector('link[rel="icon"]'));
const calm = icon.href;
const TURN_ICON = calm.replace("icon.svg", "icon-turn.svg");
let isTurn = false;

// Browsers let no page sound that was not touched since it was loaded.
for (const touch of ["click", "keydown"]) addEventListener(touch, () => isHeard() && wakeVoice());

function isHeard() {
  return wishes.sound || wishes.cards;
}

/** Show whether it is the reader's turn; `title` is the page's own. @param {boolean} isNow @param {string} title */
export function signalTurn(isNow, title) {
  document.title = isNow ? `● ${said("Your turn")} · ${title}` : title;
  if (isNow === isTurn) return;
  isTurn = isNow;
  icon.href = isNow ? TURN_ICON : calm;
  if (isNow) navigator.setAppBadge?.(1).catch(() => {});
  else navigator.clearAppBadge?.().catch(() => {});
  takeBack();
  takeBack = () => {};
  if (!isNow) return;
  if (wishes.sound) ring();
  if (wishes.notify && document.hidden && !obstacle()) notify(title);
}

/** Why no notification can come, for the reader; empty: one can, if they allow it. */
export function obstacle() {
  if (!isSecureContext) return said("Notifications need an encrypted page (https).");
  if (!globalThis.Notification) {
    return said("This browser shows no notifications. On an iPhone, add the page to the Home Screen first.");
  }
  // eslint-disable-next-line compat/compat -- asked for above
  return Notification.permission === "denied"
    ? said("Your browser refuses notifications from this page.")
    : "";
}

/** Ask the reader's browser to allow notifications; give whether it does. */
export async function mayNotify() {
  // eslint-disable-next-line compat/compat -- asked for before
  return !obstacle() && (await Notification.requestPermission()) === "granted";
}

let takeBack = () => {}; // the notification that is shown

/** @param {string} title */
async function notify(title) {
  const told = { body: title, tag: TAG, icon: calm };
  const worker = await navigator.serviceWorker?.getRegistration().catch(() => null);
  try {
    if (!worker) throw new TypeError();
    await worker.showNotification(said("Your turn"), told); // the only way on phones
    takeBack = async () => (await worker.getNotifications({ tag: TAG })).forEach((each) => each.close());
  } catch {
    // eslint-disable-next-line compat/compat -- asked for before
    const shown = new Notification(said("Your turn"), told);
    shown.onclick = () => window.focus();
    takeBack = () => shown.close();
  }
  if (!isTurn) takeBack();
}

/** @type {string[]} */
let announced = [];

/** Announces what is new to screen readers: what was announced the last time is not repeated. @param {...string} sentences */
export function announce(...sentences) {
  const news = sentences.filter((each) => each && !announced.includes(each));
  announced = sentences;
  if (news.length) $("news").textContent = spoken(news.join(" "));
}
