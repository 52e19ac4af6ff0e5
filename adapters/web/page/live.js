// The table and the hand, drawn live above and beside the chat: what is shown, and what becomes of a move.

import { LOST, SAFE, ring, turn } from "./alert.js";
import { BoardView } from "./board.js";
import { Boards } from "./boards.js";
import { keyed, spoken } from "./cards.js";
import { Choice, cardOf, isByCard, nameOf } from "./choice.js";
import { $, all, element, fill } from "./dom.js";
import { drawMessage, pieces } from "./draw.js";
import { makeRoom } from "./drawer.js";
import { HandView } from "./hand.js";
import { LobbyView } from "./lobby.js";
import { fly, move as moveCards, places, show } from "./motion.js";
import { Underway } from "./underway.js";
import { wish, wishes } from "./wishes.js";

const ARMED_MS = 4_000;
const UNDO_MS = 2_000;
const TICK_MS = 500;
const TORN_MS = 600; // the table and the hand come in two messages; so long one waits for the other
const SIGN = /^\p{Extended_Pictographic}\uFE0F?/u; // at the beginning of a sentence
const DEAL_MS = 60; // between the cards that fly to one player and to the next
const HURRY = 20; // seconds left from which on the clock warns

export class Live {
  /** `send(message, token)` presses a button and gives the answer, or null; `on` is as for messages. */
  constructor({ send, on, title }) {
    this.send = send;
    this.on = on;
    this.title = title;
    this.me = { id: "" };
    this.boards = new Boards();
    this.choice = new Choice();
    this.ahead = 0; // seconds by which the bot's clock is ahead of this one
    this.underway = new Underway(send, () => this.view && this.draw());
    this.armed = null;
    /** @type {import("../types").View | null} */
    this.view = null;
    this.isShown = false; // whether there was a table or a lobby to be seen
    this.present = null; // the ids of those who have the page open
    this.tornSince = 0;
    this.kept = null; // what was tapped while a move was on its way
    this.focused = null; // what had the focus last
    addEventListener("focusin", ({ target }) => (this.focused = target));
    this.table = new BoardView($("table"));
    this.told = element("p", "told");
    this.status = element("p", "status");
    this.clock = element("span", "clock");
    $("mine").append(element("div", "says", this.told, this.status, this.clock));
    this.hand = new HandView($("mine"));
    this.outcome = element("div", "outcome");
    this.lobby = new LobbyView((parent, buttons) => this.hand.drawOthers(parent, buttons, "button"));
    this.hand.bar.before(this.outcome, this.lobby.root);
    setInterval(() => this.tick(), TICK_MS);
  }

  /** Show what these messages say, and nothing else; `now` is the server's time in Unix seconds. */
  reset(messages, me, now) {
    this.me = me;
    this.ahead = now ? now - Date.now() / 1000 : 0;
    this.boards.clear();
    for (const message of messages) this.boards.put(message);
    this.draw();
  }

  put(message) {
    this.boards.put(message);
    this.draw();
  }

  remove(id) {
    this.boards.remove(id);
    this.draw();
  }

  /** Note who has the page open. */
  people(people) {
    this.present = new Set(people.map(({ id }) => id));
    this.draw();
  }

  // --- drawing ---

