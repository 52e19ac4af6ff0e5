"""Time that stops until the test skips it, on two clocks, as in every process."""

import asyncio

TURNS = 20  # of the event loop: more than anything takes that does not wait


async def a_few_turns() -> None:
    """Runs all tasks until they wait for time or for another process."""
    for _ in range(TURNS):
        await asyncio.sleep(0)


class FakeClock:
    """The wall clock, and the event loop's: sleepers wake when enough of the latter has been skipped."""

    def __init__(self) -> None:
        """Replaces the running event loop's time."""
        self._now = 1_000_000.0
        self._since_boot = 5_000.0
        asyncio.get_running_loop().time = self.since_boot  # type: ignore[method-assign] # the point of this class

    def now(self) -> float:
        """Returns the wall clock's time."""
        return self._now

    def since_boot(self) -> float:
        """Returns the event loop's time, which no one can set."""
        return self._since_boot

    def skip(self, seconds: float) -> None:
        """Skips time on both clocks."""
        self._now += seconds
        self._since_boot += seconds

    async def passes(self, seconds: float) -> None:
        """Skips time, and runs the tasks that it wakes."""
        self.skip(seconds)
        await a_few_turns()

    def step(self, seconds: float) -> None:
        """Sets the wall clock, as a person or a waking machine does."""
        self._now += seconds
