"""The end of a game, for code that reacts in the same transaction."""

from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum, auto

from sqlmodel import Session

from bot.storage.models import TableRow


class HowEnded(Enum):
    """How a game ended."""

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


# Writes the consequences of a game's end in its transaction, so that a crash cannot separate them. It is
# called twice for a game that is stopped as its table is closed: with `STOPPED`, then with `PUT_AWAY`.
GameEnded = Callable[[Session, EndedGame], None]
