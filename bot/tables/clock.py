"""A wall clock without steps: waits are measured by the event loop's clock."""

import asyncio
from collections.abc import Callable

# Seconds by which the wall clock may drift from the loop's between two readings; more is a step.
TOLERANCE = 2.0


class SteadyClock:
    """Converts stored times of the wall clock, as if it had never been set.

    The wall clock steps when it is set, and when the machine sleeps, as the loop's clock stops meanwhile.
    Times that were stored before a step are shifted by it.
    """

    def __init__(self, now: Callable[[], float], on_step: Callable[[float], None]) -> None:
        """Follows a wall clock; `on_step` gets the seconds of each step that is noticed."""
        self._now = now
        self._on_step = on_step
        self._loop = asyncio.get_running_loop()
        self._ahead = now() - self._loop.time()
        self._stepped = 0.0
        self._known: dict[int, tuple[float, float]] = {}

    def now(self) -> float:
        """Returns the wall clock's time in Unix seconds, and notices if it has stepped."""
        now = self._now()
        before = self._ahead
        self._ahead = now - self._loop.time()
        step = self._ahead - before
        if abs(step) > TOLERANCE:
            self._stepped += step
            self._on_step(step)

        return now

    def time_of_event(self, table_id: int, stored_at: float, now: float) -> float:
        """Converts the stored time of a table's latest event to the current wall clock.

        Args:
            table_id: The table.
            stored_at: The time of the event on disk.
            now: The current time of the wall clock.
        """
        times = self._known.get(table_id)
        if times is None or times[0] != stored_at:
            # An event later than now was stored while the clock was ahead.
            times = self._known[table_id] = stored_at, self._stepped + max(0.0, stored_at - now)
        return stored_at + self._stepped - times[1]

    def evict(self, table_id: int) -> None:
        """Drops the times of an evicted table."""
        self._known.pop(table_id, None)
