// The live table: draws the lobby, the table, the hand and the result as messages change.

/** @import {BoardPair, BoardSeat, From, Guest, LobbyMessage, Message, MessageActions, Reader, Remark, RemarkFrame, Span, Target, Throw, View} from "../types" */
/** @import {Send} from "./moves.js" */
/** @import {ThrowAt} from "./throws.js" */
import { announce, LOST, ring, rustle, SAFE, signalTurn, soundBetween } from "./announcer.js";
import { Clock } from "./clock.js";
import { gamePath } from "./connection.js";
import { $, all, button, element, fill, first, openDialog, topDialog } from "./dom.js";
import { HandView } from "./hand.js";
import { LobbyView } from "./lobby.js";
import { preferences } from "./memory.js";
import { pieces } from "./messages.js";
import { Moments } from "./moment.js";
import { celebrate, Choreographer, fall, show } from "./motion.js";
import { Turn, UNDO_MS } from "./moves.js";
import { isWinner, linesOf, OutcomeView, plain } from "./outcome.js";
import { toast } from "./notices.js";
import { Remarks, speakAt, wordsOf } from "./remarks.js";
import { shareReplay } from "./share.js";
import { BoardView, drawBout } from "./table.js";
import { Throws } from "./throws.js";
import { Settling } from "./touch.js";
import { t } from "./texts.js";

const SIGN = /^\p{Extended_Pictographic}\uFE0F?/u; // at the beginning of a sentence

export class Live {
  /**
   * @param {object} options
   * @param {Send} options.send presses a button
   * @param {ThrowAt} options.throwAt
   * @param {(message: string, remark: Remark) => Promise<unknown>} options.remarkAs sends a remark to a table's message
   * @param {MessageActions} options.on
   * @param {string} options.title
   * @param {(isLive: boolean) => void} options.makeRoom shows or hides the place of the table
   * @param {() => boolean} [options.isCramped] returns whether a chat takes room from the table
   * @param {boolean} [options.isRoom] whether the page is a room, which has more to show than a finished game
   * @param {(game: string, text: string) => unknown} [options.shareGame] shares a finished game, with a sentence about it
   */
  constructor(options) {
    const { send, throwAt, remarkAs, on, title, makeRoom, shareGame = copyGame } = options;
    const { isCramped = () => false, isRoom = false } = options;
    this.makeRoom = makeRoom;
    this.isCramped = isCramped;
    this.send = send;
    this.on = on;
    this.title = title;
    /** @type {Reader} */
    this.me = { id: "" };
    /** @type {Set<string> | null} */
    this.present = null; // the ids of the people who have the page open
    /** @type {View | null} */
    this.view = null; // the view that is drawn
    this.hasRoom = false; // whether the page has made room for a table or a lobby
    this.isShown = false; // whether a table or a lobby is drawn
    /** @type {View | null | undefined} */
    this.before = undefined; // the view before a new one, of which only the hand is drawn
    this.lastBout = new LastBout();
    this.frame = 0; // the requested animation frame; 0 if none is

    this.turn = new Turn({
      send,
      draw: () => this.draw(),
      change: () => this.change(),
      catchUp: () => this.catchUp(),
      press: (token, from) => this.press(token, from),
      shake: (keys, move) => this.hand.shake(keys, move),
      askToCheat,
    });
    const listener = {
      view: (/** @type {View} */ newest) => this.turn.underway.look(newest),
      change: () => this.change(),
      stop: (/** @type {Span[]} */ words) => {
        this.catchUp(); // the notice goes where the page then is, not over the hand that is leaving
        const [title, reason] = linesOf(words);
        const sentence = plain(reason ?? title);
        if (isRoom) $("news").textContent = sentence; // the room's welcome shows it
        else toast(sentence);
      },
    };
    this.moments = new Moments(listener, isRoom);
    this.clock = new Clock();
    this.table = new BoardView($("table"), { hasAims: true });
    this.throws = new Throws(throwAt);
    this.remarks = new Remarks((remark) => remarkAs(this.view?.tableMessage ?? "", remark));
    this.choreographer = new Choreographer(this.table);
    this.settling = new Settling();
    this.latest = element("p", "latest");
    this.status = element("p", "status");
    this.team = element("p", "team");
    $("mine").append(element("div", "says", this.latest, this.status, this.clock.root, this.team));
    this.hand = new HandView($("mine"));
    $("undo").style.animationDuration = `${UNDO_MS}ms`;
    this.outcome = new OutcomeView();
    this.otherGames = button("other move onward", t("Other games")); // leads to the room's welcome
    this.otherGames.onclick = () => this.moments.leave();
    this.share = button("tool share", element("span", "sign", "📤"), element("span", "label", t("Share")));
    this.share.title = this.share.ariaLabel = t("Share");
    this.share.onclick = () => shareGame(this.view?.result?.content.game ?? "", this.verdict);
    this.newTable = playButton("rules", t("New table"));
    this.newOpponent = playButton("", t("Another opponent"));
    this.lobby = new LobbyView((parent, buttons) => this.hand.drawOthers(parent, buttons, "button"));
    this.hand.bar.before(this.outcome.root, this.lobby.root);
    this.hand.bar.before(this.remarks.root);
    this.hand.tools.append(this.remarks.opener);
    this.focus = new FocusKeeper(() => this.firstThing());

    document.addEventListener("visibilitychange", () => {
      this.catchUp(); // a hidden page gets no frames
      if (document.hidden) this.turn.underway.hasten(); // it may never be shown again
    });
  }

