// The chat: its place beside the table, its input line, and the answers that only the reader sees.

/** @import {Command, Message, Reader, ScreenMessage} from "../types" */
/** @import {MessageList} from "./messages.js" */
import { $, button, element, first, markMore, openDialog } from "./dom.js";
import { preferences, setPreference } from "./memory.js";
import { keepFocus } from "./messages.js";
import { isEnding } from "./moment.js";
import { toast } from "./notices.js";

// --- The line at the bottom of the chat, and the list of commands above it.

export class Composer {
  /** @param {(text: string) => Promise<object | null>} say sends a line; returns null if it was refused */
  constructor(say) {
    /** @type {Command[]} */
    this.commands = [];
    this.line = $("line");
    this.list = $("commands");
    this.line.oninput = () => this.suggest();
    this.line.addEventListener("keydown", (event) => event.key === "Escape" && this.hide());
    $("side").addEventListener("toggle", () => this.hide()); // when the chat is opened or closed
    $("open-commands").onclick = () => (this.list.hidden ? this.show(this.commands) : this.hide());
    $("composer").onsubmit = async (event) => {
      event.preventDefault();
      const text = this.line.value.trim();
      if (!text) return;
      this.line.value = "";
      this.hide();
      if (!(await say(text)) && !this.line.value) this.line.value = text;
    };
  }

  /** Sets the commands that are suggested. @param {Command[]} commands */
  offer(commands) {
    this.commands = commands;
  }

  suggest() {
    const typed = /^\/(\S*)$/.exec(this.line.value);
    const fitting = typed ? this.commands.filter(({ name }) => name.startsWith(typed[1].toLowerCase())) : [];
    if (fitting.length) this.show(fitting);
    else this.hide();
  }

  /** @param {Command[]} commands */
  show(commands) {
    this.list.replaceChildren(...commands.map((command) => this.entry(command)));
    this.expand(true);
    markMore(this.list);
  }

  hide() {
    this.expand(false);
  }

  /** @param {boolean} isExpanded */
  expand(isExpanded) {
    this.list.hidden = !isExpanded;
    $("open-commands").setAttribute("aria-expanded", String(isExpanded));
  }

  /** @param {Command} command */
  entry({ name, summary, arguments: words }) {
    const entry = button("command", element("code", "", `/${name}`), element("span", "", summary));
    entry.onclick = () => {
      this.line.value = words.length ? `/${name} ` : `/${name}`;
      this.hide();
      this.line.focus();
    };
    return entry;
  }
}

// --- The chat beside a live table: a column if there is room, otherwise the lower half of the screen.

const isColumn = matchMedia("(min-width: 62.5rem)"); // as in board.css

/** @param {() => void} changed lays out the table after the chat has opened or closed */
export function connectChat(changed) {
  $("side").addEventListener("toggle", changed);
  $("open-chat").onclick = () => choose(!$("room").classList.contains("chatting"));
  $("close-chat").onclick = () => {
    choose(false);
    $("open-chat").focus();
  };
  addEventListener("keydown", (event) => event.key === "Escape" && closerOfChat()?.());
  isColumn.addEventListener("change", rest);
}

/** Opens or closes the chat at the reader's request, which is stored if the chat is a column. @param {boolean} isOpen */
function choose(isOpen) {
  showChat(isOpen);
  if (isColumn.matches) setPreference("chat", isOpen);
}

/** Puts the chat into its default state: open as a column unless the reader has closed it, otherwise closed. */
function rest() {
  showChat(opensByItself());
}

/** Returns whether the chat is a column that may open: people talk or could talk in it, and the reader has not closed it. */
function opensByItself() {
  const isInUse = hasCompany || Boolean(first("#public > .chat"));
  return isColumn.matches && preferences.chat && isInUse;
}

/** @type {boolean | null} */
let hasCompany = null; // null until it is known

/** Sets whether somebody else is in the room. Only the first time it may open the chat, because that moves the table. @param {boolean} has */
export function setCompany(has) {
  const isFirst = hasCompany === null;
  hasCompany = has;
  if (isFirst) rest();
}

/** Returns a function that closes the chat if it is open over the table; null otherwise. */
export function closerOfChat() {
  const isOpen = !isColumn.matches && $("room").matches(".live.chatting");
  return isOpen ? () => showChat(false) : null;
}

