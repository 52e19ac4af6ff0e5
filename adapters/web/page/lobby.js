// The table before the deal: its rules, its players, and the reader's buttons.

/** @import {Button, LobbyBoard, LobbyMessage, LobbySeat, LobbyView as View, Reader, ScreenMessage, Span} from "../types" */
import { hat } from "./answers.js";
import { besideFace, shortened } from "./avatars.js";
import { button, element, fill, keep, unspoken } from "./dom.js";
import { buttonsFor } from "./moment.js";
import { inALine, linesOf } from "./outcome.js";
import { portraitOf } from "./portraits.js";
import { teamName } from "./teams.js";
import { t } from "./texts.js";

const MAX_LETTERS = 22; // of a name below a seat

export class LobbyView {
  /** @param {(parent: HTMLElement, buttons: Button[]) => void} drawButtons draws buttons, and keeps existing ones */
  constructor(drawButtons) {
    this.drawButtons = drawButtons;
    /** @type {string | null} */
    this.message = null; // the id of the lobby's message
    /** @type {string[]} */
    this.fools = [];
    this.seat = ""; // the token that takes a free seat for the reader; empty if there is none
    this.about = element("div", "about");
    this.heading = element("h2");
    this.seats = element("ol", "lobby-seats");
    const rules = button("how", t("How to play"));
    rules.dataset.how = "";
    this.says = element("p", "hint");
    this.guests = element("div", "lobby-guests"); // the link for inviting others
    this.last = element("p", "last-game");
    this.seal = element("p", "seal");
    this.promise = element(
      "details",
      "lobby-seal",
      element("summary", "", unspoken(element("span", "", "🔒")), t("Fair deal")),
      element("p", "", t("This number fixes the cards before anyone joins. After the game, the replay compares it: “Was it fair?”")),
      this.seal,
    );
    this.best = element("div", "lobby-best");
    this.others = element("div", "row");
    this.away = element("div", "row"); // buttons that a host rarely presses, away from the thumb
    const more = element("summary", "other", unspoken(element("span", "", "⋯")), element("span", "label", t("More")));
    this.more = element("details", "lobby-more", more, this.away);
    addEventListener("pointerdown", ({ target }) => {
      if (!this.more.contains(/** @type {Node} */ (target))) this.more.open = false;
    });
    this.buttons = element("div", "lobby-buttons", this.others, this.more);
    this.scroll = element(
      "div",
      "scroll",
      this.about,
      element("div", "who", this.heading, rules),
      this.seats,
      this.guests,
      this.last,
      this.promise,
    );
    Object.assign(this.scroll, { role: "group", tabIndex: 0 }); // so that keys can scroll it
    this.root = element("div", "lobby", this.scroll, this.says, this.best, this.buttons);
  }

  /**
   * Draws the message of a lobby for a reader; hides the view if there is none.
   * @param {LobbyMessage | null} message
   * @param {Reader} me
   * @param {(spans: Span[]) => (Node | string)[]} pieces returns texts as nodes
   * @param {string[]} [fools] the names of the losers of the last game, who wear the cap
   * @param {ScreenMessage | null} [last] the result of the reader's last game at this table
   */
  draw(message, me, pieces, fools = [], last = null) {
    this.root.hidden = !message;
    this.message = message?.id ?? null;
    this.fools = fools;
    if (!message) return;
    const { about, heading, players, most, seal, expected = [] } = message.content.board; // earlier versions have no `expected`
    const { says, best, bots = [], out = [], closes } = viewFor(message.content.board, me);
    const isHost = Boolean(closes); // only the host may close the table
    this.seat = players.some((player) => isOf(player, me)) ? "" : best;
    fill(this.about, about, () => linesOf(about).map((line) => element("div", "", ...pieces(line))));
    fill(this.says, says, () => pieces(says));
    this.says.hidden = !says.length;
    fill(this.last, last && [last.id, last.content.body], () => (last ? [`${t("Last game:")} `, ...inALine(last)] : []));
    this.last.hidden = !last;
    fill(this.seal, seal, () => pieces(seal));
    this.promise.hidden = !seal.length;
    this.heading.textContent = heading;
    this.scroll.ariaLabel = heading;
    const free = most - players.length;
    this.drawSeats(players, expected, Math.max(0, free - expected.length), me);
    this.guests.hidden = !free || !players.some((player) => isOf(player, me));
    this.root.classList.toggle("inviting", bots.includes(best)); // friends come before bots
    this.drawAllButtons(offersTo(message, me), best, isHost ? out : []);
  }

