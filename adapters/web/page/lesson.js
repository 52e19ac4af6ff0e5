// The gestures of a lesson, which are those of the live table: a card is tapped twice, or dragged to where it belongs.

/** @import {BoardMove, CardKey, PuzzleBoard, Target} from "../types" */
import { all, first } from "./dom.js";
import { cardOf, Choice } from "./moves.js";
import { dragOn, listen } from "./touch.js";

/**
 * Plays the cards of a lesson. A card is chosen, and played by a tap on it again, on the card that it beats, or on the
 * table; or it is dragged there.
 * @param {HTMLElement} whole the drawn lesson; its cards to be played are buttons with a `data-key`
 * @param {PuzzleBoard} lesson
 * @param {(move: BoardMove, card: HTMLButtonElement) => void} play
 */
export function listenToCards(whole, lesson, play) {
  const choice = new Choice();
  const cards = all("button[data-key]", whole);
  choice.offer(lesson.moves, cards.map(({ dataset }) => dataset.key ?? ""));

  const draw = () => {
    for (const card of cards) {
      const isChosen = choice.chosen.includes(card.dataset.key ?? "");
      card.classList.toggle("chosen", isChosen);
      card.ariaPressed = String(isChosen);
    }
    for (const pair of all(".pair:not(.beaten)", whole)) {
      pair.classList.toggle("target", choice.targets.has(pair.dataset.attack ?? ""));
    }
  };

  /** @param {BoardMove | null} move */
  const playOrRedraw = (move) => {
    const card = cards.find(({ dataset }) => move?.cards.includes(cardOf(dataset.key ?? "")));
    if (move && card) play(move, card);
    else draw();
  };

  const ground = {
    root: whole,
    table: first(".puzzle-middle", whole) ?? whole,
    cardAt: (/** @type {CardKey} */ key) => cards.find(({ dataset }) => dataset.key === key) ?? null,
    pickUp: (/** @type {CardKey} */ key) => choice.pickUp(key),
    targets: (/** @type {CardKey} */ key) => choice.dropTargets(key),
    drop: (/** @type {CardKey} */ key, /** @type {string | null} */ attack) => playOrRedraw(choice.drop(key, attack)),
    draw,
  };
  listen(whole, {
    find,
    tap: (found) => {
      if (found.type === "card") playOrRedraw(choice.tapCard(found.key));
      else if (found.type === "attack") playOrRedraw(choice.tapAttack(found.attack));
      else playOrRedraw(choice.tapTable());
    },
    hold: () => false,
    ...dragOn(ground),
  });
  draw();
}

/** Returns what a touched element of a lesson represents; null if it is not part of the game. @param {Element} target @returns {Target | null} */
function find(target) {
  /** @type {HTMLElement | null} */
  const touched = target.closest("button[data-key], .pair:not(.beaten), .puzzle-middle");
  if (!touched) return null;

  const { key, attack } = touched.dataset;
  if (key && touched.matches("button")) return { type: "card", key };
  return attack ? { type: "attack", attack } : { type: "table" };
}
