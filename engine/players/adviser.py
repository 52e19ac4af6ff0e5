"""Advice on a move, always the same for the same position; and a look back at the moves of a game."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from random import Random

from engine.players.expert import Expert
from engine.players.memory import NOTHING_SEEN, Memory
from engine.players.regular import Regular
from engine.rules.cards import Card
from engine.rules.moves import Attack, Defend, Move, ShowTrump, Take, Transfer
from engine.rules.views import SeatView

# Ways of the hidden cards that are looked at: as many each time, so that the advice stays the same.
GUESSES = 300

# Games that are played on at most; where there are many moves to choose from, it makes fewer guesses.
GAMES = 2_000

POSITIONS = 30_000  # positions that are looked at where the end is solved, for the same reason

# How long that may take if nobody else thinks; hardly any machine is so slow that the time ends it.
SECONDS = 10.0

AS_GOOD = 0.02  # by how much the risk to become the fool may differ between moves that are equally good


class Adviser:
    """Weighs moves as an expert does, by guesses that follow from the position.

    The advice is always the same for the same position, unless it is given fewer `seconds` of CPU.
    """

    def __init__(self, seconds: float = SECONDS) -> None:
        self._seconds = seconds

    def choose(self, view: SeatView, moves: Sequence[Move], memory: Memory = NOTHING_SEEN, /) -> Move:
        """Chooses the cheapest of equally good moves; where an expert cannot look ahead, like `Regular`."""
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
    """Returns a text that is the same for the same position, in every process."""
    public = view.public
    return (
        f"{view.seat} {view.hand} {public.talon} {public.discard} {public.bout} {' '.join(map(str, moves))}"
    )


def _price(move: Move, view: SeatView) -> tuple[int, int]:
    """Returns the cost of a move: trumps first, then ranks; to pass is dearer than any card but a trump."""
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


# --- looking back: which moves of a player made it likelier to become the fool ----------------------------


MARGIN = 0.05  # a move that cost less is not worth a word
MAX_REGRETS = 2
_SUSPECTS = 4  # decisions that are looked at again


@dataclass(frozen=True, slots=True)
class Decision:
    """A choice that a seat had: its view and memory at that moment, its legal moves, and the one it made.

    `bout` counts the bouts of the game from 1.
    """

    bout: int
    view: SeatView = field(repr=False)
    memory: Memory = field(repr=False)
    moves: tuple[Move, ...]
    played: Move


@dataclass(frozen=True, slots=True)
class Regret:
    """A decision, the best move in it, and how likely its seat was to become the fool: from 0 to 1.

    `risk` is the chance after the move that was played, `least` the one after `best`.
    """

    decision: Decision
    best: Move
    risk: float
    least: float

    @property
    def cost(self) -> float:
        """The rise of the risk by the played move; 0 if it was the best one."""
        return self.risk - self.least


def weighed(decision: Decision, rng: Random, *, guesses: int, seconds: float) -> Regret | None:
    """Compares the played move with the best one, by its seat's knowledge and the same guesses for all.

    Args:
        decision: The choice to weigh.
        rng: Draws the guesses.
        guesses: How many of them.
        seconds: How much CPU time that may take; where the end might be solved, up to four times as long.

    Returns:
        None where an expert cannot look ahead: by these rules, or when this seat was not awaited.
    """
    expert = Expert(rng, limit=seconds, guesses=guesses)
    risks = expert.risks(decision.view, (decision.played, *decision.moves), decision.memory)
    if risks is None:
        return None

    best = min(risks, key=lambda move: risks[move])  # in doubt the played one, which comes first
    return Regret(decision, best, risks[decision.played], risks[best])


def suspects(regrets: Iterable[Regret]) -> list[Decision]:
    """Picks the decisions that look dearest, each of them between the played and the best move only.

    The dearest at a first glance are partly bad luck of that glance, so they get further looks, with guesses
    of their own.
    """
    return [
        replace(regret.decision, moves=(regret.decision.played, regret.best))
        for regret in sorted(regrets, key=_by_cost)[:_SUSPECTS]
        if regret.cost > 0
    ]


def dearest(looks: Iterable[Sequence[Regret]]) -> tuple[Regret, ...]:
    """Returns the moves that cost most, the dearest first, without those of a few points.

    Args:
        looks: For each suspect several looks, which all have to find it dear. If the machine was busy,
            there was time for a few guesses only, and looks contradict one another.
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