  draw() {
    requestAnimationFrame(() => this.keepFocus());
    const before = places($("stage"));
    const last = this.view;
    const shown = this.boards.shown(this.me);
    const view = shown?.table ? this.viewOf(shown) : null;
    if (view && this.isTorn(view)) {
      this.underway.look(view);
      return;
    }
    this.view = view;
    const wasShown = this.isShown;
    this.isShown = Boolean(shown);
    makeRoom(this.isShown);
    for (const item of all("li.live")) item.classList.remove("live");
    const isResting = Boolean(shown?.lobby ?? shown?.result); // nobody looks for cards
    $("stage").classList.toggle("resting", isResting);
    this.drawLobby(shown?.lobby ?? null);
    if (!shown || !view) {
      this.drawOutcome(null);
      turn(false, this.title);
      return;
    }
    this.underway.look(view);
    const { board, own, hand } = view;
    if (!board.is_over) for (const each of [shown.table, shown.hand]) leaveOut(each);
    if (shown.result) for (const each of [shown.table, shown.result, shown.ending]) leaveOut(each);
    const held = keyed(hand?.cards ?? []).map(({ key }) => key);
    this.choice.isOneTap = Boolean(hand?.one_tap);
    this.choice.offer(this.underway.move ? [] : (hand?.moves ?? []), held);
    if (this.armed && !hand?.moves.some((each) => nameOf(each) === this.armed)) this.armed = null;
    const isAbsent = ({ user }) => Boolean(user && this.present && !this.present.has(user) && !board.is_over);
    if (!isResting) this.table.draw(this.underway.laid(board), own, (pair) => this.markOf(pair), isAbsent);
    this.drawLines(view);
    this.hand.draw({ ...view, choice: this.choice, armed: this.armed, hidden: this.underway.keys, isBusy: Boolean(this.underway.move), me: this.me, on: this.on });
    this.hand.drawOthers(this.hand.next, shown.result?.content.rows.flat() ?? [], "move");
    this.drawOutcome(shown.result ?? null, shown.ending);
    $("undo").hidden = !this.underway.mayBeUndone;
    turn(this.isTurn, this.title);
    const isDeal = last?.board.id !== board.id;
    if (!isResting && wasShown) this.animate(before, last, view, isDeal);
    if (shown.result && last && !last.result) this.end(shown.ending ?? shown.result, view);
    this.tick();
    if (this.kept && !this.underway.move) {
      const { kept } = this;
      this.kept = null;
      this.tap(kept);
    }
  }

  /** Give the focus to what can be done now if what had it has gone; else keys would begin at the top of the page. */
  keepFocus() {
    const { activeElement: now } = document;
    const isLost = this.focused && !isSeen(this.focused) && (now === document.body || !isSeen(now));
    if (!isLost) return;
    const place = this.lobby.message ? this.lobby.told : this.hand.fan.querySelector(".held");
    place?.focus();
  }

  /** Whether the table and the hand show two moments, and the rest of the newer one is still to come. */
  isTorn({ board, hand }) {
    const isTorn = hand && this.view?.hand && this.view.board.id === board.id && hand.step !== board.step;
    if (!isTorn) {
      this.tornSince = 0;
      return false;
    }
    this.tornSince ||= Date.now();
    const left = this.tornSince + TORN_MS - Date.now();
    clearTimeout(this.mend);
    if (left > 0) this.mend = setTimeout(() => this.draw(), left);
    return left > 0;
  }

  /** Whether others play here, and the reader does not. */
  get isOthers() {
    return Boolean(this.view && !this.view.board.is_over && this.view.own === null);
  }

  get isTurn() {
    return Boolean(this.view?.hand?.is_awaited && this.view.hand.moves.length);
  }

  /** @param {any} shown */
  viewOf({ table, result, hand }) {
    const { board } = table.content;
    const own = board.seats.findIndex(({ user }) => user && user === this.me.id);
    const mine = hand?.content.board ?? null;
    const moves = new Set(mine?.moves.map(({ token }) => token));
    const buttons = (hand?.content.rows ?? []).flat().filter(({ token, label }) => !moves.has(token) && !label.includes("▶"));
    const isAsked = Boolean(mine?.note.length && !mine.moves.length && !mine.advice);
    const [common = [], ...questions] = table.content.rows;
    return {
      board, hand: mine, own: own < 0 ? null : own, isAsked, common, others: buttons,
      questions: questions.flat(), tableMessage: table.id, handMessage: hand?.id ?? null, result,
    };
  }

  markOf({ attack, beat }) {
    if (beat) return "";
    if (this.choice.aim === attack) return "aimed";
    return this.choice.chosen.length && this.choice.targets.has(attack) ? "target" : "";
  }

