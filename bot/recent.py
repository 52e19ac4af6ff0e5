"""What was asked for last, so that it need not be read again."""

from collections import OrderedDict
from typing import Generic, TypeVar

K = TypeVar("K")
V = TypeVar("V")

MOST_KEPT = 1000


class Recent(Generic[K, V]):
    """Keeps so many values; the one that was not asked for the longest goes first."""

    def __init__(self, most: int = MOST_KEPT) -> None:
        self._kept: OrderedDict[K, V] = OrderedDict()
        self._most = most

    def get(self, key: K) -> V | None:
        """Give a value; None when it is not here any more."""
        if key in self._kept:
            self._kept.move_to_end(key)
        return self._kept.get(key)

    def put(self, key: K, value: V) -> None:
        """Keep a value."""
        self._kept[key] = value
        self._kept.move_to_end(key)
        while len(self._kept) > self._most:
            self._kept.popitem(last=False)

    def drop(self, key: K) -> None:
        """Keep it no longer."""
        self._kept.pop(key, None)