  // --- updates ---

  /**
   * Replaces all messages.
   * @param {Message[]} messages
   * @param {Reader} me
   * @param {number} now the bot's time in Unix seconds
   */
  reset(messages, me, now) {
    this.me = me;
    this.clock.set(now);
    this.moments.reset(messages, me, now);
  }

  /** @param {Message} message */
  put(message) {
    this.moments.put(message);
  }

  /** @param {string} id */
  remove(id) {
    this.moments.remove(id);
  }

  /** Sets the people who have the page open. @param {Guest[]} people */
  people(people) {
    this.present = new Set(people.map(({ id }) => id));
    this.change();
  }

  // --- drawing ---

  /** Returns the element that should get the focus first: the lobby or a card of the hand; null if there is none. */
  firstThing() {
    if (this.lobby.message) return this.lobby.scroll;
    return first(".held", this.hand.fan);
  }

  /** Whether a game is running here without the reader. */
  get isOthers() {
    return Boolean(this.view && !this.view.board.is_over && this.view.own === null);
  }

  /** Whether a game can be started here: there is no lobby, and no game of others. */
  get isFree() {
    return !this.isOthers && !this.lobby.message;
  }

  /** Whether a game is running here, or the lobby or the result has its own buttons for the next one. */
  get isOccupied() {
    const { lobby, view } = this;
    if (lobby.message) return Boolean(first(".lobby-best button, .lobby-buttons button", lobby.root));
    if (view?.result) return Boolean(first("button", this.hand.next));
    return Boolean(view?.hand) || this.isOthers;
  }

  /** Takes a free seat in the lobby, if there is one. */
  sitDown() {
    this.draw();
    const { message, seat } = this.lobby;
    if (message && seat) this.send(message, seat);
  }

  /** Draws in the next animation frame, together with any other changes until then. */
  change() {
    if (document.hidden) this.draw();
    else this.frame ||= requestAnimationFrame(() => this.draw());
  }

  /** Draws pending changes at once, so that a touch refers to the newest state. */
  catchUp() {
    while (this.frame) this.draw(); // a new table takes several frames
  }

