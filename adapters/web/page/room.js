// The room: its chat, its table, and the bot's answers. Loaded when a guest or a spectator enters.

/** @import {Frame, Message, MessageActions, ScreenMessage} from "../types" */
/** @import {Api} from "./connection.js" */
import { Answers, closerOfChat, Composer, connectChat, makeRoom, noteNews, setCompany } from "./chat.js";
import { pathOf, room, roomTitle } from "./connection.js";
import { connectDialogs, FormDialog, HowToPlay } from "./dialogs.js";
import { $, all, button, element, fill, hold, markMore } from "./dom.js";
import { Invite, ownRoom, Play, Rooms } from "./gather.js";
import { listenToKeys } from "./keys.js";
import { Live } from "./live.js";
import { beInThisTab, beTheLastRoom, beTheWayBack, forget, hasFinished, leaveText, LINE, noteFinished, NOTICE, remember, takeText } from "./memory.js";
import { addMenu } from "./menu.js";
import { drawMessage, Files, MessageList } from "./messages.js";
import { isEnding } from "./moment.js";
import { Line, toast } from "./notices.js";
import { inALine } from "./outcome.js";
import { speaks, t } from "./texts.js";
import { listenToTouch } from "./touch.js";

/**
 * How a reader enters the room: through the entry page or directly, and whether they take a seat.
 * @typedef {{isEntered: boolean, sitsDown: boolean}} Entry
 */

/**
 * Opens the room on the page.
 * @param {Api} api
 * @param {string} secret the guest's; empty for a spectator
 * @param {string} title of the page
 * @param {Entry} entry
 */
export function openRoom(api, secret, title, { isEntered, sitsDown }) {
  document.body.classList.toggle("looking", !secret);
  $("room").hidden = false;
  beTheWayBack(pathOf(room));
  beTheLastRoom(pathOf(room));
  const name = roomTitle ? [element("span", "brand", `${t("Durak")} · `), roomTitle] : [t("Durak")];
  $("room-name").replaceChildren(...name);
  $("chat-room").textContent = roomTitle && `· ${roomTitle}`;
  new Room(api, secret, title, { isEntered, sitsDown });
}

const LATER_MS = 3_000; // until what can wait is asked for, after the room is drawn

class Room {
  /** @param {Api} api @param {string} secret @param {string} title @param {Entry} entry */
  constructor(api, secret, title, { isEntered, sitsDown }) {
    this.api = api;
    this.secret = secret;
    this.isEntered = isEntered;
    this.sitsDown = sitsDown;
    this.me = { id: "", name: "" };
    this.farewell = t("That link isn't known here. Come in with a name.");

    this.invite = new Invite(api, room, secret);
    this.files = new Files(api);
    const on = this.actions();
    this.chat = new MessageList($("public"), $("chat-scroll"), on, $("hello"));
    const notes = new MessageList($("private"), $("notes"), on);
    this.answers = new Answers(notes, (item, message) => drawMessage(item, message, this.me, on));
    this.composer = new Composer((text) => this.say(text));
    this.live = new Live({
      send: (message, token, isMoot) => this.ask("presses", { message, token }, isMoot),
      throwAt: (message, seat, thing) => api.send("throws", { message, seat, thing }),
      remarkAs: (message, remark) => api.send("remarks", { message, remark }),
      on,
      title,
      makeRoom: (isLive) => {
        const isAfterTable = makeRoom(isLive) && !isLive;
        this.showLastResult();
        if (isAfterTable) this.chat.toWelcome();
        this.watchTable();
      },
      isCramped: () => Boolean(closerOfChat()),
      isRoom: true,
    });

    this.line = new Line(api, pathOf(room), {
      frame: (frame) => this.take(frame),
      unknown: () => this.leave(this.farewell),
    });
    this.form = new FormDialog((message, token) => this.line.press(message, token));
    this.tableButton = new TableButton((id) => this.lead(id));

    this.openDialogs(api);
    markMore($("chat-scroll"));
    listenToTouch(this.live);
    listenToKeys(this.live);
    addMenu(this.live);
    connectChat(() => this.live.change());
    connectDialogs(closerOfChat);
  }