/** Opens or closes the chat. @param {boolean} isOpen */
function showChat(isOpen) {
  $("room").classList.toggle("chatting", isOpen);
  $("open-chat").setAttribute("aria-expanded", String(isOpen));
  if (isOpen) $("chat-news").hidden = true;
  $("side").dispatchEvent(new Event("toggle"));
}

/** Shows new messages: opens the chat if it is a column, and otherwise marks its button. */
export function noteNews() {
  if ($("room").classList.contains("chatting")) return;
  if (opensByItself()) showChat(true);
  else $("chat-news").hidden = false;
}

/**
 * Shows the table in the main place and moves the chat beside it, or reverses that; returns whether it has.
 * @param {boolean} isLive
 */
export function makeRoom(isLive) {
  if ($("room").classList.contains("live") === isLive) return false;
  $("room").classList.toggle("live", isLive);
  $("stage").hidden = !isLive;
  $("chat-news").hidden = true;
  rest();
  return true;
}

// --- The bot's private answers to the reader: shown in a dialog over the page, and kept in a separate list.

const EXPECTED_MS = 5_000; // a later message does not answer the reader
const SUCCESSOR_MS = 400; // the time in which another answer may replace a removed one

export class Answers {
  /**
   * @param {MessageList} list of the reader's private messages
   * @param {(item: HTMLElement, message: Message) => void} draw
   */
  constructor(list, draw) {
    this.list = list;
    this.draw = draw;
    this.until = 0; // the time until which a public message counts as an answer to the reader
    this.current = ""; // the id of the message in the dialog
    this.closing = 0;
    $("open-notes").onclick = () => this.openNotes();
    $("open-old-notes").onclick = () => {
      $("menu").close();
      this.openNotes();
    };
    const isNote = "#private > li:not(.live, .of-game)"; // the table shows the others
    const note = () => document.body.classList.toggle("has-notes", Boolean(first(isNote)));
    new MutationObserver(note).observe($("private"), { childList: true, subtree: true, attributeFilter: ["class"] });
  }

  openNotes() {
    $("notes-news").hidden = true;
    openDialog($("notes"));
  }

  /** Expects a public answer to the reader's press at the table, which the dialog shows as well. */
  expect() {
    this.until = Date.now() + EXPECTED_MS;
  }

  /** @param {Message[]} messages @param {Reader} me */
  reset(messages, me) {
    this.list.reset(messages, me);
  }

  /** Adds or updates a private message; returns whether it is new. @param {Message} message */
  put(message) {
    return this.list.put(message);
  }

  /**
   * Shows a message in the dialog if it answers the reader; returns whether it does.
   * @param {Message} message
   * @param {boolean} isNew whether it is new, and not a change of an earlier one such as the reader's hand
   */
  take(message, isNew) {
    const isShown = message.id === this.current;
    if (!isShown && !this.isAsked(message, isNew)) return false;

    this.until = 0;
    this.show(message, !isShown);
    return true;
  }

  /**
   * Returns whether a message answers the reader. While the dialog is open, so does any new private message, such as a
   * review after its announcement.
   * @param {Message} message
   * @param {boolean} isNew
   */
  isAsked(message, isNew) {
    if (message.kind === "chat" || message.content.board || isEnding(message)) return false;
    if (message.private) return message.kind === "answer" || (isNew && $("panel").open);
    return Date.now() <= this.until;
  }

  /** @param {Message} message @param {boolean} opens whether to open the dialog */
  show(message, opens) {
    clearTimeout(this.closing);
    this.current = message.id;
    keepFocus($("panel-message"), () => this.draw($("panel-message"), message));
    if (opens) openDialog($("panel"));
  }

  /** Shows an earlier private message in the dialog. @param {string} id */
  lead(id) {
    const message = this.list.messages.get(id);
    if (message && message.kind !== "chat" && !message.content.board) this.show(message, true);
  }

  /** Notifies the reader of a private message by its first line. @param {ScreenMessage} message */
  tell(message) {
    $("notes-news").hidden = false;
    const [line] = message.content.body
      .map(({ text }) => text)
      .join("")
      .split("\n");
    if (line) toast(`✉️ ${line}`);
  }

  /** @param {string} id */
  remove(id) {
    this.list.remove(id);
    if (id === this.current) this.closing = setTimeout(() => $("panel").close(), SUCCESSOR_MS);
  }
}
