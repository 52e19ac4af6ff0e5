"""Jobs: work that the bot repeats without being asked."""

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Job:
    """Work that is repeated under the supervisor.

    Attributes:
        name: Its name in the log.
        every: The seconds before it is done again, or a function that returns them.
        run: Does it once; the supervisor handles its errors.
        at_start: Whether it is also done at once, and at once after a failure.
    """

    name: str
    every: float | Callable[[], float]
    run: Callable[[], Awaitable[object]]
    at_start: bool = False

    async def repeat(self) -> None:
        """Does the job until cancelled, or until it fails."""
        if self.at_start:
            await self.run()

        while True:
            await asyncio.sleep(self.every() if callable(self.every) else self.every)
            await self.run()
