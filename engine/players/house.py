"""What a house player is."""

from collections.abc import Sequence
from typing import Protocol

from engine.players.memory import Memory
from engine.rules.moves import Move
from engine.rules.views import SeatView

NOTHING_SEEN = Memory()
"""The memory of somebody who has just sat down."""


class HousePlayer(Protocol):
    """Somebody who fills an empty seat and knows what a person in that seat would know."""

    def choose(self, view: SeatView, moves: Sequence[Move], memory: Memory = NOTHING_SEEN, /) -> Move:
        """Choose one of the seat's legal moves, of which there is at least one."""
        ...
