"""The players that the house players are measured against."""

from collections.abc import Sequence
from random import Random

from engine import Attack, Card, Defend, Done, Move, SeatView, Take
from engine.players import NOTHING_SEEN, Memory


class Greedy:
    """Plays the lowest card that is no trump, a trump if nothing else works, and takes only when it must."""

    def choose(self, view: SeatView, moves: Sequence[Move], _memory: Memory = NOTHING_SEEN, /) -> Move:
        """Throws in every plain card it can, but no trumps."""
        attacks = [move for move in moves if isinstance(move, Attack) and len(move.cards) == 1]
        defences = [move for move in moves if isinstance(move, Defend)]
        if attacks:
            lowest = min(attacks, key=lambda move: self._cost(view, move.cards[0]))
            if not view.public.bout or lowest.cards[0].suit is not view.public.trump:
                return lowest
        if defences:
            return min(defences, key=lambda move: self._cost(view, move.card))
        give_in = Done() if Done() in moves else Take()
        others = [move for move in moves if move != Take()]
        return give_in if give_in == Done() or not others else others[0]

    @staticmethod
    def _cost(view: SeatView, card: Card) -> tuple[bool, int]:
        return card.suit is view.public.trump, card.rank.strength(view.public.rules.rank_order)


class Chance:
    """Plays any legal move."""

    def __init__(self, seed: object) -> None:
        self._random = Random(str(seed))

    def choose(self, _view: SeatView, moves: Sequence[Move], _memory: Memory = NOTHING_SEEN, /) -> Move:
        """Draws one of the moves."""
        return self._random.choice(moves)
