// The reader's move, from the first chosen card until the table shows it.

/** @import {Answer, Board, BoardMove, BoardPair, Card, CardKey, From, Target, View} from "../types" */
import { keyed } from "./cards.js";
import { isInside } from "./inside.js";
import { preferences, setPreference } from "./memory.js";
import { toast } from "./notices.js";
import { t } from "./texts.js";

// --- The choice: which moves the chosen cards allow, and what a tap means. Nothing is drawn here.

const BY_CARD = new Set(["attack", "beat", "transfer"]); // all others have their own buttons
const BIG = new Set(["take", "done"]);

/** @param {BoardMove} move */
export const isByCard = (move) => BY_CARD.has(move.kind);

/** @param {BoardMove} move */
export const isBig = (move) => BIG.has(move.kind);

/** Returns a name of a move that is the same in every hand that offers it. @param {BoardMove} move */
export const nameOf = (move) => [move.kind, ...move.cards, move.attack ?? ""].join(" ");

export class Choice {
  constructor() {
    /** @type {BoardMove[]} */
    this.moves = [];
    /** @type {CardKey[]} */
    this.chosen = []; // cards of the hand, in the order in which they were tapped
    /** @type {Card | null} */
    this.aim = null; // the attack card that the reader has chosen to beat
    this.isOneTap = false; // whether the first tap plays a card that allows only one move
    /** @type {BoardMove[]} */
    this.cheats = []; // moves against the rules, which only a drag can mean
  }

  /**
   * Sets the moves that are possible now and the cards in the hand, and drops chosen cards that no longer fit.
   * @param {BoardMove[]} moves
   * @param {CardKey[]} keys
   * @param {BoardMove[]} [cheats]
   */
  offer(moves, keys, cheats = []) {
    this.moves = moves;
    this.cheats = cheats;
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

  /** Moves that use all chosen cards, and possibly more. */
  get fitting() {
    return this.chosen.length ? this.movesWith(this.cards) : [];
  }

  /** Moves that use exactly the chosen cards. */
  get exact() {
    return this.fitting.filter((move) => move.cards.length === this.chosen.length);
  }

  /** Returns the moves by card that use these cards, and possibly more. @param {Card[]} cards */
  movesWith(cards) {
    return this.moves.filter((move) => isByCard(move) && holds(move.cards, cards));
  }

  /** Returns whether a card can be played, alone or with others. @param {Card} card */
  isPlayable(card) {
    return this.movesWith([card]).length > 0;
  }

  /** The attack cards that the chosen card can beat. */
  get targets() {
    return new Set(this.exact.flatMap((move) => (move.attack ? [move.attack] : [])));
  }

  /**
   * Handles a tap on a card of the hand; returns the move to play, or null if the tap only changes the choice. A move is
   * played by a second tap on its card, or by the first one if `isOneTap` or `aim` makes it certain.
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

  /** Handles a tap on an attack card on the table; returns the move to play, if any. @param {Card} attack */
  tapAttack(attack) {
    const beats = this.exact.find((move) => move.attack === attack);
    if (beats) return beats;
    if (this.chosen.length) return this.tapTable();
    this.aim = this.aim !== attack && this.moves.some((move) => move.attack === attack) ? attack : null;
    return null;
  }

  /** Handles a tap on the table: returns the only move with the chosen cards, or clears the choice. */
  tapTable() {
    const meant = this.exact;
    if (meant.length === 1) return meant[0];
    this.clear();
    return null;
  }

  /** Chooses a card that is picked up; returns whether it can be dragged to the table. @param {CardKey} key */
  pickUp(key) {
    if (!this.mayBeDragged(cardOf(key))) return false;
    if (!this.chosen.includes(key)) {
      this.clear();
      this.tapCard(key);
    }
    return true;
  }

  /** Handles a card dropped on an attack card, or elsewhere on the table; returns the move to play, if any. @param {CardKey} key @param {Card | null} attack */
  drop(key, attack) {
    const cards = this.chosen.includes(key) ? this.cards : [cardOf(key)];
    const exact = this.movesWith(cards).filter((move) => move.cards.length === cards.length);
    const there = exact.filter((move) => move.attack === attack);
    if (there.length === 1) return there[0];
    if (exact.length === 1 && attack === null) return exact[0];
    if (exact.length) this.chosen = this.chosen.includes(key) ? this.chosen : [key];
    return null;
  }

  // --- against the rules ---

  /** Returns the moves against the rules with a card. @param {Card} card */
  cheatsWith(card) {
    return this.cheats.filter(({ cards }) => cards.length === 1 && cards[0] === card);
  }

  /** Returns whether a card can be dragged to the table, by the rules or against them. @param {Card} card */
  mayBeDragged(card) {
    return this.isPlayable(card) || this.cheatsWith(card).length > 0;
  }

  /** Returns the attack cards on which a card can be dropped. @param {CardKey} key @returns {Set<Card>} */
  dropTargets(key) {
    const beaten = this.chosen.length > 1 ? [] : this.cheatsWith(cardOf(key)).flatMap(({ attack }) => attack ?? []);
    return new Set([...this.targets, ...beaten]);
  }

  /**
   * Returns the move against the rules that a drop means, if it means none by the rules. A card that fits somewhere has to be
   * dropped on an attack card, so that nobody cheats by missing its target.
   * @param {CardKey} key
   * @param {Card | null} attack
   */
  cheat(key, attack) {
    if (this.chosen.length > 1) return null;

    const card = cardOf(key);
    const there = this.cheatsWith(card).filter((move) => move.attack === attack);
    const isMeant = attack !== null || !this.isPlayable(card);
    return isMeant && there.length === 1 ? there[0] : null;
  }
}

/** @param {CardKey} key */
export const cardOf = (key) => key.slice(0, 2);

/** Returns whether `cards` contains all of `some`, counting equal cards. @param {Card[]} cards @param {Card[]} some */
function holds(cards, some) {
  const rest = [...cards];
  return some.every((card) => {
    const place = rest.indexOf(card);
    if (place < 0) return false;
    rest.splice(place, 1);
    return true;
  });
}

// --- The move in progress: it is shown at once, and sent at once unless it can be undone first.

const SETTLED_MS = 1_500; // the time after its answer in which a move should appear on the table
const DOUBLE_TAP_MS = 400;
const NEXT_HAND_MS = 600; // how long a move that the newest hand does not offer waits for the next hand

/** @typedef {(message: string, token: string, isMoot?: () => boolean) => Promise<Answer | null>} Send */

export class Underway {
  /**
   * @param {Send} send presses a button and returns the answer, or null if it was refused
   * @param {() => void} changed redraws everything
   * @param {(keys: CardKey[], move: BoardMove) => void} refused called with the cards of a refused move
   */
  constructor(send, changed, refused = () => {}) {
    this.send = send;
    this.changed = changed;
    this.refused = refused;
    /** @type {BoardMove | null} */
    this.move = null;
    /** @type {Set<CardKey>} */
    this.keys = new Set(); // of the move's cards that have left the hand
    /** @type {View | null} */
    this.view = null;
    this.isDue = false; // whether the time to undo the move is over
    this.isSent = false;
    this.id = ""; // of the game; with the next two, the state when the move began
    this.step = 0;
    this.cards = "";
    /** @type {number | null} */
    this.own = null;
    this.begun = 0; // milliseconds, by the clock of the page
    this.timer = 0; // for sending or refusing the move
  }

