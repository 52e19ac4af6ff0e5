"""A week of a server in numbers."""

from collections.abc import Sequence
from dataclasses import dataclass

from bot.model.standings import Ranking, Rivalry, Standing, first_of

MIN_STREAK = 2  # the shortest losing streak to report
Feat = tuple[str, int]  # a name, and the length of a streak or the number of cards

MIN_GAMES = 3  # the fewest games for a report, for comparing a person, and for a rivalry


@dataclass(frozen=True, slots=True)
class Week:
    """A week of a server in numbers."""

    games: int  # the number of games that count
    fools: Sequence[Standing]  # the players, the most frequent fool first
    streak: Feat | None = None  # the longest losing streak that ended in the week
    take: Feat | None = None  # the most cards taken at once
    rivalry: Rivalry | None = None  # the two people with the most decided games between them

    @property
    def fools_of_the_week(self) -> Sequence[Standing]:
        """The most frequent fools; several if they are tied."""
        return first_of(self.fools, Ranking.FOOLS)

    @property
    def spared(self) -> Sequence[Standing]:
        """The regular players who were the fool least often, without the fools of the week."""

        def key(tally: Standing) -> tuple[float, int]:
            return tally.rate, -tally.games

        regulars = [tally for tally in self.fools if tally.games >= MIN_GAMES]
        best = min(map(key, regulars), default=None)
        spared = [tally for tally in regulars if key(tally) == best]

        return [tally for tally in spared if tally not in self.fools_of_the_week]
