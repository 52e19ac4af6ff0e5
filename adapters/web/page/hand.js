// The reader's hand: a fan of cards, the moves with the chosen ones, and the big buttons below.

/** @import {BoardMove, Button, Card, CardKey, MessageActions, Reader, View} from "../types" */
/** @import {Note} from "./layout.js" */
/** @import {Choice} from "./moves.js" */
import { face, keyed, shortly, words, withCards } from "./cards.js";
import { $, all, button, classes, element, fill, first, hasMouse, keep } from "./dom.js";
import { preferences } from "./memory.js";
import { fanOf } from "./layout.js";
import { pieces } from "./messages.js";
import { shake } from "./motion.js";
import { isBig, isByCard, nameOf } from "./moves.js";
import { plain } from "./outcome.js";
import { t } from "./texts.js";

const MAX_CHOICES = 8;
const ROW = 52; // pixels of a row of buttons over the hand
const AROUND = 6; // the width of the space around a button's label, in letters
const TIP = hasMouse ? t("Click a card twice, or drag it to the table.") : t("Tap a card twice, or drag it to the table.");
const HOW = t("How to play");

/**
 * @typedef {object} Playing the reader's choice and their move in progress
 * @property {Choice} choice
 * @property {Set<CardKey>} hidden cards that are on their way to the table
 * @property {boolean} isBusy a move is on its way
 * @property {boolean} isCramped the chat takes room from the table, so there is no tip on how to play
 * @property {Reader} me
 * @property {MessageActions} on
 */
/** @typedef {View & Playing} HandState `others` are buttons other than moves; if `isAsked`, they answer the note */

export class HandView {
  /** @param {HTMLElement} root */
  constructor(root) {
    this.root = root;
    /** @type {ReturnType<typeof keyed>} */
    this.cards = [];
    this.note = element("p", "note");
    const help = button("", HOW);
    help.dataset.how = "";
    this.tip = element("p", "tip", `${TIP} `, help);
    this.coach = element("div", "coach", this.tip, this.note);
    this.choices = element("div", "choices");
    this.answers = element("div", "choices answers");
    this.safe = element("p", "safe"); // replaces the cards of a reader who has none left
    this.safe.hidden = true;
    this.fan = element("div", "fan");
    this.fan.role = "group";
    this.fan.ariaLabel = t("Your cards");
    this.tools = element("div", "tools");
    this.big = element("div", "big");
    this.next = element("div", "big next"); // after the game
    const above = element("div", "above", this.coach, this.answers, this.choices); // over the table, so that no card moves
    this.bar = element("div", "bar", this.tools, this.big, $("undo"), this.next);
    root.append(above, this.safe, this.fan, this.bar);
    this.widest = this.room = 0;
    /** @type {Note[]} */
    this.notes = []; // the messages for which room over the hand is reserved
    this.game = ""; // the game to which they belong
    this.isCramped = false; // whether the chat took room from the table when they were set
    const again = () => {
      this.measure();
      this.layFan();
    };
    new ResizeObserver(again).observe(this.fan);
    addEventListener("resize", again); // cards may grow while the fan's width stays the same
  }

  /** Measures the room of the fan. Call it before drawing, because afterwards it costs another layout. */
  measure() {
    this.widest = parseFloat(getComputedStyle(this.root).getPropertyValue("--widest"));
    this.room = this.fan.clientWidth;
  }

  /** Draws the reader's hand; a spectator has none. @param {HandState} state */
  draw(state) {
    const { hand, choice, others, isAsked } = state;
    this.root.classList.toggle("busy", state.isBusy);
    this.root.classList.toggle("turn", Boolean(hand?.is_awaited && hand.moves.length));
    this.root.classList.toggle("choosing", choice.chosen.length > 0);
    this.drawSafe(state);
    this.drawFan(state);

    const moves = hand?.moves ?? [];
    this.root.classList.toggle("can-play", moves.some(isByCard));
    const open = choice.chosen.length
      ? [...choice.fitting].sort((one, other) => one.cards.length - other.cards.length)
      : [];
    this.drawCoach(state);
    this.drawMoves(this.choices, [...open.slice(0, MAX_CHOICES), ...moves.filter(isApart)], state);
    this.drawMoves(this.big, moves.filter(isBig), state);
    this.drawOthers(this.answers, isAsked ? others : [], "button");
    this.drawOthers(this.tools, isAsked ? [] : others, "tool");
  }

  /** Draws the note and the tip over the hand, which are hidden while cards are chosen. @param {HandState} state */
  drawCoach(state) {
    const { choice, isBusy, me, on } = state;
    const note = noteOf(state);
    fill(this.note, note, () => pieces(note, me, on));
    this.note.hidden = !note.length;
    this.tip.hidden = isBusy || !isTipped(state);
    this.coach.hidden = choice.chosen.length > 0 || (this.note.hidden && this.tip.hidden);
  }

  /**
   * Returns the messages that need room over the hand. The table changes its layout for them as seldom as possible. A
   * shorter message keeps the room of the longest one in this game, unless the chat opens or closes. A row of answers
   * keeps its room until the reader's next move.
   * @param {HandState} state
   */
  notesOver(state) {
    const { board, hand, isAsked, isBusy, isCramped } = state;
    if (board.asked.length) return []; // a question to everybody takes enough room

    const isSame = board.id === this.game && isCramped === this.isCramped;
    const isBetween = isSame && !isAsked && (isBusy || !hand?.moves.length);
    this.game = board.id;
    this.isCramped = isCramped;
    if (hand && isBetween) return this.notes;

    const longest = hand && isSame ? this.notes.filter(({ row }) => !row) : [];
    const newest = hand ? notesIn(state) : [];
    this.notes = lettersIn(newest) < lettersIn(longest) ? longest : newest;
    return this.notes;
  }

