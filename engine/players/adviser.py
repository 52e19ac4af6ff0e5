"""Who gives advice: the same for the same position, and the cheapest of the moves that are equally good."""

from collections.abc import Sequence
from random import Random

from engine.players.expert import Expert
from engine.players.house import NOTHING_SEEN
from engine.players.memory import Memory
from engine.players.regular import Regular
from engine.rules.cards import Card
from engine.rules.moves import Attack, Defend, Move, ShowTrump, Take, Transfer
from engine.rules.views import SeatView

GUESSES = 300
"""Ways of the hidden cards that are looked at: as many each time, so that the advice stays the same."""

GAMES = 2_000
"""Games that are played on at most; where there are many moves to choose from, it makes fewer guesses."""

POSITIONS = 30_000
"""Positions that are looked at where the end is solved, for the same reason."""

SECONDS = 10.0
"""How long that may take; hardly any machine is so busy that the time ends it, and the advice with it."""

AS_GOOD = 0.02
"""By how much the risk to become the fool may differ between moves that are equally good."""


class Adviser:
    """Weighs moves as an expert does, with guesses that follow from the position."""

    def choose(self, view: SeatView, moves: Sequence[Move], memory: Memory = NOTHING_SEEN, /) -> Move:
        """Choose what can be defended best; where an expert cannot look ahead, what a regular player does."""
        guesses = min(GUESSES, GAMES // len(moves))
        expert = Expert(Random(_position(view, moves)), limit=SECONDS, guesses=guesses, positions=POSITIONS)
        risks = expert.risks(view, moves, memory)
        if risks is None:
            return Regular().choose(view, moves, memory)
        most = min(risks.values()) + AS_GOOD
        return min((move for move in moves if risks[move] <= most), key=lambda move: _price(move, view))


def _position(view: SeatView, moves: Sequence[Move]) -> str:
    """Return a text that is the same for the same position, in every process."""
    public = view.public
    return (
        f"{view.seat} {view.hand} {public.talon} {public.discard} {public.bout} {' '.join(map(str, moves))}"
    )


def _price(move: Move, view: SeatView) -> tuple[int, int]:
    """Return what a move costs: trumps first, then ranks; to pass is dearer than any card but a trump."""
    match move:
        case Attack(cards=cards) | Transfer(cards=cards):
            spent: Sequence[Card] = cards
        case Defend(card=card) | ShowTrump(card=card):
            spent = (card,)
        case Take():
            return len(view.hand) + 1, 0
        case _:
            return 0, len(view.hand) * 100
    return sum(card.suit is view.public.trump for card in spent), max(card.rank for card in spent)
