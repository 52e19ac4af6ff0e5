// The reader's hand: one fan of cards, what can be done with the chosen ones, and the big buttons under the thumb.

/** @import {Choice} from "./choice.js" */
/** @import {BoardMove, Button, Card, CardKey, MessageActions, Reader, View} from "../types" */
import { face, keyed, shortly, words } from "./cards.js";
import { isBig, isByCard, nameOf } from "./choice.js";
import { all, button, element, fill, first, keep } from "./dom.js";
import { pieces, withCards } from "./draw.js";
import { said } from "./texts.js";
import { wishes } from "./wishes.js";

const RATIO = 1.4;
const NARROWEST_STRIP = 27; // pixels of a card that must show, to be read and touched
const DEEPEST = 8; // pixels by which the outer cards of a fan lie below its middle
const MOST_CHOICES = 8;

/**
 * @typedef {object} Playing what the reader is about to do
 * @property {Choice} choice
 * @property {string | null} armed the name of the move that waits for a second tap
 * @property {Set<CardKey>} hidden cards that are on their way to the table
 * @property {boolean} isBusy a move is on its way
 * @property {Reader} me
 * @property {MessageActions} on
 */
/** @typedef {View & Playing} HandState `others` are buttons that are no moves; if `isAsked`, they answer the note */

export class HandView {
  /** @param {HTMLElement} root */
  constructor(root) {
    this.root = root;
    /** @type {ReturnType<typeof keyed>} */
    this.cards = [];
    this.note = element("p", "note");
    this.tip = element("p", "note tip", said("Tap a card twice, or drag it to the table."));
    const how = button("", said("How to play"));
    how.dataset.how = "";
    this.tip.append(how);
    this.choices = element("div", "choices");
    this.answers = element("div", "choices");
    this.fan = element("div", "fan");
    this.fan.role = "group";
    this.fan.ariaLabel = said("Your cards");
    this.tools = element("div", "tools");
    this.big = element("div", "big");
    this.next = element("div", "big next"); // after the game
    const above = element("div", "above", this.tip, this.note, this.answers, this.choices); // over the table, so that no card moves
    this.bar = element("div", "bar", this.tools, this.big, this.next);
    root.append(above, this.fan, this.bar);
    this.widest = this.room = 0;
    new ResizeObserver(() => {
      this.measure();
      this.layFan();
    }).observe(this.fan);
  }

  /** Look how much room there is: before anything is drawn, or it costs one more layout. */
  measure() {
    this.widest = parseFloat(getComputedStyle(this.root).getPropertyValue("--widest")) || 84;
    this.room = this.fan.clientWidth;
  }

  /** Draw a hand, or for a spectator none. @param {HandState} state */
  draw(state) {
    const { board, hand, choice, others, isAsked, me, on } = state;
    this.root.classList.toggle("busy", state.isBusy);
    this.root.classList.toggle("turn", Boolean(hand?.is_awaited && hand.moves.length));
    const note = hand?.note ?? [];
    fill(this.note, note, () => pieces(note, me, on));
    this.note.hidden = !hand?.note.length;
    this.tip.hidden = wishes.played || !this.note.hidden || board.asked.length > 0 || choice.chosen.length > 0 || !choice.moves.some(isByCard);
    this.drawFan(state);
    const moves = hand?.moves ?? [];
    const open = choice.chosen.length ? [...choice.fitting].sort((one, other) => one.cards.length - other.cards.length) : [];
    const offered = [...open.slice(0, MOST_CHOICES), ...moves.filter((move) => !isByCard(move) && !isBig(move))];
    this.drawMoves(this.choices, offered, state);
    this.drawMoves(this.big, moves.filter(isBig), state);
    this.drawOthers(this.answers, isAsked ? others : [], "button");
    this.drawOthers(this.tools, isAsked ? [] : others, "tool");
  }

  /** @param {HandState} state */
  drawFan({ hand, choice, hidden, isBusy }) {
    const advised = hand?.moves.find((move) => move.token === hand.advice)?.cards ?? [];
    this.cards = keyed(hand?.cards ?? []).filter(({ key }) => !hidden.has(key));
    keep(this.fan, this.cards, {
      key: ({ key }) => key,
      make: ({ card }) => button("", face(card)),
      update: (item, { card, key }) => {
        const isChosen = choice.chosen.includes(key);
        const isPlayable = choice.aim ? aims(choice, card) : choice.isPlayable(card);
        const isIdle = !isPlayable && !isBusy;
        item.className = [
          "held", isChosen && "chosen", isPlayable && "playable", isIdle && "idle",
          advised.includes(card) && "advised", item.classList.contains("dragged") && "dragged",
        ].filter(Boolean).join(" ");
        Object.assign(item.dataset, { zone: "hand", card: key });
        item.ariaPressed = String(isChosen);
        const hints = [advised.includes(card) && said("advised"), isIdle && hand?.is_awaited && said("can't be played now")];
        item.ariaLabel = [words(card), ...hints.filter(Boolean), shortly(card)].join(", "); // with what stands on it
      },
    });
    this.layFan();
  }

