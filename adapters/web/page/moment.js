// The visible state of a table at one moment: its messages, and the facts derived from them.

/** @import {Board, Button, EndingMessage, HandMessage, LobbyMessage, Message, Moment, Reader, ScreenMessage, Span, TableMessage, View} from "../types" */
import { sizeOf } from "./cards.js";
import { all } from "./dom.js";

const MAX_NEXT = 2; // buttons under a result, besides the replay; the others are in the menu
const TORN_MS = 600; // how long the message of the table waits for that of the hand, or the reverse
const SEEN_MS = 900; // how long the last cards of a bout, or the final table of a game, stay visible
const FRESH_SECONDS = 3600; // a reader who comes back later than this after a game finds the welcome, not its result
const calm = matchMedia("(prefers-reduced-motion: reduce)");

/** The moments of the table, each of which is shown once it is complete. */
export class Moments {
  /**
   * @param {{view: (newest: View) => void, change: () => void, stop: (words: Span[]) => void}} on `view` gets the newest
   *   view, even of an incomplete moment; `change` is called when there is something new to show; `stop` gets the words in
   *   place of a shown game that was stopped
   * @param {boolean} isRoom whether the page is a room, which has more to show than a finished game
   */
  constructor(on, isRoom) {
    this.on = on;
    this.isRoom = isRoom;
    this.leftGame = ""; // the game whose result the reader has left for the room's welcome
    this.boards = new Boards();
    /** @type {Reader} */
    this.me = { id: "" };
    /** @type {Moment | null} */
    this.moment = null; // the moment that is shown
    this.tornSince = 0; // when the newest moment became incomplete; 0 if it is complete
    this.heldUntil = 0; // the time until which the shown moment stays
    this.timer = 0; // of the next call of `come`
  }

  /** @param {Message[]} messages @param {Reader} me @param {number} now in Unix seconds */
  reset(messages, me, now) {
    this.me = me;
    this.boards.clear();
    for (const message of messages) this.boards.put(message);

    const { table, result } = this.boards.newest(me) ?? {};
    const isOld = Boolean(result && now - result.at > FRESH_SECONDS);
    const isShown = table?.content.board.id === this.view?.board.id;
    if (table && isOld && !isShown) this.leftGame = table.content.board.id;
    this.come();
  }

  /** @param {Message} message */
  put(message) {
    const isStopped = this.isRunning(message.id) && message.kind !== "chat" && !message.content.board;
    this.boards.put(message);
    this.come();
    if (isStopped) this.on.stop(message.content.body);
  }

  /** Returns whether a message is the table of the shown game, which is not over. @param {string} id */
  isRunning(id) {
    const { table } = this.moment ?? {};
    return table?.id === id && !table.content.board.is_over;
  }

  /** @param {string} id */
  remove(id) {
    this.boards.remove(id);
    this.come();
  }

  /** Returns the view of the shown moment; null if it has no game. */
  get view() {
    return this.moment?.table ? viewOf(this.moment, this.me) : null;
  }

  /** Shows the newest moment, unless it is incomplete or the shown one has to stay a little longer. */
  come() {
    const newest = this.worthShowing(this.boards.newest(this.me, this.ownGame, this.leftGame));
    if (newest?.table) this.on.view(viewOf(newest, this.me));

    this.tornSince = isTorn(newest, this.me) ? this.tornSince || Date.now() : 0;
    const tornUntil = this.tornSince && this.tornSince + TORN_MS;
    const now = Date.now();
    this.lookAgain(Math.max(tornUntil, this.heldUntil) - now);
    if (tornUntil > now || this.heldUntil > now) {
      this.leaveOutOfLists(newest);
      return;
    }

    const first = calm.matches || document.hidden ? null : stepBefore(this.moment, newest);
    if (first) {
      this.heldUntil = now + SEEN_MS;
      this.lookAgain(SEEN_MS);
    }
    this.moment = first ?? newest;
    this.leaveOutOfLists(newest);
    this.on.change();
  }

