// The result of a game: the fool, the places of the others, and the reader's own result.

/** @import {Board, BoardSeat, Card, GameResult, MessageActions, OwnResult, Reader, ScreenMessage, Span, View} from "../types" */
import { crown, hat } from "./answers.js";
import { besideFace } from "./avatars.js";
import { face } from "./cards.js";
import { gamePath } from "./connection.js";
import { element, markMore, unspoken } from "./dom.js";
import { pieces } from "./messages.js";
import { portraitOf } from "./portraits.js";
import { teamName } from "./teams.js";
import { t, withoutSign } from "./texts.js";
import { aimAt } from "./throws.js";

const MANY = 5; // players from which on their list needs smaller text
const MOST_FANNED = 12; // cards of the fool that are legible behind their head
const FAN = 36; // degrees between the first and the last of them
const TURN = 7; // degrees between two of them, if they are few

export class OutcomeView {
  constructor() {
    this.root = element("section", "outcome");
    this.root.ariaLabel = t("Result");
    this.root.tabIndex = 0; // so that keys can scroll it
    this.replay = element("a", "other move replay", t("Replay"));
    this.content = ""; // the result that is shown, as JSON
  }

  /**
   * Draws the result of a game if it has changed; hides it if there is none.
   * @param {View | null} view null if no game is shown
   * @param {Reader} me
   * @param {MessageActions} on
   * @returns {boolean} whether it is new
   */
  draw(view, me, on) {
    const result = view?.result ?? null;
    this.root.hidden = !result;
    if (!view || !result) {
      this.content = "";
      return false;
    }

    const mark = JSON.stringify([result, view.ending, view.opener]);
    if (mark === this.content) return false;
    this.content = mark;

    const { board } = result.content;
    const shared = board.result ?? inWhole(result);
    const own = view.ending?.content.board ?? (view.ending && inWhole(view.ending));
    const { verdict, caption } = own ?? shared;

    const parts = [
      element("h2", "verdict", ...pieces(signDropped(verdict), me)),
      ...(caption.length ? [element("p", "caption", ...pieces(caption, me))] : []),
      ...(own?.notes ?? []).map((line) => element("p", "own", ...pieces(line, me))),
      placesOf(board, view.own, own?.rating ?? "", shared),
      ...shared.notes.map((line) => element("p", "note-line", ...pieces(line, me, on))),
      ...(view.opener ? [element("p", "opener", t("{name} wants to play again!", { name: view.opener }))] : []),
    ];
    this.root.classList.toggle("many", board.seats.length >= MANY);
    this.root.classList.toggle("well", view.own !== null && !board.losers.includes(view.own));
    this.root.replaceChildren(facesOf(board, view.own), ...parts);
    markMore(this.root);
    this.replay.href = gamePath(result.content.game ?? "");
    return true;
  }
}

/** Draws the losers with hats and the winner with a crown, the reader in the middle and large; or the winning team with crowns, or the players of a draw. @param {Board} board @param {number | null} own */
function facesOf(board, own) {
  const { losers, seats } = board;
  const shining = shiningIn(board, own);
  const draw = (/** @type {number} */ seat, /** @type {SVGElement[]} */ ...worn) => {
    const avatar = portraitOf(seats[seat]);
    avatar.append(...worn);
    avatar.dataset.seat = String(seat);
    if (seat === own) avatar.classList.add("own-face");
    else avatar.dataset.aim = String(seat);
    return avatar;
  };
  const even = shining.map((seat) => (losers.length ? draw(seat, crown()) : draw(seat)));
  if (even.length) return unspoken(element("div", "fools even", ...even));

  const winner = winnerOf(board);
  const isFoolsOwn = isFoolInFront(board, own);
  const first = winner === null || isFoolsOwn ? [] : [draw(winner, crown())];
  const faces = losers.map((seat) => draw(seat, hat()));
  const mine = own === null || own === winner || losers.includes(own) ? [] : [draw(own)];
  for (const avatar of first) avatar.classList.add("winner");
  for (const avatar of mine) avatar.classList.add("saved");
  if (losers.length === 1) {
    const behind = [...(own === winner ? [] : first), ...(isFoolsOwn ? [] : faces)];
    for (const avatar of behind) avatar.classList.add("behind");
  }
  const fan = isFanned(board, own) ? [fanOf(board.fools_hand)] : [];
  return unspoken(element("div", "fools", ...fan, ...first, ...mine, ...faces));
}

