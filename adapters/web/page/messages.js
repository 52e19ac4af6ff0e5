// Draws messages, in lists that are updated in place. People's words are only ever written to text nodes.

/** @import {AskedLine, Button, ChatContent, DocumentFile, Message, MessageActions, PictureFile, Reader, ScreenMessage, Span} from "../types" */
import { answerOf, buttonsAfter, cap, tokensIn } from "./answers.js";
import { CARD, withCards } from "./cards.js";
import { gamePath } from "./connection.js";
import { all, button, classes, element, first, keep } from "./dom.js";
import { buttonsFor } from "./moment.js";
import { t } from "./texts.js";

const CLOCK = new Intl.DateTimeFormat([], { hour: "2-digit", minute: "2-digit" });

/**
 * Fills an element with a message.
 * @param {HTMLElement} item
 * @param {Message} message
 * @param {Reader} me
 * @param {MessageActions} on
 */
export function drawMessage(item, message, me, on) {
  const { kind, content } = message;
  const isLive = item.classList.contains("live");
  const isOfGame = kind !== "chat" && Boolean(content.game);
  const isOwn = kind === "chat" && content.by === me.id;
  item.className = classes(`message ${kind}`, { live: isLive, "of-game": isOfGame, mine: isOwn });
  const bubble = kind === "chat" ? bubbleOf(content) : screenOf(message, me, on, first("img.picture", item));
  item.replaceChildren(head(message, on), bubble);
}

/** Redraws an element, and restores the focus of its button that had it or has just been pressed. @param {HTMLElement} item @param {() => void} draw */
export function keepFocus(item, draw) {
  const { activeElement } = document; // unlike `:focus`, also in a window behind others
  const focused = all("button", item).find((each) => each === activeElement || each.matches(".busy"))?.dataset.token;
  draw();
  if (!focused) return;

  const again = all("button", item).find(({ dataset }) => dataset.token === focused);
  again?.focus({ preventScroll: true });
}

/** @param {ChatContent} content */
function bubbleOf({ text }) {
  return element("div", "bubble", element("div", "body", text));
}

/**
 * Draws a message of the bot: its text or drawing, a picture, a document, and buttons.
 * @param {ScreenMessage} message
 * @param {Reader} me
 * @param {MessageActions} on
 * @param {HTMLImageElement | null} [before] the picture that is already shown
 */
export function screenOf({ id, content }, me, on, before = null) {
  const { drawn } = content;
  const body = element("div", "body", ...pieces(drawn ? drawn.text : content.body, me, on));
  const parts = drawn ? answerOf(drawn, body, id, on) : [body];
  const bubble = element("div", "bubble", ...parts);
  const isResult = Boolean(content.game); // its picture repeats the text, in the language of the chat
  if (content.picture && !isResult) bubble.prepend(picture(content.picture, id, on, before));
  if (content.document) bubble.append(documentLink(content.document, id, on));
  if (content.game) bubble.append(replayLink(content.game));

  const elsewhere = drawn ? tokensIn(drawn) : [];
  const rows = content.rows.map((row) => {
    const buttons = buttonsFor(row, me).filter(({ token }) => !elsewhere.includes(token));
    return buttons.map((each) => tokenButton(each, id, on));
  });
  rows.push([...(rows.pop() ?? []), ...(drawn ? buttonsAfter(drawn) : [])]);
  for (const row of rows) if (row.length) bubble.append(element("div", "row", ...row));
  return bubble;
}

/** @param {Message} message @param {MessageActions} on */
function head(message, on) {
  const { kind, content } = message;
  const line = element("div", "head");
  const name = kind === "chat" ? content.name : t("Durak");
  line.append(element("bdi", "name", name));
  if (kind !== "chat" && content.asked)
    line.append(element("bdi", "asked", commandLine(content.asked, message.private)));
  line.append(element("time", "", CLOCK.format(new Date(message.at * 1000))));
  if (kind === "answer") {
    const close = button("close", "✕");
    close.ariaLabel = t("Dismiss");
    close.onclick = () => on.dismiss(message.id);
    line.append(close);
  }
  return line;
}

/** @param {AskedLine} line @param {boolean} isPrivate */
function commandLine({ name, text }, isPrivate) {
  return isPrivate ? text : `${name}: ${text}`;
}

/**
 * Returns pieces of text as nodes.
 * @param {Span[]} spans
 * @param {Reader} [me]
 * @param {Pick<MessageActions, "lead">} [on] without it, links are text
 */
