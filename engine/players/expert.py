"""The strongest house player: it remembers, guesses what it cannot see, and looks ahead."""

from collections.abc import Sequence
from random import Random
from time import perf_counter

from engine.players import endgame, foresight
from engine.players.guesses import Guesses
from engine.players.house import NOTHING_SEEN
from engine.players.masks import Masks
from engine.players.memory import Memory
from engine.players.regular import Regular
from engine.players.world import GIVE_IN, beat, fits
from engine.rules.moves import Attack, Defend, Done, Move, Take, Transfer
from engine.rules.views import SeatView

DEFAULT_LIMIT = 0.15
_PATIENCE = 4  # to count out an end it may take so many times the limit
_ENOUGH = 2000  # guesses after which nothing changes any more


class Expert:
    """Plays the move that loses the fewest of the games that are possible, and counts out the end.

    Where its look ahead does not fit the rules (teams, Punktedurak, several decks), it plays like `Regular`.
    """

    def __init__(self, chance: Random, *, limit: float = DEFAULT_LIMIT, guesses: int = _ENOUGH) -> None:
        """Makes a player that thinks about a move for `limit` seconds, or until it has made its guesses.

        Args:
            chance: Draws the guesses; with enough time the same chance makes the same moves.
            limit: Seconds for a move; at the very end up to five times as many.
            guesses: The most ways of the hidden cards to look at.
        """
        self._chance = chance
        self._limit = limit
        self._guesses = guesses
        self._regular = Regular()

    def choose(self, view: SeatView, moves: Sequence[Move], memory: Memory = NOTHING_SEEN, /) -> Move:
        """Chooses a move; the first look is at what a regular player would do."""
        habit = self._regular.choose(view, moves, memory)
        public = view.public
        if len(moves) == 1 or view.seat not in public.awaited or not fits(public.rules):
            return habit
        masks = Masks(public.trump, public.rules.rank_order)
        options = {_in_bits(move, masks): move for move in (habit, *moves)}
        try:
            guesses = Guesses(view, memory, masks)
        except ValueError:
            return habit
        return options[self._best(guesses, list(options))]

    def _best(self, guesses: Guesses, options: list[int]) -> int:
        if guesses.is_certain:
            world = guesses.draw(self._chance)
            if endgame.is_countable(world):
                try:
                    return endgame.best_move(world, options, perf_counter() + _PATIENCE * self._limit)
                except (endgame.OutOfTime, RecursionError):
                    pass
        until = perf_counter() + self._limit
        return foresight.best_move(guesses, options, self._chance, until=until, most=self._guesses)


def _in_bits(move: Move, masks: Masks) -> int:
    match move:
        case Attack((card,)) | Transfer((card,)):
            return masks.bit(card)
        case Defend(card, attack):
            return beat(masks.bit(card), masks.bit(attack))
        case Take() | Done():
            return GIVE_IN
    raise ValueError(f"worlds do not know this move: {move}")
