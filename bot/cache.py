"""Caches rows of the database."""

import asyncio
from collections.abc import Awaitable, Callable, Hashable
from dataclasses import dataclass
from functools import partial
from typing import Generic, TypeVar

from cachetools import LRUCache


@dataclass(slots=True)
class CacheLimits:
    """How many values each cache keeps: a bot's memory is level once they are full."""

    # Rows about a person or a server, notices that people got, and contents of answers.
    known: int = 1000
    games: int = 128  # the changes by finished games: an end is drawn for each player, and again after it
    pictures: int = 128  # pictures of about 15 kB
    reviews: int = 200  # the costs of moves


LIMITS = CacheLimits()

K = TypeVar("K", bound=Hashable)
V = TypeVar("V")


class ReadThroughCache(Generic[K, V]):
    """A read-through cache: a value is read once for all who ask, and again after it was invalidated."""

    def __init__(self, read: Callable[[K], Awaitable[V]], size: int | None = None) -> None:
        self._read = read
        self._known = LRUCache[K, V](size or LIMITS.known)
        self._reading: dict[K, asyncio.Future[V]] = {}
        self._changing: dict[K, object] = {}

    async def get(self, key: K) -> V:
        """Returns the value of a key."""
        if key in self._known:
            return self._known[key]

        reading = self._reading.get(key)
        if reading is None:
            reading = self._reading[key] = asyncio.ensure_future(self._read(key))
            reading.add_done_callback(partial(self._end_reading, key))

        return await asyncio.shield(reading)  # others may wait for it

    def _end_reading(self, key: K, reading: "asyncio.Future[V]") -> None:
        has_failed = reading.cancelled() or reading.exception() is not None
        if self._reading.get(key) is not reading:  # it was invalidated while we read
            return

        del self._reading[key]
        if not has_failed:
            self._known[key] = reading.result()

    def known(self, key: K) -> V | None:
        """Returns the cached value of a key."""
        return self._known.get(key)

    def forget(self, key: K) -> None:
        """Invalidates a key."""
        for values in (self._known, self._reading, self._changing):
            values.pop(key, None)

    async def change(self, key: K, write: Callable[[], Awaitable[V]]) -> V:
        """Writes a value and caches it, unless another write came in between.

        Until it is written the value before is still valid.
        """
        self._changing[key] = this = object()
        try:
            value = await write()
        finally:
            was_alone = self._changing.get(key) is this
            self.forget(key)  # for reads that began before the write

        if was_alone:
            self._known[key] = value

        return value

    def put(self, key: K, value: V) -> None:
        """Caches a value that was just written."""
        self.forget(key)
        self._known[key] = value

    def forget_all(self) -> None:
        """Invalidates everything."""
        for values in (self._known, self._reading, self._changing):
            values.clear()
