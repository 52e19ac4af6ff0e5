"""Statistics of players, over all games that a server counts or over a season."""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum, Flag, auto

from adapters.port import UserRef

MIN_PEOPLE = 2  # people (not house players) that a game needs to count


class Counted(Flag):
    """Which games a tally counts."""

    HONEST = auto()  # those that were played with the bot, without cheating
    CHEATING = auto()  # those that were played with the bot, with cheating on
    CARDS = auto()  # those with real cards, as people have entered them
    HERE = HONEST | CHEATING
    TOGETHER = HERE | CARDS


class Ranking(Enum):
    """The order of a list of standings."""

    BEST = auto()  # the lowest fool index first; people with fewer than `MIN_GAMES` games come last
    FOOLS = auto()  # the most frequent fool first


# Players with fewer finished games rank after all others and see no rating: it is still a guess.
MIN_GAMES = 5
MIN_GAMES_TOGETHER = 3  # two people with fewer games together do not count as rivals yet

# Average results that are added to each person's own, so that one unlucky evening does not count too much.
PRIOR = 3.0


@dataclass(frozen=True, slots=True)
class Standing:
    """A player's record; `expected` is how often an average player would have been the fool in those games.

    `cards` counts the games that were played with real cards, `cheating` those with cheating on. Each game
    adds to `expected` its number of fools over its number of seats; a draw adds as much as a game with one
    fool.
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
    cards: int = 0
    cheating: int = 0

    @property
    def rated(self) -> int:
        """The number of games that count for the rating."""
        return self.games - self.cards - self.cheating

    @property
    def index(self) -> float:
        """The fool index: 1 is average, lower is better; fair across table sizes."""
        return (self.fools + PRIOR) / (self.expected + PRIOR)

    @property
    def rate(self) -> float:
        """The share of games that were lost, from 0 to 1."""
        return self.fools / self.games if self.games else 0.0

    def rank(self, by: Ranking) -> tuple[float, ...]:
        """Returns the key by which standings are sorted, the least first."""
        if by is Ranking.FOOLS:
            return -self.fools, self.games
        return self.games < MIN_GAMES, round(self.index, 9), -self.games


def places_of(standings: Sequence[Standing], by: Ranking) -> list[int]:
    """Returns the place of each row of a list, counted from 1; equal ranks share a place."""
    ranks = [standing.rank(by) for standing in standings]
    return [1 + ranks.index(rank) for rank in ranks]


def first_of(standings: Sequence[Standing], by: Ranking) -> Sequence[Standing]:
    """Returns the standings that share the first place of a list."""
    return [standing for standing in standings if standing.rank(by) == standings[0].rank(by)]


@dataclass(frozen=True, slots=True)
class CheatingTally:
    """How often a person cheated unseen, was caught, caught others, and accused others wrongly."""

    unseen: int
    caught: int
    catches: int
    wrong_accusations: int


@dataclass(frozen=True, slots=True)
class Rivalry:
    """The two people with the most games decided between themselves: one was the fool, the other wasn't."""

    names: tuple[str, str]
    fools: tuple[int, int]
    games: int


@dataclass(frozen=True, slots=True)
class Summary:
    """A summary of games that count.

    `bouts` and `seconds` are averages and `trumps` counts suits, all over games with a recorded trump suit.
    """

    games: int
    bouts: float = 0.0
    seconds: float = 0.0
    trumps: tuple[tuple[str, int], ...] = ()
    rivalry: Rivalry | None = None


@dataclass(frozen=True, slots=True)
class Season:
    """Three months of a server: their bounds, how many games there were, its fools and its champions.

    People with equal numbers share a place. There are no fools if every game was a draw, and no champions if
    they would be the same people as the fools.
    """

    began: float
    until: float
    games: int
    fools: Sequence[Standing]
    champions: Sequence[Standing]
