"""Idle tables: nothing has to be done there for a while."""

from collections.abc import Collection
from dataclasses import dataclass

from adapters.port import RoomRef, UserRef

NEVER = float("inf")
"""When something happens that only people can make happen."""


@dataclass(frozen=True, slots=True)
class IdleTable:
    """An idle table: the chats show all that it has to show, and nothing happens by itself for a while.

    Attributes:
        table_id: The table.
        version: The version of its cards.
        touched_at: When the people around it changed last. It is idle for as long as neither changes.
        noted_at: When this was so, in Unix seconds like all times here.
        due_at: When something happens if nobody presses.
    """

    table_id: int
    version: int
    touched_at: float
    noted_at: float
    due_at: float = NEVER


@dataclass(frozen=True, slots=True)
class UnreadTable:
    """A table that was in use when the bot stopped, as much of it as is known before it is read.

    Attributes:
        id: The table.
        room: Where it stands.
        playing: Who sits in its running game.
        due_at: When it has to be looked at, in Unix seconds; 0 when it was not idle.
    """

    id: int
    room: RoomRef
    playing: Collection[UserRef]
    due_at: float
