"""An executor of processes on this machine, which start with work, are replaced, and end with the bot."""

import asyncio
import os
import signal
from collections.abc import Callable
from concurrent.futures import BrokenExecutor, Executor, Future
from functools import partial
from threading import Thread
from typing import TYPE_CHECKING, Any, ParamSpec, TypeVar

import structlog

if TYPE_CHECKING:
    from concurrent.futures import ProcessPoolExecutor
    from multiprocessing.process import BaseProcess

log = structlog.get_logger()

# Seconds after which a process counts as hanging: far more than to start one and do any task.
MAX_TASK_SECONDS = 20.0
MAX_PATIENT_TASK_SECONDS = 60.0

TASKS_PER_PROCESS = 2  # one task waits in the process, so that a busy event loop does not delay it

PATIENT_NICENESS = 10  # of a patient process (0 to 19): it gets a tenth of the CPU if others are busy

P = ParamSpec("P")
T = TypeVar("T")


def default_count() -> int:
    """Returns the number of cores that the bot may use, minus one for the bot itself; at least one."""
    affinity = getattr(os, "sched_getaffinity", None)
    cores = len(affinity(0)) if affinity else os.cpu_count() or 1
    return max(1, cores - 1)


class Processes(Executor):
    """A fixed number of processes, each of which does one task after the other.

    One that dies or hangs fails its own tasks, and the next task starts another. Patient processes yield to
    other programs. All methods are called from the event loop.
    """

    def __init__(self, count: int = 1, *, is_patient: bool = False) -> None:
        niceness = PATIENT_NICENESS if is_patient else 0
        longest = MAX_PATIENT_TASK_SECONDS if is_patient else MAX_TASK_SECONDS
        self._processes = [_Process(niceness, longest) for _ in range(count)]

    @property
    def places(self) -> int:
        """The number of tasks that can be done at the same time."""
        return len(self._processes)

    @property
    def idle(self) -> int:
        """The number of processes without a task."""
        return sum(not process.tasks for process in self._processes)

    @property
    def room(self) -> int:
        """The number of tasks that can be handed over now, one of which may wait at each process."""
        return sum(max(0, TASKS_PER_PROCESS - process.tasks) for process in self._processes)

    @property
    def has_begun(self) -> bool:
        """Whether any process has been started."""
        return any(process.has_begun for process in self._processes)

    def submit(self, fn: Callable[P, T], /, *args: P.args, **kwargs: P.kwargs) -> Future[T]:
        """Gives a task to the process with the fewest tasks, preferably a started one.

        The future raises `BrokenExecutor` if the process dies or hangs.
        """
        process = min(self._processes, key=lambda each: (each.tasks, not each.has_begun))
        return process.submit(partial(fn, *args, **kwargs))

    def warm_up(self, task: Callable[[], object]) -> None:
        """Starts all processes with `task`, so that a first task does not wait for that."""
        for process in self._processes:
            if not process.has_begun:
                process.submit(task)

    def shutdown(self, wait: bool = False, *, cancel_futures: bool = True) -> None:
        """Ends all processes at once; their tasks fail."""
        del wait, cancel_futures
        for process in self._processes:
            process.end()


class _Process:
    """One process."""

    def __init__(self, niceness: int, longest_task: float) -> None:
        self._niceness = niceness
        self._longest_task = longest_task
        self._pool: ProcessPoolExecutor | None = None
        self._children: set[BaseProcess] = set()
        self._pending: list[Future[Any]] = []

    @property
    def has_begun(self) -> bool:
        return self._pool is not None

    @property
    def tasks(self) -> int:
        self._pending = [thought for thought in self._pending if not thought.done()]
        return len(self._pending)

    def submit(self, task: Callable[[], T]) -> Future[T]:
        """Hands over a task; starts the process if there is none, or if it died."""
        try:
            pool, future = self._handed_over(task)
        except BrokenExecutor:  # it died while it had nothing to do
            log.error("worker_died")
            self.end()
            pool, future = self._handed_over(task)

        self._pending.append(future)
        loop = asyncio.get_running_loop()
        hanging = loop.call_later(self._longest_task, self._hangs, pool)

        def done(outcome: asyncio.Future[T]) -> None:
            hanging.cancel()
            error = None if outcome.cancelled() else outcome.exception()
            if isinstance(error, BrokenExecutor) and self._pool is pool:  # not ended by the bot
                log.error("worker_died")
                self.end()

        asyncio.wrap_future(future).add_done_callback(done)
        return future

    def end(self) -> None:
        """Ends the process at once."""
        if self._pool is not None:
            for child in self._children:
                child.kill()  # one that hangs reacts to nothing else
            self._pool.shutdown(wait=False)
            self._pool = None

    def _handed_over(self, task: Callable[[], T]) -> "tuple[ProcessPoolExecutor, Future[T]]":
        from concurrent.futures import ProcessPoolExecutor
        from multiprocessing import active_children, get_context

        if self._pool is not None:
            return self._pool, self._pool.submit(task)

        others = set(active_children())
        context = get_context("spawn")
        pool = ProcessPoolExecutor(1, context, initializer=_begin, initargs=(self._niceness,))
        future = pool.submit(task)
        self._pool = pool
        self._children = set(active_children()) - others
        return pool, future

    def _hangs(self, pool: "ProcessPoolExecutor") -> None:
        if self._pool is pool:
            log.error("worker_hangs", seconds=self._longest_task)
            self.end()


def _begin(niceness: int) -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the bot, which ends this process itself
    if hasattr(os, "nice"):
        os.nice(niceness)
    Thread(target=_end_with_the_bot, daemon=True).start()


def _end_with_the_bot() -> None:
    from multiprocessing import parent_process

    bot = parent_process()
    if bot is not None:
        bot.join()

    os._exit(1)
