"""How people fare: values computed from finished games."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum, auto
from itertools import groupby
from typing import Self

from openskill.models import PlackettLuce

from adapters.port import UserRef

# --- One person's games, one after the other: streaks, form, rivals ---


FORM = 10  # how many of the newest games make the form


class GameResult(Enum):
    """One player's result of one game."""

    FOOL = auto()
    FIRST_OUT = auto()
    DRAW = auto()
    SAFE = auto()

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
class Career:
    """The facts of a person's games that depend on their order."""

    form: tuple[GameResult, ...]  # the newest games, the newest one last
    fool_streak: int  # how many games in a row, up to now, were lost
    safe_streak: int  # how many games in a row, up to now, were not lost
    longest_safe_streak: int  # the longest row of games that were not lost
    houses_beaten: int  # how often a house player was the fool and this person was not
    duels: tuple[Duel, ...]  # with all others they played with, the biggest rivalry first

    def against(self, rival: UserRef) -> Duel | None:
        """Returns how they fared against another player; None when the two never met."""
        return next((duel for duel in self.duels if duel.rival == rival), None)


def career_of(results: Sequence[GameResult], duels: Iterable[Duel] = (), houses_beaten: int = 0) -> Career:
    """Returns a person's career, from the ends of their games in order, and from their counts."""
    is_fool = [fate is GameResult.FOOL for fate in results]
    safe_streaks = (len(list(run)) for is_lost, run in groupby(is_fool) if not is_lost)
    return Career(
        form=tuple(results[-FORM:]),
        fool_streak=_current(is_fool, value=True),
        safe_streak=_current(is_fool, value=False),
        longest_safe_streak=max(safe_streaks, default=0),
        houses_beaten=houses_beaten,
        duels=tuple(sorted(duels, key=lambda duel: (-duel.decided, -duel.games, duel.name.casefold()))),
    )


def _current(row: Sequence[bool], *, value: bool) -> int:
    return next((length for length, each in enumerate(reversed(row)) if each is not value), len(row))


# --- A player's record in numbers ---


MIN_PEOPLE = 2  # people (not house players) that a game needs to count


@dataclass(frozen=True, slots=True)
class PuzzleTally:
    """How many puzzles a person solved at the first try, and how many in a row up to now."""

    solved: int
    in_a_row: int


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
    everybody's share of it is that number over the number of seats. A draw expects its fool, too, and spares
    everybody.
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


MIN_STREAK = 2  # games lost in a row that make a streak worth telling
Highlight = tuple[str, int]  # a name, and the length of a streak or the number of cards


@dataclass(frozen=True, slots=True)
class Week:
    """A week of a server in numbers."""

    games: int  # how many games there were that count
    fools: Sequence[Standing]  # the fools, the most frequent first
    streak: Highlight | None = None  # whose row of lost games ended, and how long the longest was
    take: Highlight | None = None  # the most cards taken at once
    rivalry: Rivalry | None = None  # the two people with most decided games between them

    @property
    def spared(self) -> Standing | None:
        """Returns the frequent player least often the fool; None if there is a tie."""
        played = [tally for tally in self.fools if tally.games >= MIN_GAMES_OF_A_WEEK]
        best = min(played, key=lambda tally: (tally.rate, -tally.games), default=None)
        return best if best is not None and best is not self.fools[0] else None


MIN_GAMES_OF_A_WEEK = 3  # games that make a week worth telling, a person worth comparing, and a rivalry


@dataclass(frozen=True, slots=True)
class Season:
    """Three months of a server: when they began, how many games there were, and its fool and its champion."""

    began: float
    games: int
    fool: Standing
    champion: Standing


# --- Firsts and titles, computed from a player's games in order ---


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


@dataclass(frozen=True, slots=True)
class Feats:
    """The facts of a finished game that count for one person's titles."""

    is_loser: bool  # whether they were the fool
    epaulettes: int = 0  # how many epaulettes they got
    is_quickest: bool = False  # whether they were out first in the shortest game of the server so far
    experts_beaten: int = 0  # how many experts of the house sat there, if one of them was the fool
    is_up_to_the_ace: bool = False  # whether their epaulettes reached the ace
    preset: str = ""  # the preset they lost by; empty if they did not, or if it was none
    # How many cards they held at once, at most, before they went out; 0 if they did not.
    escaped_from: int = 0


MANY_CARDS = 14

MIN_EXPERTS = 3


def titles_of(games: Sequence[Feats], presets: Collection[str]) -> Mapping[Title, int]:
    """Returns the titles of a player, each with the number of the game, from 0, that brought it."""
    earned = dict[Title, int]()
    lost = spared = 0
    missing = set(presets)

    for number, game in enumerate(games):
        lost = lost + 1 if game.is_loser else 0
        spared = 0 if game.is_loser else spared + 1
        missing.discard(game.preset)
        holds = {
            Title.FIRST_GAME: True,
            Title.FIRST_FOOL: game.is_loser,
            Title.THREE_IN_A_ROW: lost == 3,
            Title.FIVE_IN_A_ROW: lost == 5,
            Title.TEN_WITHOUT: spared == 10,
            Title.QUICKEST: game.is_quickest,
            Title.EPAULETTES: game.epaulettes > 0,
            Title.THREE_EXPERTS: game.experts_beaten >= MIN_EXPERTS,
            Title.ESCAPED: game.escaped_from >= MANY_CARDS,
            Title.LADDER: game.is_up_to_the_ace,
            Title.EVERY_PRESET: not missing,
        }
        for title, is_earned in holds.items():
            if is_earned:
                earned.setdefault(title, number)

    return earned
