"""How people fare: values computed from finished games."""

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from enum import Enum, auto
from typing import Self

from openskill.models import PlackettLuce

from adapters.port import UserRef

# --- One person's games, one after the other: streaks, form, rivals ---


FORM = 10  # how many of the newest games make the form


class GameResult(Enum):
    """One player's result of one game."""

    FOOL = "F"
    FIRST_OUT = "1"
    DRAW = "D"
    SAFE = "S"

    @classmethod
    def of(cls, place: int | None, *, is_loser: bool, is_draw: bool) -> Self:
        """Returns the result of a player at this place, from 1; None for players still holding cards."""
        if is_loser:
            return cls.FOOL
        if is_draw:
            return cls.DRAW
        return cls.FIRST_OUT if place == 1 else cls.SAFE


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
class Feats:
    """The facts of a finished game that count for one person's career and titles.

    Attributes:
        result: Their result.
        epaulettes: The number of epaulettes they got.
        is_quickest: Whether they were out first in the shortest game of the server so far.
        houses_beaten: The number of house players that were the fool instead of them.
        experts_beaten: The number of experts of the house at the table, if one of those was the fool.
        is_up_to_the_ace: Whether their epaulettes reached the ace.
        preset: The preset they lost by; empty if they did not, or if it was none.
        escaped_from: The most cards they held at once before they went out; 0 if they did not.
    """

    result: GameResult
    epaulettes: int = 0
    is_quickest: bool = False
    houses_beaten: int = 0
    experts_beaten: int = 0
    is_up_to_the_ace: bool = False
    preset: str = ""
    escaped_from: int = 0


@dataclass(frozen=True, slots=True)
class Career:
    """The facts of a person's games that depend on their order."""

    form: tuple[GameResult, ...] = ()  # the newest games, the newest one last
    fool_streak: int = 0  # how many games in a row, up to now, were lost
    safe_streak: int = 0  # how many games in a row, up to now, were not lost
    longest_safe_streak: int = 0  # the longest row of games that were not lost
    houses_beaten: int = 0  # how often a house player was the fool and this person was not
    presets_lost: frozenset[str] = frozenset()  # the presets by which this person was the fool
    duels: tuple[Duel, ...] = ()  # with all others they played with, the biggest rivalry first

    def after(self, game: Feats) -> "Career":
        """Returns the career with one more game."""
        is_fool = game.result is GameResult.FOOL
        fool_streak = self.fool_streak + 1 if is_fool else 0
        safe_streak = 0 if is_fool else self.safe_streak + 1
        presets_lost = self.presets_lost | {game.preset} if game.preset else self.presets_lost

        return Career(
            (*self.form, game.result)[-FORM:],
            fool_streak,
            safe_streak,
            max(self.longest_safe_streak, safe_streak),
            self.houses_beaten + game.houses_beaten,
            presets_lost,
            self.duels,
        )

    def against(self, rival: UserRef) -> Duel | None:
        """Returns how they fared against another player; None when the two never met."""
        return next((duel for duel in self.duels if duel.rival == rival), None)


def biggest_first(duels: Iterable[Duel]) -> tuple[Duel, ...]:
    """Returns a person's duels, the biggest rivalry first."""
    return tuple(sorted(duels, key=lambda duel: (-duel.decided, -duel.games, duel.name.casefold())))


# --- A player's record in numbers ---


MIN_PEOPLE = 2  # people (not house players) that a game needs to count


class Counted(Enum):
    """Which games a tally counts."""

    HERE = auto()  # those that were played with the bot
    CARDS = auto()  # those with real cards, as people have entered them
    TOGETHER = auto()


class Ranking(Enum):
    """The order of a list of standings."""

    BEST = auto()  # the least foolish; people with too few games for a champion are behind all others
    FOOLS = auto()  # the most frequent fool


# Players with fewer finished games rank after all others and see no rating: it is still a guess.
MIN_GAMES = 5

MIN_GAMES_TOGETHER = 3  # two people with fewer games together are no rivals yet

# Games of an average player that each person gets on top, so that one unlucky evening is no verdict.
PRIOR = 3.0