export function pieces(spans, me, on) {
  return mergeAlike(spans).map((span) => piece(span, me, on));
}

/** Joins neighbouring spans of the same kind, so that lines break as in one text. @param {Span[]} spans */
export function mergeAlike(spans) {
  /** @param {Span} span */
  const kindOf = (span) => JSON.stringify({ ...span, text: "" });
  return spans.reduce((before, span) => {
    const last = before.at(-1);
    const isSame = last && kindOf(last) === kindOf(span);
    return isSame ? [...before.slice(0, -1), { ...last, text: last.text + span.text }] : [...before, span];
  }, /** @type {Span[]} */ ([]));
}

/** @param {Span} span @param {Reader} [me] @param {Pick<MessageActions, "lead">} [on] */
function piece({ text, mark, mention, link, when }, me, on) {
  if (when) return moment(new Date(when * 1000), text);
  const node = element("span", mark === "plain" ? "" : mark);
  if (mark === "code" || mention)
    node.append(text); // a name is not a card, even if it looks like one
  else node.append(...drawnIn(text));
  if (mention) node.classList.add("mention");
  if (mention && mention === me?.id) node.classList.add("me");
  if (link && on) {
    node.classList.add("link");
    node.role = "link";
    node.tabIndex = 0;
    node.onclick = () => on.lead(link);
    node.addEventListener("keydown", (event) => event.key === "Enter" && on.lead(link));
  }
  return node;
}

const CAP = "🎓";

/** Returns a text as nodes in which cards and the cap of a lesson are drawn. @param {string} text */
function drawnIn(text) {
  return text.split(CAP).flatMap((part, n) => (n ? [cap(), ...withCards(part)] : withCards(part)));
}

/** Draws a time in the reader's time zone, with the day unless it is today. @param {Date} at @param {string} text */
function moment(at, text) {
  /** @type {Intl.DateTimeFormatOptions} */
  const style = { hour: "2-digit", minute: "2-digit" };
  if (at.toDateString() !== new Date().toDateString()) {
    Object.assign(style, { weekday: "short", day: "numeric", month: "short" });
  }
  const node = element("time", "", at.toLocaleString([], style));
  return Object.assign(node, { dateTime: at.toISOString(), title: text });
}

/**
 * Draws a picture; the previous one stays until the new one is loaded.
 * @param {PictureFile} file
 * @param {string} id of the message
 * @param {MessageActions} on
 * @param {HTMLImageElement | null} before
 */
function picture(file, id, on, before) {
  const image = Object.assign(element("img", "picture"), {
    alt: file.alt,
    width: file.width,
    height: file.height,
  });
  const current = before ?? image;
  current.dataset.wanted = file.digest;
  /** @param {string} address */
  const show = async (address) => {
    image.src = address;
    if (current === image) return;
    await image.decode();
    if (current.dataset.wanted === file.digest) current.replaceWith(image);
  };
  on.file(id, file)
    .then(show)
    .catch(() => {}); // the file is gone, so a newer message will follow
  return current;
}

/** Draws a document as a download link; the first click fetches it. @param {DocumentFile} file @param {string} id @param {MessageActions} on */
function documentLink(file, id, on) {
  const link = element("a", "document", file.name);
  link.download = file.name;
  link.href = "#"; // makes it reachable by keyboard
  /** @param {string} address */
  const keep = (address) => {
    link.href = address;
    link.onclick = null;
    link.click();
  };
  link.onclick = (event) => {
    event.preventDefault();
    on.file(id, file).then(keep, (error) => on.missing(error));
  };
  return link;
}

/** Draws a link to the replay of a finished game. @param {string} game */
function replayLink(game) {
  const link = element("a", "button way-back", t("Replay"));
  link.href = gamePath(game);
  return link;
}

/** @param {Button} of @param {string} id @param {MessageActions} on */
function tokenButton({ token, label, tone, enabled }, id, on) {
  const oneCard = isOneCard(label);
  const parts = drawnIn(label).map((part) =>
    oneCard && typeof part === "string" ? element("span", "sign", part) : part,
  );
  const node = button(`button ${tone}`, ...parts);
  node.disabled = !enabled;
  node.dataset.token = token;
  if (oneCard) node.classList.add("one-card");
  else if (label.search(CARD) >= 0) node.classList.add("with-cards");
  node.onclick = () => on.press(id, token, node);
  return node;
}

