// Announces the game: to screen readers, in the title and the icon while it is the reader's turn, and by sounds or a
// notification if enabled.

/** @import {Board} from "../types" */
import { sizeOf, spoken } from "./cards.js";
import { $ } from "./dom.js";
import { preferences } from "./memory.js";
import { t } from "./texts.js";

const TAG = "durak-turn";
const icon = /** @type {HTMLLinkElement} */ (document.querySelector('link[rel="icon"]'));
const calm = icon.href;
const TURN_ICON = calm.replace("icon.svg", "icon-turn.svg");
let isTurn = false;

const BUZZ_MS = 60;

// Browsers allow sounds only after the reader has touched the page.
for (const touch of ["click", "keydown"]) addEventListener(touch, () => preferences.sounds && voice().resume());

/** Shows whether it is the reader's turn, and signals when it begins; `title` is the page's own. @param {boolean} isNow @param {string} title */
export function signalTurn(isNow, title) {
  document.title = isNow ? `● ${t("Your turn")} · ${title}` : title;
  if (isNow === isTurn) return;
  isTurn = isNow;
  icon.href = isNow ? TURN_ICON : calm;
  if (isNow) navigator.setAppBadge?.(1).catch(() => {});
  else navigator.clearAppBadge?.().catch(() => {});
  takeBack();
  takeBack = () => {};
  if (!isNow) return;
  ring();
  buzz();
  if (preferences.notify && document.hidden && !obstacle()) notify(title);
}

/** Vibrates for a moment, unless the page is in a chat, which vibrates itself, or has not been touched yet. */
function buzz() {
  const isInside = document.body.classList.contains("inside");
  if (!isInside && navigator.userActivation?.hasBeenActive) navigator.vibrate?.(BUZZ_MS);
}

/** Returns the reason why notifications are impossible; empty if they only need the reader's permission. */
export function obstacle() {
  if (!isSecureContext) return t("Notifications need an encrypted page (https).");
  if (!globalThis.Notification) {
    return t("This browser shows no notifications. On an iPhone, add the page to the Home Screen first.");
  }
  // eslint-disable-next-line compat/compat -- asked for above
  return Notification.permission === "denied"
    ? t("Your browser refuses notifications from this page.")
    : "";
}

/** Asks the reader to allow notifications; returns whether they are allowed. */
export async function mayNotify() {
  // eslint-disable-next-line compat/compat -- asked for before
  return !obstacle() && (await Notification.requestPermission()) === "granted";
}

let takeBack = () => {}; // closes the notification that is shown

/** @param {string} title */
async function notify(title) {
  const options = { body: title, tag: TAG, icon: calm };
  const worker = await navigator.serviceWorker?.getRegistration().catch(() => null);
  try {
    if (!worker) throw new TypeError();
    await worker.showNotification(t("Your turn"), options); // the only way on phones
    takeBack = async () => (await worker.getNotifications({ tag: TAG })).forEach((each) => each.close());
  } catch {
    // eslint-disable-next-line compat/compat -- asked for before
    const notification = new Notification(t("Your turn"), options);
    notification.onclick = () => window.focus();
    takeBack = () => notification.close();
  }
  if (!isTurn) takeBack();
}

/** @type {string[]} */
let announced = [];

/** Announces to screen readers those sentences that were not in the last announcement. @param {...string} sentences */
export function announce(...sentences) {
  const news = sentences.filter((each) => each && !announced.includes(each));
  announced = sentences;
  if (news.length) $("news").textContent = spoken(news.join(" "));
}

// --- Sounds: notes for the reader's turn and the end of a game, and the rustle of cards. All are synthesised here.

const TURN = [660, 880]; // hertz
export const LOST = [392, 330, 262];
export const SAFE = [523, 659, 784];
const NOTE_SECONDS = 0.14;
const SOON_MS = 500; // a later sound would be old news

/**
 * A rustle: a number of strokes, each a burst of noise around a pitch.
 * @typedef {{strokes: number, hertz: number, seconds: number, apart: number, volume: number}} Rustle `apart` in seconds
 */
