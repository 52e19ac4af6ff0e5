"""The wall clock without its steps: waiting goes on as the event loop counts."""

import asyncio
from collections.abc import Callable

TOLERANCE = 2.0
"""Seconds that the wall clock may differ from the loop's from one look to the next; more is a step."""


class SteadyClock:
    """Tells how long ago something happened that was written down by the wall clock.

    Somebody sets the clock, or the machine sleeps, while the loop's clock stands still. What was written down
    before is told afterwards as if the wall clock had been right all the time.
    """

    def __init__(self, now: Callable[[], float], on_step: Callable[[float], None]) -> None:
        """Follow a wall clock; `on_step` is called with the seconds by which it was found to have stepped."""
        self._now = now
        self._on_step = on_step
        self._loop = asyncio.get_running_loop()
        self._ahead = now() - self._loop.time()
        self._stepped = 0.0
        self._known: dict[int, tuple[float, float]] = {}

    def now(self) -> float:
        """Return the wall clock's time in Unix seconds, and notice if it has stepped."""
        now = self._now()
        before, self._ahead = self._ahead, now - self._loop.time()
        step = self._ahead - before
        if abs(step) > TOLERANCE:
            self._stepped += step
            self._on_step(step)
        return now

    def since(self, table_id: int, written: float) -> float:
        """Return the time of what happened last at a table, by the wall clock as it goes now.

        Args:
            table_id: The table.
            written: The wall clock's time when it happened, as it was written down.
        """
        now = self.now()
        known = self._known.get(table_id)
        if known is None or known[0] != written:
            # Nothing happened later than now: who wrote it down had a clock that was ahead of ours.
            known = self._known[table_id] = written, self._stepped + max(0.0, written - now)
        return written + self._stepped - known[1]

    def evict(self, table_id: int) -> None:
        """Know nothing of a table that nobody needs any more."""
        self._known.pop(table_id, None)