  /** Shows the reader's place when they are out of cards and the game continues without them. @param {HandState} state */
  drawSafe({ board, own }) {
    const seat = own === null ? null : board.seats[own];
    const isSafe = Boolean(seat?.is_out && !board.is_over);
    this.root.classList.toggle("is-safe", isSafe);
    this.safe.hidden = !isSafe;
    if (!seat || !isSafe) return;

    const { place } = seat;
    const sentence = t("🏆 Place {place} of {n}.", { place, n: board.seats.length });
    fill(this.safe, sentence, () => [sentence]);
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
        const isAdvised = advised.includes(card);
        const isDragged = item.classList.contains("dragged");
        const marks = { chosen: isChosen, playable: isPlayable, idle: isIdle, advised: isAdvised, dragged: isDragged };
        item.className = classes("held", marks);
        Object.assign(item.dataset, { zone: "hand", card: key });
        item.ariaPressed = String(isChosen);

        const label = [words(card)];
        if (isAdvised) label.push(t("advised"));
        if (isIdle && hand?.is_awaited) label.push(t("can't be played now"));
        item.ariaLabel = [...label, shortly(card)].join(", "); // the name has to contain the visible text
      },
    });
    this.layFan();
  }

  /** Lays the cards side by side, overlapping only as far as necessary. */
  layFan() {
    const { card, rows, height, places } = fanOf({
      count: this.cards.length,
      width: this.room,
      widest: this.widest,
    });
    this.fan.style.setProperty("--held", `${card}px`);
    this.fan.style.setProperty("--rows", String(rows));
    this.fan.style.setProperty("--fan", `${height}px`);
    all("button", this.fan).forEach((item, n) => {
      const { x, y, turn } = places[n];
      item.style.setProperty("left", `${x}px`);
      item.style.setProperty("top", `${y}px`);
      item.style.setProperty("--tilt", `${turn}deg`);
    });
  }

  /**
   * Draws buttons for moves, kept by the move's name, so that a finger on one always means its newest token.
   * @param {HTMLElement} parent
   * @param {BoardMove[]} moves
   * @param {HandState} state
   */
  drawMoves(parent, moves, { hand }) {
    keep(
      parent,
      moves.map((move) => ({ move, name: nameOf(move) })),
      {
        key: ({ name }) => name,
        make: () => button(),
        update: (item, { move, name }) => {
          item.className = classes(`move ${move.kind}`, { advised: hand?.advice === move.token });
          item.dataset.move = name;
          if (isBig(move)) item.setAttribute("aria-keyshortcuts", move.kind === "take" ? "T" : "D");
          const { label } = move;
          fill(item, label, () => withCards(label));
        },
      },
    );
  }

  /**
   * Draws buttons other than moves, with sign and label apart, so that styles can hide the label if there is little room.
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

  /** Shakes refused cards, or the button of a refused move without cards. @param {CardKey[]} keys @param {BoardMove} [move] */
  shake(keys, move) {
    const cards = keys.flatMap((key) => this.cardAt(key) ?? []);
    const name = move ? nameOf(move) : "";
    const buttons = all(".move", this.root).filter((each) => each.dataset.move === name);
    (cards.length ? cards : buttons).forEach(shake);
  }

  /** Returns the element of a card. @param {CardKey} key */
  cardAt(key) {
    return first(`[data-key="${CSS.escape(key)}"]`, this.fan);
  }
}

/** Returns whether a move has its own button over the hand. @param {BoardMove} move */
function isApart(move) {
  return !isByCard(move) && !isBig(move);
}

/** Returns whether to show the tip on how to play, which disappears once the reader has played a card here. @param {HandState} state */
function isTipped({ board, hand, isAsked, isCramped }) {
  if (preferences.played || isAsked || isCramped || board.asked.length > 0) return false;
  return Boolean(hand && !hand.advice && hand.moves.some(isByCard));
}

/** Returns the note over the hand; while the chat takes room from the table, only one with a question. @param {HandState} state */
function noteOf({ hand, isAsked, isCramped }) {
  return isCramped && !isAsked ? [] : (hand?.note ?? []);
}

/** Lists the messages over a hand: the tip, the note, and a row of the note's answers or of moves without a card. @param {HandState} state @returns {Note[]} */
function notesIn(state) {
  const { hand, others, isAsked } = state;
  /** @type {Note[]} */
  const notes = [];
  if (isTipped(state)) notes.push({ letters: TIP.length + HOW.length, row: 0 });
  const note = plain(noteOf(state));
  if (note) notes.push({ letters: note.length, row: 0 });
  if (!notes.length) return notes;

  const labels = isAsked ? others : (hand?.moves.filter(isApart) ?? []);
  const letters = labels.reduce((sum, { label }) => sum + label.length + AROUND, 0);
  return letters ? [...notes, { letters, row: ROW }] : notes;
}

/** @param {Note[]} notes */
function lettersIn(notes) {
  return notes.reduce((sum, { letters }) => sum + letters, 0);
}

/** @param {Choice} choice @param {Card} card */
function aims(choice, card) {
  return choice.movesWith([card]).some((move) => move.attack === choice.aim);
}
