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
            is_newest = self._reading.get(key) is this  # else somebody has changed it meanwhile
            if is_newest:
                del self._reading[key]
        if is_newest:
            self._known[key] = value
        return value

    def forget(self, key: K) -> None:
        """Read again what belongs to a key when somebody asks."""
        for each in (self._known, self._reading, self._changing):
            each.pop(key, None)

    async def change(self, key: K, write: Awaitable[V]) -> V:
        """Write what belongs to a key, and remember it, unless somebody else wrote something meanwhile."""
        self.forget(key)
        self._changing[key] = this = object()
        try:
            value = await write
        finally:
            was_alone = self._changing.get(key) is this
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
        for each in (self._known, self._reading, self._changing):
            each.clear()
