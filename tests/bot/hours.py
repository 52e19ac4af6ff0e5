"""Time that stands still until the test lets it pass."""

import asyncio


class Hours:
    """The time of the event loop, and of the bot: sleepers wake when enough of it has been skipped."""

    def __init__(self) -> None:
        """Take over the running event loop's time."""
        self._now = 1_000_000.0
        asyncio.get_running_loop().time = self.now  # type: ignore[method-assign] # the point of this class

    def now(self) -> float:
        return self._now

    def skip(self, seconds: float) -> None:
        self._now += seconds
