"""Processes of their own, for thoughts that would hold up every chat."""

import asyncio
import os
import signal
from collections.abc import Callable
from threading import Thread
from typing import TYPE_CHECKING, TypeVar

import structlog

if TYPE_CHECKING:
    from concurrent.futures import Future, ProcessPoolExecutor
    from multiprocessing.process import BaseProcess

log = structlog.get_logger()

LONGEST_TASK = 20.0
"""Seconds after which a process is said to hang: far more than it takes to begin one and do any task."""

_PATIENT = 10
"""How far a patient worker steps back (0 to 19): it gets a tenth of what others want as well."""

T = TypeVar("T")


class Worker:
    """One process, which begins with the first task and ends with the bot, even if that is killed.

    If it dies or hangs, the next task begins another one. A patient one leaves the machine to whoever else
    wants it.
    """

    def __init__(self, *, is_patient: bool = False) -> None:
        self._is_patient = is_patient
        self._is_free = asyncio.Lock()
        self._pool: ProcessPoolExecutor | None = None
        self._processes: set[BaseProcess] = set()

    async def do(self, task: Callable[[], T]) -> T:
        """Return what a task returns; tasks are done one after the other.

        Whoever is cancelled meanwhile waits no longer. A task that has begun is done to its end.

        Raises:
            BrokenExecutor: The process died.
            TimeoutError: It hung.
        """
        await self._is_free.acquire()
        return await asyncio.shield(asyncio.create_task(self._done(task)))

    def end(self) -> None:
        """End the process at once, whatever it does."""
        if self._pool is not None:
            for process in self._processes:
                process.kill()  # one that hangs hears of no other end
            self._pool.shutdown(wait=False)
            self._pool = None

    async def _done(self, task: Callable[[], T]) -> T:
        from concurrent.futures import BrokenExecutor

        hanging = asyncio.timeout(LONGEST_TASK)
        try:
            async with hanging:
                return await asyncio.wrap_future(self._begun(task))
        except (BrokenExecutor, TimeoutError):
            if hanging.expired():
                log.error("worker_hangs", seconds=LONGEST_TASK)
            self.end()
            raise
        finally:
            self._is_free.release()

    def _begun(self, task: Callable[[], T]) -> "Future[T]":
        from concurrent.futures import ProcessPoolExecutor
        from multiprocessing import active_children, get_context

        if self._pool is not None:
            return self._pool.submit(task)
        others = set(active_children())
        niceness = _PATIENT if self._is_patient else 0
        self._pool = ProcessPoolExecutor(1, get_context("spawn"), initializer=_begin, initargs=(niceness,))
        future = self._pool.submit(task)
        self._processes = set(active_children()) - others
        return future


def _begin(niceness: int) -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the bot, which ends us in its own time
    if hasattr(os, "nice"):
        os.nice(niceness)
    Thread(target=_end_with_the_bot, daemon=True).start()


def _end_with_the_bot() -> None:
    from multiprocessing import parent_process

    bot = parent_process()
    if bot is not None:
        bot.join()
    os._exit(1)