  /** @param {import("../types").View} view */
  drawLines({ board, hand, questions, result }) {
    const says = this.isTurn || !board.status.length ? (hand?.says ?? board.status) : board.status;
    fill(this.told, JSON.stringify(board.told), ...pieces(board.told, this.me, this.on));
    fill(this.status, JSON.stringify(says), ...pieces(says, this.me, this.on));
    $("mine").classList.toggle("asked", board.asked.length > 0);
    announce(plain(board.told), this.isTurn ? plain(says) : "", plain(hand?.note ?? []), verdictOf(result));
    const question = $("question");
    question.hidden = !board.asked.length;
    fill(question.firstElementChild, JSON.stringify(board.asked), ...pieces(board.asked, this.me, this.on));
    this.hand.drawOthers(question.lastElementChild, questions, "button");
  }

  drawLobby(lobby) {
    this.lobby.draw(lobby, this.me, (spans) => pieces(spans, this.me, this.on));
    if (!lobby) return;
    leaveOut(lobby);
    const { heading, players } = lobby.content.board;
    announce(`${heading}:`, `${players.map(({ name }) => name).join(", ")}.`, this.lobby.says.textContent);
  }

  /**
   * Draw how a game ended, and how for the reader: once, where the table was.
   * @param {import("../types").Message | null} result
   * @param {import("../types").Message | null} [ending]
   */
  drawOutcome(result, ending = null) {
    this.outcome.hidden = !result;
    const mark = JSON.stringify([result, ending]);
    if (!result || this.outcome.dataset.mark === mark) return;
    this.outcome.dataset.mark = mark;
    const told = result.content.body;
    const body = ending ? told.slice(told.findIndex(({ text }) => text.includes("\n")) + 1) : told; // who lost is told below
    drawMessage(this.outcome, { ...result, content: { ...result.content, body, rows: [] } }, this.me, this.on);
    if (ending) {
      const own = ending.content.body.map((span) => ({ ...span, link: undefined })); // what it leads to is here
      this.outcome.querySelector(".body").before(element("p", "own", ...pieces(own, this.me, this.on)));
    }
    this.outcome.classList.add("outcome");
    if (isAtTable(document.activeElement)) this.hand.next.querySelector(".good")?.focus(); // Enter goes on
  }

  // --- moves ---

  /**
   * Something was tapped.
   * @param {{type: string, key?: string, attack?: string, name?: string, token?: string, from?: string}} what
   */
  tap({ type, key, attack, name, token, from }) {
    if (type === "other") return this.pressOther(token, from);
    if (type === "undo") return this.underway.takeBack();
    if (!this.view) return null;
    if (this.underway.move) {
      if (this.underway.isSent) this.kept = { type, key, attack, name };
      return null;
    }
    if (type === "move") return this.tapMove(name);
    let meant;
    if (key) {
      const idle = this.view.hand?.idle.find(({ card }) => card === cardOf(key));
      if (idle && !this.choice.chosen.length) return this.send(this.view.handMessage, idle.token); // it says why not
      meant = this.choice.tapCard(key);
      const { exact, fitting } = this.choice;
      if (!meant && wishes.undo && fitting.length === 1 && exact.length === 1) [meant] = exact;
    } else meant = type === "attack" ? this.choice.tapAttack(attack) : this.choice.tapTable();
    this.armed = null;
    return meant ? this.play(meant) : this.draw();
  }

  tapMove(name) {
    const move = this.view?.hand?.moves.find((each) => nameOf(each) === name);
    if (!move) return;
    if (wishes.undo || this.armed === name || (isByCard(move) && this.choice.chosen.length)) {
      this.play(move);
      return;
    }
    this.armed = name;
    this.choice.clear();
    clearTimeout(this.disarm);
    this.disarm = setTimeout(() => {
      this.armed = null;
      if (this.view) this.draw();
    }, ARMED_MS);
    this.draw();
  }

  /** Make a move; `isSure`: it cannot have been meant otherwise. */
  play(move, isSure = false) {
    const { chosen } = this.choice;
    if (isByCard(move) && !wishes.played) wish("played", true);
    this.armed = null;
    this.choice = new Choice();
    if (this.view) this.underway.begin(this.view, move, chosen, isSure ? 0 : wishes.undo ? UNDO_MS : 0);
  }

