"""What people throw and call across a table: shown on the pages open there, and stored nowhere."""

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
REMARKS = port.Budget(seconds=5.0, burst=1)
RETURN_SECONDS = 1.5  # until a bot throws something back
BOT_SIGN = "🤖"  # before the names of bots at a table
MAX_WAITING = 20  # throws that wait for a slow page; it misses the others


class Thing(Enum):
    """A thing to be thrown."""

    TOMATO = auto()  # at the fool of a finished game, and at nobody else
    EGG = auto()
    SNOWBALL = auto()
    SLIPPER = auto()
    ROSE = auto()
    PLANE = auto()


class Remark(Enum):
    """A short call or sign that one press sends; each page shows it in its reader's language."""

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

    `own` is the reader's own seat, which is out of range. Only `bots` throw back by themselves.
    """

    board: str
    seats: int
    own: int | None
    losers: frozenset[int]
    bots: frozenset[int] = frozenset()

    def frame(self, seat: object, wanted: object = "") -> Json | None:
        """Returns a throw at a seat as open pages draw it; None if the seat is out of range.

        `wanted` names a thing; without a name that may be thrown there, it is left to chance.
        """
        if type(seat) is not int or not 0 <= seat < self.seats or seat == self.own:
            return None

        possible = (*FOR_ANYBODY, Thing.TOMATO) if seat in self.losers else FOR_ANYBODY
        named = [thing for thing in possible if thing.name.lower() == wanted]
        by_chance = Thing.TOMATO if seat in self.losers else choice(FOR_ANYBODY)
        return self._throw(self.own, seat, named[0] if named else by_chance)

    def answer(self, seat: object) -> Json | None:
        """Returns what the bot at a seat throws back at the reader; None if nothing comes back."""
        if self.own is None or seat not in self.bots:
            return None
        return self._throw(seat, self.own, choice(FOR_ANYBODY))

    def _throw(self, by: object, seat: int, thing: Thing) -> Json:
        return {"type": "throw", "board": self.board, "by": by, "seat": seat, "thing": thing.name.lower()}

    def remark(self, wanted: object) -> Json | None:
        """Returns a remark of the reader as open pages draw it; None for others than players."""
        known = any(remark.name.lower() == wanted for remark in Remark)
        if self.own is None or not known:
            return None
        return {"type": "remark", "board": self.board, "seat": self.own, "remark": wanted}


def range_of(content: Mapping[str, Any], reader: str) -> Range | None:
    """Returns the range of a reader, by their id on the page, in a message; None if it shows no game."""
    board = content.get("board", {})
    if "seats" not in board:
        return None

    users = [seat["user"] for seat in board["seats"]]
    own = users.index(reader) if reader in users else None
    bots = frozenset(place for place, seat in enumerate(board["seats"]) if seat["name"].startswith(BOT_SIGN))
    return Range(board["id"], len(users), own, frozenset(board["losers"]), bots)


class ThrowFrames:
    """Hands throws and remarks to the open views of each table."""

    def __init__(self) -> None:
        self._open = defaultdict[int, set[asyncio.Queue[Json]]](set)

    @contextmanager
    def of(self, table_id: int) -> Iterator[asyncio.Queue[Json]]:
        """Opens a queue of the frames of a table while the context lasts."""
        queue = asyncio.Queue[Json](MAX_WAITING)
        self._open[table_id].add(queue)
        try:
            yield queue
        finally:
            self._open[table_id].discard(queue)
            if not self._open[table_id]:
                del self._open[table_id]

    def send(self, table_id: int, frame: Json) -> None:
        """Queues a frame for every open view of a table."""
        for queue in self._open.get(table_id, ()):
            if not queue.full():
                queue.put_nowait(frame)
