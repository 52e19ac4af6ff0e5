"""Caches rows of the database."""

import asyncio
from collections.abc import Awaitable, Callable, Hashable
from dataclasses import dataclass
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
            return await self._read_for_all(key)

        await asyncio.wait([reading])
        return await self.get(key) if reading.cancelled() else reading.result()

    async def _read_for_all(self, key: K) -> V:
        """Reads a value for all who ask for it meanwhile."""
        reading = self._reading[key] = asyncio.get_running_loop().create_future()
        try:
            value = await self._read(key)
        except Exception as error:
            reading.set_exception(error)
            reading.exception()  # perhaps nobody else waits for it
            raise
        else:
            reading.set_result(value)
            if self._reading.get(key) is reading:  # else it was invalidated while we read
                self._known[key] = value
        finally:
            reading.cancel()  # unless it is done: then one of the others reads
            if self._reading.get(key) is reading:
                del self._reading[key]

        return value

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

    def replace(self, key: K, before: V, after: V) -> None:
        """Caches the value that a write of others has put in the place of another one.

        Where anything else is cached, or is being written, that is newer.
        """
        self._reading.pop(key, None)  # it may have begun before the write
        if key in self._known and self._known[key] == before and key not in self._changing:
            self._known[key] = after

    def put(self, key: K, value: V) -> None:
        """Caches a value that was just written."""
        self.forget(key)
        self._known[key] = value

    def forget_all(self) -> None:
        """Invalidates everything."""
        for values in (self._known, self._reading, self._changing):
            values.clear()
