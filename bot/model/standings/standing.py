"""How somebody fared, in numbers."""

from dataclasses import dataclass

from adapters.port import UserRef

LEAST_PEOPLE = 2
"""A game counts when at least so many people (not house players) sat at the table."""

LEAST_GAMES = 5
"""A champion has finished at least so many games."""

PRIOR = 3.0
"""Games' worth of an average player that everybody is given, so that one unlucky evening is not a verdict."""


@dataclass(frozen=True, slots=True)
class Standing:
    """How somebody fared; `expected` is how often an average player would have been the fool in those games.

    A game expects one fool, or as many as lost together: everybody's share of it is that number over the
    number of seats. A draw expects its fool, too, and spares everybody.
    """

    user: UserRef
    name: str
    games: int
    fools: int
    draws: int
    first_out: int
    expected: float
    epaulettes: int = 0
    points: int = 0

    @property
    def index(self) -> float:
        """The fool index: 1 is average, lower is better; fair across table sizes."""
        return (self.fools + PRIOR) / (self.expected + PRIOR)

    @property
    def rate(self) -> float:
        """The share of games that were lost, from 0 to 1."""
        return self.fools / self.games if self.games else 0.0

    @property
    def is_proven(self) -> bool:
        """Whether there are enough games to be called a champion."""
        return self.games >= LEAST_GAMES