  /** Returns the actions of messages in the room. @returns {MessageActions} */
  actions() {
    return {
      press: (message, token, button) => this.press(message, token, button),
      dismiss: (message) => this.ask("dismissals", { message }),
      lead: (id) => this.lead(id),
      file: (message, wanted) => this.files.address(message, wanted),
      missing: (error) => toast(error.message, "danger"),
      asks: () => this.answers.expect(),
      gathers: (place) => this.invite.offer(place),
    };
  }

  /** Leaves the room by a reload, after which the entry page shows the reason. @param {string} why */
  leave(why) {
    forget(this.secret);
    leaveText(NOTICE, why);
    location.reload();
  }

  /** @param {Api} api */
  openDialogs(api) {
    $("open-links").onclick = () => this.invite.open();
    addEventListener("click", ({ target }) => {
      if (!(target instanceof Element) || !target.closest("[data-leave]")) return;
      beInThisTab("");
      location.reload(); // removes everything of that guest from the page
    });

    this.live.hand.tools.after(elsewhere());
    new Play(api, {
      say: (line) => this.say(line),
      mayPlay: () => this.live.isFree,
      leave: (line) => {
        leaveText(LINE, line);
        location.assign(pathOf(ownRoom(this.me.name)));
      },
    });
    new Rooms(api);
    new HowToPlay(api, Boolean(this.secret));
  }

  // --- frames of the stream ---

  /** @param {Frame} frame */
  take(frame) {
    if (frame.type === "all") this.reset(frame);
    else if (frame.type === "message") this.put(frame.message);
    else if (frame.type === "gone") this.remove(frame.id);
    else if (frame.type === "forgotten") this.farewell = t("Done, I've forgotten you.");
    else if (frame.type === "people") this.showPeople(frame.people);
    else if (frame.type === "throw") this.live.showThrow(frame);
    else if (frame.type === "remark") this.live.showRemark(frame);
  }

  /** @param {Extract<Frame, {type: "all"}>} frame */
  reset({ you, messages, commands, now }) {
    this.me = you;
    $("owner-note").hidden = !you.owner;
    $("to-standings").hidden = !hasFinished(you.id);
    if (this.secret) {
      remember({ name: you.name, secret: this.secret });
      setTimeout(() => this.lookForStatistics(), LATER_MS);
    }
    this.composer.offer(commands);

    const alone = messages.filter((message) => message.private);
    const open = messages.filter((message) => !message.private);
    this.answers.reset(alone, you);
    this.chat.reset(open, you);
    this.live.reset(messages, you, now);
    this.refresh();
    if (this.isEntered) this.takeFocus();
    if (this.sitsDown) this.live.sitDown();
    this.sitsDown = false;

    const line = takeText(LINE);
    if (line) this.say(line);
  }

  /** Moves the focus, for keys and screen readers, from the entry page to the table or the welcome. */
  takeFocus() {
    this.isEntered = false;
    this.live.catchUp();
    (this.live.firstThing() ?? $("hello-title")).focus({ preventScroll: true });
  }

  /** @param {Message} message */
  put(message) {
    const list = message.private ? this.answers : this.chat;
    const isNew = list.put(message);
    this.live.put(message);
    if (message.kind !== "chat" && isEnding(message)) this.lookForStatistics();
    const isAnswer = this.answers.take(message, isNew);
    if (isNew && !isAnswer) this.point(message);
    this.refresh();
  }

  /** Signals a new message, unless it is drawn at the table or the reader's own. @param {Message} message */
  point(message) {
    if (message.kind === "chat") {
      if (message.content.by !== this.me.id) noteNews();
      this.live.speak(message.content.by, message.content.text);
      return;
    }
    if (message.content.board || isEnding(message)) return;

    if (message.private) this.answers.tell(message);
    else if (!this.isCall(message)) noteNews();
  }

