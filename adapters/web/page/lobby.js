// The table before the deal: what will be played, who sits there, and what the reader can do about it.

import { element, fill, keep } from "./dom.js";
import { initial } from "./seats.js";
import { said } from "./texts.js";

export class LobbyView {
  /** `drawButtons(parent, buttons)` draws buttons and keeps those that are there already. */
  constructor(drawButtons) {
    this.drawButtons = drawButtons;
    this.message = null;
    this.about = element("p", "about");
    this.heading = element("h2");
    this.seats = element("ol", "lobby-seats");
    const rules = Object.assign(element("button", "how", said("How to play")), { type: "button" });
    rules.dataset.how = "";
    this.says = element("p", "hint");
    this.guests = element("div", "lobby-guests"); // how others come here
    this.seal = element("p", "seal");
    this.best = element("div", "lobby-best");
    this.buttons = element("div", "lobby-buttons");
    this.told = element("div", "told", this.about, element("div", "who", this.heading, rules), this.seats, this.guests, this.seal);
    Object.assign(this.told, { role: "group", tabIndex: 0 }); // where it has to be scrolled, keys can do it
    this.root = element("div", "lobby", this.told, this.says, this.best, this.buttons);
  }

  /** Draw the message of a lobby for a reader, or nothing; `pieces(spans)` gives its texts as nodes. */
  draw(message, me, pieces) {
    this.root.hidden = !message;
    this.message = message?.id ?? null;
    if (!message) return;
    const { about, heading, players, most, seal } = message.content.board;
    const { says, tokens, best } = viewFor(message.content.board, me);
    for (const [place, spans] of [[this.about, about], [this.says, says], [this.seal, seal]]) {
      fill(place, JSON.stringify(spans), ...pieces(spans));
    }
    this.heading.textContent = heading;
    this.told.ariaLabel = heading;
    const free = most - players.length;
    keep(this.seats, [...players, ...(free ? [null] : [])].map((player, seat) => ({ player, seat, free })), {
      key: ({ seat }) => String(seat),
      make: () => element("li"),
      update: drawSeat,
    });
    this.guests.hidden = !free;
    const offered = message.content.rows.flat().filter(({ token }) => tokens.includes(token));
    const isBest = ({ token }) => token === best;
    this.drawButtons(this.best, offered.filter(isBest).map((button) => ({ ...button, tone: "good" })));
    this.drawButtons(this.buttons, offered.filter((button) => !isBest(button)).map(
      (button) => ({ ...button, tone: "neutral" }),
    ));
  }
}

/** What a lobby says to somebody, and what they can do there. */
export function viewFor({ players, for_host, for_seated, for_others }, me) {
  const mine = players.find(({ user }) => user && user === me.id);
  if (!mine) return for_others;
  return mine.is_host ? for_host : for_seated;
}

/** Draw who sits on a seat; all free seats are one, with their number. */
function drawSeat(item, { player, free }) {
  item.className = player ? "lobby-seat" : "lobby-seat free";
  if (!player) {
    fill(item, String(free), element("span", "avatar", `+${free}`), element("span", "name", said("still free")));
    return;
  }
  const { name, team, is_host } = player;
  const avatar = element("span", "avatar", initial(name));
  avatar.ariaHidden = "true";
  const host = is_host ? [element("span", "host", said("host"))] : [];
  fill(item, JSON.stringify(player), avatar, element("bdi", "name", `${team}${name}`), ...host);
}
