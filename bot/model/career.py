"""One person's games in order: streaks, form, rivals and titles."""

from collections.abc import Collection, Iterable
from dataclasses import dataclass
from enum import Enum, auto
from typing import Self

from adapters.port import UserRef

FORM = 10  # how many of the newest games make the form


class GameResult(Enum):
    """One player's result of one game."""

    FOOL = "F"
    FIRST_OUT = "1"
    DRAW = "D"
    SAFE = "S"

    @classmethod
    def of(cls, place: int | None, *, is_loser: bool, is_draw: bool) -> Self:
        """Returns a player's result; `place` counts from 1, and is None for a player still holding cards."""
        if is_loser:
            return cls.FOOL
        if is_draw:
            return cls.DRAW
        return cls.FIRST_OUT if place == 1 else cls.SAFE


@dataclass(frozen=True, slots=True)
class Duel:
    """How often, of two people at the same tables, one was the fool and the other was not."""

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
        experts_beaten: The number of expert house players at the table, if one was the fool instead of them.
        is_up_to_the_ace: Whether their epaulettes reached the ace.
        preset: The preset of a game that they lost; empty if they did not lose, or if it had no preset.
        escaped_from: The most cards they held at once before they went out; 0 if they did not go out.
        cheats_unseen: How often they cheated and nobody saw.
        catches: How often they caught somebody who cheated.
    """

    result: GameResult
    epaulettes: int = 0
    is_quickest: bool = False
    houses_beaten: int = 0
    experts_beaten: int = 0
    is_up_to_the_ace: bool = False
    preset: str = ""
    escaped_from: int = 0
    cheats_unseen: int = 0
    catches: int = 0


@dataclass(frozen=True, slots=True)
class Career:
    """The facts of a person's games that depend on their order."""

    form: tuple[GameResult, ...] = ()  # the newest games, the newest one last
    fool_streak: int = 0  # the length of the current streak of lost games
    safe_streak: int = 0  # the length of the current streak of games not lost
    longest_safe_streak: int = 0  # the longest streak of games not lost
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
        """Returns how they fared against another player; None if the two never met."""
        return next((duel for duel in self.duels if duel.rival == rival), None)


def biggest_first(duels: Iterable[Duel]) -> tuple[Duel, ...]:
    """Returns a person's duels, the biggest rivalry first."""
    return tuple(sorted(duels, key=lambda duel: (-duel.decided, -duel.games, duel.name.casefold())))


class Title(Enum):
    """An achievement, announced in the result that earns it, and listed in /stats from then on."""

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
    SHARPER = auto()
    EAGLE_EYE = auto()


MANY_CARDS = 14
MIN_EXPERTS = 3
MIN_CHEATS = 3
MIN_CATCHES = 3


def titles_for(game: Feats, career: Career, presets: Collection[str]) -> Collection[Title]:
    """Returns the titles that a game earns; `career` is the person's career after it.

    If several games would earn a title, the first one does.
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
        (Title.SHARPER, game.cheats_unseen >= MIN_CHEATS),
        (Title.EAGLE_EYE, game.catches >= MIN_CATCHES),
        (Title.EVERY_PRESET, bool(game.preset) and career.presets_lost.issuperset(presets)),
    )

    return [title for title, is_met in conditions if is_met]
