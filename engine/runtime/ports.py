"""What running games need from the outside: a journal, and an announcer of changes."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Protocol

from engine.rules.events import Outcome, Seat


class Author(StrEnum):
    """Who made a move for a seat; a letter each, as every move that was ever made is kept with it."""

    PLAYER = "p"  # the person who sits there
    HOUSE = "h"  # a house player, in its own seat or standing in
    AUTO = "a"  # the table, because nothing else was possible
    CLOCK = "c"  # the table, because the time was over


@dataclass(frozen=True, slots=True)
class Entry:
    """One line of a table's journal.

    A game begins with an entry without a seat whose text is the opening; each further entry is a move.
    Versions grow by one with each entry through all games of a table, so an old button never fits a newer
    game.

    Attributes:
        table: The table.
        version: The version the table has with this entry; the first entry makes version 1.
        game: Which game of the table this is, from 1.
        seat: Whose move it is; None for an opening.
        text: The opening, with the seed of the deal in it, or the move.
        author: Who made the move; None for an opening.
        at: Unix seconds.
    """

    table_id: int
    version: int
    game: int
    seat: Seat | None
    text: str = field(repr=False)
    author: Author | None
    at: float


@dataclass(frozen=True, slots=True)
class SavedGame:
    """The newest game of a table: its entries in order, and the text of the position after the last one."""

    entries: Sequence[Entry] = field(repr=False)
    snapshot: str = field(repr=False)


class VersionTakenError(Exception):
    """This version of this table has been written by another process; nothing was written."""


class Journal(Protocol):
    """What happened at all tables, on disk."""

    async def append(self, entry: Entry, *, snapshot: str, outcome: Outcome | None) -> None:
        """Write an entry, the position after it and, if the game ended, its result: all or nothing.

        Raises:
            VersionTakenError: The table has an entry of this version already.
        """
        ...

    async def newest_game(self, table_id: int) -> SavedGame | None:
        """Read what was written about a table's newest game; None when nothing was ever dealt."""
        ...


class Announcer(Protocol):
    """Is told of every change."""

    def changed(self, table_id: int, version: int) -> None:
        """Mark a table as changed to a new version; must not block."""
        ...
