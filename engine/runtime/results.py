"""What became of a move that was submitted."""

from dataclasses import dataclass

from engine.rules.errors import Reason
from engine.rules.events import Event


@dataclass(frozen=True, slots=True)
class Accepted:
    """It is played and on disk; `events` are what it brought about, unfiltered."""

    version: int
    events: tuple[Event, ...] = ()


@dataclass(frozen=True, slots=True)
class Refused:
    """It is against the rules."""

    reason: Reason


@dataclass(frozen=True, slots=True)
class Unreadable:
    """It is no move at all."""


@dataclass(frozen=True, slots=True)
class Stale:
    """It was meant for a position that is past; the table is at `version` now."""

    version: int


@dataclass(frozen=True, slots=True)
class Closed:
    """No game is running."""


Result = Accepted | Refused | Unreadable | Stale | Closed
