// How a game ended: who is the fool, in which places the others went out, and how it was for the reader.

/** @import {Board, MessageActions, Reader, Span, View} from "../types" */
import { crown, hat } from "./answers.js";
import { avatarOf, besideFace, initial } from "./avatars.js";
import { gamePath } from "./connection.js";
import { element, unspoken } from "./dom.js";
import { mergeAlike, pieces } from "./messages.js";
import { t } from "./texts.js";
import { aimAt } from "./throws.js";

export class OutcomeView {
  constructor() {
    this.root = element("section", "outcome");
    this.root.ariaLabel = t("Result");
    this.root.tabIndex = 0; // where it has to be scrolled, keys can do it
    this.replay = element("a", "other move replay", t("Replay"));
    this.content = ""; // the result that is shown, as JSON
  }

  /**
   * Draws the result of a game, once.
   * @param {View | null} view null: no game has ended
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

    const mark = JSON.stringify([result, view.ending]);
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
    ];
    this.root.replaceChildren(facesOf(board, view.own), ...parts);
    this.replay.href = gamePath(result.content.game ?? "");
    return true;
  }
}

/** Draws the winner in a crown and the losers in their hats, or those who shine. @param {Board} board @param {number | null} own */
function facesOf(board, own) {
  const { losers, seats } = board;
  const shining = shiningIn(board, own);
  const draw = (/** @type {number} */ seat, /** @type {SVGElement[]} */ ...worn) => {
    const { name, team } = seats[seat];
    const face = faceOf(name, team);
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

/** Returns the seat of the only winner, or of the first one out of cards; null: teams play, or nobody has won. @param {Board} board */
function winnerOf({ losers, seats }) {
  if (!losers.length || seats.some(({ team }) => team)) return null;

  const others = [...seats.keys()].filter((seat) => !losers.includes(seat));
  if (others.length === 1) return others[0];
  return others.find((seat) => seats[seat].place === 1) ?? null;
}

/** Returns whether the reader has won the game that is over. @param {View} view */
export function isWinner({ board, own }) {
  return own !== null && winnerOf(board) === own;
}

/** Names the fool to the others, whose own result is below; empty for the fool, and without one. @param {Board} board @param {number | null} own */
function captionOf({ losers, seats }, own) {
  const [fool, ...others] = losers;
  if (fool === undefined || others.length || seats[fool].team) return "";
  if (fool === own) return "";

  return t("The fool: {name}", { name: seats[fool].name });
}

/** Returns a text without a sentence that is already shown elsewhere. @param {Span[]} spans @param {string} sentence */
function sentenceDropped(spans, sentence) {
  const shortened = mergeAlike(spans).map((span) => ({ ...span, text: span.text.replace(sentence, "") }));
  return plain(shortened).trim() ? shortened : [];
}

/** Lists the seats of the team that wins, unless the reader loses; without a loser, those who share the draw. @param {Board} board @param {number | null} own */
function shiningIn({ losers, seats }, own) {
  const all = [...seats.keys()];
  if (!losers.length) return all.filter((seat) => !seats[seat].place);

  const isLost = own !== null && losers.includes(own);
  const isTeams = seats.every(({ team }) => team);
  return isTeams && !isLost ? all.filter((seat) => !losers.includes(seat)) : [];
}

/** Draws a player's face, in the colour of their team if there is one. @param {string} name @param {string} team */
function faceOf(name, team) {
  const face = avatarOf(name, initial(name));
  if (team) face.dataset.team = team;
  return face;
}

/** Returns a text as plain text: what its links lead to is here. @param {Span[]} spans */
function linksDropped(spans) {
  return spans.map((span) => ({ ...span, link: undefined }));
}

/** Lists everybody in the order of going out, the losers last. @param {Board} board @param {number | null} own */
function placesOf({ seats, losers }, own) {
  const order = seats.map((seat, n) => ({ ...seat, n, isLoser: losers.includes(n) }));
  order.sort((one, other) => rank(one) - rank(other));
  const isOnlyWinner = order.filter(({ isLoser }) => !isLoser).length === 1; // also if the other one resigned
  const items = order.map(({ name, team, place, n, isLoser }) => {
    const rankSign = isOnlyWinner ? "1." : "=";
    const sign = element("span", "place", isLoser ? "🃏" : place ? `${place}.` : rankSign);
    const face = unspoken(faceOf(name, team));
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

/** Returns the places as the result's text lists them: they are drawn instead. @param {Board} board */
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