/** @type {Record<"laid" | "away" | "taken" | "dealt" | "hit", Rustle>} */
const RUSTLES = {
  laid: { strokes: 1, hertz: 1_900, seconds: 0.05, apart: 0, volume: 0.5 },
  away: { strokes: 2, hertz: 1_300, seconds: 0.12, apart: 0.07, volume: 0.3 },
  taken: { strokes: 3, hertz: 800, seconds: 0.1, apart: 0.06, volume: 0.4 },
  hit: { strokes: 2, hertz: 420, seconds: 0.14, apart: 0.03, volume: 0.5 },
  dealt: { strokes: 6, hertz: 2_300, seconds: 0.04, apart: 0.07, volume: 0.3 },
};

/** @type {AudioContext | null} */
let audio = null;
/** @type {AudioBuffer | null} */
let noise = null;

function voice() {
  return (audio ??= new AudioContext());
}

/** Returns the audio context once it runs; null if sounds are off, or the browser does not start it in time. */
async function awake() {
  if (!preferences.sounds || !audio) return null;
  try {
    const sound = voice();
    const isOn = () => sound.state === "running";
    if (isOn()) return sound;

    await Promise.race([sound.resume(), new Promise((resolve) => setTimeout(resolve, SOON_MS))]);
    return isOn() ? sound : null;
  } catch {
    return null;
  }
}

/** Plays a few soft notes, soon or not at all. */
export async function ring(notes = TURN) {
  const sound = await awake();
  if (!sound) return;

  notes.forEach((hertz, n) => {
    const tone = sound.createOscillator();
    const at = sound.currentTime + n * NOTE_SECONDS;
    tone.frequency.value = hertz;
    tone.connect(fading(sound, at, NOTE_SECONDS * 1.6, 0.12)).connect(sound.destination);
    tone.start(at);
    tone.stop(at + NOTE_SECONDS * 2);
  });
}

/** Plays the rustle of cards, soon or not at all. @param {keyof typeof RUSTLES} kind */
export async function rustle(kind) {
  const sound = await awake();
  if (!sound) return;

  const { strokes, hertz, seconds, apart, volume } = RUSTLES[kind];
  for (let n = 0; n < strokes; n++) {
    const at = sound.currentTime + n * apart;
    const stroke = sound.createBufferSource();
    const pitch = sound.createBiquadFilter();
    stroke.buffer = noise ??= noiseOf(sound);
    pitch.type = "bandpass";
    pitch.frequency.value = hertz;
    stroke.connect(pitch).connect(fading(sound, at, seconds, volume)).connect(sound.destination);
    stroke.start(at);
    stroke.stop(at + seconds);
  }
}

/** Returns a volume control that rises fast and then fades out. @param {AudioContext} sound @param {number} at @param {number} seconds @param {number} loudest */
function fading(sound, at, seconds, loudest) {
  const volume = sound.createGain();
  volume.gain.setValueAtTime(0.0001, at);
  volume.gain.exponentialRampToValueAtTime(loudest, at + Math.min(0.02, seconds / 5));
  volume.gain.exponentialRampToValueAtTime(0.0001, at + seconds);
  return volume;
}

/** Returns a quarter of a second of noise. @param {AudioContext} sound */
function noiseOf(sound) {
  const buffer = sound.createBuffer(1, sound.sampleRate / 4, sound.sampleRate);
  const samples = buffer.getChannelData(0);
  for (let n = 0; n < samples.length; n++) samples[n] = Math.random() * 2 - 1;
  return buffer;
}

/**
 * Returns the sound of the cards between two boards of a table; null if there is none.
 * @param {Board | null} before null: there was none
 * @param {Board} now
 */
export function soundBetween(before, now) {
  if (!before || before.id !== now.id) return now.bout.length ? null : "dealt";
  if (before.bout.length && !now.bout.length) return now.discard > before.discard ? "away" : "taken";
  return sizeOf(now.bout) > sizeOf(before.bout) ? "laid" : null;
}
