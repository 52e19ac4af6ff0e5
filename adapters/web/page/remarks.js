// Short remarks: a drawer of words and emoji near the hand, and bubbles at the speakers' seats.

/** @import {Remark} from "../types" */
import { $, all, button, element, first, unspoken } from "./dom.js";
import { preferences, setPreference } from "./memory.js";
import { t } from "./texts.js";
import { putAt, spotOf } from "./throws.js";

const PAUSE_MS = 5_000; // between two remarks of one person
const SPOKEN_MS = 4_000;
const SAY = t("Say something");
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
  bubble.classList.toggle("sign", letters.length <= 2);
  bubble.classList.toggle("own", seat === own);
  $("stage").append(bubble);
  putAt(bubble, spotOf(seat, own));
  setTimeout(() => bubble.remove(), SPOKEN_MS);
}