  /** Lay the cards side by side, over one another as far as they must, in rows if they are many. */
  layFan() {
    const count = this.cards.length;
    const card = Math.min(this.widest, Math.max(52, (this.room - 10) / 5.2));
    const turn = count > 2 ? Math.min(2.2, 16 / count) : 0; // degrees between two cards
    const lean = card * RATIO * Math.sin((turn * (count - 1) * Math.PI) / 360); // of the outer cards
    const margin = Math.max(5, lean - 5);
    const width = this.room - 2 * margin;
    const perRow = Math.max(1, Math.floor((width - card) / NARROWEST_STRIP) + 1);
    const rows = Math.max(1, Math.ceil(count / perRow));
    const here = Math.ceil(count / rows);
    const small = rows > 1 ? card * 0.86 : card;
    const step = here > 1 ? Math.min(small + 6, (width - small - 2) / (here - 1)) : 0;
    const left = margin + (width - small - step * (here - 1)) / 2;
    const drop = small * RATIO * (rows > 2 ? 0.4 : 0.52);
    this.fan.style.setProperty("--held", `${small}px`);
    this.fan.style.setProperty("--rows", String(rows));
    this.fan.style.setProperty("--fan", `${small * RATIO + drop * (rows - 1) + 22}px`);
    const bend = rows === 1 ? turn : 0;
    /** @param {number} off places from the middle */
    const dip = (off) => Math.abs(off) ** 1.6 * bend * 0.5;
    const flat = Math.min(1, DEEPEST / (dip((here - 1) / 2) || DEEPEST));
    all("button", this.fan).forEach((item, n) => {
      const row = Math.floor(n / here);
      const place = n % here;
      const off = place - (Math.min(here, count - row * here) - 1) / 2;
      item.style.setProperty("left", `${left + place * step}px`);
      item.style.setProperty("top", `${18 + row * drop + dip(off) * flat}px`);
      item.style.setProperty("--tilt", `${off * bend}deg`);
    });
  }

  /**
   * Buttons for moves, kept by what the move is: a finger on one means the newest form of it.
   * @param {HTMLElement} parent
   * @param {BoardMove[]} moves
   * @param {HandState} state
   */
  drawMoves(parent, moves, { armed, hand }) {
    keep(parent, moves.map((move) => ({ move, name: nameOf(move) })), {
      key: ({ name }) => name,
      make: () => button(),
      update: (item, { move, name }) => {
        const isArmed = armed === name;
        const isAdvised = hand?.advice === move.token;
        item.className = ["move", move.kind, isArmed && "armed", isAdvised && "advised"].filter(Boolean).join(" ");
        item.dataset.move = name;
        if (isBig(move)) item.setAttribute("aria-keyshortcuts", move.kind === "take" ? "T" : "D");
        const label = isArmed ? `${move.label}?` : move.label;
        fill(item, label, () => withCards(label));
      },
    });
  }

  /**
   * Buttons that are no moves: their sign alone where there is little room.
   * @param {HTMLElement} parent
   * @param {Button[]} others
   * @param {"button" | "tool" | "move"} kind
   */
  drawOthers(parent, others, kind) {
    keep(parent, others, {
      key: ({ token }) => token,
      make: () => button(),
      update: (item, { token, label, tone }) => {
        Object.assign(item, { className: `other ${kind} ${tone}`, ariaLabel: label, title: label });
        item.dataset.other = token;
        fill(item, label, () => {
          const [, sign, rest] = /^(\P{L}{1,3}?)\s+(.+)$/u.exec(label) ?? [null, "", label];
          return [...(sign ? [element("span", "sign", sign)] : []), element("span", "label", rest)];
        });
      },
    });
  }

  /** The element of a card. @param {CardKey} key */
  cardAt(key) {
    return first(`[data-key="${CSS.escape(key)}"]`, this.fan);
  }
}

/** @param {Choice} choice @param {Card} card */
function aims(choice, card) {
  return choice.movesWith([card]).some((move) => move.attack === choice.aim);
}