/** Returns whether the only loser is the main person of the result: for themselves, and for those who have not played. @param {Board} board @param {number | null} own */
function isFoolInFront({ losers, seats }, own) {
  return losers.length === 1 && !seats[losers[0]].team && (own === null || own === losers[0]);
}

/** Returns whether the cards that the fool still held are behind their head, instead of in the list. @param {Board} board @param {number | null} own */
function isFanned(board, own) {
  const { fools_hand: { length } = [] } = board; // an earlier version has none
  return length > 0 && length <= MOST_FANNED && isFoolInFront(board, own);
}

/** Draws the cards that the fool still held as a fan. @param {Card[]} cards */
function fanOf(cards) {
  const turn = Math.min(TURN, FAN / (cards.length - 1));
  const faces = cards.map((card, n) => {
    const drawn = face(card);
    drawn.style.rotate = `${(n - (cards.length - 1) / 2) * turn}deg`;
    return drawn;
  });
  return element("span", "last-cards", ...faces);
}

/** Returns the seat of the only winner, or of the first out of cards; null with teams, or if nobody has lost. @param {Board} board */
function winnerOf({ losers, seats }) {
  if (!losers.length || seats.some(({ team }) => team)) return null;

  const others = [...seats.keys()].filter((seat) => !losers.includes(seat));
  if (others.length === 1) return others[0];
  return others.find((seat) => seats[seat].place === 1) ?? null;
}

/** Returns whether the reader is the winner of a finished game. @param {View} view */
export function isWinner({ board, own }) {
  return own !== null && winnerOf(board) === own;
}

/** Lists the seats of the winning team unless the reader has lost; in a draw, the players without a place. @param {Board} board @param {number | null} own */
function shiningIn({ losers, seats }, own) {
  const all = inOrder({ losers, seats }).map(({ n }) => n);
  if (!losers.length) return all.filter((seat) => !seats[seat].place);

  const isLost = own !== null && losers.includes(own);
  const isTeams = seats.every(({ team }) => team);
  return isTeams && !isLost ? inTheMiddle(own, all.filter((seat) => !losers.includes(seat))) : [];
}

/** Puts the reader's seat in the middle of others. @param {number | null} own @param {number[]} seats */
function inTheMiddle(own, seats) {
  if (own === null || !seats.includes(own)) return seats;
  const others = seats.filter((seat) => seat !== own);
  others.splice(others.length / 2, 0, own);
  return others;
}

/** Returns the words of a message from an earlier version, all in one text. @param {ScreenMessage} message @returns {GameResult & OwnResult} */
function inWhole({ content: { body } }) {
  const [verdict, ...notes] = linesOf(body);
  return { verdict, caption: [], notes, left: "", length: "", rating: "" };
}

/** Returns a sentence without the emoji at its beginning: the faces above it wear a crown or a hat. @param {Span[]} spans */
function signDropped([first, ...others]) {
  return [{ ...first, text: withoutSign(first.text) }, ...others];
}

/** @typedef {BoardSeat & {n: number, isLoser: boolean}} Placed a player and their seat */

/** Lists all players in the order of their places, with the losers last. @param {Pick<Board, "seats" | "losers">} board @returns {Placed[]} */
function inOrder({ seats, losers }) {
  const order = seats.map((seat, n) => ({ ...seat, n, isLoser: losers.includes(n) }));
  return order.sort((one, other) => rank(one) - rank(other));
}

/**
 * Draws the places of all players, or the teams with their players.
 * @param {Board} board
 * @param {number | null} own
 * @param {string} rating the change of the reader's; empty if there is none
 * @param {GameResult} words
 */
