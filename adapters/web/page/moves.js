// A move of the reader, from the first card that is chosen until the table shows it.

/** @import {Answer, Board, BoardMove, BoardPair, Card, CardKey, From, Touched, View} from "../types" */
import { keyed } from "./cards.js";
import { wish, wishes } from "./memory.js";
import { toast } from "./notices.js";
import { t } from "./texts.js";

// --- What a tap on a card means: which moves the chosen cards leave open. Nothing is drawn here.

const BY_CARD = new Set(["attack", "beat", "transfer"]); // all others have their own buttons
const BIG = new Set(["take", "done"]);

/** @param {BoardMove} move */
export const isByCard = (move) => BY_CARD.has(move.kind);

/** @param {BoardMove} move */
export const isBig = (move) => BIG.has(move.kind);

/** Returns a name of a move that stays, whatever the moment at which it is offered. @param {BoardMove} move */
export const nameOf = (move) => [move.kind, ...move.cards, move.attack ?? ""].join(" ");

export class Choice {
  constructor() {
    /** @type {BoardMove[]} */
    this.moves = [];
    /** @type {CardKey[]} */
    this.chosen = []; // cards of the hand, in the order in which they were tapped
    /** @type {Card | null} */
    this.aim = null; // the attack card that is to be beaten
    this.isOneTap = false; // whether a card is played by the first tap, if it can mean one thing
  }

  /**
   * Offers what may be done now, with the cards of these keys in the hand.
   * @param {BoardMove[]} moves
   * @param {CardKey[]} keys
   */
  offer(moves, keys) {
    this.moves = moves;
    const held = new Set(keys);
    this.chosen = this.chosen.filter((key) => held.has(key));
    if (!this.fitting.length) this.chosen = [];
    if (!moves.some((move) => move.attack === this.aim)) this.aim = null;
  }

  clear() {
    this.chosen = [];
    this.aim = null;
  }

  get cards() {
    return this.chosen.map(cardOf);
  }

  /** Moves that use all chosen cards, and maybe more. */
  get fitting() {
    return this.chosen.length ? this.movesWith(this.cards) : [];
  }

  /** Moves that use exactly the chosen cards. */
  get exact() {
    return this.fitting.filter((move) => move.cards.length === this.chosen.length);
  }

  /** Moves by card that use these cards, and maybe more. @param {Card[]} cards */
  movesWith(cards) {
    return this.moves.filter((move) => isByCard(move) && holds(move.cards, cards));
  }

  /** Returns whether a card can be played, alone or with others. @param {Card} card */
  isPlayable(card) {
    return this.movesWith([card]).length > 0;
  }

  /** Returns the attack cards that the chosen cards, or any, can beat. */
  get targets() {
    return new Set(this.exact.flatMap((move) => (move.attack ? [move.attack] : [])));
  }

  /**
   * Takes a tap on a card of the hand; returns the move that is meant, if there is only one and it is meant twice.
   * @param {CardKey} key
   * @returns {BoardMove | null}
   */
  tapCard(key) {
    const card = cardOf(key);
    if (this.aim) {
      const beats = this.movesWith([card]).find((move) => move.attack === this.aim);
      if (beats) return beats;
      this.aim = null;
    }

    if (this.chosen.includes(key)) {
      const { exact } = this;
      if (this.chosen.length === 1) return exact.length === 1 ? exact[0] : null;
      this.chosen = this.chosen.filter((each) => each !== key);
      return null;
    }

    const alone = this.chosen.length ? [] : this.movesWith([card]);
    const isOnly = alone.length === 1 && alone[0].cards.length === 1;
    if (this.isOneTap && isOnly) return alone[0];

    const together = [...this.cards, card];
    if (this.chosen.length && this.movesWith(together).length) this.chosen.push(key);
    else this.chosen = this.isPlayable(card) ? [key] : [];
    return null;
  }

  /** Takes a tap on an attack card on the table. @param {Card} attack */
  tapAttack(attack) {
    const beats = this.exact.find((move) => move.attack === attack);
    if (beats) return beats;
    if (this.chosen.length) return this.tapTable();
    this.aim = this.aim !== attack && this.moves.some((move) => move.attack === attack) ? attack : null;
    return null;
  }

  /** Takes a tap on the table itself: the chosen cards are laid if that means one thing, else put back. */
  tapTable() {
    const meant = this.exact;
    if (meant.length === 1) return meant[0];
    this.clear();
    return null;
  }