  /** Returns whether a message calls people to the table that is already shown. @param {ScreenMessage} message */
  isCall({ content }) {
    const table = this.live.moments.view?.tableMessage;
    return Boolean(table) && content.body.some(({ link }) => link === table);
  }

  /** @param {string} id */
  remove(id) {
    for (const each of [this.chat, this.answers, this.live]) each.remove(id);
    this.refresh();
  }

  /** @param {Extract<Frame, {type: "people"}>["people"]} people */
  showPeople(people) {
    this.live.people(people);
    setCompany(people.length > 1);
    const number = people.length > 2 ? `${t("{n} here", { n: people.length })} · ` : ""; // all names may not fit
    const names = people.flatMap(({ name }, n) => [n ? ", " : "", element("bdi", "", name)]);
    $("people").replaceChildren(number, ...names);
  }

  refresh() {
    $("hello").hidden = false; // a table, if there is one, takes its place
    this.watchTable();
  }

  /** Offers the way to the newest message with buttons while it is out of sight, unless the last game is over. */
  watchTable() {
    const table = all(".post:has(.row)", $("public")).at(-1) ?? null;
    this.tableButton.watch(this.live.moments.lastResult ? null : table);
  }

  /** Shows in the welcome the result of the newest game or why it was stopped, with a link to its replay. */
  showLastResult() {
    const result = this.live.moments.lastResult;
    const place = $("last-result");
    place.hidden = !result;
    if (!result) return;

    fill(place, [result.id, result.content.body], () => {
      const results = Object.assign(element("a", "", t("Results and games")), { href: "/results" });
      return [...inALine(result), " · ", results];
    });
  }

  /** Asks whether the reader has finished a game, until they have: results and statistics are then offered. */
  async lookForStatistics() {
    if (hasFinished(this.me.id)) return;
    const own = await this.api.get("own").catch(() => null);
    if (!own?.has_statistics) return;
    noteFinished(this.me.id);
    $("to-standings").hidden = false;
  }

  // --- the reader's actions ---

  /** @param {string} id */
  lead(id) {
    if (!this.chat.lead(id)) this.answers.lead(id);
  }

  /**
   * Sends something and shows the outcome; shows no notice if it `isMoot()` by then.
   * @param {"lines" | "presses" | "dismissals"} what
   * @param {{text: string} | {message: string, token?: string}} body
   * @param {() => boolean} [isMoot]
   */
  async ask(what, body, isMoot) {
    const answer = await this.line.ask(what, body, isMoot);
    if (answer?.language && speaks(answer.language)) location.reload();
    if (answer?.look) this.answers.lead(answer.look);
    if (answer?.review) location.assign(`/games/${answer.review}?review`);
    if (answer?.form && "message" in body) this.form.show(body.message, answer.form);
    return answer;
  }

  /** @param {string} text */
  say(text) {
    this.chat.toEnd();
    return this.ask("lines", { text });
  }

  /** @param {string} message @param {string} token @param {HTMLButtonElement} button */
  async press(message, token, button) {
    await hold(button, this.ask("presses", { message, token }));
  }
}

/** Returns the button with which a spectator starts their own game. */
function elsewhere() {
  const play = button("tool elsewhere", t("Play in a room of your own"));
  play.dataset.play = "";
  return play;
}

/** The button to the table's message in the chat, which is shown while that is out of sight. */
class TableButton {
  /** @param {(id: string) => void} lead */
  constructor(lead) {
    /** @type {HTMLElement | null} */
    this.table = null;
    const area = { root: $("chat-scroll"), rootMargin: "-24px 0px" };
    this.sight = new IntersectionObserver(([{ isIntersecting, target }]) => {
      $("to-table").hidden = isIntersecting || !target.isConnected;
    }, area);
    $("to-table").onclick = () => lead(this.table?.dataset.id ?? "");
  }

  /** @param {HTMLElement | null} table */
  watch(table) {
    if (table === this.table) return;
    this.sight.disconnect();
    this.table = table;
    if (table) this.sight.observe(table);
    else $("to-table").hidden = true;
  }
}