function placesOf(board, own, rating, { left, length }) {
  const order = inOrder(board);
  const draw = (/** @type {Placed} */ player, /** @type {string | SVGElement} */ sign) =>
    drawPlace(player, sign, player.n === own ? drawRating(rating) : null);
  const foot = length ? [element("p", "foot", length)] : [];

  if (order.every(({ team }) => team)) {
    const teams = [...new Set(order.map(({ team }) => team))];
    const groups = teams.map((team) => drawTeam(order.filter((player) => player.team === team), board, (player) => draw(player, "")));
    return element("div", "places teams", ...groups, ...foot);
  }

  const isOnlyWinner = order.filter(({ isLoser }) => !isLoser).length === 1; // also if the other one resigned
  const signOf = (/** @type {Placed} */ { place, isLoser }) => {
    if (isLoser) return hat();
    if (place) return `${place}.`;
    return isOnlyWinner ? "1." : "";
  };
  const list = element("ol", "", ...order.map((player) => draw(player, signOf(player))));
  if (left) list.lastElementChild?.append(drawHeld(isFanned(board, own) ? [] : board.fools_hand, left));
  list.ariaLabel = t("Places");
  list.classList.toggle("unranked", !order.some(signOf));
  return element("div", "places", list, ...foot);
}

/** Draws a team below its name, with a crown or the fool's hat; in a draw, with its own sign. @param {Placed[]} players @param {Board} board @param {(player: Placed) => HTMLElement} draw */
function drawTeam(players, { losers }, draw) {
  const [{ team, isLoser }] = players;
  const worn = isLoser ? hat() : crown();
  const heading = element("h3", "", losers.length ? worn : team, teamName(team));
  const list = element("ol", "unranked", ...players.map(draw));
  list.ariaLabel = teamName(team);
  return element("section", "", heading, list);
}

/** Draws a player's row. @param {Placed} player @param {string | SVGElement} sign of their place; empty if they have none @param {HTMLElement[] | null} change of the reader's rating; null for others */
function drawPlace(player, sign, change) {
  const { name, n, isLoser } = player;
  const isMine = change !== null;
  const item = element("li", "", element("span", "place", sign), unspoken(portraitOf(player)), element("bdi", "name", besideFace(name)));
  item.dataset.seat = String(n);
  item.append(...(isMine ? [] : [aimAt(n, name)]), ...(change ?? []));
  item.classList.toggle("mine", isMine);
  item.classList.toggle("loser", isLoser);
  return item;
}

/** Draws the change of the reader's rating, if there is one. @param {string} rating */
function drawRating(rating) {
  const tone = rating[0] === "+" ? "up" : "down";
  return rating ? [element("span", "change", element("span", "", t("Rating"), " "), element("b", tone, rating))] : [];
}

/** Draws the cards that the fool still held. @param {Card[]} cards none if they are drawn elsewhere @param {string} line the same in words */
function drawHeld(cards, line) {
  if (!cards.length) return element("span", "unseen", line);

  const faces = cards.map((card) => element("span", "", face(card)));
  return element("span", "held-to-the-end", element("span", "unseen", line), ...faces);
}

/** @param {{place: number, isLoser: boolean}} seat */
function rank({ place, isLoser }) {
  if (isLoser) return Infinity;
  return place || Number.MAX_SAFE_INTEGER;
}

/** Returns how a game ended, or why it was stopped, in a line with a link to its replay. @param {ScreenMessage} message */
export function inALine({ content: { body, board, game } }) {
  const [first, reason] = linesOf(body);
  const line = plain(board ? first : (reason ?? first)); // of a stopped game, the first one is its title
  return game ? [line, " ", Object.assign(element("a", "", t("Replay")), { href: gamePath(game) })] : [line];
}

/** Divides a text into its lines. @param {Span[]} spans */
export function linesOf(spans) {
  /** @type {Span[][]} */
  const lines = [[]];
  for (const span of spans) {
    const [first, ...others] = span.text.split("\n");
    if (first) lines[lines.length - 1].push({ ...span, text: first });
    for (const text of others) lines.push(text ? [{ ...span, text }] : []);
  }
  return lines.filter((line, n) => line.length || !n);
}

/** @param {Span[]} spans */
export function plain(spans) {
  return spans.map(({ text }) => text).join("");
}
