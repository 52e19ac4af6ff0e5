"""What happens next at a table if nobody presses."""

from dataclasses import dataclass

from bot.model.table import Phase, Table
from bot.model.waiting import GRACE
from engine import Seat
from engine.runtime import Author

FULL_SECONDS = 10.0
"""Seconds after which a table begins whose seats are all taken."""

UNTOUCHED_SECONDS = 15 * 60.0
"""Seconds after which a lobby that nobody touches closes itself."""


@dataclass(frozen=True, slots=True)
class ScheduledAction:
    """Something that happens at a table at a time; without an author it only looks different from then on.

    With `to` the people around it go on to another phase; else the author moves for the seats.
    """

    at: float
    author: Author | None = None
    seats: tuple[Seat, ...] = ()
    to: Phase | None = None


def lobby_action(table: Table, touched_at: float, counted_from: float) -> ScheduledAction:
    """Say what happens to people who gather, and when.

    Args:
        table: Their table.
        touched_at: When somebody changed it last.
        counted_from: When the bot, or its room, came back last.
    """
    if table.starts_by_itself:
        return ScheduledAction(touched_at + FULL_SECONDS, to=Phase.PLAYING)
    return ScheduledAction(max(touched_at + UNTOUCHED_SECONDS, counted_from + GRACE), to=Phase.CLOSED)