  /** Takes a card that was dropped on an attack card, or on the table beside all. @param {CardKey} key @param {Card | null} attack */
  drop(key, attack) {
    const cards = this.chosen.includes(key) ? this.cards : [cardOf(key)];
    const exact = this.movesWith(cards).filter((move) => move.cards.length === cards.length);
    const there = exact.filter((move) => move.attack === attack);
    if (there.length === 1) return there[0];
    if (exact.length === 1 && attack === null) return exact[0];
    if (exact.length) this.chosen = this.chosen.includes(key) ? this.chosen : [key];
    return null;
  }
}

/** @param {CardKey} key */
export const cardOf = (key) => key.slice(0, 2);

/** Returns whether all of `some` are among `cards`, each as often. @param {Card[]} cards @param {Card[]} some */
function holds(cards, some) {
  const rest = [...cards];
  return some.every((card) => {
    const place = rest.indexOf(card);
    if (place < 0) return false;
    rest.splice(place, 1);
    return true;
  });
}

// --- A move of the reader that is on its way: it is seen at once, and sent at once unless it may be taken back first.

const SETTLED_MS = 1_500; // after its answer a move may take so long to be seen on the table
const NEXT_HAND_MS = 600; // a move that the newest hand does not offer waits this long for the next one

/** @typedef {(message: string, token: string, isMoot?: () => boolean) => Promise<Answer | null>} Send */

export class Underway {
  /**
   * @param {Send} send presses a button and gives the answer, or null when it was refused
   * @param {() => void} changed draws everything again
   * @param {(keys: CardKey[], move: BoardMove) => void} refused gets the cards of a move that was refused
   */
  constructor(send, changed, refused = () => {}) {
    this.send = send;
    this.changed = changed;
    this.refused = refused;
    /** @type {BoardMove | null} */
    this.move = null;
    /** @type {Set<CardKey>} */
    this.keys = new Set(); // of cards that are on their way to the table
    /** @type {View | null} */
    this.view = null;
    this.isDue = false; // whether it is to be sent now
    this.isSent = false;
    this.id = ""; // of the game, the step of its board and the cards of the hand when the move was begun
    this.step = 0;
    this.cards = "";
    /** @type {number | null} */
    this.own = null;
    this.timer = 0; // until it is sent, or refused
  }

  get mayBeUndone() {
    return Boolean(this.move && !this.isDue);
  }

  /**
   * Begins a move with the `chosen` cards, if any are.
   * @param {BoardMove} move
   * @param {CardKey[]} chosen
   * @param {number} delay milliseconds until it is sent
   */
  begin(move, chosen, delay) {
    if (!this.view) return;
    const { board, hand, own } = this.view;
    const cards = hand?.cards ?? [];
    const held = keyed(cards).map(({ key }) => key);
    const taken = isByCard(move) ? keysOf(move.cards, chosen, held) : [];

    this.move = move;
    this.keys = new Set(taken);
    this.id = board.id;
    this.step = board.step;
    this.cards = JSON.stringify(cards);
    this.own = own;
    this.isDue = false;
    this.isSent = false;
    if (delay) this.timer = setTimeout(() => this.dispatch(move), delay);
    else this.dispatch(move);
    this.changed();
  }

  takeBack() {
    if (this.mayBeUndone) this.end(this.move);
  }

  /** Takes over the newest view; a move that waits for its hand is sent. @param {View} view */
  look(view) {
    this.view = view;
    const { move } = this;
    if (move && this.isDue && !this.isSent) this.sendOffered(move);
  }

  /** Takes over the view that is drawn: the move is over once the table and the hand show it. @param {View} view */
  follow(view) {
    if (!this.move) return;
    if (this.isPlayed(view)) this.keys.clear();
    if (this.isOver(view)) this.clear();
  }

  /** Returns whether the move has changed the hand. @param {View} view */
  isPlayed({ hand }) {
    return !hand || JSON.stringify(hand.cards) !== this.cards;
  }

  /** Returns whether the move, or its game, is over. @param {View} view */
  isOver(view) {
    const isSeen = view.board.step > this.step && (!this.keys.size || this.isPlayed(view));
    return view.board.id !== this.id || (this.isSent && isSeen);
  }

  /** Sends a move; one that is not offered now may be in the next hand, which is on its way. @param {BoardMove} move */
  dispatch(move) {
    this.isDue = true;
    if (this.sendOffered(move)) return;

    this.timer = setTimeout(() => {
      toast(t("Too late: that is no longer possible."), "danger");
      this.refuse(move);
    }, NEXT_HAND_MS);
  }

