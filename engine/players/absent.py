"""The moves a table makes for somebody who does not answer."""

from collections.abc import Sequence

from engine.players.beginner import Beginner
from engine.players.house import NOTHING_SEEN
from engine.players.memory import Memory
from engine.rules.moves import Done, Keep, Move, Take
from engine.rules.views import SeatView


class Absent:
    """Keeps its cards, says Done if it may, takes if it may, and otherwise plays the lowest card."""

    def choose(self, view: SeatView, moves: Sequence[Move], _memory: Memory = NOTHING_SEEN, /) -> Move:
        """Choose the move that gives the least away."""
        for move in (Keep(), Done(), Take()):
            if move in moves:
                return move
        return Beginner().choose(view, moves)
