"""The simplest house player."""

from collections.abc import Sequence

from engine.players.house import NOTHING_SEEN
from engine.players.memory import Memory
from engine.rules.moves import Attack, Defend, Done, Move, ShowTrump, Transfer
from engine.rules.views import SeatView


class Beginner:
    """Plays the lowest card that works, keeps its trumps, and takes only when it must."""

    def choose(self, view: SeatView, moves: Sequence[Move], _memory: Memory = NOTHING_SEEN, /) -> Move:
        """Choose the cheapest attack or defence; the moves come with the low cards first."""
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
        """Return what the card is worth: any plain card before any trump."""
        rules = view.public.rules
        return move.card.suit is view.public.trump, move.card.rank.strength(rules.rank_order)