  pressOther(token, from) {
    const { handMessage, tableMessage, result } = this.view ?? {};
    if (from === "result") this.on.asks();
    return this.send({ hand: handMessage, table: tableMessage, result: result?.id, lobby: this.lobby.message }[from], token);
  }

  // --- time and motion ---

  tick() {
    const { board, hand } = this.view ?? {};
    if (!board) return;
    const now = Date.now() / 1000 + this.ahead;
    const { since, until } = board;
    const left = until ? Math.max(0, until - now) : null;
    const isShare = left !== null && since !== null && until !== null && until > since;
    const share = isShare ? Math.min(1, left / (until - since)) : 1;
    $("stage").style.setProperty("--left", share);
    $("stage").classList.toggle("timed", left !== null);
    $("stage").classList.toggle("hurry", left !== null && left < HURRY);
    const text = left === null ? "" : `${Math.floor(left / 60)}:${String(Math.floor(left % 60)).padStart(2, "0")}`;
    if (this.clock.textContent !== text) this.clock.textContent = text;
    this.clock.hidden = left === null || !(hand?.is_awaited || left < 60);
    for (const clock of all(".seat .clock")) clock.textContent = text;
  }

  /**
   * Let the cards move from where they were.
   * @param {any} before the `places` of all cards
   * @param {import("../types").View | null} last
   * @param {import("../types").View} view
   * @param {boolean} isDeal
   */
  animate(before, last, { board, own }, isDeal) {
    const pile = () => this.table.talon.getBoundingClientRect();
    const seatBox = (seat) => (seat === own || seat < 0 ? $("mine").getBoundingClientRect() : this.table.boxOf(seat));
    const defender = board.seats.findIndex(({ role }) => role === "defender");
    moveCards($("stage"), before, (zone, key, card) => {
      if (zone === "hand") return pile();
      const by = card.dataset.by === "" ? defender : Number(card.dataset.by);
      return seatBox(by === -1 ? defender : by);
    }, (zone) => {
      if (zone !== "bout" || !last || isDeal) return null;
      if (board.discard > last.board.discard) return this.table.heap.getBoundingClientRect();
      const taker = board.seats.findIndex((seat, n) => seat.cards > (last.board.seats[n]?.cards ?? 0) && last.board.seats[n]?.role === "defender");
      return taker >= 0 ? seatBox(taker) : null;
    });
    if (!isDeal && last && board.talon >= last.board.talon) return;
    const back = this.table.talon.querySelector(".back") ?? element("span", "back");
    board.seats.forEach((seat, n) => {
      const box = this.table.boxOf(n);
      if (n !== own && box && seat.cards > ((!isDeal && last?.board.seats[n]?.cards) || 0)) fly(back, pile(), box, n * DEAL_MS);
    });
  }

  /** Mark the end of a game, as its message tells it, once. */
  end({ content: { body } }, { board, own }) {
    show(SIGN.exec(plain(body))?.[0] ?? "🃏", $("stage"));
    if (wishes.sound && own !== null) ring(board.losers.includes(own) ? LOST : SAFE);
  }
}

/** Who is the fool, when that is known: the first line of the result. */
function verdictOf(result) {
  return plain(result?.content.body ?? []).split("\n")[0];
}

function plain(spans) {
  return spans.map(({ text }) => text).join("");
}

/** Leave a message out of the chat that is drawn beside it. */
function leaveOut(message) {
  document.querySelector(`li[data-id="${message?.id}"]`)?.classList.add("live");
}

let announced = [];

/** Say what is new, for who hears it: what was said the last time is not said again. */
function announce(...sentences) {
  const news = sentences.filter((each) => each && !announced.includes(each));
  announced = sentences;
  if (news.length) $("news").textContent = spoken(news.join(" "));
}

function isSeen(shown) {
  return shown.isConnected && shown.getClientRects().length > 0;
}

/** Whether the focus is on what is about to go, or nowhere: not where somebody writes or reads. */
function isAtTable(focused) {
  return focused === document.body || $("stage").contains(focused);
}