  /** The reader's own game that is shown; its result stays when somebody else opens the next table. Empty if there is none. */
  get ownGame() {
    const { view } = this;
    const isOwn = view !== null && view.own !== null;
    return isOwn && view.board.id !== this.leftGame ? view.board.id : "";
  }

  /**
   * Leaves out a finished game that the reader has left, or has neither played nor watched, and the one before a table
   * that was closed; the room shows its welcome then.
   * @param {Moment | null} newest
   */
  worthShowing(newest) {
    if (!this.isRoom || !newest?.table?.content.board.is_over) return newest;
    const { board } = newest.table.content;

    const { table, lobby } = this.moment ?? {};
    const shown = table ?? lobby;
    const last = newest.result ?? newest.table;
    const isOlder = Boolean(shown && Number(last.id) < Number(shown.id)); // the shown table was closed
    if (isOlder) this.leftGame = board.id;
    if (board.id === this.leftGame) return null;
    const isOwn = seatOf(this.me, board) !== null;
    const wasWatched = table?.content.board.id === board.id;
    return isOwn || wasWatched ? newest : null;
  }

  /** Replaces the shown result by the room's welcome. */
  leave() {
    this.leftGame = this.moment?.table?.content.board.id ?? "";
    this.come();
  }

  /** Returns how the newest game in the room ended, or why it was stopped, if no table is shown. @returns {ScreenMessage | null} */
  get lastResult() {
    if (this.moment) return null;
    const newest = this.boards.newest(this.me);
    return newest ? (newest.result ?? null) : this.boards.lastStop;
  }

  /** Schedules the next call of `come`. @param {number} left milliseconds until then; none if not positive */
  lookAgain(left) {
    clearTimeout(this.timer);
    if (left > 0) this.timer = setTimeout(() => this.come(), left);
  }

  /** Hides messages in the lists that are drawn at the table. @param {Moment | null} newest */
  leaveOutOfLists(newest) {
    const ids = new Set([this.moment, newest].flatMap(messagesOf).map(({ id }) => id));
    for (const item of all("#public > li, #private > li")) {
      item.classList.toggle("live", ids.has(item.dataset.id));
    }
  }
}

/** Lists the messages that are drawn at the table. @param {Moment | null} shown */
function messagesOf(shown) {
  const isResultMissing = shown?.table?.content.board.is_over && !shown.result;
  return isResultMissing ? [] : Object.values(shown ?? {}).filter(Boolean);
}

/** Returns the view of a game at a moment, for one reader. @param {Extract<Moment, {table: TableMessage}>} shown @param {Reader} me @returns {View} */
export function viewOf({ table, result, hand, ending, next = null }, me) {
  const { board } = table.content;
  const mine = hand?.content.board ?? null;
  const [common = [], ...questions] = table.content.rows;
  const after = buttonsFor(result?.content.rows.flat() ?? [], me);

  return {
    board,
    hand: mine,
    own: seatOf(me, board),
    isTurn: Boolean(mine?.is_awaited && mine.moves.length),
    isAsked: Boolean(mine?.note.length && !mine.moves.length && !mine.advice),
    common: buttonsFor(common, me),
    next: after.slice(0, MAX_NEXT),
    more: after.slice(MAX_NEXT),
    others: otherButtons(hand).filter((each) => !isWayOut(each)),
    quiet: otherButtons(hand).filter(isWayOut),
    questions: buttonsFor(questions.flat(), me),
    tableMessage: table.id,
    handMessage: hand?.id ?? null,
    result,
    ending,
    opener: next?.content.board.players[0]?.name ?? "",
  };
}

/** Returns whether a button of the hand leaves the game. @param {Button} button */
function isWayOut({ label }) {
  return label.startsWith("🚪");
}

/** Returns the buttons that work for a reader. @param {Button[]} buttons @param {Reader} me @returns {Button[]} */
export function buttonsFor(buttons, me) {
  return buttons.filter(({ readers, besides = [] }) => (readers?.includes(me.id) ?? true) && !besides.includes(me.id));
}