  get mayBeUndone() {
    return Boolean(this.move && !this.isDue);
  }

  /**
   * Begins a move, with the `chosen` cards among equal ones.
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
    this.begun = performance.now();
    if (delay) this.timer = setTimeout(() => this.dispatch(move), delay);
    else this.dispatch(move);
    this.changed();
  }

  /** Sends the move now, without the rest of the time to undo it. */
  hasten() {
    if (!this.move || !this.mayBeUndone) return;
    clearTimeout(this.timer);
    this.dispatch(this.move);
    this.changed();
  }

  /** Undoes the move. Right after a big button it is the second tap on that button, and sends the move. */
  takeBack() {
    const { move } = this;
    if (!move || !this.mayBeUndone) return;

    const isDoubleTap = isBig(move) && performance.now() - this.begun < DOUBLE_TAP_MS;
    if (isDoubleTap) this.hasten();
    else this.end(move);
  }

  /** Sets the newest view, and sends a move that waited for its hand. @param {View} view */
  look(view) {
    this.view = view;
    const { move } = this;
    if (move && this.isDue && !this.isSent) this.sendOffered(move);
  }

  /** Compares the move with the view to be drawn; it is over once the table and the hand show it. @param {View} view */
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

  /** Sends a move, or waits a moment for the next hand if the newest one does not offer it. @param {BoardMove} move */
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
    const offered = movesOf(view).find((each) => nameOf(each) === nameOf(move));
    if (!offered || !view?.handMessage || view.board.id !== id) return false;

    clearTimeout(this.timer);
    this.isSent = true;
    this.press(move, view.handMessage, offered.token);
    return true;
  }

  /** @param {BoardMove} move @param {string} message @param {string} token */
  async press(move, message, token) {
    const isMoot = () => this.move !== move || !this.view || this.isOver(this.view); // it counted even if the answer was lost
    const answer = await this.send(message, token, isMoot);
    if (isRefusal(answer)) this.refuse(move);
    else setTimeout(() => this.end(move), SETTLED_MS);
  }

