// "It is your turn": in the title and the icon as long as it is, and by a sound or a notification if wanted.

import { said } from "./texts.js";
import { wishes } from "./wishes.js";

const NOTES = [660, 880]; // hertz
const NOTE_SECONDS = 0.14;
/** @type {HTMLLinkElement} */
const icon = document.querySelector('link[rel="icon"]');
const calm = icon.getAttribute("href");
const TURN_ICON = calm.replace("icon.svg", "icon-turn.svg");
let isTurn = false;
let notification = null;
let audio = null;

/** Note whether it is the reader's turn; `title` is the page's own. */
export function turn(isNow, title) {
  document.title = isNow ? `● ${said("Your turn")} · ${title}` : title;
  if (isNow === isTurn) return;
  isTurn = isNow;
  icon.href = isNow ? TURN_ICON : calm;
  if (isNow) navigator.setAppBadge?.(1).catch(() => {});
  else navigator.clearAppBadge?.().catch(() => {});
  notification?.close();
  if (!isNow) return;
  if (wishes.sound) ring();
  if (wishes.notify && document.hidden && globalThis.Notification?.permission === "granted") notify(title);
}

function notify(title) {
  try {
    // eslint-disable-next-line compat/compat -- asked for before
    notification = new Notification(said("Your turn"), { body: title, tag: "durak-turn", icon: calm });
    notification.onclick = () => window.focus();
  } catch {
    // Phones let only a worker notify: the title has to do.
  }
}

/** Sound twice, softly. */
export function ring() {
  try {
    audio ??= new AudioContext();
    NOTES.forEach((hertz, n) => {
      const [tone, volume] = [audio.createOscillator(), audio.createGain()];
      const at = audio.currentTime + n * NOTE_SECONDS;
      tone.frequency.value = hertz;
      volume.gain.setValueAtTime(0.0001, at);
      volume.gain.exponentialRampToValueAtTime(0.12, at + 0.02);
      volume.gain.exponentialRampToValueAtTime(0.0001, at + NOTE_SECONDS * 1.6);
      tone.connect(volume).connect(audio.destination);
      tone.start(at);
      tone.stop(at + NOTE_SECONDS * 2);
    });
  } catch {
    // A browser without sound.
  }
}
