"""Small things thrown at the seats of a table: shown on the pages open there, and stored nowhere."""

import asyncio
from collections import defaultdict
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from enum import Enum, auto
from secrets import choice
from typing import Any

from adapters import port
from adapters.web.render import Json

THROWS = port.Budget(seconds=5.0, burst=1)  # of one person
MAX_WAITING = 20  # throws that wait for a slow page; it misses the others


class Thing(Enum):
    """A thing to be thrown."""

    TOMATO = auto()  # at the fool of a finished game, and at nobody else
    EGG = auto()
    SNOWBALL = auto()
    SLIPPER = auto()
    ROSE = auto()
    PLANE = auto()


FOR_ANYBODY = tuple(thing for thing in Thing if thing is not Thing.TOMATO)


@dataclass(frozen=True, slots=True)
class Range:
    """The seats of a game that one reader of its board can throw at.

    `own` is the reader's own seat, which is out of range.
    """

    board: str
    seats: int
    own: int | None
    losers: frozenset[int]

    def frame(self, seat: object) -> Json | None:
        """Returns a throw at a seat as open pages draw it; None if the seat is out of range."""
        is_seat = type(seat) is int and 0 <= seat < self.seats
        if not is_seat or seat == self.own:
            return None

        thing = Thing.TOMATO if seat in self.losers else choice(FOR_ANYBODY)
        return {
            "type": "throw",
            "board": self.board,
            "by": self.own,
            "seat": seat,
            "thing": thing.name.lower(),
        }


def range_of(content: Mapping[str, Any], reader: str) -> Range | None:
    """Returns the range of a reader, by their id on the page, in a message; None if it shows no game."""
    board = content.get("board", {})
    if "seats" not in board:
        return None

    users = [seat["user"] for seat in board["seats"]]
    own = users.index(reader) if reader in users else None
    return Range(board["id"], len(users), own, frozenset(board["losers"]))


class ThrowFrames:
    """Hands throws to the open views of each table."""

    def __init__(self) -> None:
        self._open = defaultdict[int, set[asyncio.Queue[Json]]](set)

    @contextmanager
    def of(self, table_id: int) -> Iterator[asyncio.Queue[Json]]:
        """Opens a queue of the throws at a table while the context lasts."""
        queue = asyncio.Queue[Json](MAX_WAITING)
        self._open[table_id].add(queue)
        try:
            yield queue
        finally:
            self._open[table_id].discard(queue)
            if not self._open[table_id]:
                del self._open[table_id]

    def send(self, table_id: int, frame: Json) -> None:
        """Queues a throw for every open view of a table."""
        for queue in self._open.get(table_id, ()):
            if not queue.full():
                queue.put_nowait(frame)