  draw() {
    cancelAnimationFrame(this.frame);
    this.frame = 0;
    requestAnimationFrame(() => {
      this.focus.keep();
      this.table.fit();
    });

    this.choreographer.remember();
    const last = this.before === undefined ? this.view : this.before;
    const wasShown = this.isShown;
    const { moment, view } = this.moments;
    const lobby = moment?.lobby ?? null;
    const isResting = Boolean(lobby || view?.result); // no cards are being played
    const isEntering = Boolean(moment) && !this.hasRoom && !document.hidden;
    this.hasRoom = Boolean(moment);
    this.makeRoom(this.hasRoom);
    document.body.classList.toggle("resting", isResting);
    $("stage").classList.toggle("gathering", Boolean(lobby));
    $("stage").classList.toggle("coming", isEntering);
    if (isEntering) return this.change(); // what is drawn can then be measured without another layout

    this.view = view;
    $("mine").classList.toggle("watching", this.isOthers);
    this.drawLobby(lobby);
    this.lastBout.follow(view);
    this.turn.offer(view);
    if (view) {
      const isPlaying = Boolean(view.hand) && !isResting && view.own !== null && !view.board.seats[view.own].is_out;
      $("mine").classList.toggle("mine", Boolean(view.hand));
      $("mine").classList.toggle("playing", isPlaying);
      $("mine").classList.toggle("roomy", isPlaying && !isChatOpen());
      this.hand.measure();
    }

    const isNew = view !== null && view.board.id !== last?.board.id;
    const isFirstFrame = isNew && this.before === undefined && !document.hidden;
    $("stage").classList.toggle("coming", isFirstFrame);
    if (isFirstFrame) {
      this.before = last;
      this.drawHand(view);
      return this.change(); // the table, which in one frame with its hand would take a slow phone too long
    }

    this.before = undefined;
    this.isShown = Boolean(moment);
    if (view && !isResting) this.drawTable(view);
    if (view) this.drawHand(view);
    this.drawOutcome(last);
    $("room").classList.toggle("occupied", this.isOccupied);
    this.clock.show(view);
    signalTurn(Boolean(view?.isTurn), this.title);
    if (view && isNew && view.own !== null && !isResting && topDialog()) {
      toast(view.isTurn ? t("The game has begun: it's your turn.") : t("The game has begun."));
    }

    if (view && wasShown && !isResting) {
      this.choreographer.play(last, view);
      this.sound(last, view);
    }
    if (isResting) this.settling.look(all("button, a, summary", $("mine")));
    this.turn.goOn();
  }

  /** Plays the sounds of the cards. @param {View | null} last @param {View} view */
  sound(last, { board }) {
    const sound = !document.hidden && soundBetween(last?.board ?? null, board);
    if (sound) rustle(sound);
  }

  /** @param {View} view */
  drawTable(view) {
    const { board, own } = view;
    const isAbsent = (/** @type {BoardSeat} */ seat) => !board.is_over && this.isAbsent(seat);
    const options = { isAbsent, notes: this.hand.notesOver(this.playing(view)) };
    this.table.draw(this.turn.underway.boardAfter(board), own, (pair) => this.markOf(pair), options);
  }

  /** @param {View} view */
  drawHand(view) {
    this.drawLines(view);
    this.hand.draw(this.playing(view));
    this.hand.drawOthers(this.hand.next, view.next, "move");
    this.remarks.opener.hidden = view.own === null;
    $("undo").hidden = !this.turn.underway.mayBeUndone;
  }

  /** Returns a view with what the player is doing. @param {View} view */
  playing(view) {
    const { choice, underway } = this.turn;
    const isBusy = Boolean(underway.move);
    const isCramped = this.isCramped();
    return { ...view, choice, hidden: underway.keys, isBusy, isCramped, me: this.me, on: this.on };
  }

  /** Returns whether a player does not have the page open. @param {BoardSeat} seat */
  isAbsent({ user }) {
    return Boolean(user && this.present && !this.present.has(user));
  }

  /** Returns the class of an attack card: aimed at, a target, or none. @param {BoardPair} pair */
  markOf({ attack, beat }) {
    const { choice } = this.turn;
    if (beat) return "";
    if (choice.aim === attack) return "aimed";
    return choice.chosen.length && choice.targets.has(attack) ? "target" : "";
  }

  /** @param {View} view */
  drawLines(view) {
    const { board, hand, questions } = view;
    const taking = this.taking();
    const status = taking ?? statusOf(view);
    const latest = latestIn(view);
    $("stage").classList.toggle("taking", Boolean(taking));
    fill(this.latest, latest, () => pieces(latest, this.me, this.on));
    fill(this.status, status, () => pieces(status, this.me, this.on));

    const part = this.isOthers ? t("👀 You are watching. You can join the next game.") : teamOf(view);
    const team = view.result ? "" : part;
    fill(this.team, team, () => [team]);
    this.team.hidden = !team;

    $("mine").classList.toggle("asked", board.asked.length > 0);
    const question = questionOf(view);
    $("question").hidden = !question.length;
    fill($("asked"), question, () => pieces(question, this.me, this.on));
    this.hand.drawOthers($("asked-buttons"), questions, "button");

    const call = view.isTurn ? plain(status) : "";
    announce(plain(latest), call, plain(hand?.note ?? []), this.verdict);
  }

  /** Returns the words while taking can still be undone; null otherwise. @returns {Span[] | null} */
  taking() {
    const { move, mayBeUndone } = this.turn.underway;
    return mayBeUndone && move?.kind === "take" ? [{ text: `${move.label}…`, mark: "bold" }] : null;
  }