  /** Sends a move if the newest hand offers it; returns whether it does. @param {BoardMove} move */
  sendOffered(move) {
    const { id, view } = this;
    const offered = view?.hand?.moves.find((each) => nameOf(each) === nameOf(move));
    if (!offered || !view?.handMessage || view.board.id !== id) return false;

    clearTimeout(this.timer);
    this.isSent = true;
    this.press(move, view.handMessage, offered.token);
    return true;
  }

  /** @param {BoardMove} move @param {string} message @param {string} token */
  async press(move, message, token) {
    const isMoot = () => this.move !== move || !this.view || this.isOver(this.view); // it counted, though its answer was lost
    const answer = await this.send(message, token, isMoot);
    if (isRefusal(answer)) this.refuse(move);
    else setTimeout(() => this.end(move), SETTLED_MS);
  }

  /** Puts the cards of a refused move back. @param {BoardMove} move */
  refuse(move) {
    if (this.move !== move) return;
    const keys = [...this.keys];
    this.end(move);
    this.refused(keys, move);
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
   * Returns a board with the move as if it had been made.
   * @param {Board} board
   * @returns {Board}
   */
  boardAfter(board) {
    if (!this.move || !isByCard(this.move)) return board;
    const { cards } = this.move;
    const lying = board.bout.flatMap((pair) => [pair.attack, pair.beat]);
    if (cards.every((card) => lying.includes(card))) return board;

    const seats = [...board.seats];
    if (this.own !== null) {
      const seat = seats[this.own];
      seats[this.own] = { ...seat, cards: seat.cards - cards.length };
    }
    return { ...board, seats, bout: boutAfter(board.bout, this.move, this.own) };
  }
}

/** Returns whether a press was refused: a move that counts is answered by the table. @param {Answer | null} answer */
function isRefusal(answer) {
  return !answer || Boolean(answer.toast);
}

/** Returns a bout after a move by card. @param {BoardPair[]} bout @param {BoardMove} move @param {number | null} by */
function boutAfter(bout, { kind, cards, attack }, by) {
  if (kind !== "beat") return [...bout, ...cards.map((card) => ({ attack: card, beat: null, by }))];

  const isBeaten = (/** @type {BoardPair} */ pair) => pair.attack === attack && !pair.beat;
  return bout.map((pair) => (isBeaten(pair) ? { ...pair, beat: cards[0] } : pair));
}

/**
 * Returns the cards of the hand that a move takes: the chosen ones, where equal ones are held.
 * @param {Card[]} cards
 * @param {CardKey[]} chosen
 * @param {CardKey[]} held
 */
function keysOf(cards, chosen, held) {
  const free = [...chosen, ...held.filter((key) => !chosen.includes(key))];
  return cards.map((card) => {
    const place = free.findIndex((key) => key.startsWith(card));
    const [taken] = free.splice(place, 1);
    return taken;
  });
}

// --- What the reader is about to do: what is chosen, what waits for a second tap, what is on its way ---

const ARMED_MS = 4_000; // so long a big button waits for its second tap
const UNDO_MS = 2_000; // so long a move can be taken back, where one tap plays

/**
 * @typedef {object} Table what surrounds the reader's turn
 * @property {Send} send
 * @property {() => void} draw draws everything at once
 * @property {() => void} change draws everything in the browser's next frame
 * @property {() => void} catchUp draws what waits for that frame
 * @property {(token: string, from: From) => void} press presses a button that is no move
 * @property {(keys: CardKey[], move?: BoardMove) => void} shake shakes cards that were refused, or the button of a move without any
 */

export class Turn {
  /** @param {Table} table */
  constructor(table) {
    this.table = table;
    this.choice = new Choice();
    this.underway = new Underway(table.send, () => table.draw(), table.shake);
    /** @type {View | null} */
    this.view = null; // as it is drawn
    /** @type {string | null} */
    this.armed = null; // the name of the move that waits for a second tap
    this.disarm = 0;
    /** @type {Touched | null} */
    this.nextTap = null; // what was tapped while a move was on its way
  }

  /** Takes over what is drawn now. @param {View | null} view */
  offer(view) {
    this.view = view;
    if (!view) return;

    this.underway.follow(view);
    const { hand } = view;
    const held = keyed(hand?.cards ?? []).map(({ key }) => key);
    this.choice.isOneTap = Boolean(hand?.one_tap);
    this.choice.offer(this.underway.move ? [] : (hand?.moves ?? []), held);
    if (this.armed && !this.moveOf(this.armed)) this.armed = null;
  }

