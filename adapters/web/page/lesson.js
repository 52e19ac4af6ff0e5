// The gestures of a lesson, which are those of the live table: a card is chosen, and then played by a second tap.

/** @import {BoardMove, PuzzleBoard} from "../types" */
import { all } from "./dom.js";
import { cardOf, Choice } from "./moves.js";

/**
 * Plays the cards of a lesson by taps: on a card of the hand, and then on it again, on the card that it beats, or on the
 * table.
 * @param {HTMLElement} whole the drawn lesson; its cards to be played are buttons with a `data-key`
 * @param {PuzzleBoard} lesson
 * @param {(move: BoardMove, card: HTMLButtonElement) => void} play
 */
export function listenToTaps(whole, lesson, play) {
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
  const mean = (move) => {
    const card = cards.find(({ dataset }) => move?.cards.includes(cardOf(dataset.key ?? "")));
    if (move && card) play(move, card);
    else draw();
  };

  whole.onclick = ({ target }) => {
    if (!(target instanceof Element)) return;
    const card = target.closest("button[data-key]");
    const attack = target.closest(".pair:not(.beaten)");
    if (card instanceof HTMLElement) mean(choice.tapCard(card.dataset.key ?? ""));
    else if (attack instanceof HTMLElement) mean(choice.tapAttack(attack.dataset.attack ?? ""));
    else if (target.closest(".puzzle-middle")) mean(choice.tapTable());
  };
  draw();
}