  /** Returns the cards of a refused move to the hand. @param {BoardMove} move */
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
   * Returns a board as it will be after the move in progress.
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

/** Returns all moves of a hand, those against the rules at the end. @param {View | null} view */
function movesOf(view) {
  const { moves = [], cheats = [] } = view?.hand ?? {}; // a hand of an earlier version has no cheats
  return [...moves, ...cheats];
}

/** Returns whether a press was refused; an accepted move has no toast. @param {Answer | null} answer */
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
 * Returns the keys of a move's cards in the hand, preferring chosen ones among equal cards.
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

// --- The reader's turn: the choice, and the move in progress ---

export const UNDO_MS = 2_000; // how long a move can be undone

/**
 * @typedef {object} Table the functions of the table that a turn needs
 * @property {Send} send
 * @property {() => void} draw draws everything at once
 * @property {() => void} change draws everything in the next animation frame
 * @property {() => void} catchUp draws pending changes at once
 * @property {(token: string, from: From) => void} press presses a button other than a move
 * @property {(play: () => void) => void} askToCheat asks whether to play a card against the rules
 * @property {(keys: CardKey[], move?: BoardMove) => void} shake shakes refused cards, or the button of a move without cards
 */

export class Turn {
  /** @param {Table} table */
  constructor(table) {
    this.table = table;
    this.choice = new Choice();
    this.underway = new Underway(table.send, () => table.draw(), table.shake);
    /** @type {View | null} */
    this.view = null; // the view that is drawn
    /** @type {Target | null} */
    this.nextTap = null; // a tap during the move in progress
  }

  /** Sets the view to be drawn. @param {View | null} view */
  offer(view) {
    this.view = view;
    if (!view) return;

    this.underway.follow(view);
    const { hand } = view;
    const held = keyed(hand?.cards ?? []).map(({ key }) => key);
    this.choice.isOneTap = this.isOneTap;
    const { moves = [], cheats = [] } = (!this.underway.move && hand) || {};
    this.choice.offer(moves, held, cheats);
  }

  /** Whether one tap plays, and can be undone: a setting of guests, and in a chat's view one of the device. */
  get isOneTap() {
    return isInside ? preferences.undo : Boolean(this.view?.hand?.one_tap);
  }

  /** Keeps a tap until the move in progress has arrived. A second tap on the same move ends the time to undo it. @param {Target} what */
  keep(what) {
    const { move, isDue } = this.underway;
    const isSame = what.type === "move" && move && what.name === nameOf(move);
    if (isSame) this.underway.hasten();
    else if (isDue) this.nextTap = what;
  }

  /** Performs the tap that was kept during a move, once the move has arrived. */
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

  /** Handles a tap. @param {Target} what */
  tap(what) {
    this.table.catchUp();
    if (what.type === "other") this.table.press(what.token, what.from);
    else if (what.type === "undo") this.underway.takeBack();
    else if (this.underway.move) this.keep(what);
    else if (what.type === "move") this.tapMove(what.name);
    else if (what.type === "card") this.tapCard(what.key);
    else if (what.type === "attack") this.playOrRedraw(this.choice.tapAttack(what.attack));
    else if (this.view) this.playOrRedraw(this.choice.tapTable());
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
    const isOnly = this.isOneTap && fitting.length === 1 && exact.length === 1;
    this.playOrRedraw(meant ?? (isOnly ? exact[0] : null));
  }

  /** Asks why a card can't be played, by sending a move that the bot refuses with the reason. @param {CardKey} key @param {string} message @param {string} token */
  async askWhy(key, message, token) {
    const answer = await this.table.send(message, token);
    if (isRefusal(answer)) this.table.shake([key]);
  }

  /** @param {BoardMove | null} move */
  playOrRedraw(move) {
    if (move) this.play(move);
    else this.table.draw();
  }

  /** @param {string} name */
  tapMove(name) {
    const move = this.moveOf(name);
    if (move) this.play(move);
  }

  /**
   * Makes a move. Taking cards can be undone for a moment, and every move if the reader plays with one tap.
   * @param {BoardMove} move
   * @param {boolean} isSure whether the move cannot be a mistake, so that it is sent at once
   */
  play(move, isSure = false) {
    const { chosen } = this.choice;
    if (isByCard(move) && !preferences.played) setPreference("played", true);
    this.choice = new Choice();
    const isOnly = this.view?.hand?.moves.length === 1; // the reader can't have meant anything else
    const mayBeUndone = !isSure && !isOnly && (this.isOneTap || move.kind === "take");
    this.underway.begin(move, chosen, mayBeUndone ? UNDO_MS : 0);
  }

  /** Plays the only move with the chosen cards; returns whether there is one. */
  confirm() {
    const { exact } = this.choice;
    if (exact.length !== 1) return false;
    this.play(exact[0]);
    return true;
  }

  clear() {
    this.choice.clear();
    this.table.draw();
  }

  // --- dragging a card ---

  /** Chooses a card that is picked up; returns whether it can be played. @param {CardKey} key */
  pickUp(key) {
    return !this.underway.move && this.choice.pickUp(key);
  }

  /** Plays a card that was dropped on an attack card, or (null) elsewhere on the table. @param {CardKey} key @param {Card | null} attack */
  drop(key, attack) {
    if (!this.view || this.underway.move) return;
    const move = this.choice.drop(key, attack);
    const cheat = move ? null : this.choice.cheat(key, attack);
    if (move) this.play(move, true);
    else if (cheat) this.playCheat(cheat);
  }

  /** Plays a move against the rules; asks first if the reader has never done so on this device. @param {BoardMove} move */
  playCheat(move) {
    if (preferences.cheats) {
      this.play(move, true);
      return;
    }

    this.table.askToCheat(() => {
      setPreference("cheats", true);
      this.play(move, true);
    });
  }
}
