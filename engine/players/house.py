"""The protocol of house players, and the two simplest ones."""

from collections.abc import Sequence
from typing import Protocol

from engine.players.memory import NOTHING_SEEN, Memory
from engine.rules.moves import Attack, Defend, Done, Keep, Move, ShowTrump, Take, Transfer
from engine.rules.views import SeatView


class HousePlayer(Protocol):
    """Plays for an empty seat, with the knowledge that a person there would have."""

    def choose(self, view: SeatView, moves: Sequence[Move], memory: Memory = NOTHING_SEEN, /) -> Move:
        """Chooses one of the seat's legal moves; there is at least one."""


class Beginner:
    """Plays the lowest card that works, keeps its trumps, and takes only when it must."""

    def choose(self, view: SeatView, moves: Sequence[Move], _memory: Memory = NOTHING_SEEN, /) -> Move:
        """Chooses the cheapest attack or defence; expects moves with low cards first."""
        attacks = [move for move in moves if isinstance(move, Attack) and len(move.cards) == 1]
        if view.public.bout:
            attacks = [move for move in attacks if move.cards[0].suit is not view.public.trump]

        if attacks:
            return attacks[0]

        defences = [move for move in moves if isinstance(move, Defend)]
        if defences:
            return min(defences, key=lambda move: self._cost(view, move))
        if Done() in moves:
            return Done()

        return next((move for move in moves if isinstance(move, Transfer | ShowTrump)), moves[0])

    @staticmethod
    def _cost(view: SeatView, move: Defend) -> tuple[bool, int]:
        """Returns the worth of the card: any plain card before any trump."""
        rules = view.public.rules
        return move.card.suit is view.public.trump, move.card.rank.strength(rules.rank_order)


class Absent:
    """Moves for an absent person: keeps the cards, says done, takes if it may, or plays the lowest card."""

    def choose(self, view: SeatView, moves: Sequence[Move], _memory: Memory = NOTHING_SEEN, /) -> Move:
        """Chooses the move that gives away the least."""
        for move in (Keep(), Done(), Take()):
            if move in moves:
                return move
        return Beginner().choose(view, moves)