/** Returns the seat of a reader at a table; null if they have none. @param {Reader} me @param {Board} board */
function seatOf(me, { seats }) {
  const place = seats.findIndex(({ user }) => user && user === me.id);
  return place < 0 ? null : place;
}

/** Returns the buttons under a hand other than moves and page turns. @param {HandMessage | null} hand @returns {Button[]} */
function otherButtons(hand) {
  if (!hand) return [];
  const moves = new Set(hand.content.board.moves.map(({ token }) => token));
  const isPageTurn = (/** @type {Button} */ { label }) => label.includes("▶");
  return hand.content.rows.flat().filter((button) => !moves.has(button.token) && !isPageTurn(button));
}

// --- choosing the table: a running game of the reader's, any running game, or else the newest ---

export class Boards {
  constructor() {
    /** @type {Map<string, ScreenMessage>} */
    this.messages = new Map();
  }

  clear() {
    this.messages.clear();
  }

  /** @param {Message} message */
  put(message) {
    if (message.kind !== "chat" && (message.content.board || isEnding(message) || isStop(message)))
      this.messages.set(message.id, message);
    else this.remove(message.id);
  }

  /** @param {string} id */
  remove(id) {
    this.messages.delete(id);
  }

  /** The messages from the oldest to the newest. */
  get inOrder() {
    return [...this.messages.values()].sort((one, other) => Number(one.id) - Number(other.id));
  }

  /** The message of the newest game that was stopped; null if there is none. */
  get lastStop() {
    return this.inOrder.filter(isStop).at(-1) ?? null;
  }

  /** Returns the result of the game that a lobby is the rematch of, if the reader played in it. @param {LobbyMessage} lobby @param {Reader} me */
  resultBefore(lobby, me) {
    const isSameTable = (/** @type {TableMessage} */ { content: { board } }) => tableOf(board) === tableOf(lobby.content.board);
    const results = this.inOrder.filter(isTable).filter(({ content }) => content.game);
    return results.filter(isSameTable).findLast(({ content }) => seatOf(me, content.board) !== null) ?? null;
  }

  /** Lists the names of the losers of the newest finished game. */
  fools() {
    const boards = [...this.messages.values()].filter(isTable).map(({ content }) => content.board);
    const last = boards.findLast(({ is_over }) => is_over);
    return last?.losers.map((seat) => last.seats[seat].name) ?? [];
  }

  /**
   * Returns the messages of the table to show to a reader; null if there is none.
   * @param {Reader} me
   * @param {string} [kept] a finished game that stays until the reader sits down at the next table
   * @param {string} [left] a finished game that the reader has left
   * @returns {Moment | null}
   */
  newest(me, kept = "", left = "") {
    const messages = this.inOrder;
    const lobby = messages.filter(isLobby).at(-1);
    const tables = messages.filter(isTable);
    const [best] = [...tables].sort((one, other) => rank(other, me) - rank(one, me));
    if (!best) return lobby ? { lobby } : null;

    const { id, is_over } = best.content.board;
    const ofGame = tables.filter(({ content }) => content.board.id === id);
    const [table] = ofGame;
    const last = ofGame[ofGame.length - 1];
    if (!is_over) {
      const hands = messages.filter(isHand).filter(({ content }) => content.board.id === id);
      return { table, hand: hands.at(-1) ?? null, result: null, ending: null };
    }

    const next = lobby && Number(lobby.id) > Number(last.id) ? lobby : null;
    const isRematch = next && tableOf(next.content.board) === tableOf(best.content.board);
    const isKept = id === kept || Boolean(isRematch && id !== left && isExpectedIn(next, me));
    if (next && (!isKept || isSeatedIn(next, me))) return { lobby: next };

    const stop = this.lastStop;
    const isBeforeStop = Boolean(stop && Number(stop.id) > Number(last.id));
    if (isBeforeStop && id !== kept) return null;

    const endings = messages.filter(isEnding).filter(({ content }) => content.game === id.replace(":", "-"));
    const result = last === table ? null : last;
    return { table, hand: null, result, ending: endings.at(-1) ?? null, next };
  }
}

