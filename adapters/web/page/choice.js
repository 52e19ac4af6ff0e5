// What a tap on a card means: which moves the chosen cards leave open. Nothing is drawn here.

/** @import {BoardMove, Card, CardKey} from "../types" */

const BY_CARD = new Set(["attack", "beat", "transfer"]); // all others have buttons of their own
const BIG = new Set(["take", "done"]);

/** @param {BoardMove} move */
export const isByCard = (move) => BY_CARD.has(move.kind);

/** @param {BoardMove} move */
export const isBig = (move) => BIG.has(move.kind);

/** What a move is, whatever the moment at which it was offered. @param {BoardMove} move */
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
   * Offer what may be done now, with the cards of these keys in the hand.
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

  /** Whether a card can be played, alone or with others. @param {Card} card */
  isPlayable(card) {
    return this.movesWith([card]).length > 0;
  }

  /** The attack cards that the chosen cards, or any, can beat. */
  get targets() {
    return new Set(this.exact.flatMap((move) => (move.attack ? [move.attack] : [])));
  }

  /**
   * A card of the hand was tapped: give the move that is meant, if there is only one and it is meant twice.
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
      if (this.chosen.length === 1) return this.exact.length === 1 ? this.exact[0] : null;
      this.chosen = this.chosen.filter((each) => each !== key);
      return null;
    }
    const alone = this.chosen.length ? [] : this.movesWith([card]);
    if (this.isOneTap && alone.length === 1 && alone[0].cards.length === 1) return alone[0];
    const together = [...this.cards, card];
    if (this.chosen.length && this.movesWith(together).length) this.chosen.push(key);
    else this.chosen = this.isPlayable(card) ? [key] : [];
    return null;
  }

  /** An attack card on the table was tapped. @param {Card} attack */
  tapAttack(attack) {
    const beats = this.exact.find((move) => move.attack === attack);
    if (beats) return beats;
    if (this.chosen.length) return this.tapTable();
    this.aim = this.aim !== attack && this.moves.some((move) => move.attack === attack) ? attack : null;
    return null;
  }

  /** The table itself was tapped: the chosen cards are laid if that means one thing, else put back. */
  tapTable() {
    const meant = this.exact;
    if (meant.length === 1) return meant[0];
    this.clear();
    return null;
  }

  /** A card was dropped on an attack card, or on the table beside all. @param {CardKey} key @param {Card | null} attack */
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

/** Whether all of `some` are among `cards`, each as often. @param {Card[]} cards @param {Card[]} some */
function holds(cards, some) {
  const rest = [...cards];
  return some.every((card) => {
    const place = rest.indexOf(card);
    if (place < 0) return false;
    rest.splice(place, 1);
    return true;
  });
}
