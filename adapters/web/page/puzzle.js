// A puzzle, played on a small table within its message: both hands are open, and one move wins.

/** @import {BoardMove, Card, MessageActions, PuzzleBoard} from "../types" */
import { face, suitSign, suitWords, words } from "./cards.js";
import { button, element } from "./dom.js";
import { drawBout } from "./table.js";
import { said } from "./texts.js";

/**
 * Returns the table of a puzzle. A card is played by a tap if it can mean one thing; else, and for moves without a card,
 * there are the buttons of the message.
 * @param {PuzzleBoard} puzzle
 * @param {string} message its id
 * @param {Pick<MessageActions, "press">} on
 */
export function puzzleTable({ trump, other, bout, cards, moves }, message, on) {
  const table = element("ol", "bout");
  table.ariaLabel = said("On the table");
  drawBout(table, bout);

  const sign = suitSign(trump);
  sign.role = "img";
  sign.ariaLabel = `${said("Trump")}: ${suitWords(trump)}`;
  const theirs = element("div", "puzzle-hand", ...other.map(shown));
  const mine = element("div", "puzzle-hand", ...cards.map((card) => held(card, moves, message, on)));
  theirs.role = mine.role = "group";
  theirs.ariaLabel = said("Other player");
  mine.ariaLabel = said("Your cards");
  return element("div", "puzzle", theirs, element("div", "puzzle-middle", sign, table), mine);
}

/** @param {Card} card */
function shown(card) {
  const drawn = element("span", "", face(card));
  drawn.role = "img";
  drawn.ariaLabel = words(card);
  return drawn;
}

/** Returns the tokens of the moves that need no button: a tap on a card means them. @param {PuzzleBoard} puzzle */
export function movesByCard({ cards, moves }) {
  return cards.flatMap((card) => meantBy(card, moves)?.token ?? []);
}

/** @param {Card} card @param {BoardMove[]} moves @param {string} message @param {Pick<MessageActions, "press">} on */
function held(card, moves, message, on) {
  const move = meantBy(card, moves);
  if (!move) return shown(card);

  const made = button("puzzle-card", face(card));
  made.ariaLabel = `${words(card)}: ${move.label}`;
  made.onclick = () => on.press(message, move.token, made);
  return made;
}

/** Returns the move that a card means; null: none, or several. @param {Card} card @param {BoardMove[]} moves */
function meantBy(card, moves) {
  const meant = moves.filter((move) => move.cards.length === 1 && move.cards[0] === card);
  return meant.length === 1 ? meant[0] : null;
}
