"""What a house player is."""

from collections.abc import Sequence
from typing import Protocol

from engine.rules.moves import Move
from engine.rules.views import SeatView


class HousePlayer(Protocol):
    """Somebody who fills an empty seat and knows what a person in that seat would know."""

    def choose(self, view: SeatView, moves: Sequence[Move]) -> Move:
        """Chooses one of the seat's legal moves, of which there is at least one."""
        ...
