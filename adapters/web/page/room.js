// The room: its chat, the composer, the private pane, and the table. Loaded once a guest or a spectator comes in.

/** @import {Api} from "./api.js" */
/** @import {Frame, Message, MessageActions} from "../types" */
import { listenToBack } from "./back.js";
import { Composer } from "./composer.js";
import { $, all, element, first } from "./dom.js";
import { drawMessage } from "./draw.js";
import { noteNews, showChat } from "./drawer.js";
import { Files } from "./files.js";
import { FormDialog } from "./form.js";
import { HowToPlay } from "./how.js";
import { LINE, NOTICE, beInThisTab, forget, leaveText, remember, takeText } from "./identity.js";
import { Invite } from "./invite.js";
import { MessageList } from "./list.js";
import { Live } from "./live.js";
import { Outbound } from "./outbound.js";
import { Pane, Panel } from "./pane.js";
import { Play } from "./play.js";
import { Rooms, ownRoom, pathOf, room } from "./rooms.js";
import { connectControls } from "./stage.js";
import { Stream } from "./stream.js";
import { said } from "./texts.js";
import { tell, toast } from "./toast.js";

/**
 * Show the room.
 * @param {Api} api
 * @param {string} secret the guest's; empty for a spectator
 * @param {string} title of the page
 */
export function openRoom(api, secret, title) {
  document.body.classList.toggle("looking", !secret);
  $("room").hidden = false;
  $("room-name").replaceChildren(element("span", "brand", "Durak · "), room);
  const invite = new Invite(api, room, secret);

  const files = new Files(api);
  /** @type {MessageActions} */
  const on = {
    press,
    dismiss,
    lead,
    file: (message, wanted) => files.address(message, wanted),
    missing: (error) => toast(error.message, "danger"),
    asks: () => panel.expect(),
    gathers: (place) => invite.offer(place),
  };
  const chat = new MessageList($("public"), $("chat-scroll"), on);
  const pane = new Pane(new MessageList($("private"), $("pane-scroll"), on));
  const live = new Live({ send: (message, token, isMoot) => ask("presses", { message, token }, isMoot), on, title });
  connectControls(live);
  listenToBack();
  const composer = new Composer(say);
  const outbound = new Outbound(api, {
    doubt: () => stream.drop(),
    waiting: () => toast(said("No connection: this is sent as soon as there is one.")),
  });
  const panel = new Panel((item, message) => drawMessage(item, message, me, on));
  const form = new FormDialog((message, token) =>
    outbound.send("presses", { message, token }).catch((error) => ({ toast: error.message })),
  );
  let me = { id: "", name: "" };
  let farewell = said("That link isn't known here. Come in with a name.");

  const stream = new Stream(room, secret, {
    up: () => {
      $("offline").hidden = true;
      outbound.up();
    },
    down: (why) => {
      $("offline").hidden = false;
      $("offline").textContent = `${why || said("Connection lost.")} ${said("Trying again …")}`;
    },
    unknown: () => {
      forget(secret);
      leaveText(NOTICE, farewell);
      location.reload(); // nothing of that guest may stay on the page
    },
    frame: take,
  });

  /** @param {Frame} frame */
  function take(frame) {
    if (frame.type === "all") reset(frame);
    else if (frame.type === "message") put(frame.message);
    else if (frame.type === "gone") remove(frame.id);
    else if (frame.type === "forgotten") farewell = said("Done, I've forgotten you.");
    else if (frame.type === "people") {
      live.people(frame.people);
      const number = frame.people.length > 2 ? `${frame.people.length} · ` : ""; // where there is no room for all names
      $("people").replaceChildren(number, ...frame.people.flatMap(({ name }, n) => [n ? ", " : "", element("bdi", "", name)]));
    }
  }

  /** @param {Extract<Frame, {type: "all"}>} frame */
  function reset({ you, messages, commands, now }) {
    me = you;
    $("owner-note").hidden = !you.owner;
    if (secret) remember({ name: you.name, secret });
    composer.offer(commands);
    pane.reset(messages.filter((message) => message.private), me);
    chat.reset(messages.filter((message) => !message.private), me);
    live.reset(messages, me, now);
    refresh();
    const line = takeText(LINE);
    if (line) say(line);
  }

  /** @param {Message} message */
  function put(message) {
    const isNew = message.private ? pane.put(message) : chat.put(message);
    live.put(message);
    if (!panel.take(message) && isNew) tellNew(message);
    refresh();
  }

  /** Point at a new message, unless it is drawn at the table or the reader's own. @param {Message} message */
  function tellNew({ private: isPrivate, kind, content }) {
    if (kind === "chat" ? content.by === me.id : content.board) return;
    if (isPrivate) showChat(true);
    else noteNews();
  }

  /** @param {string} id */
  function remove(id) {
    for (const each of [chat, pane, live]) each.remove(id);
    refresh();
  }

  // The newest public message with buttons is what people play at: it is always one touch away.
  /** @type {HTMLElement | null} */
  let table = null;
  const sight = new IntersectionObserver(
    ([seen]) => ($("to-table").hidden = seen.isIntersecting || !seen.target.isConnected),
    { root: $("chat-scroll"), rootMargin: "-24px 0px" },
  );
  function refresh() {
    $("hello").hidden = first(".post", $("public")) !== null;
    const newest = all(".post:has(.row)", $("public")).at(-1) ?? null;
    if (newest === table) return;
    sight.disconnect();
    table = newest;
    if (table) sight.observe(table);
    else $("to-table").hidden = true;
  }
  $("to-table").onclick = () => lead(table?.dataset.id ?? "");

  /** @param {string} id */
  function lead(id) {
    if (!chat.lead(id)) pane.lead(id);
  }

  /**
   * Send something and show what comes of it; nothing is said of it where `isMoot()`.
   * @param {"lines" | "presses" | "dismissals"} what
   * @param {{text: string} | {message: string, token?: string}} body
   * @param {() => boolean} [isMoot]
   */
  async function ask(what, body, isMoot) {
    const answer = await tell(outbound.send(what, body), isMoot);
    if (answer?.open_private) pane.open();
    if (answer?.look) pane.lead(answer.look);
    if (answer?.form && "message" in body) form.show(body.message, answer.form);
    return answer;
  }

  /** @param {string} text */
  function say(text) {
    chat.toEnd();
    return ask("lines", { text });
  }

  /** @type {MessageActions["press"]} */
  async function press(message, token, button) {
    button.classList.add("busy");
    button.disabled = true;
    await ask("presses", { message, token });
    button.classList.remove("busy");
    button.disabled = false;
  }

  /** @param {string} message */
  function dismiss(message) {
    return ask("dismissals", { message });
  }

  $("open-links").onclick = () => invite.open();
  for (const button of all("button[data-leave]")) {
    button.onclick = () => {
      beInThisTab("");
      location.reload(); // nothing of that guest may stay on the page
    };
  }
  new Play(api, {
    say,
    mayPlay: () => !live.isOthers,
    leave: (line) => {
      leaveText(LINE, line);
      location.assign(pathOf(ownRoom(me.name)));
    },
  });
  new Rooms(api);
  new HowToPlay(api);
}
