// Short remarks: a drawer of words and emoji near the hand, and bubbles at the speakers' seats.

/** @import {Remark} from "../types" */
import { $, all, button, element, first, unspoken } from "./dom.js";
import { preferences, setPreference } from "./memory.js";
import { t } from "./texts.js";
import { faceAt, putAt, spotOf } from "./throws.js";

const PAUSE_MS = 5_000; // between two remarks of one person
const SPOKEN_MS = 4_000;
const SAY = t("Say something");
const GAP = 6; // pixels between a bubble and the seat
const MOST_LETTERS = 90; // of a line in a bubble; the chat has the whole line

/** @type {Record<Remark, string>} */
const WORDS = {
  laugh: "😂",
  wow: "😮",
  cool: "😎",
  cry: "😭",
  angry: "😡",
  heart: "❤️",
  nice: t("Nice one!"),
  oops: t("Oops!"),
  hurry: t("Hurry up!"),
  luck: t("Good luck!"),
  thanks: t("Thanks!"),
  again: t("Once more?"),
};

/** Returns a remark in the reader's language. @param {Remark} remark */
export function wordsOf(remark) {
  return WORDS[remark] ?? "";
}

export class Remarks {
  /** @param {(remark: Remark) => Promise<unknown>} send */
  constructor(send) {
    this.send = send;
    this.opener = button("tool remark", unspoken(element("span", "sign", "😀")), element("span", "label", SAY));
    this.opener.title = this.opener.ariaLabel = SAY;
    this.opener.ariaExpanded = "false";
    this.opener.onclick = () => this.open(Boolean(this.root.hidden));

    const remarks = /** @type {Remark[]} */ (Object.keys(WORDS));
    const choices = remarks.map((remark) => {
      const choice = button("tool", wordsOf(remark));
      choice.onclick = () => this.say(remark);
      return choice;
    });
    this.sounds = button("tool sounds");
    this.sounds.onclick = () => {
      setPreference("sounds", !preferences.sounds);
      this.drawSounds();
    };
    this.root = element("div", "remarks", ...choices, this.sounds);
    Object.assign(this.root, { role: "group", ariaLabel: SAY, hidden: true });

    addEventListener("pointerdown", ({ target }) => {
      const isWithin = target instanceof Element && target.closest(".remarks, .remark");
      if (!isWithin) this.open(false);
    });
    addEventListener("keydown", ({ key }) => {
      if (key !== "Escape" || this.root.hidden) return;
      this.open(false);
      this.opener.focus();
    });
  }

  /** @param {boolean} isOpen */
  open(isOpen) {
    this.root.hidden = !isOpen;
    this.opener.ariaExpanded = String(isOpen);
    this.drawSounds();
  }

  /** Draws the switch for all sounds. */
  drawSounds() {
    this.sounds.replaceChildren(`${preferences.sounds ? "🔊" : "🔇"} ${t("Sounds")}`);
    this.sounds.ariaPressed = String(preferences.sounds);
  }

  /** @param {Remark} remark */
  async say(remark) {
    this.open(false);
    this.pause(true);
    await this.send(remark).catch(() => {}); // a lost remark needs no notice
    setTimeout(() => this.pause(false), PAUSE_MS);
  }

  /** @param {boolean} isPausing */
  pause(isPausing) {
    for (const each of all("button", this.root)) each.disabled = isPausing && each !== this.sounds;
  }
}

/** Shows words at a seat for a moment, in place of earlier ones there. @param {number} seat @param {string} text @param {number | null} own */
export function speakAt(seat, text, own) {
  if (document.hidden) return;

  first(`.spoken[data-by="${seat}"]`)?.remove();
  const letters = [...text];
  const line = letters.length > MOST_LETTERS ? `${letters.slice(0, MOST_LETTERS).join("")}…` : text;
  const bubble = unspoken(element("p", "spoken", line));
  bubble.dataset.by = String(seat);
  const isSign = letters.length <= 2;
  bubble.classList.toggle("sign", isSign);
  bubble.classList.toggle("own", seat === own);
  $("stage").append(bubble);
  const isBeside = !isSign && Boolean(faceAt(seat));
  bubble.classList.toggle("beside", isBeside);
  putAt(bubble, isBeside ? besideSeat(bubble, seat) : spotOf(seat, own));
  setTimeout(() => bubble.remove(), SPOKEN_MS);
}

/**
 * Returns the spot for words at a seat whose face is drawn: above the face, the name and the number of cards, or below
 * them if there is no room above; in the list of a result, at the end of the row.
 * @param {HTMLElement} bubble
 * @param {number} seat
 */
function besideSeat({ offsetWidth: width, offsetHeight: height }, seat) {
  const face = /** @type {HTMLElement} */ (faceAt(seat));
  const holder = /** @type {HTMLElement} */ (face.closest("[data-seat]"));
  const { left, right, top, bottom } = boundsOf(holder);
  if (holder.matches("li:not(.seat)")) return { x: right - width / 2, y: (top + bottom - height) / 2 };

  const above = top - height - GAP;
  const hasRoom = above >= $("stage").getBoundingClientRect().top;
  return { x: (left + right) / 2, y: hasRoom ? above : bottom + GAP };
}

/** Returns the bounds of everything that an element shows. @param {HTMLElement} whole */
function boundsOf(whole) {
  const boxes = [whole, ...all("*", whole)].map((each) => each.getBoundingClientRect()).filter(({ width }) => width > 1);
  return {
    left: Math.min(...boxes.map(({ left }) => left)),
    right: Math.max(...boxes.map(({ right }) => right)),
    top: Math.min(...boxes.map(({ top }) => top)),
    bottom: Math.max(...boxes.map(({ bottom }) => bottom)),
  };
}
