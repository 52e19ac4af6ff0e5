"""A rating from the whole order of going out, by the model of Plackett and Luce."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from openskill.models import PlackettLuce

from bot.model.standings.standing import LEAST_PEOPLE

MODEL = PlackettLuce()

DOUBTS = 3
"""How many times the doubt is taken off the strength."""


@dataclass(frozen=True, slots=True)
class Rating:
    """How strong somebody is thought to be, and how uncertain that is."""

    strength: float = MODEL.mu
    doubt: float = MODEL.sigma

    @property
    def points(self) -> float:
        """What somebody can be trusted to be worth at least; a newcomer begins with 0."""
        return self.strength - DOUBTS * self.doubt


@dataclass(frozen=True, slots=True)
class RatingPlace:
    """A rating, and its place among those who are rated."""

    points: float
    place: int
    of: int


class Ending(Protocol):
    """How a game ended for somebody; who did not go out has no place."""

    @property
    def place(self) -> int | None:
        """The place in the order of going out, from 1."""
        ...

    @property
    def is_loser(self) -> bool:
        """Whether the game was lost."""
        ...


def rated(before: Sequence[Rating], endings: Sequence[Ending], *, seats: int, is_draw: bool) -> list[Rating]:
    """Return the ratings of people after a game at a table with so many seats.

    People are compared with one another only: house players have no rating, and none is won from them.
    """
    if len(before) < LEAST_PEOPLE:
        return list(before)
    teams = [[MODEL.rating(each.strength, each.doubt)] for each in before]
    ranks = [_rank(ending, seats - 1 if is_draw else seats) for ending in endings]
    return [Rating(after.mu, after.sigma) for (after,) in MODEL.rate(teams, ranks=ranks)]


def _rank(ending: Ending, last: int) -> float:
    """Give a rank: who loses is last, and so are, together, the last two of a draw."""
    return float(last if ending.is_loser or ending.place is None else min(ending.place, last))
