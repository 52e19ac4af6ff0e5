"""One person's games, one after the other: streaks, form, rivals."""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import Enum, auto

from adapters.port import UserRef
from bot.model.standings.games import GameResult

FORM = 10
"""How many of the newest games make the form."""


class Fate(Enum):
    """What became of somebody in one game."""

    FOOL = auto()
    FIRST_OUT = auto()
    DRAW = auto()
    SAFE = auto()


@dataclass(frozen=True, slots=True)
class Duel:
    """Two people at the same tables: how often one of them was the fool and the other was not."""

    rival: UserRef
    name: str
    games: int = 0
    own_fools: int = 0
    their_fools: int = 0

    @property
    def decided(self) -> int:
        """In how many games one of the two, and not the other, was the fool."""
        return self.own_fools + self.their_fools


@dataclass(frozen=True, slots=True)
class Career:
    """What a person's games tell in their order.

    Attributes:
        form: The newest games, the newest one last.
        fool_streak: How many games in a row, up to now, were lost.
        safe_streak: How many games in a row, up to now, were not lost.
        longest_fool_streak: The longest row of lost games.
        longest_safe_streak: The longest row of games that were not lost.
        houses_beaten: How often a house player was the fool and this person was not.
        duels: Everybody they played with, the biggest rivalry first.
        trumps: How often which suit was trumps, where that is known.
        bouts: How many bouts a game has on average; 0 when that is not known.
        seconds: How long a game takes on average; 0 when that is not known.
    """

    form: tuple[Fate, ...]
    fool_streak: int
    safe_streak: int
    longest_fool_streak: int
    longest_safe_streak: int
    houses_beaten: int
    duels: tuple[Duel, ...]
    trumps: tuple[tuple[str, int], ...]
    bouts: float
    seconds: float

    def against(self, rival: UserRef) -> Duel | None:
        """Return how they fared against somebody; None when the two never met."""
        return next((duel for duel in self.duels if duel.rival == rival), None)


def career_of(results: Iterable[GameResult], duels: Iterable[Duel] = (), houses_beaten: int = 0) -> Career:
    """Tell a person's career from how their games ended, in that order, and from what was counted of them."""
    played = list(results)
    is_fool = [result.is_loser for result in played]
    noted = [result for result in played if result.trump]
    return Career(
        form=tuple(_fate(result) for result in played[-FORM:]),
        fool_streak=_current(is_fool, value=True),
        safe_streak=_current(is_fool, value=False),
        longest_fool_streak=_longest(is_fool, value=True),
        longest_safe_streak=_longest(is_fool, value=False),
        houses_beaten=houses_beaten,
        duels=tuple(sorted(duels, key=lambda duel: (-duel.decided, -duel.games, duel.name.casefold()))),
        trumps=tuple(Counter(result.trump for result in noted).most_common()),
        bouts=sum(result.bouts for result in noted) / len(noted) if noted else 0.0,
        seconds=sum(result.seconds for result in noted) / len(noted) if noted else 0.0,
    )


def _fate(result: GameResult) -> Fate:
    if result.is_loser:
        return Fate.FOOL
    if result.is_draw:
        return Fate.DRAW
    return Fate.FIRST_OUT if result.place == 1 else Fate.SAFE


def _current(row: Sequence[bool], *, value: bool) -> int:
    return next((length for length, each in enumerate(reversed(row)) if each is not value), len(row))


def _longest(row: Sequence[bool], *, value: bool) -> int:
    longest = length = 0
    for each in row:
        length = length + 1 if each is value else 0
        longest = max(longest, length)
    return longest
