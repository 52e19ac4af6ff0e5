"""What happens next at a table if nobody presses."""

from dataclasses import dataclass

from bot.model.table import Phase
from engine import Seat
from engine.runtime import Author


@dataclass(frozen=True, slots=True)
class ScheduledAction:
    """Something that happens at a table at a time; without an author it only looks different from then on.

    With `to` the people around it go on to another phase; else the author moves for the seats.
    """

    at: float
    author: Author | None = None
    seats: tuple[Seat, ...] = ()
    to: Phase | None = None
