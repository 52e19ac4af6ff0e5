"""A week of a server in numbers."""

from collections.abc import Sequence
from dataclasses import dataclass

from bot.model.standings import Ranking, Rivalry, Standing, first_of

MIN_STREAK = 2  # games lost in a row that make a streak worth telling
Feat = tuple[str, int]  # a name, and the length of a streak or the number of cards

MIN_GAMES = 3  # games that make a week worth telling, a person worth comparing, and a rivalry


@dataclass(frozen=True, slots=True)
class Week:
    """A week of a server in numbers."""

    games: int  # how many games there were that count
    fools: Sequence[Standing]  # the fools, the most frequent first
    streak: Feat | None = None  # whose row of lost games ended, and how long the longest was
    take: Feat | None = None  # the most cards taken at once
    rivalry: Rivalry | None = None  # the two people with most decided games between them

    @property
    def fools_of_the_week(self) -> Sequence[Standing]:
        """The most frequent fools, several if they share the place."""
        return first_of(self.fools, Ranking.FOOLS)

    @property
    def spared(self) -> Sequence[Standing]:
        """The frequent players least often the fool; none if they are also the fools of the week."""

        def key(tally: Standing) -> tuple[float, int]:
            return tally.rate, -tally.games

        regulars = [tally for tally in self.fools if tally.games >= MIN_GAMES]
        best = min(map(key, regulars), default=None)
        spared = [tally for tally in regulars if key(tally) == best]

        return [tally for tally in spared if tally not in self.fools_of_the_week]
