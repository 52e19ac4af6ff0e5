"""An event loop that never waits: while all tasks sleep, its time jumps to the first one that wakes."""

import asyncio
import selectors
from collections.abc import Callable

TURN_SECONDS = 1e-6  # each turn of a loop takes some time


class _SkippingSelector(selectors.DefaultSelector):
    """A selector that advances the time instead of waiting."""

    def __init__(self, skip: Callable[[float], None]) -> None:
        super().__init__()
        self._skip = skip

    def select(self, timeout: float | None = None) -> list[tuple[selectors.SelectorKey, int]]:
        self._skip(max(timeout or 0.0, TURN_SECONDS))
        return super().select(0)


class SkippingLoop(asyncio.SelectorEventLoop):
    """An event loop with its own time, for tests without sockets."""

    def __init__(self) -> None:
        self._since_start = 1000.0
        super().__init__(_SkippingSelector(self._skip))

    def time(self) -> float:
        return self._since_start

    def _skip(self, seconds: float) -> None:
        self._since_start += seconds
