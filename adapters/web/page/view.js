// The live table of a Telegram or Discord chat, for its people: only the table, at which they play as themselves.

/** @import {ChatDoor, Frame, Message, MessageActions, Way} from "../types" */
import { showCards } from "./cards.js";
import { Api, RefusedError } from "./connection.js";
import { connectDialogs, FormDialog, HowToPlay } from "./dialogs.js";
import { $, all, button, element, hold, openDialog } from "./dom.js";
import { discordDoor } from "./discord.js";
import { behindDoor, carrying, door, isStored, keepSecret, linkDoor, secretOf } from "./inside.js";
import { listenToKeys } from "./keys.js";
import { Live } from "./live.js";
import { addMenu } from "./menu.js";
import { drawMessage, keepFocus } from "./messages.js";
import { Line, toast } from "./notices.js";
import { showPortraits } from "./portraits.js";
import { telegramDoor } from "./telegram.js";
import { shareReplay } from "./share.js";
import { speaks, t, translatePage } from "./texts.js";
import { listenToTouch } from "./touch.js";

const TITLE = t("Durak");
const TABLE = "1"; // the ids of messages, as in view_messages.py
const ANSWER = "4";
const ME = { id: "you", name: "" };

/** @type {Record<string, ChatDoor>} */
const DOORS = { link: linkDoor, telegram: telegramDoor, discord: discordDoor };

document.documentElement.dataset.runs = ""; // tells first.js that the modules run
translatePage();
document.title = TITLE;
addEventListener("hashchange", () => location.reload()); // another link in the same tab
begin(DOORS[door] ?? linkDoor);

/**
 * Opens the table with the secret that this tab has stored, or else with a proof. A chat may hand out the same proof again
 * after a reload, although it can only be used once.
 * @param {ChatDoor} chat
 */
async function begin(chat) {
  const { proof, wanted, whose } = await chat.proof();
  const secret = proof ? secretOf(whose) : secretOf();
  if (secret) new TableView(chat, secret, () => (proof ? exchange(chat, { proof, wanted, whose }) : endVisit(chat)));
  else if (proof) await exchange(chat, { proof, wanted, whose });
  else close(chat.unproven, chat.ways(""));
}

/** Exchanges a proof for a secret, and opens the table. @param {ChatDoor} chat @param {{proof: string, wanted: string, whose: string}} ticket */
async function exchange(chat, { proof, wanted, whose }) {
  try {
    const { secret, language } = await new Api("").send("visits", { door, proof, wanted });
    keepSecret(secret, whose);
    const isToBeTranslated = speaks(language);
    const wasShown = !$("room").hidden; // with a secret that turned out to be invalid
    if (isStored() && (isToBeTranslated || wasShown)) location.reload();
    else new TableView(chat, secret, () => endVisit(chat));
  } catch (error) {
    if (!(error instanceof RefusedError)) throw error;
    close(error.message, chat.ways(error.way));
  }
}

/** Ends a visit that the bot no longer knows. @param {ChatDoor} chat */
function endVisit(chat) {
  keepSecret("");
  if (chat.isLasting) location.reload();
  else close(t("This table isn't open here any more. Open it anew from the chat."), chat.ways(""));
}

/** Shows why there is no table, and other ways to it. @param {string} why @param {Way[]} ways */
function close(why, ways) {
  showCards();
  $("room").hidden = true;
  for (const each of all("#closed > [id^=refused]")) each.hidden = true;
  $("closed").hidden = false;
  $("closed-why").textContent = why;
  $("closed-ways").replaceChildren(...ways.map(drawWay));
}

/** @param {Way} way */
function drawWay({ label, href, go }) {
  if (href) return Object.assign(element("a", "button", label), { href });
  return Object.assign(button("button", label), { onclick: go });
}

