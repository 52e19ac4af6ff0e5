// The table and the hand, drawn live above and beside the chat: what is shown, and what becomes of a move.

/** @import {BoardMove, BoardPair, BoardSeat, Guest, LobbyMessage, Message, MessageActions, Reader, ScreenMessage, Shown, Span, TableMessage, Touched, View} from "../types" */
import { LOST, SAFE, ring, turn } from "./alert.js";
import { BoardView } from "./board.js";
import { Boards, isTorn } from "./boards.js";
import { keyed, spoken } from "./cards.js";
import { Choice, cardOf, isByCard, nameOf } from "./choice.js";
import { $, all, element, fill, first } from "./dom.js";
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
  /**
   * `send` presses a button and gives the answer, or null when it was refused.
   * @param {{send: import("./underway.js").Send, on: MessageActions, title: string}} how
   */
  constructor({ send, on, title }) {
    this.send = send;
    this.on = on;
    this.title = title;
    /** @type {Reader} */
    this.me = { id: "" };
    this.boards = new Boards();
    this.choice = new Choice();
    this.ahead = 0; // seconds by which the bot's clock is ahead of this one
    this.underway = new Underway(send, () => this.draw());
    /** @type {string | null} */
    this.armed = null; // the name of the move that waits for a second tap
    /** @type {View | null} */
    this.view = null;
    this.isShown = false; // whether there was a table or a lobby to be seen
    /** @type {Set<string> | null} */
    this.present = null; // the ids of those who have the page open
    this.frame = 0; // the browser's next one, where there is something to draw
    /** @type {Shown | null} */
    this.shown = null; // the last moment of which all has come
    this.tornSince = 0;
    /** @type {Touched | null} */
    this.kept = null; // what was tapped while a move was on its way
    /** @type {Element | null} */
    this.focused = null; // what had the focus last
    addEventListener("focusin", ({ target }) => (this.focused = /** @type {Element} */ (target)));
    document.addEventListener("visibilitychange", () => this.catchUp()); // a page that is not seen has no frames
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

  /**
   * Show what these messages say, and nothing else.
   * @param {Message[]} messages
   * @param {Reader} me
   * @param {number} now the server's time in Unix seconds
   */
  reset(messages, me, now) {
    this.me = me;
    this.ahead = now - Date.now() / 1000;
    this.boards.clear();
    for (const message of messages) this.boards.put(message);
    this.come();
  }

  /** @param {Message} message */
  put(message) {
    this.boards.put(message);
    this.come();
  }

  /** @param {string} id */
  remove(id) {
    this.boards.remove(id);
    this.come();
  }

  /** Remember who has the page open. @param {Guest[]} people */
  people(people) {
    this.present = new Set(people.map(({ id }) => id));
    this.change();
  }

  // --- drawing ---

  /** Show what has come, unless it is half of a moment and the other half is still to come. */
  come() {
    const newest = this.boards.shown(this.me);
    if (newest?.table) this.underway.look(this.viewOf(newest));
    const aside = new Set([this.shown, newest].flatMap(messagesOf).map(({ id }) => id));
    for (const item of all("#public > li, #private > li")) item.classList.toggle("live", aside.has(item.dataset.id));
    clearTimeout(this.mend);
    this.tornSince = isTorn(newest, this.me) ? this.tornSince || Date.now() : 0;
    const left = this.tornSince && this.tornSince + TORN_MS - Date.now();
    if (left > 0) {
      this.mend = setTimeout(() => this.come(), left);
      return;
    }
    this.shown = newest;
    this.change();
  }

  /** Draw in the browser's next frame, together with all else that comes until then; what is touched is drawn at once. */
  change() {
    if (document.hidden) this.draw();
    else this.frame ||= requestAnimationFrame(() => this.draw());
  }

  /** Draw what waits for a frame at once: whatever is touched now means what has come. */
  catchUp() {
    if (this.frame) this.draw();
  }

  draw() {
    cancelAnimationFrame(this.frame);
    this.frame = 0;
    requestAnimationFrame(() => {
      this.keepFocus();
      this.table.fit();
    });
    const before = places($("stage"));
    const last = this.view;
    const { shown } = this;
    const view = shown?.table ? this.viewOf(shown) : null;
    this.view = view;
    const wasShown = this.isShown;
    this.isShown = Boolean(shown);
    makeRoom(this.isShown);
    const isResting = Boolean(shown?.lobby ?? shown?.result); // nobody looks for cards
    $("stage").classList.toggle("resting", isResting);
    this.drawLobby(shown?.lobby ?? null);
    if (!shown || !view) {
      this.drawOutcome(null);
      turn(false, this.title);
      return;
    }
    this.underway.drawn(view);
    const { board, own, hand } = view;
    const held = keyed(hand?.cards ?? []).map(({ key }) => key);
    this.choice.isOneTap = Boolean(hand?.one_tap);
    this.choice.offer(this.underway.move ? [] : (hand?.moves ?? []), held);
    if (this.armed && !hand?.moves.some((each) => nameOf(each) === this.armed)) this.armed = null;
    /** @param {BoardSeat} seat */
    const isAbsent = ({ user }) => Boolean(user && this.present && !this.present.has(user) && !board.is_over);
    $("mine").classList.toggle("mine", Boolean(hand));
    this.hand.measure();
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
    const isLost = this.focused && !isSeen(this.focused) && (!now || now === document.body || !isSeen(now));
    if (!isLost) return;
    const place = this.lobby.message ? this.lobby.told : first(".held", this.hand.fan);
    place?.focus();
  }

  /** Whether others play here, and the reader does not. */
  get isOthers() {
    return Boolean(this.view && !this.view.board.is_over && this.view.own === null);
  }

  get isTurn() {
    return Boolean(this.view?.hand?.is_awaited && this.view.hand.moves.length);
  }

  /** @param {Extract<Shown, {table: TableMessage}>} shown @returns {View} */
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

  /** How an attack card looks. @param {BoardPair} pair */
  markOf({ attack, beat }) {
    if (beat) return "";
    if (this.choice.aim === attack) return "aimed";
    return this.choice.chosen.length && this.choice.targets.has(attack) ? "target" : "";
  }

  /** @param {View} view */
  drawLines({ board, hand, questions, result }) {
    const isOld = hand && hand.step < board.step; // the newer one did not come in time
    const isTold = hand && !isOld && (hand.moves.length || !hand.note.length); // what they wait for, who is never they themselves
    const says = isTold && !board.is_over ? hand.says : board.status;
    fill(this.told, board.told, () => pieces(board.told, this.me, this.on));
    fill(this.status, says, () => pieces(says, this.me, this.on));
    $("mine").classList.toggle("asked", board.asked.length > 0);
    announce(plain(board.told), this.isTurn ? plain(says) : "", plain(hand?.note ?? []), verdictOf(result));
    $("question").hidden = !board.asked.length;
    fill($("asked"), board.asked, () => pieces(board.asked, this.me, this.on));
    this.hand.drawOthers($("asked-buttons"), questions, "button");
  }

  /** @param {LobbyMessage | null} lobby */
  drawLobby(lobby) {
    this.lobby.draw(lobby, this.me, (spans) => pieces(spans, this.me, this.on));
    if (!lobby) return;
    this.on.gathers(this.lobby.guests);
    const { heading, players } = lobby.content.board;
    announce(`${heading}:`, `${players.map(({ name }) => name).join(", ")}.`, this.lobby.says.textContent ?? "");
  }

  /**
   * Draw how a game ended, and how for the reader: once, where the table was.
   * @param {TableMessage | null} result
   * @param {ScreenMessage | null} [ending]
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
      first(".body", this.outcome)?.before(element("p", "own", ...pieces(own, this.me, this.on)));
    }
    this.outcome.classList.add("outcome");
    if (isAtTable(document.activeElement)) first(".good", this.hand.next)?.focus(); // Enter goes on
  }

  // --- moves ---

  /** Do what a tap means. @param {Touched} what */
  tap(what) {
    this.catchUp();
    if (what.type === "other") this.pressOther(what.token, what.from);
    else if (what.type === "undo") this.underway.takeBack();
    else if (this.underway.move) this.kept = this.underway.isSent ? what : this.kept;
    else if (what.type === "move") this.tapMove(what.name);
    else if (this.view) this.tapBoard(what, this.view);
  }

  /** @param {Extract<Touched, {type: "card" | "attack" | "table"}>} what @param {View} view */
  tapBoard(what, { hand, handMessage }) {
    let meant;
    if (what.type === "card") {
      const idle = hand?.idle.find(({ card }) => card === cardOf(what.key));
      if (idle && handMessage && !this.choice.chosen.length) {
        this.send(handMessage, idle.token); // it says why not
        return;
      }
      meant = this.choice.tapCard(what.key);
      const { exact, fitting } = this.choice;
      if (!meant && wishes.undo && fitting.length === 1 && exact.length === 1) [meant] = exact;
    } else meant = what.type === "attack" ? this.choice.tapAttack(what.attack) : this.choice.tapTable();
    this.armed = null;
    if (meant) this.play(meant);
    else this.draw();
  }

  /** @param {string} name */
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
      this.change();
    }, ARMED_MS);
    this.draw();
  }

  /** Make a move; `isSure`: it cannot have been meant otherwise. @param {BoardMove} move */
  play(move, isSure = false) {
    const { chosen } = this.choice;
    if (isByCard(move) && !wishes.played) wish("played", true);
    this.armed = null;
    this.choice = new Choice();
    this.underway.begin(move, chosen, isSure ? 0 : wishes.undo ? UNDO_MS : 0);
  }

  /** Press a button that is no move. @param {string} token @param {import("../types").From} from */
  pressOther(token, from) {
    if (from === "result") this.on.asks();
    const { handMessage: hand, tableMessage: table, result } = this.view ?? {};
    const message = { hand, table, result: result?.id, lobby: this.lobby.message }[from];
    if (message) this.send(message, token);
  }

  // --- time and motion ---

  tick() {
    const { board, hand } = this.view ?? {};
    if (!board) return;
    const now = Date.now() / 1000 + this.ahead;
    const { since, until } = board;
    const left = until ? Math.max(0, until - now) : null;
    const share = left !== null && since && until && until > since ? Math.min(1, left / (until - since)) : 1;
    for (const seat of all(".seat.awaited")) seat.style.setProperty("--left", String(share));
    $("stage").classList.toggle("timed", left !== null);
    $("stage").classList.toggle("hurry", left !== null && left < HURRY);
    const text = left === null ? "" : `${Math.floor(left / 60)}:${String(Math.floor(left % 60)).padStart(2, "0")}`;
    if (this.clock.textContent !== text) this.clock.textContent = text;
    this.clock.hidden = left === null || !(hand?.is_awaited || left < 60);
    for (const clock of all(".seat .clock")) clock.textContent = text;
  }

  /**
   * Let the cards move from where they were.
   * @param {import("./motion.js").Places} before
   * @param {View | null} last
   * @param {View} view
   * @param {boolean} isDeal
   */
  animate(before, last, { board, own }, isDeal) {
    /** @param {HTMLElement} each */
    const boxOf = (each) => each.getBoundingClientRect();
    const [pile, heap, mine] = [this.table.talon, this.table.heap, $("mine")].map(boxOf); // before anything flies
    const seats = board.seats.map((_, seat) => (seat === own ? mine : this.table.boxOf(seat)));
    const defender = board.seats.findIndex(({ role }) => role === "defender");
    moveCards($("stage"), before, (zone, card) => {
      if (zone === "hand") return pile;
      const by = card.dataset.by === "" ? defender : Number(card.dataset.by);
      return seats[by === -1 ? defender : by] ?? mine;
    }, (zone) => {
      if (zone !== "bout" || !last || isDeal) return null;
      if (board.discard > last.board.discard) return heap;
      const taker = board.seats.findIndex((seat, n) => seat.cards > (last.board.seats[n]?.cards ?? 0) && last.board.seats[n]?.role === "defender");
      return taker >= 0 ? seats[taker] : null;
    });
    if (!isDeal && last && board.talon >= last.board.talon) return;
    const back = first(".back", this.table.talon) ?? element("span", "back");
    board.seats.forEach((seat, n) => {
      const box = seats[n];
      if (n !== own && box && seat.cards > ((!isDeal && last?.board.seats[n]?.cards) || 0)) fly(back, pile, box, n * DEAL_MS);
    });
  }

  /** Mark the end of a game, as its message tells it, once. @param {ScreenMessage} message @param {View} view */
  end({ content: { body } }, { board, own }) {
    show(SIGN.exec(plain(body))?.[0] ?? "🃏", $("stage"));
    if (wishes.sound && own !== null) ring(board.losers.includes(own) ? LOST : SAFE);
  }
}

/** Who is the fool, when that is known: the first line of the result. @param {TableMessage | null} result */
function verdictOf(result) {
  return plain(result?.content.body ?? []).split("\n")[0];
}

/** @param {Span[]} spans */
function plain(spans) {
  return spans.map(({ text }) => text).join("");
}

/** List the messages that are drawn beside the chat, and left out of it. @param {Shown | null} shown */
function messagesOf(shown) {
  const isUntold = shown?.table?.content.board.is_over && !shown.result;
  return isUntold ? [] : Object.values(shown ?? {}).filter(Boolean);
}

/** @type {string[]} */
let announced = [];

/** Say what is new to screen readers: what was said the last time is not said again. @param {...string} sentences */
function announce(...sentences) {
  const news = sentences.filter((each) => each && !announced.includes(each));
  announced = sentences;
  if (news.length) $("news").textContent = spoken(news.join(" "));
}

/** @param {Element} shown */
function isSeen(shown) {
  return shown.isConnected && shown.getClientRects().length > 0;
}

/** Whether the focus is on what is about to go, or nowhere: not where one writes or reads. @param {Element | null} focused */
function isAtTable(focused) {
  return focused === document.body || $("stage").contains(focused);
}