  /** Draws the best button, the others, and a fold with the rest. @param {Button[]} buttons @param {string} best @param {string[]} folded their tokens */
  drawAllButtons(buttons, best, folded) {
    const others = buttons.filter(({ token }) => token !== best);
    const away = others.filter(({ token }) => folded.includes(token));
    this.drawButtons(this.best, buttons.filter(({ token }) => token === best));
    this.drawButtons(this.others, others.filter((each) => !away.includes(each)));
    this.drawButtons(this.away, away);
    this.more.hidden = !away.length;
    if (this.more.hidden) this.more.open = false;
  }

  /**
   * Draws the players in the order of play or by teams, those who may still come, and the free seats.
   * @param {LobbySeat[]} players
   * @param {LobbySeat[]} expected
   * @param {number} free
   * @param {Reader} me
   */
  drawSeats(players, expected, free, me) {
    const seated = players.map((player, seat) => ({ ...player, seat }));
    const teams = teamsOf(seated, me);
    const single = teams.length ? [] : seated;
    /** @type {{key: string, draw: (item: HTMLElement) => void}[]} */
    const items = [
      ...single.map((player) => ({
        key: String(player.seat),
        draw: (/** @type {HTMLElement} */ item) => drawSeat(item, player, me, this.fools),
      })),
      ...teams.map((team) => ({
        key: team.sign,
        draw: (/** @type {HTMLElement} */ item) => drawTeam(item, team, me, this.fools),
      })),
    ];
    for (const person of expected) {
      items.push({ key: `expected ${person.name}`, draw: (item) => drawExpected(item, person, me) });
    }
    if (free) items.push({ key: "free", draw: (item) => drawFree(item, free, this.seat, me) });
    keep(this.seats, items, {
      key: ({ key }) => key,
      make: () => element("li"),
      update: (item, { draw }) => draw(item),
    });
  }
}

/** Returns the part of a lobby for a reader: the host's, a seated player's or other people's. @param {LobbyBoard} board @param {Reader} me */
export function viewFor({ players, for_host, for_seated, for_others }, me) {
  const mine = players.find((player) => isOf(player, me));
  if (!mine) return for_others;
  return mine.is_host ? for_host : for_seated;
}

/** Returns whether a seat is the reader's own. @param {LobbySeat} seat @param {Reader} me */
function isOf({ user }, me) {
  return Boolean(user && user === me.id);
}

/**
 * Returns the buttons for a reader, with a tone for the best one, for bots and for closing; those that lead away come last.
 * @param {LobbyMessage} message
 * @param {Reader} me
 * @returns {Button[]}
 */
function offersTo({ content: { board, rows } }, me) {
  const view = viewFor(board, me);
  const { tokens, out = [] } = view; // lobbies of earlier versions have no `out`
  const offered = buttonsFor(rows.flat(), me).filter(({ token }) => tokens.includes(token));
  const weighed = offered.map((each) => ({ ...each, label: labelOf(each, view, board), tone: toneOf(each.token, view) }));
  return weighed.sort((one, other) => Number(out.includes(one.token)) - Number(out.includes(other.token)));
}

/** Returns a button's label; the button that takes a seat is labelled like the empty chair. @param {Button} button @param {View} view @param {LobbyBoard} board */
function labelOf({ token, label }, { best }, { for_others: others }) {
  return token === best && token === others.best ? t("Sit down") : label;
}

