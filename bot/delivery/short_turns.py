"""Keeps turns of the event loop short, so that somebody who presses comes in between."""

import asyncio

LONGEST_TURN = 0.005
"""Seconds after which what is left to compute has to wait for the loop's next turn."""


class ShortTurns:
    """Divides what is to be computed for many at the same moment among several turns of the event loop."""

    def __init__(self) -> None:
        self._began: float | None = None
        self._over = asyncio.Event()

    async def next(self) -> None:
        """Return at once, or in a later turn where others have computed for long enough in this one."""
        loop = asyncio.get_running_loop()
        while self._began is not None and loop.time() - self._began >= LONGEST_TURN:
            await self._over.wait()
        if self._began is None:
            self._began = loop.time()
            self._over.clear()
            loop.call_soon(self._end)

    def _end(self) -> None:
        self._began = None
        self._over.set()
