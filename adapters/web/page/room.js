// The room: its chat, the composer, the private pane, and the table. Loaded once somebody comes in.

import { listenToBack } from "./back.js";
import { Composer } from "./composer.js";
import { $, all, element } from "./dom.js";
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
import { furnish } from "./stage.js";
import { Stream } from "./stream.js";
import { said } from "./texts.js";
import { tell, toast } from "./toast.js";

/** Show the room to the guest with this secret, or with an empty one to somebody who only looks. */
export function openRoom(api, secret, title) {
  document.body.classList.toggle("looking", !secret);
  $("room").hidden = false;
  $("room-name").replaceChildren(element("span", "brand", "Durak · "), room);
  const invite = new Invite(api, room, secret);

  const files = new Files(api);
  const on = {
    press,
    dismiss,
    lead,
    file: (message, wanted) => files.address(message, wanted),
    missing: (error) => toast(error.message, "danger"),
    asks: () => panel.expect(),
  };
  const chat = new MessageList($("public"), $("chat-scroll"), on);
  const pane = new Pane(new MessageList($("private"), $("pane-scroll"), on));
  const live = new Live({ send: (message, token, isMoot) => ask("presses", { message, token }, isMoot), on, title });
  furnish(live);
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
  let me = { id: "" };
  let farewell = said("That link is not known here. Come in with a name.");

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
    frame: (frame) => take[frame.type]?.(frame),
  });

  const take = {
    all({ you, messages, commands, now }) {
      me = you;
      $("owner-note").hidden = !you.owner;
      if (secret) remember({ name: you.name, secret });
      composer.offer(commands);
      pane.reset(messages.filter((message) => message.private), me);
      chat.reset(messages.filter((message) => !message.private), me);
      live.reset(messages, me, now);
      look();
      const line = takeText(LINE);
      if (line) say(line);
    },
    message({ message }) {
      const isNew = message.private ? pane.put(message) : chat.put(message);
      live.put(message);
      if (panel.take(message)) return look();
      if (isNew && !message.content.board) message.private ? showChat(true) : message.content.by !== me.id && noteNews();
      look();
    },
    gone({ id }) {
      chat.remove(id);
      pane.remove(id);
      live.remove(id);
      look();
    },
    forgotten() {
      farewell = said("Done: nothing here knows you any more.");
    },
    people({ people }) {
      live.people(people);
      $("people").replaceChildren(...people.flatMap(({ name }, n) => [n ? ", " : "", element("bdi", "", name)]));
    },
  };

  // The newest public message with buttons is what people play at: it is always one touch away.
  /** @type {HTMLElement | null} */
  let table = null;
  const sight = new IntersectionObserver(
    ([seen]) => ($("to-table").hidden = seen.isIntersecting || !seen.target.isConnected),
    { root: $("chat-scroll"), rootMargin: "-24px 0px" },
  );
  function look() {
    if (live.lobby.message) invite.offer(live.lobby.guests);
    $("hello").hidden = $("public").querySelector(".post") !== null;
    const newest = [...$("public").querySelectorAll(".post:has(.row)")].at(-1) ?? null;
    if (newest === table) return;
    sight.disconnect();
    table = newest;
    if (table) sight.observe(table);
    else $("to-table").hidden = true;
  }
  $("to-table").onclick = () => lead(table?.dataset.id);

  function lead(id) {
    if (!chat.lead(id)) pane.lead(id);
  }

  /** Send something and show what comes of it; nothing is said of it where `isMoot()`. */
  async function ask(what, body, isMoot) {
    const answer = await tell(outbound.send(what, body), isMoot);
    if (answer?.open_private) pane.open();
    if (answer?.look) pane.lead(answer.look);
    if (answer?.form) form.show(body.message, answer.form);
    return answer;
  }

  async function say(text) {
    chat.toEnd();
    return ask("lines", { text });
  }

  async function press(message, token, button) {
    button.classList.add("busy");
    button.disabled = true;
    await ask("presses", { message, token });
    button.classList.remove("busy");
    button.disabled = false;
  }

  function dismiss(message) {
    return ask("dismissals", { message });
  }

  $("open-links").onclick = () => invite.open();
  for (const button of all("[data-leave]")) {
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
