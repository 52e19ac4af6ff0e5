"""The end of a game, for code that reacts in the same transaction."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from enum import Enum, auto

from sqlmodel import Session

from bot.storage.models import TableRow
from engine import Seat

GAMES_BEFORE_MORE = 3  # after this many games of a server, the result mentions what else the bot offers


class HowEnded(Enum):
    """The ways in which a game can end, with or without a result."""

    LOST = auto()  # somebody lost it by the cards
    DRAWN = auto()
    RESIGNED = auto()
    STOPPED = auto()  # without a result
    PUT_AWAY = auto()  # its table was closed, whether or not the game had ended before


@dataclass(frozen=True, slots=True)
class EndedGame:
    """A game that has just ended: its table, its number, how, and when in Unix seconds."""

    table: TableRow
    game: int
    how: HowEnded
    at: float


@dataclass(frozen=True, slots=True)
class Consequences:
    """The changes caused by a finished game; none if it does not count for tallies.

    Attributes:
        rating_changes: The changes of ratings, by seat, for people with enough games.
        losses_before: How many games in a row the people had lost on the server before, by seat. Earlier
            games that don't count are ignored.
        has_more: Whether it was the game number `GAMES_BEFORE_MORE` of its server, so that the result
            mentions what else the bot offers.
    """

    rating_changes: Mapping[Seat, float] = field(default_factory=dict)
    losses_before: Mapping[Seat, int] = field(default_factory=dict)
    has_more: bool = False


# Writes the consequences of a game's end in its transaction, so that a crash cannot separate them. It is
# called twice for a game that is stopped as its table is closed: with `STOPPED`, then with `PUT_AWAY`.
GameEnded = Callable[[Session, EndedGame], None]