@dataclass(frozen=True, slots=True)
class Standing:
    """A player's record; `expected` is how often an average player would have been the fool in those games.

    So many of them were played with real `cards`. A game expects one fool, or as many as lost together:
    everybody's share of it is that number over the number of seats. A draw also has an expected fool,
    though nobody is the fool.
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

    @property
    def index(self) -> float:
        """The fool index: 1 is average, lower is better; fair across table sizes."""
        return (self.fools + PRIOR) / (self.expected + PRIOR)

    @property
    def rate(self) -> float:
        """The share of games that were lost, from 0 to 1."""
        return self.fools / self.games if self.games else 0.0

    def rank(self, by: Ranking) -> tuple[float, ...]:
        """Returns the key that a list of standings is sorted by, the first one least."""
        if by is Ranking.FOOLS:
            return -self.fools, self.games
        return self.games < MIN_GAMES, round(self.index, 9), -self.games


def places(standings: Sequence[Standing], by: Ranking) -> list[int]:
    """Returns the place of each row of a list, counted from 1; equal ranks share a place."""
    ranks = [standing.rank(by) for standing in standings]
    return [1 + ranks.index(rank) for rank in ranks]


def first_of(standings: Sequence[Standing], by: Ranking) -> Sequence[Standing]:
    """Returns the standings that share the first place of a list."""
    return [standing for standing in standings if standing.rank(by) == standings[0].rank(by)]


# --- A rating from the whole order of going out, by the model of Plackett and Luce ---


MODEL = PlackettLuce()
DOUBTS = 3  # how many times the doubt is taken off the strength


@dataclass(frozen=True, slots=True)
class Rating:
    """A player's estimated strength, and its uncertainty."""

    strength: float = MODEL.mu
    doubt: float = MODEL.sigma

    @property
    def points(self) -> float:
        """A lower bound of the strength; a newcomer begins with 0."""
        return self.strength - DOUBTS * self.doubt


@dataclass(frozen=True, slots=True)
class RatingPlace:
    """A rating, its owner's place on the leaderboard, and how many are on it."""

    points: float
    place: int
    of: int


def rated(
    before: Sequence[Rating], places: Iterable[int | None], *, seats: int, is_draw: bool
) -> list[Rating]:
    """Returns the ratings of people after a game at a table with `seats` seats.

    `places` are those of the seats in the order of going out, from 1; None for losers and players still in.
    People are compared with one another only: house players have no rating, and none is won from them.
    """
    if len(before) < MIN_PEOPLE:
        return list(before)

    teams = [[MODEL.rating(rating.strength, rating.doubt)] for rating in before]
    last = seats - 1 if is_draw else seats  # the loser is last, and so are, together, the last two of a draw
    ranks = [float(last if place is None else min(place, last)) for place in places]
    return [Rating(after.mu, after.sigma) for (after,) in MODEL.rate(teams, ranks=ranks)]


# --- The games of a server, all together ---


@dataclass(frozen=True, slots=True)
class Rivalry:
    """The two people with the most games decided between themselves: one was the fool, the other wasn't."""

    names: tuple[str, str]
    fools: tuple[int, int]
    games: int


@dataclass(frozen=True, slots=True)
class Summary:
    """All games that count.

    `bouts` and `seconds` are averages, and `trumps` counts suits, over the games of which that was noted.
    """

    games: int
    bouts: float = 0.0
    seconds: float = 0.0
    trumps: tuple[tuple[str, int], ...] = ()
    rivalry: Rivalry | None = None


# --- The week, and seasons ---


@dataclass(frozen=True, slots=True)
class Season:
    """Three months of a server: their bounds, how many games there were, its fools and its champions.

    Several share a place with equal numbers. There are no fools if every game was a draw, and no champions if
    all of those were the fools as well.
    """

    began: float
    until: float
    games: int
    fools: Sequence[Standing]
    champions: Sequence[Standing]


# --- Firsts and titles ---


class Title(Enum):
    """An achievement: announced in the result that brings it, and listed in /stats from then on."""

    FIRST_GAME = auto()
    FIRST_FOOL = auto()
    THREE_IN_A_ROW = auto()
    FIVE_IN_A_ROW = auto()
    TEN_WITHOUT = auto()
    QUICKEST = auto()
    EPAULETTES = auto()
    THREE_EXPERTS = auto()
    ESCAPED = auto()
    LADDER = auto()
    EVERY_PRESET = auto()


MANY_CARDS = 14

MIN_EXPERTS = 3


def titles_for(game: Feats, career: Career, presets: Collection[str]) -> Collection[Title]:
    """Returns the titles for which a game is enough; `career` is their career after it.

    A title belongs to the first game that was enough for it.
    """
    conditions = (
        (Title.FIRST_GAME, True),
        (Title.FIRST_FOOL, game.result is GameResult.FOOL),
        (Title.THREE_IN_A_ROW, career.fool_streak == 3),
        (Title.FIVE_IN_A_ROW, career.fool_streak == 5),
        (Title.TEN_WITHOUT, career.safe_streak == 10),
        (Title.QUICKEST, game.is_quickest),
        (Title.EPAULETTES, game.epaulettes > 0),
        (Title.THREE_EXPERTS, game.experts_beaten >= MIN_EXPERTS),
        (Title.ESCAPED, game.escaped_from >= MANY_CARDS),
        (Title.LADDER, game.is_up_to_the_ace),
        (Title.EVERY_PRESET, bool(game.preset) and career.presets_lost.issuperset(presets)),
    )

    return [title for title, is_met in conditions if is_met]
