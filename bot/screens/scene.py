"""What the public sees of a running game, gathered for the screens."""

from dataclasses import dataclass

from bot.model.table import Table
from bot.model.waiting import Waiting
from engine import Event, PublicView


@dataclass(frozen=True, slots=True)
class Scene:
    """A table at one version.

    Attributes:
        table: Who sits where.
        names: What each seat is called, by seat.
        view: The position as a spectator sees it.
        events: Everything that happened in this game, as a spectator saw it.
        away: Seats of people whom a house player stands in for.
        unreachable: Seats of people the bot cannot write to.
        waiting: How long the table has been waiting, if it waits for people.
        seconds: The time from the deal to the newest move.
    """

    table: Table
    names: tuple[str, ...]
    view: PublicView
    events: tuple[Event, ...] = ()
    away: frozenset[int] = frozenset()
    unreachable: frozenset[int] = frozenset()
    waiting: Waiting | None = None
    seconds: float = 0.0
