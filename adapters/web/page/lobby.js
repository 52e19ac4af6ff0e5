// The table before the deal: what will be played, who sits there, and what the reader can do about it.

/** @import {Button, LobbyBoard, LobbyMessage, LobbySeat, Reader, Span} from "../types" */
import { button, element, fill, keep, unspoken } from "./dom.js";
import { avatarOf, initial, shortened } from "./table.js";
import { said } from "./texts.js";

const MAX_LETTERS = 22; // of a name below a seat

export class LobbyView {
  /** @param {(parent: HTMLElement, buttons: Button[]) => void} drawButtons keeps those that are there already */
  constructor(drawButtons) {
    this.drawButtons = drawButtons;
    /** @type {string | null} */
    this.message = null; // its id
    this.about = element("p", "about");
    this.heading = element("h2");
    this.seats = element("ol", "lobby-seats");
    const rules = button("how", said("How to play"));
    rules.dataset.how = "";
    this.says = element("p", "hint");
    this.guests = element("div", "lobby-guests"); // how others come here
    this.seal = element("p", "seal");
    this.best = element("div", "lobby-best");
    this.others = element("div", "lobby-others");
    this.out = element("div", "lobby-out"); // away from the table
    this.told = element(
      "div",
      "told",
      this.about,
      element("div", "who", this.heading, rules),
      this.seats,
      this.guests,
      this.seal,
    );
    Object.assign(this.told, { role: "group", tabIndex: 0 }); // where it has to be scrolled, keys can do it
    const buttons = element("div", "lobby-buttons", this.others, this.out);
    this.root = element("div", "lobby", this.told, this.says, this.best, buttons);
  }

  /**
   * Draws the message of a lobby for a reader, or nothing.
   * @param {LobbyMessage | null} message
   * @param {Reader} me
   * @param {(spans: Span[]) => (Node | string)[]} pieces gives texts as nodes
   */
  draw(message, me, pieces) {
    this.root.hidden = !message;
    this.message = message?.id ?? null;
    if (!message) return;
    const { about, heading, players, most, seal } = message.content.board;
    const { says, tokens, best, out = [] } = viewFor(message.content.board, me); // earlier versions knew no ways out
    fill(this.about, about, () => pieces(about));
    fill(this.says, says, () => pieces(says));
    fill(this.seal, seal, () => pieces(seal));
    this.heading.textContent = heading;
    this.told.ariaLabel = heading;
    const free = most - players.length;
    this.drawSeats(players, free, me);
    this.guests.hidden = !free;
    const offered = message.content.rows.flat().filter(({ token }) => tokens.includes(token));
    this.drawButtons(
      this.best,
      offered.filter(({ token }) => token === best).map((each) => ({ ...each, tone: "good" })),
    );
    /** @type {(button: Button) => Button} */
    const plain = (each) => ({ ...each, tone: "neutral" });
    const others = offered.filter(({ token }) => token !== best).map(plain);
    this.drawButtons(this.others, others.filter(({ token }) => !out.includes(token)));
    this.drawButtons(this.out, others.filter(({ token }) => out.includes(token)));
  }

  /** Draws everybody in the order of play, or team by team, and the seats that are free. @param {LobbySeat[]} players @param {number} free @param {Reader} me */
  drawSeats(players, free, me) {
    const seated = players.map((player, seat) => ({ ...player, seat }));
    const teams = teamsOf(seated, me);
    const single = teams.length ? [] : seated;
    /** @type {{key: string, draw: (item: HTMLElement) => void}[]} */
    const items = [
      ...single.map((player) => ({
        key: String(player.seat),
        draw: (/** @type {HTMLElement} */ item) => drawSeat(item, player),
      })),
      ...teams.map((team) => ({
        key: team.sign,
        draw: (/** @type {HTMLElement} */ item) => drawTeam(item, team),
      })),
    ];
    if (free) items.push({ key: "free", draw: (item) => drawFree(item, free) });
    keep(this.seats, items, {
      key: ({ key }) => key,
      make: () => element("li"),
      update: (item, { draw }) => draw(item),
    });
  }
}

/** Returns the part of a lobby that is meant for a reader. @param {LobbyBoard} board @param {Reader} me */
export function viewFor({ players, for_host, for_seated, for_others }, me) {
  const mine = players.find(({ user }) => user && user === me.id);
  if (!mine) return for_others;
  return mine.is_host ? for_host : for_seated;
}

/** Draws all free seats as one, with their number. @param {HTMLElement} item @param {number} free */
function drawFree(item, free) {
  item.className = "lobby-seat free";
  fill(item, free, () => [
    element("span", "avatar", `+${free}`),
    element("span", "name", said("still free")),
  ]);
}

/** @typedef {LobbySeat & {seat: number}} Seated in the order of play */

/** Draws a player's seat. @param {HTMLElement} item @param {Seated} player */
function drawSeat(item, player) {
  item.className = "lobby-seat";
  fill(item, player, () => seatParts(player));
}

/** @param {Seated} player */
function seatParts({ name, is_host, seat }) {
  const avatar = unspoken(avatarOf(seat, initial(name)));
  const host = is_host ? [element("span", "host", said("host"))] : [];
  return [avatar, element("bdi", "name", shortened(name, MAX_LETTERS)), ...host];
}

/** @typedef {{sign: string, isMine: boolean, players: Seated[]}} Team */

/** Returns the teams, the reader's own first; none where everybody plays alone. @param {Seated[]} players @param {Reader} me @returns {Team[]} */
function teamsOf(players, me) {
  const signs = [...new Set(players.map(({ team }) => team).filter(Boolean))];
  const teams = signs.map((sign) => {
    const members = players.filter(({ team }) => team === sign);
    return { sign, isMine: members.some(({ user }) => user && user === me.id), players: members };
  });
  return teams.sort((one, other) => Number(other.isMine) - Number(one.isMine));
}

/** Draws those who play together. @param {HTMLElement} item @param {Team} team */
function drawTeam(item, team) {
  const { sign, isMine, players } = team;
  item.className = isMine ? "lobby-team mine" : "lobby-team";
  fill(item, team, () => [
    element("b", "", isMine ? `${sign} ${said("Your team")}` : sign),
    element("div", "members", ...players.map((player) => element("div", "lobby-seat", ...seatParts(player)))),
  ]);
}
