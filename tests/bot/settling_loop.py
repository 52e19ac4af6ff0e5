"""An event loop that detects when everything that needs no clock has happened.

That is when no callback is ready, nothing has arrived, the database is idle, and no thread is at work.
Processes that think for house players are not waited for.
"""

import asyncio
import selectors
from asyncio import Future
from collections.abc import Callable, Iterator
from concurrent.futures import Executor, ProcessPoolExecutor
from contextlib import contextmanager
from typing import TypeVar, TypeVarTuple

T = TypeVar("T")
Arguments = TypeVarTuple("Arguments")

GLANCE_SECONDS = 0.05  # the longest time that `turn` waits for other threads and processes


class SettlingLoop(asyncio.SelectorEventLoop):
    """A loop on which a test waits for all pending work without polling."""

    def __init__(self) -> None:
        self.busy: set[object] = set()
        """What goes on by itself: work on the database and in threads."""
        self.settling: list[Future[None]] = []
        self.turning: list[Future[None]] = []
        super().__init__(_Selector(self))

    async def settled(self) -> None:
        """Waits until nothing more happens without time passing."""
        await self._wait_among(self.settling)

    async def turn(self) -> None:
        """Gives all other tasks a turn; waits a moment if none of them is ready."""
        await self._wait_among(self.turning)

    @contextmanager
    def working(self) -> Iterator[None]:
        """Counts as busy while this block runs."""
        work = object()
        self.busy.add(work)
        try:
            yield
        finally:
            self.busy.discard(work)

    def run_in_executor(
        self, executor: Executor | None, func: Callable[[*Arguments], T], *args: *Arguments
    ) -> Future[T]:
        future = super().run_in_executor(executor, func, *args)
        if not isinstance(executor, ProcessPoolExecutor):
            self.busy.add(future)
            future.add_done_callback(self.busy.discard)
        return future

    async def _wait_among(self, waiting: list[Future[None]]) -> None:
        future = self.create_future()
        waiting.append(future)
        await future


class _Selector(selectors.DefaultSelector):
    """A selector that reports when nothing has arrived, and waits if allowed and no callback is ready."""

    def __init__(self, loop: SettlingLoop) -> None:
        super().__init__()
        self._loop = loop

    def select(self, timeout: float | None = None) -> list[tuple[selectors.SelectorKey, int]]:
        arrived = super().select(0)
        may_wait = not arrived and (timeout is None or timeout > 0)
        if may_wait and self._loop.settling and not self._loop.busy:
            _wake(self._loop.settling)
        elif self._loop.turning:
            arrived = super().select(GLANCE_SECONDS) if may_wait else arrived
            _wake(self._loop.turning)
        elif may_wait:
            arrived = super().select(timeout)

        return arrived


def _wake(waiting: list[Future[None]]) -> None:
    for future in waiting:
        if not future.done():
            future.set_result(None)
    waiting.clear()


def settling_loop() -> SettlingLoop:
    """Returns the running loop."""
    loop = asyncio.get_running_loop()
    assert isinstance(loop, SettlingLoop)
    return loop