  /** The first line of the result that is shown; empty if there is none. */
  get verdict() {
    return plain(this.view?.result?.content.body ?? []).split("\n")[0];
  }

  /** @param {LobbyMessage | null} lobby */
  drawLobby(lobby) {
    const { boards } = this.moments;
    const last = lobby && boards.resultBefore(lobby, this.me);
    this.lobby.draw(lobby, this.me, (spans) => pieces(spans, this.me, this.on), boards.fools(), last);
    if (!lobby) return;

    this.on.gathers(this.lobby.guests);
    const { heading, players } = lobby.content.board;
    const names = players.map(({ name }) => name).join(", ");
    announce(`${heading}:`, `${names}.`, this.lobby.says.textContent ?? "");
  }

  /** Draws the result of a game, with sounds and animations when it has just ended. @param {View | null} last */
  drawOutcome(last) {
    const { view } = this;
    const { replay } = this.outcome;
    const isNew = this.outcome.draw(view, this.me, this.on);
    const { game, has_address: hasAddress } = view?.result?.content ?? {};
    if (game && (this.moments.isRoom || hasAddress)) this.hand.tools.append(this.share);
    else this.share.remove();

    const ways = view?.result ? this.waysOn(view) : [];
    for (const way of [replay, this.newTable, this.newOpponent, this.otherGames]) {
      if (!ways.includes(way)) way.remove();
      else if (!way.isConnected) this.hand.next.append(way);
    }
    if (isNew && isAtTable(document.activeElement)) first(".good", this.hand.next)?.focus(); // for Enter
    const hasJustEnded = Boolean(last && !last.result && last.board.id === view?.board.id);
    if (!view?.result || !hasJustEnded) return;

    const sentence = (view.ending ?? view.result).content.body;
    const sign = SIGN.exec(plain(sentence))?.[0];
    const hats = all(".fools .hat");
    hats.forEach(fall);
    if (sign && !hats.length) show(sign, $("stage"));
    if (isWinner(view)) celebrate($("stage"));
    if (view.own !== null) ring(view.board.losers.includes(view.own) ? LOST : SAFE);
  }

  /** Lists the page's own buttons under a result: another game for players, the room's welcome for others. @param {View} view */
  waysOn({ board, result, own }) {
    this.newOpponent.textContent = board.seats.length === 2 ? t("Another opponent") : t("Other opponents");
    const replay = result?.content.game ? [this.outcome.replay] : [];
    if (!this.moments.isRoom) return replay;
    return [...replay, ...(own === null ? [this.otherGames] : [this.newTable, this.newOpponent])];
  }

  // --- what is pressed ---

  /** Handles a tap; while cards are chosen, a seat counts as a part of the table. @param {Target} touched */
  tap(touched) {
    if (touched.type !== "seat") this.turn.tap(touched);
    else if (this.turn.choice.chosen.length) this.turn.tap({ type: "table" });
    else if (this.view) this.throws.offer(touched.seat, this.view);
  }

  /** Handles a long press, which does the same as a tap for a seat; returns whether a seat was pressed. @param {Target} touched */
  hold(touched) {
    if (touched.type !== "seat" || !this.view) return false;
    this.throws.offer(touched.seat, this.view);
    return true;
  }

  /** Shows a player's remark if its table is drawn. @param {RemarkFrame} said */
  showRemark({ board, seat, remark }) {
    if (this.view?.board.id !== board || !preferences.throws) return;
    const text = wordsOf(remark);
    speakAt(seat, text, this.view.own);
    $("news").textContent = `${this.view.board.seats[seat].name}: ${text}`;
  }

  /** Shows a chat message at its writer's seat. @param {string} by the id of a guest @param {string} text */
  speak(by, text) {
    const seat = this.view?.board.seats.findIndex(({ user }) => user === by) ?? -1;
    if (this.view && seat >= 0 && seat !== this.view.own) speakAt(seat, text, this.view.own);
  }

  /** Shows a throw if its table is drawn. @param {Throw} flight */
  showThrow(flight) {
    if (this.view?.board.id === flight.board) this.throws.show(flight, this.view.own);
  }

  /** Presses a button other than a move. @param {string} token @param {From} from */
  press(token, from) {
    if (from === "result") this.on.asks();
    const { handMessage: hand, tableMessage: table, result } = this.view ?? {};
    const message = { hand, table, result: result?.id, lobby: this.lobby.message }[from];
    if (message) this.send(message, token);
  }
}

