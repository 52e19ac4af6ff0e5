"""What a chat's adapter remembers about rooms and people, so that it does not grow for as long as it runs."""

from collections import OrderedDict
from typing import TypeVar

Key = TypeVar("Key")
Value = TypeVar("Value")


class Recent(OrderedDict[Key, Value]):
    """A mapping that holds the newest entries and forgets the others.

    >>> recent = Recent[str, int](most=2)
    >>> recent["a"], recent["b"], recent["a"], recent["c"] = 1, 2, 3, 4
    >>> dict(recent)
    {'a': 3, 'c': 4}
    """

    def __init__(self, most: int) -> None:
        """Hold at most so many entries."""
        super().__init__()
        self._most = most

    def __setitem__(self, key: Key, value: Value) -> None:
        """Add an entry, or write one anew, as the newest."""
        super().__setitem__(key, value)
        self.move_to_end(key)
        if len(self) > self._most:
            self.popitem(last=False)
