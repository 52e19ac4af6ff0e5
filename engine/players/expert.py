"""The strongest house player: it remembers, guesses the hidden cards, and looks ahead."""

from collections.abc import Mapping, Sequence
from math import inf
from random import Random
from time import thread_time

from engine.players.memory import NOTHING_SEEN, Memory
from engine.players.regular import Regular
from engine.players.search import endgame_solver, rollouts
from engine.players.search.rollouts import SearchRoot
from engine.rules.moves import Move
from engine.rules.views import SeatView

DEFAULT_LIMIT = 0.15
ENOUGH = 2000  # guesses; further ones hardly change the choice

# The time for solving an ending, as a multiple of the limit: with few cards, with many (which is seldom
# solved), and for the risks of all moves.
_SHARE_WITH_FEW = 0.8
_SHARE_WITH_MANY = 0.3
_SHARE_FOR_RISKS = 3
_MAX_FEW = 16  # cards in all hands

_RISK_OF = {endgame_solver.WON: 0.0, endgame_solver.DRAWN: rollouts.DRAW, endgame_solver.LOST: 1.0}


class Expert:
    """Plays the move that loses the fewest simulated games, and solves endings.

    If the rules cannot be simulated, as with several decks, it plays like `Regular`.
    """

    def __init__(
        self, rng: Random, *, limit: float = DEFAULT_LIMIT, guesses: int = ENOUGH, positions: float = inf
    ) -> None:
        """Makes a player that thinks for `limit` seconds of CPU time, or until it has made its guesses.

        Args:
            rng: Draws the guesses; with enough time, the same seed gives the same moves.
            limit: Seconds for a move; up to twice as many near the end, and up to four times for `risks`.
            guesses: The most guesses at the hidden cards.
            positions: The most positions to search when solving an ending.
        """
        self._rng = rng
        self._limit = limit
        self._guesses = guesses
        self._positions = positions
        self._regular = Regular(solved=0)  # the expert solves endings itself

    def choose(self, view: SeatView, moves: Sequence[Move], memory: Memory = NOTHING_SEEN, /) -> Move:
        """Chooses the best move by solving or by playouts; ties go to a regular player's choice."""
        if len(moves) == 1:
            return moves[0]

        habit = self._regular.choose(view, moves, memory)
        root = SearchRoot.of(view, (habit, *moves), memory)
        if root is None or habit not in root.moves.values():
            return habit

        has_few = sum(view.public.hand_counts) <= _MAX_FEW
        share = _SHARE_WITH_FEW if has_few else _SHARE_WITH_MANY
        solved = endgame_solver.best_moves(root, seconds=share * self._limit, most=self._positions)
        best = solved or list(root.moves)
        if len(best) == 1:
            return root.moves[best[0]]

        until = thread_time() + self._limit
        move = rollouts.best_move(root.sampler, best, self._rng, until=until, most=self._guesses)
        return root.moves[move]

    def risks(
        self, view: SeatView, moves: Sequence[Move], memory: Memory = NOTHING_SEEN, /
    ) -> Mapping[Move, float] | None:
        """Returns the risk of becoming the fool after each of the moves, from 0 to 1.

        In a solved ending a loss is 1, a win is 0, and a draw is `rollouts.DRAW`. Returns None if the rules
        or one of the moves cannot be simulated, or the seat is not awaited.
        """
        root = SearchRoot.of(view, moves, memory)
        if root is None or not set(moves) <= set(root.moves.values()):
            return None

        ends = endgame_solver.values(root, seconds=_SHARE_FOR_RISKS * self._limit, most=self._positions)
        if ends:
            return {root.moves[move]: _RISK_OF[end] for move, end in ends.items()}

        until = thread_time() + self._limit
        codes = list(root.moves)
        risks = rollouts.risks(root.sampler, codes, self._rng, until=until, most=self._guesses)

        return {root.moves[move]: risk for move, risk in risks.items()}
