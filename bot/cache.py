"""Remembers what is on disk."""

from collections.abc import Awaitable, Callable, Hashable
from dataclasses import dataclass
from typing import Generic, TypeVar

from cachetools import LRUCache


@dataclass(slots=True)
class CacheLimits:
    """How many values each cache keeps: a bot's memory is level once they are full."""

    # What is on disk about a person or a server, what people were told, and what answers show.
    known: int = 1000
    games: int = 128  # what finished games have changed: an end is drawn for each player, and again after it
    pictures: int = 128  # pictures of about 15 kB
    reviews: int = 200  # what moves have cost


LIMITS = CacheLimits()

K = TypeVar("K", bound=Hashable)
V = TypeVar("V")


class ReadThroughCache(Generic[K, V]):
    """A read-through cache: a value is read once, and again after it was invalidated."""

    def __init__(self, read: Callable[[K], Awaitable[V]], size: int | None = None) -> None:
        self._read = read
        self._known = LRUCache[K, V](size or LIMITS.known)
        self._reading: dict[K, object] = {}
        self._changing: dict[K, object] = {}

    async def get(self, key: K) -> V:
        """Return what belongs to a key."""
        if key in self._known:
            return self._known[key]
        this = self._reading.setdefault(key, object())
        try:
            value = await self._read(key)
        finally:
            is_newest = self._reading.get(key) is this  # else it was changed while we read
            if is_newest:
                del self._reading[key]
        if is_newest:
            self._known[key] = value
        return value

    def known(self, key: K) -> V | None:
        """Return what is remembered of a key."""
        return self._known.get(key)

    def forget(self, key: K) -> None:
        """Invalidate a key."""
        for each in (self._known, self._reading, self._changing):
            each.pop(key, None)

    async def change(self, key: K, write: Awaitable[V]) -> V:
        """Write a value and cache it, unless another write came in between."""
        self.forget(key)
        self._changing[key] = this = object()
        try:
            value = await write
        finally:
            was_alone = self._changing.get(key) is this
            self.forget(key)  # for reads that began before the write
        if was_alone:
            self._known[key] = value
        return value

    def put(self, key: K, value: V) -> None:
        """Remember what was just written."""
        self.forget(key)
        self._known[key] = value

    def forget_all(self) -> None:
        """Invalidate everything."""
        for each in (self._known, self._reading, self._changing):
            each.clear()
