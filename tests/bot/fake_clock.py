"""Time that stands still until the test lets it pass, on two clocks, as in every process."""

import asyncio

TURNS = 20  # of the event loop: more than anything takes that waits for no one


async def a_few_turns() -> None:
    """Lets everyone go on who does not wait for time or for another process."""
    for _ in range(TURNS):
        await asyncio.sleep(0)


class FakeClock:
    """The wall clock, and the event loop's: sleepers wake when enough of the latter has been skipped."""

    def __init__(self) -> None:
        """Takes over the running event loop's time."""
        self._now = 1_000_000.0
        self._since_boot = 5_000.0
        asyncio.get_running_loop().time = self.since_boot  # type: ignore[method-assign] # the point of this class

    def now(self) -> float:
        """The wall clock's time."""
        return self._now

    def since_boot(self) -> float:
        """The event loop's time, which no one can set."""
        return self._since_boot

    def skip(self, seconds: float) -> None:
        """Lets time pass."""
        self._now += seconds
        self._since_boot += seconds

    def step(self, seconds: float) -> None:
        """Sets the wall clock; or wake up, after so long a sleep of the machine."""
        self._now += seconds