/** @param {string} label */
function isOneCard(label) {
  const cards = [...label.matchAll(CARD)];
  return cards.length === 1 && Boolean(cards[0][1]) && /^[+↪]?\s*$/u.test(label.replace(cards[0][0], ""));
}

// --- A list of messages that is updated in place, and stays scrolled to its end unless the reader has scrolled up.

const NEAR = 80; // pixels from the end that still count as "at the end"

const MOST_SHOWN = 100; // the newest messages
const MOST_PRESSABLE = 10; // older messages with buttons

/** Returns whether a message is the table or the result of a finished game. @param {Message} message */
function isOfFinishedGame({ kind, content }) {
  if (kind === "chat") return false;
  return Boolean(content.game || endedGame(content.board));
}

/** Returns the id of a board's game if it has ended; otherwise empty. @param {ScreenMessage["content"]["board"]} board */
function endedGame(board) {
  return board && "is_over" in board && board.is_over ? board.id : "";
}

/**
 * Maps the tables of finished games to their results. The result repeats such a table, which stands where its lobby was
 * opened, above what was written during the game.
 * @param {Message[]} messages
 */
function resultsByTable(messages) {
  const screens = messages.filter((message) => message.kind !== "chat");
  const over = screens.filter(({ content }) => endedGame(content.board));
  const results = new Map(over.filter(({ content }) => content.game).map(({ id, content }) => [endedGame(content.board), id]));
  const tables = over.filter(({ content }) => !content.game);
  const pairs = tables.map(({ id, content }) => ({ id, result: results.get(endedGame(content.board)) ?? "" }));
  return new Map(pairs.filter(({ result }) => result).map(({ id, result }) => [id, result]));
}

/** Returns whether the bot's message is longer than a line, and has no button that is still to be pressed. @param {Message} message */
function isLong({ kind, content }) {
  if (kind === "chat" || content.rows.length) return false;
  const [line, ...rest] = linesOf(content.body);
  return Boolean(line && rest.length);
}

/** @param {Span[]} body */
function linesOf(body) {
  return body.map(({ text }) => text).join("").split("\n");
}

/**
 * Returns the messages to be folded: those of games before the last finished one, and what the bot wrote until then.
 * @param {Message[]} shown
 */
function pastOf(shown) {
  const ofGames = shown.filter(isOfFinishedGame).slice(0, -1);
  const last = ofGames.at(-1);
  const before = last ? shown.slice(0, shown.indexOf(last)) : [];
  return new Set([...ofGames, ...before.filter(isLong)]);
}

export class MessageList {
  /**
   * @param {HTMLElement} list
   * @param {HTMLElement} scroll the element that scrolls it
   * @param {MessageActions} on
   * @param {HTMLElement} [hello] the welcome above the list, which stays in view until there is a new message
   */
  constructor(list, scroll, on, hello) {
    this.list = list;
    this.scroll = scroll;
    this.on = on;
    this.hello = hello;
    this.hasNews = false;
    /** @type {Reader} */
    this.me = { id: "" };
    /** @type {Map<string, Message>} */
    this.messages = new Map();
    /** @type {Map<string, string>} */
    this.results = new Map(); // the results that are shown in place of their tables
    /** @type {WeakMap<HTMLElement, Message>} */
    this.contents = new WeakMap();
    this.isAtEnd = true;
    this.top = 0; // the scroll position at the last scroll event
    scroll.addEventListener("scroll", () => this.scrolled(), { passive: true });
    const watch = new ResizeObserver(() => this.settle()); // after the layout; asking earlier would cost another one
    watch.observe(list);
    watch.observe(scroll);
  }

  /** Replaces all messages. @param {Message[]} messages @param {Reader} me */
  reset(messages, me) {
    this.me = me;
    this.messages = new Map(messages.map((message) => [message.id, message]));
    this.draw();
  }

  /** Adds or updates a message; returns whether it is new. @param {Message} message */
  put(message) {
    const isNew = !this.messages.has(message.id);
    this.hasNews ||= isNew;
    this.messages.set(message.id, message);
    this.draw();
    return isNew;
  }

  /** @param {string} id */
  remove(id) {
    this.messages.delete(id);
    this.draw();
  }

