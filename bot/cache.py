"""Caches rows of the database."""

import asyncio
from collections.abc import Awaitable, Callable, Hashable
from dataclasses import dataclass
from typing import Generic, TypeVar

from cachetools import LRUCache


@dataclass(slots=True)
class CacheLimits:
    """The sizes of caches, in values; they bound the bot's memory."""

    # Rows about a person or a server, notices that people got, and contents of answers.
    known: int = 1000
    games: int = 128  # facts about finished games, needed for each player's end screen and for its updates
    pictures: int = 128  # pictures of about 15 kB
    portraits: int = 1000  # portraits of about 6 kB
    reviews: int = 200  # findings of reviews


LIMITS = CacheLimits()

K = TypeVar("K", bound=Hashable)
V = TypeVar("V")


class ReadThroughCache(Generic[K, V]):
    """A read-through cache; concurrent requests for a key share one read."""

    def __init__(self, read: Callable[[K], Awaitable[V]], size: int | None = None) -> None:
        self._read = read
        self._known = LRUCache[K, V](size or LIMITS.known)
        self._reading: dict[K, asyncio.Future[V]] = {}
        self._changing: dict[K, object] = {}

    async def get(self, key: K) -> V:
        """Returns the value of a key, reading it if it is not cached."""
        if key in self._known:
            return self._known[key]

        reading = self._reading.get(key)
        if reading is None:
            return await self._read_for_all(key)

        await asyncio.wait([reading])
        return await self.get(key) if reading.cancelled() else reading.result()

    async def _read_for_all(self, key: K) -> V:
        """Reads a value, for this and all concurrent requests; caches it unless it was invalidated."""
        reading = self._reading[key] = asyncio.get_running_loop().create_future()
        try:
            value = await self._read(key)
        except Exception as error:
            reading.set_exception(error)
            reading.exception()  # marks it retrieved, as there may be no other waiter
            raise
        else:
            reading.set_result(value)
            if self._reading.get(key) is reading:  # otherwise it was invalidated during the read
                self._known[key] = value
        finally:
            reading.cancel()  # has an effect only if this read was cancelled: then a waiter reads again
            if self._reading.get(key) is reading:
                del self._reading[key]

        return value

    def known(self, key: K) -> V | None:
        """Returns the cached value of a key; None if it is not cached."""
        return self._known.get(key)

    def forget(self, key: K) -> None:
        """Invalidates a key."""
        for values in (self._known, self._reading, self._changing):
            values.pop(key, None)

    async def change(self, key: K, write: Callable[[], Awaitable[V]]) -> V:
        """Writes a value, and caches it unless the key was invalidated or changed in the meantime.

        The old value stays valid until then.
        """
        self._changing[key] = this = object()
        try:
            value = await write()
        finally:
            was_alone = self._changing.get(key) is this
            self.forget(key)  # reads that began before the write may be outdated

        if was_alone:
            self._known[key] = value

        return value

    def replace(self, key: K, before: V, after: V) -> None:
        """Replaces the cached value `before` by `after`, which was written without this cache.

        Does nothing if another value is cached or being written, as that is newer.
        """
        self._reading.pop(key, None)  # a read may have begun before the write
        if key in self._known and self._known[key] == before and key not in self._changing:
            self._known[key] = after

    def put(self, key: K, value: V) -> None:
        """Caches a value that was just written without this cache."""
        self.forget(key)
        self._known[key] = value

    def forget_all(self) -> None:
        """Invalidates everything."""
        for values in (self._known, self._reading, self._changing):
            values.clear()
