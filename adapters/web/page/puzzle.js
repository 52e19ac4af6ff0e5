// The page of one puzzle, which anybody with its link can solve.

/** @import {MessageActions, PuzzleBoard, ScreenMessage} from "../types" */
import { showCards } from "./cards.js";
import { Api, RefusedError } from "./connection.js";
import { $, hold } from "./dom.js";
import { keepFocus, screenOf } from "./messages.js";
import { t, translatePage } from "./texts.js";

const api = new Api("/facts");
const NUMBER = location.pathname.split("/")[2];

/** @type {MessageActions} */
const ON = {
  press: async (_, token, button) => void (await hold(button, show(token))),
  dismiss: () => {},
  lead: () => {},
  file: () => Promise.reject(new RefusedError("")),
  missing: () => {},
  asks: () => {},
  gathers: () => {},
};

translatePage();
document.title = `${t("Durak")} · ${t("Puzzle")}`;
showCards();
show();

/** Shows the puzzle, or the verdict on a move. @param {string} [token] of the move */
async function show(token = "") {
  try {
    const puzzle = await api.get(`puzzles/${NUMBER}?token=${encodeURIComponent(token)}`);
    $("refused").hidden = true;
    keepFocus($("puzzle"), () => $("puzzle").replaceChildren(screenOf(messageOf(puzzle), { id: "" }, ON)));
  } catch (error) {
    if (!(error instanceof RefusedError)) throw error;
    $("refused").textContent = error.message;
    $("refused").hidden = false;
  }
}

/** Returns a puzzle as a message with a button for each move. @param {PuzzleBoard} puzzle @returns {ScreenMessage} */
function messageOf(puzzle) {
  const buttons = puzzle.moves.map(({ token, label }) => ({ token, label, tone: "neutral", enabled: true }));
  const content = { body: [], rows: [buttons], picture: null, drawn: puzzle };
  return /** @type {ScreenMessage} */ ({ id: NUMBER, kind: "answer", private: true, at: 0, content });
}
