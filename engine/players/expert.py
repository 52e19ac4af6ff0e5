"""The strongest house player: it remembers, guesses what it cannot see, and looks ahead."""

from collections.abc import Mapping, Sequence
from random import Random
from time import perf_counter

from engine.players.house import NOTHING_SEEN
from engine.players.memory import Memory
from engine.players.regular import Regular
from engine.players.search import endgame as counting
from engine.players.search import endgame_solver as endgame
from engine.players.search import rollouts as foresight
from engine.players.search.root import Choice
from engine.rules.moves import Move
from engine.rules.views import SeatView

DEFAULT_LIMIT = 0.15
ENOUGH = 2000
"""Guesses after which nothing changes any more."""
_PATIENCE = 3  # to count out an end it may take so many times the limit
_RISK_OF = {endgame.WON: 0.0, endgame.DRAWN: foresight.DRAW, endgame.LOST: 1.0}


class Expert:
    """Plays the move that loses the fewest of the games that are possible, and counts out the end.

    Where its look ahead does not fit the rules, as with several decks, it plays like `Regular`.
    """

    def __init__(self, chance: Random, *, limit: float = DEFAULT_LIMIT, guesses: int = ENOUGH) -> None:
        """Makes a player that thinks about a move for `limit` seconds, or until it has made its guesses.

        Args:
            chance: Draws the guesses; with enough time the same chance makes the same moves.
            limit: Seconds for a move; at the very end up to four times as many.
            guesses: The most ways of the hidden cards to look at.
        """
        self._chance = chance
        self._limit = limit
        self._patience = _PATIENCE * limit
        self._guesses = guesses
        self._regular = Regular(counted=0)  # the expert counts by itself

    def choose(self, view: SeatView, moves: Sequence[Move], memory: Memory = NOTHING_SEEN, /) -> Move:
        """Chooses a move; the first look is at what a regular player would do."""
        if len(moves) == 1:
            return moves[0]
        habit = self._regular.choose(view, moves, memory)
        choice = Choice.of(view, (habit, *moves), memory)
        if choice is None or habit not in choice.options.values():
            return habit
        best = counting.best_moves(choice, seconds=self._patience) or list(choice.options)
        if len(best) == 1:
            return choice.options[best[0]]
        until = perf_counter() + self._limit
        move = foresight.best_move(choice.guesses, best, self._chance, until=until, most=self._guesses)
        return choice.options[move]

    def risks(
        self, view: SeatView, moves: Sequence[Move], memory: Memory = NOTHING_SEEN, /
    ) -> Mapping[Move, float] | None:
        """Says how likely it is to become the fool after each of the moves, from 0 to 1.

        When the end can be counted out, 1 is lost, 0 is won, and a draw is hardly worse than that.
        None where the look ahead does not fit the rules or one of the moves, or it is not this seat's turn.
        """
        choice = Choice.of(view, moves, memory)
        if choice is None or not set(moves) <= set(choice.options.values()):
            return None
        ends = counting.ends(choice, seconds=self._patience)
        if ends:
            return {choice.options[move]: _RISK_OF[end] for move, end in ends.items()}
        until, options = perf_counter() + self._limit, list(choice.options)
        risks = foresight.risks(choice.guesses, options, self._chance, until=until, most=self._guesses)
        return {choice.options[move]: risk for move, risk in risks.items()}
