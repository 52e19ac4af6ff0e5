"""`Rules`: the settings of a game, and whether they can be played."""

from dataclasses import dataclass

from engine.rules import clashes, objections
from engine.rules.settings import Settings


@dataclass(frozen=True)
class Rules(Settings):
    """The rules of a game; impossible combinations of settings are named by `clashes`."""

    @property
    def fewest_seats(self) -> int:
        """How many have to sit at the table: as many as these cards and teams need, or the fewest players."""
        return min(clashes.numbers_of_players(self), default=self.min_players)

    @property
    def most_seats(self) -> int:
        """How many can sit at the table: as many as cards and teams allow, or the most players."""
        return max(clashes.numbers_of_players(self), default=self.max_players)

    def obstacles(self, players: int | None = None) -> tuple[clashes.Clash, ...]:
        """List everything that keeps the cards from being dealt, at all or for this number of players."""
        return clashes.find_obstacles(self, players)

    def clashes(self, players: int | None = None) -> tuple[clashes.Clash, ...]:
        """List everything that speaks against choosing these rules, at all or for this number of players."""
        return (*self.obstacles(players), *objections.find_objections(self))
