// The clock of the table: the time left for the players whose move it is.

/** @import {View} from "../types" */
import { $, all, element } from "./dom.js";

const TICK_MS = 500;
const HURRY_SECONDS = 20; // the time left at which the clock begins to warn
const SHOWN_TO_ALL_SECONDS = 60; // the time left at which everybody sees the clock

export class Clock {
  constructor() {
    this.root = element("span", "clock");
    this.ahead = 0; // seconds by which the bot's clock is ahead of the device's
    /** @type {View | null} */
    this.view = null;
    setInterval(() => this.tick(), TICK_MS);
  }

  /** Sets the clock to the bot's time. @param {number} now in Unix seconds */
  set(now) {
    this.ahead = now - Date.now() / 1000;
  }

  /** @param {View | null} view */
  show(view) {
    this.view = view;
    this.tick();
  }

  tick() {
    if (!this.view) return;
    const { board, isTurn } = this.view;
    const now = Date.now() / 1000 + this.ahead;
    const left = board.until ? Math.max(0, board.until - now) : null;

    $("stage").classList.toggle("timed", left !== null);
    $("stage").classList.toggle("hurry", left !== null && left < HURRY_SECONDS && mayAct(this.view));
    const share = shareLeft(board, left);
    for (const seat of all(".seat.awaited")) seat.style.setProperty("--left", String(share));

    const text = left === null ? "" : minutes(left);
    if (this.root.textContent !== text) this.root.textContent = text;
    this.root.hidden = left === null || !(isTurn || left < SHOWN_TO_ALL_SECONDS);
    for (const clock of all(".seat .clock")) clock.textContent = text;
  }
}

/** Returns whether the reader has something to do before the time runs out; passing needs no hurry. @param {View} view */
function mayAct({ hand, isTurn }) {
  return isTurn && Boolean(hand?.moves.some(({ kind }) => kind !== "done"));
}

/** Returns the share of the time that is left, from 1 to 0. @param {View["board"]} board @param {number | null} left */
function shareLeft({ since, until }, left) {
  if (left === null || !since || !until || until <= since) return 1;
  return Math.min(1, left / (until - since));
}

/** @param {number} seconds */
function minutes(seconds) {
  const rest = String(Math.floor(seconds % 60)).padStart(2, "0");
  return `${Math.floor(seconds / 60)}:${rest}`;
}