/** @param {string} token @param {View} view @returns {Button["tone"]} */
function toneOf(token, { best, bots = [], closes = "" }) {
  if (token === best) return "good";
  if (token === closes) return "danger";
  return bots.includes(token) ? "primary" : "neutral";
}

/**
 * Draws all free seats as one with their number, which is a button for a reader who may sit down.
 * @param {HTMLElement} item
 * @param {number} free
 * @param {string} seat the token that takes one; empty if the reader has a seat, or can't get one
 * @param {Reader} me
 */
function drawFree(item, free, seat, me) {
  item.className = "lobby-seat free";
  fill(item, [free, seat, me.id], () => {
    const number = element("span", "avatar", `+${free}`);
    if (!seat) return [number, element("span", "name", t("still free"))];

    const label = t(me.id ? "still free" : "Sit down"); // the button below says "Sit down" to those with a name
    const chair = button("chair", number, element("span", "name", label));
    if (me.id) chair.dataset.other = seat;
    else chair.dataset.leave = ""; // leads to the entry page, which asks for a name
    return [chair];
  });
}

/** Draws the seat of a person who may still come. @param {HTMLElement} item @param {LobbySeat} person @param {Reader} me */
function drawExpected(item, person, me) {
  item.className = "lobby-seat expected";
  fill(item, [person, me.id], () => {
    const part = isOf(person, me) ? t("you") : t("not here yet");
    return [unspoken(portraitOf(person)), nameOf(person), element("span", "part", part)];
  });
}

/** @typedef {LobbySeat & {seat: number}} Seated in the order of play */

/** Draws a player's seat. @param {HTMLElement} item @param {Seated} player @param {Reader} me @param {string[]} fools of the last game, by their names */
function drawSeat(item, player, me, fools) {
  const isMine = isOf(player, me);
  const isFool = fools.includes(player.name);
  item.className = isMine ? "lobby-seat mine" : "lobby-seat";
  fill(item, [player, isMine, isFool], () => seatParts(player, isMine, isFool));
}

/** @param {Seated} player @param {boolean} isMine @param {boolean} isFool */
function seatParts(player, isMine, isFool) {
  const avatar = unspoken(portraitOf(player));
  if (isFool) avatar.append(hat());

  const part = partOf(isMine, player.is_host);
  return part ? [avatar, nameOf(player), element("span", "part", part)] : [avatar, nameOf(player)];
}

/** @param {LobbySeat} person */
function nameOf({ name }) {
  return element("bdi", "name", shortened(besideFace(name), MAX_LETTERS));
}

/** Returns the words below a name: who is the reader, and who is the host. @param {boolean} isMine @param {boolean} isHost */
function partOf(isMine, isHost) {
  if (isMine) return isHost ? t("you · host") : t("you");
  return isHost ? t("host") : "";
}

/** @typedef {{sign: string, isMine: boolean, players: Seated[]}} Team */

/** Returns the teams, the reader's own first; none if everybody plays for themselves. @param {Seated[]} players @param {Reader} me @returns {Team[]} */
function teamsOf(players, me) {
  const signs = [...new Set(players.map(({ team }) => team).filter(Boolean))];
  const teams = signs.map((sign) => {
    const members = players.filter(({ team }) => team === sign);
    return { sign, isMine: members.some((member) => isOf(member, me)), players: members };
  });
  return teams.sort((one, other) => Number(other.isMine) - Number(one.isMine));
}

/** Draws the members of a team. @param {HTMLElement} item @param {Team} team @param {Reader} me @param {string[]} fools */
function drawTeam(item, team, me, fools) {
  const { sign, isMine, players } = team;
  item.className = isMine ? "lobby-team mine" : "lobby-team";
  const title = isMine ? t("Your team") : teamName(sign);

  fill(item, [team, fools], () => {
    const members = players.map((player) => {
      const member = element("div");
      drawSeat(member, player, me, fools);
      return member;
    });
    return [
      element("b", "", sign, element("span", "label", ` ${title}`)),
      element("div", "members", ...members),
    ];
  });
}