class TableView {
  /** @param {ChatDoor} chat @param {string} secret @param {() => void} unknown called if the secret is invalid */
  constructor(chat, secret, unknown) {
    this.chat = chat;
    const api = new Api("/visits");
    api.secret = secret;
    showPortraits((key) => api.portrait(key));
    $("closed").hidden = true;
    $("room").hidden = false;

    /** @type {MessageActions} */
    this.on = {
      press: (message, token, button) => this.press(message, token, button),
      dismiss: () => {},
      lead: () => {},
      file: () => Promise.reject(new RefusedError("")),
      missing: () => {},
      asks: () => {},
      gathers: () => {},
    };
    this.live = new Live({
      send: (message, token, isMoot) => this.ask(message, token, isMoot),
      throwAt: (message, seat, thing) => api.send("throws", { message, seat, thing }),
      remarkAs: (message, remark) => api.send("remarks", { message, remark }),
      on: this.on,
      title: TITLE,
      makeRoom: (isLive) => ($("stage").hidden = !isLive),
      shareGame: (game, text) => this.share(api, game, text),
    });
    this.line = new Line(api, "/visits", {
      frame: (frame) => this.take(frame),
      unknown,
    });
    this.form = new FormDialog((message, token) => this.line.press(message, token));

    new HowToPlay(api);
    $("privacy").onclick = () => this.showPrivacy(api);
    listenToTouch(this.live);
    listenToKeys(this.live);
    addMenu(this.live);
    connectDialogs();
    document.addEventListener("visibilitychange", () => {
      if (document.hidden) this.line.rest(); // so that the chat notifies the reader again
    });
  }

  /** @param {Frame} frame */
  take(frame) {
    if (frame.type === "throw") this.live.showThrow(frame);
    if (frame.type === "remark") this.live.showRemark(frame);
    if (frame.type !== "all") return;

    this.live.reset(frame.messages, frame.you, frame.now);
    this.drawBefore(frame.messages);

    const view = this.live.moments.view;
    const isPlaying = Boolean(view && view.own !== null && !view.board.is_over);
    this.chat.onDraw({ isPlaying, isTurn: Boolean(view?.isTurn) });
  }

  /** Shows the text of a table that can't be drawn yet, such as an announced one. @param {Message[]} messages */
  drawBefore(messages) {
    const message = messages.find(({ id }) => id === TABLE);
    const isDrawn = !message || message.kind === "chat" || Boolean(message.content.board);
    $("before").hidden = isDrawn;
    if (message && !isDrawn) drawMessage($("before"), message, ME, this.on);
  }

  // --- the reader's actions ---

  /** @param {string} message @param {string} token @param {() => boolean} [isMoot] */
  async ask(message, token, isMoot) {
    this.chat.onPress();
    const answer = await this.line.ask("presses", { message, token }, isMoot);
    if (answer?.answer) this.show(answer.answer);
    else if (answer?.posted) toast(t("It's in the chat now."));
    else if (answer && !answer.toast && message === ANSWER) $("panel").close(); // done; the table shows the rest
    if (answer?.review) location.assign(carrying(behindDoor(`/games/${answer.review}`, { wantsReview: true })));
    if (answer?.form) this.form.show(message, answer.form);
    return answer;
  }

  /** Sends a finished game of the table to another chat. @param {Api} api @param {string} game @param {string} text */
  async share(api, game, text) {
    try {
      const { address } = await api.get(`addresses/${game}`);
      if (this.chat.share) this.chat.share(address, text);
      else await shareReplay(address, text).catch(() => prompt(t("Copy link"), address)); // without https there is no clipboard
    } catch (error) {
      if (!(error instanceof RefusedError)) throw error;
      toast(error.message, "danger");
    }
  }

  /** Shows which personal data is stored, with links to the owner's own page about it. @param {Api} api */
  async showPrivacy(api) {
    $("menu").close();
    const privacy = await api.get("privacy").catch(() => null);
    if (!privacy) return;

    this.show(privacy.message);
    for (const address of privacy.links) {
      const link = element("a", "button", t("Privacy"));
      $("panel-message").append(Object.assign(link, { href: address, target: "_blank", rel: "noopener" }));
    }
  }

  /** Shows a private answer to the reader. @param {Message} message */
  show(message) {
    keepFocus($("panel-message"), () => drawMessage($("panel-message"), message, ME, this.on));
    openDialog($("panel"));
  }

  /** @param {string} message @param {string} token @param {HTMLButtonElement} button */
  async press(message, token, button) {
    await hold(button, this.ask(message, token));
  }
}
