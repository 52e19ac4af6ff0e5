"""Throws and remarks across a table, which are shown on open pages and never stored."""

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

THROWS = port.Budget(seconds=5.0, burst=1)  # per person
REMARKS = port.Budget(seconds=5.0, burst=1)  # per person
RETURN_SECONDS = 1.5  # until a bot throws something back
BOT_SIGN = "🤖"  # before the names of bots at a table
MAX_WAITING = 20  # frames queued for a slow view, which misses any others


class Thing(Enum):
    """A thing that can be thrown."""

    TOMATO = auto()  # only at a loser of a finished game
    EGG = auto()
    SNOWBALL = auto()
    SLIPPER = auto()
    ROSE = auto()
    PLANE = auto()


class Remark(Enum):
    """A short remark sent by one press; each page shows it in its reader's language."""

    HURRY = auto()
    NICE = auto()
    OOPS = auto()
    LUCK = auto()
    THANKS = auto()
    AGAIN = auto()
    LAUGH = auto()
    CRY = auto()
    COOL = auto()
    ANGRY = auto()
    WOW = auto()
    HEART = auto()


FOR_ANYBODY = tuple(thing for thing in Thing if thing is not Thing.TOMATO)


@dataclass(frozen=True, slots=True)
class Range:
    """The seats of a game that one reader of its board can throw at.

    `own` is the reader's own seat, which is out of range. Only seats in `bots` throw back automatically.
    """

    board: str
    seats: int
    own: int | None
    losers: frozenset[int]
    bots: frozenset[int] = frozenset()

    def frame(self, seat: object, wanted: object = "") -> Json | None:
        """Returns a throw at a seat as a frame for open pages; None if the seat is out of range.

        `wanted` is the name of a thing. Without a valid one, losers get a tomato, and others a random thing.
        """
        if type(seat) is not int or not 0 <= seat < self.seats or seat == self.own:
            return None

        possible = (*FOR_ANYBODY, Thing.TOMATO) if seat in self.losers else FOR_ANYBODY
        named = [thing for thing in possible if thing.name.lower() == wanted]
        by_chance = Thing.TOMATO if seat in self.losers else choice(FOR_ANYBODY)
        return self._throw(self.own, seat, named[0] if named else by_chance)

    def answer(self, seat: object) -> Json | None:
        """Returns what the bot at a seat throws back at the reader.

        None if there is no bot, or the reader has no seat.
        """
        if self.own is None or seat not in self.bots:
            return None
        return self._throw(seat, self.own, choice(FOR_ANYBODY))

    def _throw(self, by: object, seat: int, thing: Thing) -> Json:
        return {"type": "throw", "board": self.board, "by": by, "seat": seat, "thing": thing.name.lower()}

    def remark(self, wanted: object) -> Json | None:
        """Returns a remark of the reader as a frame; None if it is unknown, or the reader has no seat."""
        known = any(remark.name.lower() == wanted for remark in Remark)
        if self.own is None or not known:
            return None
        return {"type": "remark", "board": self.board, "seat": self.own, "remark": wanted}


def range_of(content: Mapping[str, Any], reader: str) -> Range | None:
    """Returns the range of a reader in the game that a message shows; None if it shows no game.

    `reader` is their id on the page.
    """
    board = content.get("board", {})
    if "seats" not in board:
        return None

    users = [seat["user"] for seat in board["seats"]]
    own = users.index(reader) if reader in users else None
    bots = frozenset(place for place, seat in enumerate(board["seats"]) if seat["name"].startswith(BOT_SIGN))
    return Range(board["id"], len(users), own, frozenset(board["losers"]), bots)


class ThrowFrames:
    """Distributes throws and remarks to the open views of each table."""

    def __init__(self) -> None:
        self._open = defaultdict[int, set[asyncio.Queue[Json]]](set)

    @contextmanager
    def of(self, table_id: int) -> Iterator[asyncio.Queue[Json]]:
        """Yields a queue that receives the frames of a table while the context lasts."""
        queue = asyncio.Queue[Json](MAX_WAITING)
        self._open[table_id].add(queue)
        try:
            yield queue
        finally:
            self._open[table_id].discard(queue)
            if not self._open[table_id]:
                del self._open[table_id]

    def send(self, table_id: int, frame: Json) -> None:
        """Queues a frame for every open view of a table whose queue is not full."""
        for queue in self._open.get(table_id, ()):
            if not queue.full():
                queue.put_nowait(frame)
