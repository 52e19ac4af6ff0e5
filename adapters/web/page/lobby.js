// The table before the deal: what will be played, who sits there, and what can be done about it.

import { element } from "./draw.js";
import { fill, keep } from "./keyed.js";
import { initial } from "./seats.js";
import { said } from "./texts.js";

const MOST_FREE = 8; // so many free seats say enough

export class LobbyView {
  /** `drawButtons(parent, buttons)` draws buttons and keeps those that are there already. */
  constructor(drawButtons) {
    this.drawButtons = drawButtons;
    this.message = null;
    this.about = element("p", "about");
    this.heading = element("h2");
    this.seats = element("ol", "lobby-seats");
    this.says = element("p", "hint");
    this.seal = element("p", "seal");
    this.buttons = element("div", "lobby-buttons");
    this.told = element("div", "told", this.about, this.heading, this.seats, this.says, this.seal);
    Object.assign(this.told, { role: "group", tabIndex: 0 }); // where it has to be scrolled, keys can do it
    this.root = element("div", "lobby", this.told, this.buttons);
  }

  /** Draw the message of a lobby, or nothing; `pieces(spans)` gives its texts as nodes. */
  draw(message, pieces) {
    this.root.hidden = !message;
    this.message = message?.id ?? null;
    if (!message) return;
    const { about, heading, players, most, says, seal } = message.content.board;
    for (const [place, spans] of [[this.about, about], [this.says, says], [this.seal, seal]]) {
      fill(place, JSON.stringify(spans), ...pieces(spans));
    }
    this.heading.textContent = heading;
    this.told.ariaLabel = heading;
    const free = Array.from({ length: Math.min(most - players.length, MOST_FREE) }, () => null);
    keep(this.seats, [...players, ...free].map((player, seat) => ({ player, seat })), {
      key: ({ seat }) => String(seat),
      make: () => element("li"),
      update: drawSeat,
    });
    const { rows } = message.content;
    while (this.buttons.children.length < rows.length) this.buttons.append(element("div", "choices"));
    [...this.buttons.children].forEach((row, n) => this.drawButtons(row, rows[n] ?? []));
  }
}

function drawSeat(item, { player }) {
  item.className = player ? "lobby-seat" : "lobby-seat free";
  const { name, team, is_host } = player ?? { name: said("free seat"), team: "", is_host: false };
  fill(item, JSON.stringify(player), ...[
    element("span", "avatar", player ? initial(name) : ""),
    element("bdi", "name", `${team}${name}`),
    ...(is_host ? [element("span", "host", said("host"))] : []),
  ]);
  item.firstElementChild.ariaHidden = "true";
}
