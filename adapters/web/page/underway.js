// A move of the reader that is on its way: it is seen at once, and sent at once unless it may be taken back first.

/** @import {Answer, Board, BoardMove, Card, CardKey, View} from "../types" */
import { isByCard, nameOf } from "./choice.js";
import { keyed } from "./cards.js";
import { said } from "./texts.js";
import { toast } from "./toast.js";

const SETTLED_MS = 1_500; // after its answer a move may take so long to be seen on the table

/** @typedef {(message: string, token: string, isMoot?: () => boolean) => Promise<Answer | null>} Send */

export class Underway {
  /**
   * @param {Send} send presses a button and gives the answer, or null when it was refused
   * @param {() => void} changed draws everything again
   */
  constructor(send, changed) {
    this.send = send;
    this.changed = changed;
    /** @type {BoardMove | null} */
    this.move = null;
    /** @type {Set<CardKey>} */
    this.keys = new Set(); // of cards that are on their way to the table
    /** @type {View | null} */
    this.view = null;
    this.isSent = false;
    this.id = ""; // of the game, the step of its board and the cards of the hand when the move was begun
    this.step = 0;
    this.cards = "";
    /** @type {number | null} */
    this.own = null;
    this.timer = 0; // until it is sent
  }

  get mayBeUndone() {
    return Boolean(this.move && !this.isSent);
  }

  /**
   * Begin a move with the `chosen` cards, if any are.
   * @param {BoardMove} move
   * @param {CardKey[]} chosen
   * @param {number} delay milliseconds until it is sent
   */
  begin(move, chosen, delay) {
    if (!this.view) return;
    const { board: { id, step }, hand, own } = this.view;
    const cards = hand?.cards ?? [];
    const held = keyed(cards).map(({ key }) => key);
    Object.assign(this, { move, id, step, cards: JSON.stringify(cards), own, isSent: false });
    this.keys = new Set(isByCard(move) ? keysOf(move.cards, chosen, held) : []);
    if (delay) this.timer = setTimeout(() => this.dispatch(move), delay);
    else this.dispatch(move);
    this.changed();
  }

  takeBack() {
    if (this.mayBeUndone) this.end(this.move);
  }

  /** Look at the newest that is known. @param {View} view */
  look(view) {
    this.view = view;
  }

  /** Look at what is drawn now: the move is over once the table and the hand show it. @param {View} view */
  drawn(view) {
    if (!this.move) return;
    if (this.isPlayed(view)) this.keys.clear();
    if (this.isOver(view)) this.clear();
  }

  /** Whether the move has changed the hand. @param {View} view */
  isPlayed({ hand }) {
    return !hand || JSON.stringify(hand.cards) !== this.cards;
  }

  /** Whether the move, or its game, is over. @param {View} view */
  isOver(view) {
    const isSeen = view.board.step > this.step && (!this.keys.size || this.isPlayed(view));
    return view.board.id !== this.id || (this.isSent && isSeen);
  }

  /** Send a move as it is offered now. @param {BoardMove} move */
  async dispatch(move) {
    const { id, view } = this;
    const newest = view?.hand?.moves.find((each) => nameOf(each) === nameOf(move));
    if (!newest || !view?.handMessage || view.board.id !== id) {
      toast(said("Too late: that is no longer possible."), "danger");
      this.end(move);
      return;
    }
    this.isSent = true;
    const isMoot = () => this.move !== move || !this.view || this.isOver(this.view); // it counted, though its answer was lost
    const answer = await this.send(view.handMessage, newest.token, isMoot);
    if (!answer || answer.toast) this.end(move);
    else setTimeout(() => this.end(move), SETTLED_MS);
  }

  /** @param {BoardMove | null} move */
  end(move) {
    if (this.move !== move) return;
    this.clear();
    this.changed();
  }

  clear() {
    this.move = null;
    this.keys.clear();
    clearTimeout(this.timer);
  }

  /**
   * A board with the move as if it had been made.
   * @param {Board} board
   * @returns {Board}
   */
  laid(board) {
    if (!this.move || !isByCard(this.move)) return board;
    const { kind, cards, attack } = this.move;
    const lying = board.bout.flatMap((pair) => [pair.attack, pair.beat]);
    if (cards.every((card) => lying.includes(card))) return board;
    const seats = board.seats.map((seat, n) => (n === this.own ? { ...seat, cards: seat.cards - cards.length } : seat));
    const bout =
      kind === "beat"
        ? board.bout.map((pair) => (pair.attack === attack && !pair.beat ? { ...pair, beat: cards[0] } : pair))
        : [...board.bout, ...cards.map((card) => ({ attack: card, beat: null, by: this.own }))];
    return { ...board, seats, bout };
  }
}

/**
 * Which cards of the hand a move takes: the chosen ones, where equal ones are held.
 * @param {Card[]} cards
 * @param {CardKey[]} chosen
 * @param {CardKey[]} held
 */
function keysOf(cards, chosen, held) {
  const free = [...chosen, ...held.filter((key) => !chosen.includes(key))];
  return cards.map((card) => free.splice(free.findIndex((key) => key.startsWith(card)), 1)[0]);
}
