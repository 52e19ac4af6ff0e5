"""Keeps the tasks of the process running: each is restarted after a failure, independently of the others."""

import asyncio
from collections.abc import Awaitable, Callable
from functools import partial

import structlog

from adapters.port import AccessDeniedError, Backoff
from bot.metrics import TASK_FAILURES
from bot.model.messages import AlreadyReportedError
from bot.process.jobs import Job
from bot.storage import BackupFailedError

log = structlog.get_logger()

RESTARTS = Backoff(first=1.0, most=300.0)  # the pause before a failed task starts again

RECOVERED_SECONDS = 5.0  # a task that has run this long counts as recovered


# Errors that are logged elsewhere, by the connections to the chats and by the database.
LOGGED_ELSEWHERE = (AccessDeniedError, AlreadyReportedError)


class Supervisor:
    """Restarts tasks that fail, after a growing pause. This is the only place that restarts tasks."""

    def __init__(self) -> None:
        self.troubles = dict[str, str]()  # by task, the reason why it does not run at the moment
        self._reported = dict[str, str]()  # by task, the reason that was logged for its newest trouble

    async def keep(
        self, name: str, run: Callable[[], Awaitable[None]], *, ends: tuple[type[Exception], ...] = ()
    ) -> None:
        """Runs an endless task until cancelled; restarts it after each failure.

        Args:
            name: The name in the log.
            run: The task.
            ends: The errors after which it is not restarted; they are raised to the caller.
        """
        await self._until_done(name, partial(_endless, run), ends)

    async def repeat(self, job: Job) -> None:
        """Repeats a job until cancelled, also after failures."""
        await self.keep(job.name, job.repeat)

    async def complete(self, name: str, run: Callable[[], Awaitable[None]]) -> None:
        """Runs a task again after each failure, until it succeeds once."""
        await self._until_done(name, run, ())

    async def _until_done(
        self, name: str, run: Callable[[], Awaitable[None]], ends: tuple[type[Exception], ...]
    ) -> None:
        TASK_FAILURES.labels(name)  # begins at zero
        loop = asyncio.get_running_loop()
        failures = 0

        while True:
            began = loop.time()
            recovering = loop.call_later(RECOVERED_SECONDS, self.troubles.pop, name, None)
            try:
                await _uncancelled(run)
            except ends:
                raise
            except Exception as error:
                if loop.time() > began + RESTARTS.most:
                    failures = 0
                    self._reported.pop(name, None)

                failures += 1
                self._report(name, error, RESTARTS.pause(failures))
            else:
                self.troubles.pop(name, None)
                return
            finally:
                recovering.cancel()

            await asyncio.sleep(RESTARTS.pause(failures))

    def _report(self, name: str, error: Exception, pause: float) -> None:
        TASK_FAILURES.labels(name).inc()
        why = str(error)

        if isinstance(error, LOGGED_ELSEWHERE):
            self.troubles[name] = why
            return

        if not isinstance(error, BackupFailedError):
            self.troubles[name] = "it failed unforeseen, as the log says"
            log.error("task_failed", task=name, exc_info=error, pause=pause)
            return

        self.troubles[name] = why
        if self._reported.get(name) != why:  # else each attempt would log it again
            self._reported[name] = why
            log.error("task_refused", task=name, why=why, pause=pause)


async def _endless(run: Callable[[], Awaitable[None]]) -> None:
    await run()
    raise RuntimeError("it ended by itself")


async def _uncancelled(run: Callable[[], Awaitable[None]]) -> None:
    """Runs a task; raises `RuntimeError` if it cancels itself."""
    try:
        # A separate task, as each event wakes it.
        await asyncio.ensure_future(run())
    except asyncio.CancelledError as error:
        task = asyncio.current_task()
        if task is not None and task.cancelling():
            raise
        raise RuntimeError("something inside was cancelled") from error
