// Messages as elements. What people wrote goes through text nodes only.

/** @import {AskedLine, Button, DocumentFile, Message, MessageActions, PictureFile, Reader, Span} from "../types" */
import { button, element, first } from "./dom.js";
import { said } from "./texts.js";

/** @type {Record<string, string>} */
const SUITS = { "♠": "spades", "♥": "hearts", "♦": "diamonds", "♣": "clubs" };
const CARD = /(10|[2-9]|\p{Lu})?([♠♥♦♣])\uFE0F?/gu; // a letter is that of any language
const COMMAND = /(\/[a-z]{2,20}\b)(?!\/)/; // Firefox breaks lines after a slash
const CLOSING = /[.,:;!?)»]+/y; // what no line begins with
const AS_TEXT = "\uFE0E"; // keeps phones from drawing a suit as an emoji
const CLOCK = new Intl.DateTimeFormat([], { hour: "2-digit", minute: "2-digit" });

/**
 * Give a text as nodes in which every card looks like one, and every command stays in one piece.
 * @param {string} text
 */
export function withCards(text) {
  return text.split(COMMAND).flatMap((part, n) => (n % 2 ? [element("span", "whole", part)] : cardsIn(part)));
}

/** @param {string} text */
function cardsIn(text) {
  /** @type {(string | HTMLElement)[]} */
  const nodes = [];
  let end = 0;
  for (const match of text.matchAll(CARD)) {
    if (match.index > end) nodes.push(text.slice(end, match.index));
    const [whole, rank, suit] = match;
    const face = element("span", `card ${SUITS[suit]}`);
    if (rank) face.append(element("span", "rank", rank));
    face.append(element("span", "suit", suit + AS_TEXT));
    CLOSING.lastIndex = match.index + whole.length;
    const [closing] = CLOSING.exec(text) ?? [""];
    nodes.push(closing ? element("span", "whole", face, closing) : face);
    end = match.index + whole.length + closing.length;
  }
  if (end < text.length) nodes.push(text.slice(end));
  return nodes;
}

/**
 * Fill an element with a message.
 * @param {HTMLElement} item
 * @param {Message} message
 * @param {Reader} me
 * @param {MessageActions} on
 */
export function drawMessage(item, message, me, on) {
  const { id, kind, content } = message;
  item.className = `message ${kind}${item.classList.contains("live") ? " live" : ""}`;
  const parts = [head(message, on)];
  if (kind === "chat") {
    item.classList.toggle("mine", content.by === me.id);
    parts.push(element("div", "bubble", element("div", "body", content.text)));
  } else {
    const bubble = element("div", "bubble", element("div", "body", ...pieces(content.body, me, on)));
    if (content.picture) bubble.prepend(picture(content.picture, id, on, first("img.picture", item)));
    if (content.document) bubble.append(documentLink(content.document, id, on));
    if (content.game) bubble.append(replayLink(content.game));
    bubble.append(...content.rows.map((row) => element("div", "row", ...row.map((each) => tokenButton(each, id, on)))));
    parts.push(bubble);
  }
  item.replaceChildren(...parts);
}

/** @param {Message} message @param {MessageActions} on */
function head(message, on) {
  const { kind, content } = message;
  const line = element("div", "head");
  const name = kind === "chat" ? content.name : "Durak";
  line.append(element("bdi", "name", name));
  if (kind !== "chat" && content.asked) line.append(element("bdi", "asked", asked(content.asked, message.private)));
  line.append(element("time", "", CLOCK.format(new Date(message.at * 1000))));
  if (kind === "answer") {
    const close = button("close", "✕");
    close.ariaLabel = said("Dismiss");
    close.onclick = () => on.dismiss(message.id);
    line.append(close);
  }
  return line;
}

/** @param {AskedLine} line @param {boolean} isPrivate */
function asked({ name, text }, isPrivate) {
  return isPrivate ? text : `${name}: ${text}`;
}

/**
 * Give pieces of text as nodes.
 * @param {Span[]} spans
 * @param {Reader} [me]
 * @param {Pick<MessageActions, "lead">} [on] without it links are text
 */
export function pieces(spans, me, on) {
  return joined(spans).map((span) => piece(span, me, on));
}

/** Join neighbours that look and mean the same: lines break as if they were one text. @param {Span[]} spans */
function joined(spans) {
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
  const made = element("span", mark === "plain" ? "" : mark);
  if (mark === "code" || mention) made.append(text); // a name is no card, whatever it looks like
  else made.append(...withCards(text));
  if (mention) made.classList.add("mention");
  if (mention && mention === me?.id) made.classList.add("me");
  if (link && on) {
    made.classList.add("link");
    made.role = "link";
    made.tabIndex = 0;
    made.onclick = () => on.lead(link);
    made.addEventListener("keydown", (event) => event.key === "Enter" && on.lead(link));
  }
  return made;
}

/** A moment by the reader's clock, with its day unless that is today. @param {Date} at @param {string} text */
function moment(at, text) {
  /** @type {Intl.DateTimeFormatOptions} */
  const style = { hour: "2-digit", minute: "2-digit" };
  if (at.toDateString() !== new Date().toDateString()) {
    Object.assign(style, { weekday: "short", day: "numeric", month: "short" });
  }
  const made = element("time", "", at.toLocaleString([], style));
  return Object.assign(made, { dateTime: at.toISOString(), title: text });
}

/**
 * A picture; the one before it stands in its place until the new one can be seen.
 * @param {PictureFile} file
 * @param {string} id of the message
 * @param {MessageActions} on
 * @param {HTMLImageElement | null} before
 */
function picture(file, id, on, before) {
  const image = Object.assign(element("img", "picture"), { alt: file.alt, width: file.width, height: file.height });
  const seen = before ?? image;
  seen.dataset.wanted = file.digest;
  /** @param {string} address */
  const show = async (address) => {
    image.src = address;
    if (seen === image) return;
    await image.decode();
    if (seen.dataset.wanted === file.digest) seen.replaceWith(image);
  };
  on.file(id, file).then(show).catch(() => {}); // gone already: something newer comes
  return seen;
}

/** A document to keep; a click fetches it. @param {DocumentFile} file @param {string} id @param {MessageActions} on */
function documentLink(file, id, on) {
  const link = element("a", "document", file.name);
  link.download = file.name;
  link.href = "#"; // so that it can be reached by keys, too
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

/** A link to a finished game, to be looked at move by move. @param {string} game */
function replayLink(game) {
  const link = element("a", "button way-back", said("Replay"));
  link.href = `/games/${game}`;
  return link;
}

/** @param {Button} of @param {string} id @param {MessageActions} on */
function tokenButton({ token, label, tone, enabled }, id, on) {
  const oneCard = isOneCard(label);
  const parts = withCards(label).map((part) => (oneCard && typeof part === "string" ? element("span", "sign", part) : part));
  const made = button(`button ${tone}`, ...parts);
  made.disabled = !enabled;
  made.dataset.token = token;
  if (oneCard) made.classList.add("one-card");
  else if (label.search(CARD) >= 0) made.classList.add("with-cards");
  made.onclick = () => on.press(id, token, made);
  return made;
}

/** @param {string} label */
function isOneCard(label) {
  const cards = [...label.matchAll(CARD)];
  return cards.length === 1 && Boolean(cards[0][1]) && /^[+↪]?\s*$/u.test(label.replace(cards[0][0], ""));
}
