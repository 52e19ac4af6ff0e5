// The result of a game: the fool, the places of the others, and the reader's own result.

/** @import {Board, BoardSeat, MessageActions, Reader, Span, View} from "../types" */
import { crown, hat } from "./answers.js";
import { avatarOf, besideFace, initial } from "./avatars.js";
import { gamePath } from "./connection.js";
import { element, unspoken } from "./dom.js";
import { mergeAlike, pieces } from "./messages.js";
import { withPortrait } from "./portraits.js";
import { t } from "./texts.js";
import { aimAt } from "./throws.js";

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
    const [headline, ...notes] = linesOf(result.content.body);
    const lines = notes.filter((line) => plain(line) !== orderIn(board));
    const [first, ...others] = view.ending ? linksDropped(view.ending.content.body) : [];
    const verdict = first ? [first] : headline;
    const caption = view.ending ? captionOf(board, view.own) : "";
    const own = caption ? sentenceDropped(others, `${caption}.`) : others;

    const parts = [
      ...(caption ? [element("p", "caption", caption)] : []),
      element("h2", "verdict", ...pieces(verdict, me)),
      ...(own.length ? [element("p", "own", ...pieces(own, me))] : []),
      placesOf(board, view.own),
      ...lines.map((line) => element("p", "note-line", ...pieces(line, me, on))),
      ...(view.opener ? [element("p", "opener", t("{name} wants to play again!", { name: view.opener }))] : []),
    ];
    this.root.replaceChildren(facesOf(board, view.own), ...parts);
    this.replay.href = gamePath(result.content.game ?? "");
    return true;
  }
}

/** Draws the winner with a crown and the losers with hats; or the winning team, or the players of a draw, without any. @param {Board} board @param {number | null} own */
function facesOf(board, own) {
  const { losers, seats } = board;
  const shining = shiningIn(board, own);
  const draw = (/** @type {number} */ seat, /** @type {SVGElement[]} */ ...worn) => {
    const face = faceOf(seats[seat]);
    face.append(...worn);
    face.dataset.seat = String(seat);
    if (seat !== own) face.dataset.aim = String(seat);
    return face;
  };
  if (shining.length) return unspoken(element("div", "fools even", ...shining.map((seat) => draw(seat))));

  const winner = winnerOf(board);
  const faces = losers.map((seat) => draw(seat, hat()));
  if (winner !== null) {
    const face = draw(winner, crown());
    face.classList.add("winner");
    faces.unshift(face);
  }
  return unspoken(element("div", "fools", ...faces));
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

/** Names the fool to other readers, above their own result; empty for the fool, or without a single loser. @param {Board} board @param {number | null} own */
function captionOf({ losers, seats }, own) {
  const [fool, ...others] = losers;
  if (fool === undefined || others.length || seats[fool].team) return "";
  if (fool === own) return "";

  return t("The fool: {name}", { name: seats[fool].name });
}

/** Returns a text without a sentence that is shown elsewhere; empty if nothing else is left. @param {Span[]} spans @param {string} sentence */
function sentenceDropped(spans, sentence) {
  const shortened = mergeAlike(spans).map((span) => ({ ...span, text: span.text.replace(sentence, "") }));
  return plain(shortened).trim() ? shortened : [];
}

/** Lists the seats of the winning team unless the reader has lost; in a draw, the players without a place. @param {Board} board @param {number | null} own */
function shiningIn({ losers, seats }, own) {
  const all = [...seats.keys()];
  if (!losers.length) return all.filter((seat) => !seats[seat].place);

  const isLost = own !== null && losers.includes(own);
  const isTeams = seats.every(({ team }) => team);
  return isTeams && !isLost ? all.filter((seat) => !losers.includes(seat)) : [];
}

/** Draws a player's face, in the colour of their team if there is one. @param {BoardSeat} seat */
function faceOf({ name, team, portrait }) {
  const face = withPortrait(avatarOf(name, initial(name)), portrait);
  if (team) face.dataset.team = team;
  return face;
}

/** Returns a text without its links, which lead to this table. @param {Span[]} spans */
function linksDropped(spans) {
  return spans.map((span) => ({ ...span, link: undefined }));
}

/** Draws the list of all players in the order of their places, with the losers last. @param {Board} board @param {number | null} own */
function placesOf({ seats, losers }, own) {
  const order = seats.map((seat, n) => ({ ...seat, n, isLoser: losers.includes(n) }));
  order.sort((one, other) => rank(one) - rank(other));
  const isOnlyWinner = order.filter(({ isLoser }) => !isLoser).length === 1; // also if the other one resigned
  const items = order.map((seat) => {
    const { name, team, place, n, isLoser } = seat;
    const rankSign = isOnlyWinner ? "1." : "=";
    const sign = element("span", "place", isLoser ? "🃏" : place ? `${place}.` : rankSign);
    const face = unspoken(faceOf(seat));
    const title = [team, besideFace(name)].filter(Boolean).join(" ");
    const item = element("li", "", sign, face, element("bdi", "name", title));
    item.dataset.seat = String(n);
    if (n !== own) item.append(aimAt(n, name));
    item.classList.toggle("mine", n === own);
    item.classList.toggle("loser", isLoser);
    return item;
  });

  const list = element("ol", "places", ...items);
  list.ariaLabel = t("Places");
  return list;
}

/** @param {{place: number, isLoser: boolean}} seat */
function rank({ place, isLoser }) {
  if (isLoser) return Infinity;
  return place || Number.MAX_SAFE_INTEGER;
}

/** Returns the line of places in the result's text, which is left out because the places are drawn. @param {Board} board */
function orderIn({ seats }) {
  const out = seats.filter(({ place }) => place).sort((one, other) => one.place - other.place);
  return out.map(({ name, place }) => `${place}. ${name}`).join(" · ");
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
