"""Remembers what is on disk."""

from collections.abc import Awaitable, Callable, Hashable
from typing import Generic, TypeVar

from cachetools import LRUCache

MOST_KNOWN = 1000
"""Of so many keys each cache remembers what was read."""

K = TypeVar("K", bound=Hashable)
V = TypeVar("V")


class ReadThroughCache(Generic[K, V]):
    """Reads what belongs to a key once, and again after whoever changed it let it be forgotten here."""

    def __init__(self, read: Callable[[K], Awaitable[V]]) -> None:
        self._read = read
        self._known = LRUCache[K, V](MOST_KNOWN)
        self._changes = 0

    async def get(self, key: K) -> V:
        """Return what belongs to a key."""
        if key in self._known:
            return self._known[key]
        changes = self._changes
        value = await self._read(key)
        if changes == self._changes:  # else it may have been read before somebody changed it
            self._known[key] = value
        return value

    def forget(self, key: K) -> None:
        """Read again what belongs to a key when somebody asks."""
        self._known.pop(key, None)
        self._changes += 1

    async def change(self, key: K, write: Awaitable[V]) -> V:
        """Write what belongs to a key, and remember it, unless somebody else wrote something meanwhile."""
        self.forget(key)
        changes = self._changes
        try:
            value = await write
        finally:
            was_alone = changes == self._changes
            self.forget(key)  # for whoever began to read it before it was written
        if was_alone:
            self._known[key] = value
        return value

    def put(self, key: K, value: V) -> None:
        """Remember what was just written."""
        self.forget(key)
        self._known[key] = value

    def forget_all(self) -> None:
        """Read everything again when somebody asks."""
        self._known.clear()
        self._changes += 1
