"""The end of a game, for those who have to know of it in the same transaction."""

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
    PUT_AWAY = auto()  # its table was closed, whether or not a game was running


@dataclass(frozen=True, slots=True)
class EndedGame:
    """A game that has just ended: its table, its number, how, and when in Unix seconds."""

    table: TableRow
    game: int
    how: HowEnded
    at: float


# Writes the consequences of a game's end; a kill can't come between the two.
GameEnded = Callable[[Session, EndedGame], None]