/** Returns the number of the table, by the id of its game. @param {{id: string}} board */
function tableOf({ id }) {
  return id.split(":")[0];
}

/** Returns whether a lobby is waiting for a reader, who was at its table in the last game. @param {LobbyMessage} lobby @param {Reader} me */
function isExpectedIn({ content: { board } }, me) {
  const { expected = [] } = board; // an earlier version has none
  return expected.some(({ user }) => user === me.id);
}

/** Returns whether a reader has sat down in a lobby. @param {LobbyMessage} lobby @param {Reader} me */
function isSeatedIn({ content: { board } }, me) {
  return board.players.some(({ user }) => user === me.id);
}

/**
 * Returns whether the table and the reader's hand, which are two messages, are not from the same step of a running game.
 * @param {Moment | null} shown
 * @param {Reader} me a spectator has no hand to wait for
 */
export function isTorn(shown, me) {
  if (!shown?.table) return false;
  const { board } = shown.table.content;
  const isSeated = seatOf(me, board) !== null;
  return isSeated && !board.is_over && shown.hand?.content.board.step !== board.step;
}

/**
 * Returns a step to show before the newest moment: the last cards of a bout, or the final table of a game. Returns null
 * if none is needed.
 * @param {Moment | null} shown
 * @param {Moment | null} newest
 * @returns {Moment | null}
 */
export function stepBefore(shown, newest) {
  if (!shown?.table || !newest?.table) return null;
  const { board } = shown.table.content;
  const { board: now } = newest.table.content;
  if (board.id !== now.id || board.is_over) return null;

  const { last_bout: whole = [] } = now; // a board of an earlier version has none
  const isCut = board.bout.length > 0 && sizeOf(whole) > sizeOf(board.bout); // its last cards were never shown
  if (isCut) {
    const { latest = now.latest } = newest.hand?.content.board ?? {};
    return withBout(shown, { ...board, bout: whole, latest: now.latest, status: [] }, latest);
  }
  return now.is_over ? { ...newest, result: null, ending: null } : null;
}

/**
 * Returns a moment with another board, at which the reader has no moves.
 * @param {Extract<Moment, {table: TableMessage}>} shown
 * @param {Board} board
 * @param {Span[]} latest the newest move, in words for the reader
 * @returns {Moment}
 */
function withBout({ table, hand }, board, latest) {
  const isIdle = { is_awaited: false, moves: [], idle: [], note: [], says: [], latest };
  return {
    table: { ...table, content: { ...table.content, board } },
    hand: hand && { ...hand, content: { ...hand.content, board: { ...hand.content.board, ...isIdle } } },
    result: null,
    ending: null,
  };
}

/** Returns the rank of a table: running ones are above finished ones, with the reader's own on top, then newer ones. @param {TableMessage} message @param {Reader} me */
function rank({ id, content: { board } }, me) {
  const isMine = seatOf(me, board) !== null;
  return (board.is_over ? 0 : 4e15) + (isMine && !board.is_over ? 2e15 : 0) + Number(id);
}

/** @param {ScreenMessage} message @returns {message is TableMessage} */
const isTable = (message) => "seats" in (message.content.board ?? {});

/** @param {ScreenMessage} message @returns {message is LobbyMessage} */
const isLobby = (message) => "players" in (message.content.board ?? {});

/** @param {ScreenMessage} message @returns {message is HandMessage} */
const isHand = (message) => "moves" in (message.content.board ?? {});

/** Returns whether a message is in place of a game that was stopped. @param {ScreenMessage} message */
export function isStop(message) {
  const { board, document, game } = message.content;
  const isFilm = Boolean(document);
  return !message.private && Boolean(game) && !board && !isFilm;
}

/** Returns whether a message is the private result of a game for its reader. @param {ScreenMessage} message @returns {message is EndingMessage} */
export function isEnding(message) {
  return message.private && Boolean(message.content.game);
}