/** Shares a finished game of a room. @param {string} game @param {string} sentence who lost it */
async function copyGame(game, sentence) {
  const path = gamePath(game);
  try {
    await shareReplay(location.origin + path, sentence);
  } catch {
    location.assign(path); // without https nothing can be copied, but the replay's page shows the address
  }
}

/** Returns a button that opens the dialog for a new game, or only its rules. @param {"" | "rules"} part @param {string} label */
function playButton(part, label) {
  const play = button("other move onward", label);
  play.dataset.play = part;
  play.dataset.online = "";
  return play;
}

/** Returns whether the room's chat is beside the table or over it. */
function isChatOpen() {
  return $("room").classList.contains("chatting");
}

/** Asks whether to play a card against the rules. @param {() => void} play */
function askToCheat(play) {
  $("cheat-yes").onclick = play;
  openDialog($("cheat"));
}

/** Keeps the previous bout, for looking at it again. */
class LastBout {
  constructor() {
    this.game = "";
    /** @type {BoardPair[]} */
    this.bout = [];
    /** @type {Span[]} */
    this.story = [];
  }

  /** @param {View | null} view */
  follow(view) {
    const { id = "", last_bout: bout = [] } = view?.board ?? {};
    const isKnown = !bout.length || JSON.stringify(bout) === JSON.stringify(this.bout);
    if (id === this.game && isKnown) return;

    this.game = id;
    this.bout = bout;
    this.story = view ? latestIn(view) : [];
  }

  show() {
    drawBout($("last-bout-cards"), this.bout);
    $("last-bout-story").replaceChildren(...pieces(this.story));
    openDialog($("last-bout"));
  }
}

/** Returns the sentence about whose turn it is, from the reader's side. @param {View} view @returns {Span[]} */
function statusOf({ board, hand, own }) {
  if (!hand || own === null || board.is_over) return board.status;

  const isOld = hand.step < board.step; // the newer hand did not come in time
  const hasSentence = hand.moves.length > 0 || !hand.note.length; // otherwise its note is a question
  if (!isOld && hasSentence) return hand.says;

  const isOwn = board.seats[own].is_awaited;
  return isOwn ? [{ text: t("Your turn"), mark: "bold" }] : board.status;
}

/** Returns the question at the table, in the words for the reader. @param {View} view @returns {Span[]} */
function questionOf({ board: { asked, own_questions: questions = [] }, own }) {
  const question = questions.find(({ seats }) => own !== null && seats.includes(own));
  return question ? question.words : asked; // an earlier version has no other words
}

/** Returns the newest move in words, addressed to the reader if they play. @param {View} view @returns {Span[]} */
function latestIn({ board, hand }) {
  const isCurrent = hand?.step === board.step;
  const { latest = board.latest } = hand ?? {}; // a hand of an earlier version has none
  return isCurrent ? latest : board.latest;
}

/** Names the reader's partners; empty without teams. @param {View} view */
function teamOf({ board, own }) {
  const mine = own === null ? "" : board.seats[own].team;
  if (!mine) return "";

  const partners = board.seats.filter(({ team }, seat) => team === mine && seat !== own);
  const names = partners.map(({ name }) => name).join(", ");
  return `${mine} ${t("Your team: {names}", { names })}`;
}

/** Returns whether the focus is at the table or nowhere, so that moving it disturbs no writing or reading. @param {Element | null} focused */
function isAtTable(focused) {
  return focused === document.body || $("stage").contains(focused);
}

/** Moves the focus to the next useful element if the focused one has gone; keys would start at the top otherwise. */
class FocusKeeper {
  /** @param {() => HTMLElement | null} next returns the element to focus */
  constructor(next) {
    this.next = next;
    /** @type {Element | null} */
    this.focused = null; // the element that had the focus last
    addEventListener("focusin", ({ target }) => (this.focused = /** @type {Element} */ (target)));
  }

  keep() {
    const { activeElement: now } = document;
    if (!this.focused || isSeen(this.focused)) return;
    const isNowhere = !now || now === document.body || !isSeen(now);
    if (isNowhere) this.next()?.focus();
  }
}

/** @param {Element} node */
function isSeen(node) {
  return node.isConnected && node.getClientRects().length > 0;
}