  /** Keeps a tap for the moment at which the move that is on its way has arrived, unless it means the same move. @param {Touched} what */
  keep(what) {
    const { move, isDue } = this.underway;
    const isSame = what.type === "move" && move && what.name === nameOf(move);
    if (isDue && !isSame) this.nextTap = what;
  }

  /** Does what was tapped while a move was on its way, once it has arrived. */
  goOn() {
    if (!this.nextTap || this.underway.move) return;
    const { nextTap } = this;
    this.nextTap = null;
    this.tap(nextTap);
  }

  /** @param {string} name */
  moveOf(name) {
    return this.view?.hand?.moves.find((move) => nameOf(move) === name);
  }

  /** Does what a tap means. @param {Touched} what */
  tap(what) {
    this.table.catchUp();
    if (what.type === "other") this.table.press(what.token, what.from);
    else if (what.type === "undo") this.underway.takeBack();
    else if (this.underway.move) this.keep(what);
    else if (what.type === "move") this.tapMove(what.name);
    else if (what.type === "card") this.tapCard(what.key);
    else if (what.type === "attack") this.mean(this.choice.tapAttack(what.attack));
    else if (this.view) this.mean(this.choice.tapTable());
  }

  /** @param {CardKey} key */
  tapCard(key) {
    const idle = this.view?.hand?.idle.find(({ card }) => card === cardOf(key));
    if (idle && this.view?.handMessage && !this.choice.chosen.length) {
      this.askWhy(key, this.view.handMessage, idle.token);
      return;
    }

    const meant = this.choice.tapCard(key);
    const { exact, fitting } = this.choice;
    const isOnly = wishes.undo && fitting.length === 1 && exact.length === 1;
    this.mean(meant ?? (isOnly ? exact[0] : null));
  }

  /** Asks why a card can't be played: the answer is the refusal. @param {CardKey} key @param {string} message @param {string} token */
  async askWhy(key, message, token) {
    const answer = await this.table.send(message, token);
    if (isRefusal(answer)) this.table.shake([key]);
  }

  /** @param {BoardMove | null} move */
  mean(move) {
    this.armed = null;
    if (move) this.play(move);
    else this.table.draw();
  }

  /** @param {string} name */
  tapMove(name) {
    const move = this.moveOf(name);
    if (!move) return;
    const isOnly = this.view?.hand?.moves.length === 1; // nothing else can have been meant
    const isChosen = isByCard(move) && this.choice.chosen.length > 0;
    if (isOnly || wishes.undo || this.armed === name || isChosen) {
      this.play(move, isOnly);
      return;
    }

    this.armed = name;
    this.choice.clear();
    clearTimeout(this.disarm);
    this.disarm = setTimeout(() => {
      this.armed = null;
      this.table.change();
    }, ARMED_MS);
    this.table.draw();
  }

  /** Makes a move; one that `isSure` cannot have been meant otherwise. @param {BoardMove} move */
  play(move, isSure = false) {
    const { chosen } = this.choice;
    if (isByCard(move) && !wishes.played) wish("played", true);
    this.armed = null;
    this.choice = new Choice();
    const mayBeUndone = wishes.undo && !isSure;
    this.underway.begin(move, chosen, mayBeUndone ? UNDO_MS : 0);
  }

  /** Plays what is chosen, if that means one thing; returns whether it does. */
  confirm() {
    if (this.armed) this.tap({ type: "move", name: this.armed });
    else if (this.choice.exact.length === 1) this.play(this.choice.exact[0]);
    else return false;
    return true;
  }

  clear() {
    this.choice.clear();
    this.armed = null;
    this.table.draw();
  }

  // --- dragging a card ---

  /** Chooses a card that is picked up; returns whether it may be. @param {CardKey} key */
  pickUp(key) {
    if (this.underway.move || !this.choice.isPlayable(cardOf(key))) return false;
    if (!this.choice.chosen.includes(key)) {
      this.choice.clear();
      this.choice.tapCard(key);
    }
    return true;
  }

  /** Plays a card where it was dropped: on an attack card, or null: beside all. @param {CardKey} key @param {Card | null} attack */
  drop(key, attack) {
    if (!this.view || this.underway.move) return;
    const move = this.choice.drop(key, attack);
    if (move) this.play(move, true);
  }
}