  draw() {
    const sorted = [...this.messages.values()].sort((one, other) => Number(one.id) - Number(other.id));
    const older = sorted.slice(0, -MOST_SHOWN);
    const pressable = older.filter((message) => message.kind !== "chat" && message.content.rows.length).slice(-MOST_PRESSABLE);
    for (const { id } of older) this.messages.delete(id);
    for (const message of pressable) this.messages.set(message.id, message);
    this.results = resultsByTable(sorted);
    const shown = [...pressable, ...sorted.slice(-MOST_SHOWN)].filter(({ id }) => !this.results.has(id));
    const past = pastOf(shown);
    keep(this.list, shown, {
      key: ({ id }) => id,
      make: () => element("li"),
      update: (item, message) => this.update(item, message, past.has(message)),
    });
  }

  /**
   * Draws a message if it has changed, and keeps the focus of its buttons; one of an earlier game is folded.
   * @param {HTMLElement} item
   * @param {Message} message
   * @param {boolean} isPast
   */
  update(item, message, isPast) {
    const before = this.contents.get(item);
    const isSame = before === message || JSON.stringify(before) === JSON.stringify(message);
    this.contents.set(item, message);
    if (isSame && item.classList.contains("past") === isPast) return;

    item.dataset.id = message.id;
    if (isPast && message.kind !== "chat") this.fold(item, message);
    else keepFocus(item, () => drawMessage(item, message, this.me, this.on));
  }

  /** Draws the first line of a message, which opens the whole. @param {HTMLElement} item @param {ScreenMessage} message */
  fold(item, message) {
    const [line] = linesOf(message.content.body);
    const whole = element("div");
    const folded = element("details", "", element("summary", "", ...withCards(line)), whole);
    folded.addEventListener("toggle", () => drawMessage(whole, message, this.me, this.on), { once: true });
    item.className = "message past";
    item.replaceChildren(folded);
  }

  /** Scrolls a message into view and highlights it; returns whether it is in the list. @param {string} id */
  lead(id) {
    const item = first(`[data-id="${this.results.get(id) ?? id}"]`, this.list);
    if (!item) return false;
    item.scrollIntoView({ block: "nearest" });
    item.classList.remove("pointed");
    void item.offsetWidth; // restarts the animation
    item.classList.add("pointed");
    return true;
  }

  /** Notes whether the list is at its end. Only scrolling up leaves the end, because new messages also lengthen the list. */
  scrolled() {
    const isUp = this.scroll.scrollTop < this.top;
    this.top = this.scroll.scrollTop;
    if (isUp || !this.isAtEnd) this.isAtEnd = this.distance() < NEAR;
  }

  toEnd() {
    this.isAtEnd = true;
    this.hasNews = true;
    this.settle();
  }

  /** Scrolls to the welcome, which stays in view until there is a new message. */
  toWelcome() {
    this.hasNews = false;
    this.isAtEnd = true;
    this.scroll.scrollTop = 0;
  }

  settle() {
    const isHelloSeen = Boolean(this.hello?.getClientRects().length);
    const isOpening = isHelloSeen && !this.hasNews;
    if (this.isAtEnd && !isOpening) this.scroll.scrollTop = this.scroll.scrollHeight;
  }

  distance() {
    return this.scroll.scrollHeight - this.scroll.scrollTop - this.scroll.clientHeight;
  }
}

// --- Pictures and documents, which are fetched with the guest's secret in a header.

const MAX_KEPT = 24;

export class Files {
  /** @param {import("./connection.js").Api} api */
  constructor(api) {
    this.api = api;
    /** @type {Map<string, Promise<string>>} */
    this.addresses = new Map(); // blob addresses, by the digest of the file
  }

  /**
   * Returns a blob address for a file of a message, and caches it.
   * @param {string} message
   * @param {{digest: string}} file
   */
  address(message, { digest }) {
    const before = this.addresses.get(digest);
    const address = before ?? this.fetch(message, digest);
    this.addresses.delete(digest);
    this.addresses.set(digest, address); // the newest are last
    const [oldest] = this.addresses.keys();
    if (this.addresses.size > MAX_KEPT) this.drop(oldest);
    return address;
  }

  /** @param {string} message @param {string} digest */
  async fetch(message, digest) {
    try {
      return URL.createObjectURL(await this.api.file(message, digest));
    } catch (error) {
      this.addresses.delete(digest);
      throw error;
    }
  }

  /** Drops a file from the cache; an image that shows it is not affected. @param {string} digest */
  async drop(digest) {
    const address = this.addresses.get(digest);
    this.addresses.delete(digest);
    URL.revokeObjectURL((await address?.catch(() => "")) ?? "");
  }
}
