"""Advice on a move, always the same for the same position; and a review of the moves of a game."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from random import Random

from engine.players.expert import Expert
from engine.players.memory import NOTHING_SEEN, Memory
from engine.players.regular import Regular
from engine.rules.cards import Card
from engine.rules.moves import Attack, Defend, Move, ShowTrump, Take, Transfer
from engine.rules.views import SeatView

# Guesses at the hidden cards: a fixed number instead of a time, so that the advice stays the same.
GUESSES = 300

# The most playouts for one advice; with many moves to choose from there are fewer guesses.
GAMES = 2_000

POSITIONS = 30_000  # positions searched to solve an ending, fixed for the same reason

# The limit of CPU time; only a very slow machine reaches it.
SECONDS = 10.0

AS_GOOD = 0.02  # moves count as equally good if their risks of becoming the fool differ by no more


class Adviser:
    """Weighs moves as an expert does, with guesses seeded by the position.

    The advice is the same for the same position, unless the `seconds` of CPU time run out.
    """

    def __init__(self, seconds: float = SECONDS) -> None:
        self._seconds = seconds

    def choose(self, view: SeatView, moves: Sequence[Move], memory: Memory = NOTHING_SEEN, /) -> Move:
        """Chooses the cheapest of equally good moves; falls back to `Regular` if an expert can't search."""
        guesses = min(GUESSES, GAMES // len(moves))
        chance = Random(_position(view, moves))
        expert = Expert(chance, limit=self._seconds, guesses=guesses, positions=POSITIONS)
        risks = expert.risks(view, moves, memory)
        if risks is None:
            return Regular().choose(view, moves, memory)

        most = min(risks.values()) + AS_GOOD
        as_good = [move for move in moves if risks[move] <= most]
        return min(as_good, key=lambda move: _price(move, view))


def _position(view: SeatView, moves: Sequence[Move]) -> str:
    """Returns a seed that is the same for the same position in every process."""
    public = view.public
    return (
        f"{view.seat} {view.hand} {public.talon} {public.discard} {public.bout} {' '.join(map(str, moves))}"
    )


def _price(move: Move, view: SeatView) -> tuple[int, int]:
    """Returns a move's cost: its trumps, then its highest rank. Done costs more than any plain card."""
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


# --- review: which moves raised a player's risk of becoming the fool --------------------------------------


MARGIN = 0.05  # moves that cost less are not reported
MAX_REGRETS = 2
_SUSPECTS = 4  # decisions that are weighed again


@dataclass(frozen=True, slots=True)
class Decision:
    """A choice that a seat had: its view and memory at that moment, its legal moves, and the one it made.

    `bout` counts the bouts of the game from 1. `wrong_cards` are those on the table that were played against
    the rules, which the seat could not know for certain.
    """

    bout: int
    view: SeatView = field(repr=False)
    memory: Memory = field(repr=False)
    moves: tuple[Move, ...]
    played: Move
    wrong_cards: frozenset[Card] = frozenset()


@dataclass(frozen=True, slots=True)
class Regret:
    """A decision, the best move in it, and its seat's risks of becoming the fool, from 0 to 1.

    `risk` is the risk after the move that was played, `least` the risk after `best`.
    """

    decision: Decision
    best: Move
    risk: float
    least: float

    @property
    def cost(self) -> float:
        """By how much the played move raised the risk; 0 if it was the best one."""
        return self.risk - self.least


def weighed(decision: Decision, rng: Random, *, guesses: int, seconds: float) -> Regret | None:
    """Compares the played move with the best one, by the seat's knowledge, with the same guesses for all.

    Args:
        decision: The choice to weigh.
        rng: Draws the guesses.
        guesses: The number of guesses.
        seconds: The limit of CPU time; up to four times as long if the ending might be solved.

    Returns:
        None if an expert cannot look ahead by these rules, or the seat was not awaited.
    """
    expert = Expert(rng, limit=seconds, guesses=guesses)
    risks = expert.risks(decision.view, (decision.played, *decision.moves), decision.memory)
    if risks is None:
        return None

    best = min(risks, key=lambda move: risks[move])  # ties go to the played move, which comes first
    return Regret(decision, best, risks[decision.played], risks[best])


def suspects(regrets: Iterable[Regret]) -> list[Decision]:
    """Picks the costliest decisions, each reduced to the played and the best move.

    The highest costs in a first estimate are partly chance, so these decisions are weighed again with other
    guesses.
    """
    return [
        replace(regret.decision, moves=(regret.decision.played, regret.best))
        for regret in sorted(regrets, key=_by_cost)[:_SUSPECTS]
        if regret.cost > 0
    ]


def dearest(looks: Iterable[Sequence[Regret]]) -> tuple[Regret, ...]:
    """Returns the costliest moves, the worst first, with the averages of their estimates.

    Args:
        looks: Several estimates for each suspect, which all have to reach `MARGIN`. On a busy machine there
            is time for only a few guesses, and estimates contradict one another.
    """
    dear = [_together(group) for group in looks if group and min(look.cost for look in group) >= MARGIN]
    return tuple(sorted(dear, key=_by_cost)[:MAX_REGRETS])


def _together(looks: Sequence[Regret]) -> Regret:
    return replace(
        looks[0],
        risk=sum(look.risk for look in looks) / len(looks),
        least=sum(look.least for look in looks) / len(looks),
    )


def _by_cost(regret: Regret) -> float:
    return -regret.cost
