"""Jobs are repeated, even after failures."""

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import suppress

import pytest_asyncio
from structlog.testing import capture_logs

from bot.process.jobs import Job
from bot.process.supervisor import RESTARTS, Supervisor
from tests.bot.fake_clock import FakeClock, a_few_turns


class Worker:
    """Does one job on a clock that only the test advances; fails on request."""

    def __init__(self) -> None:
        self.clock = FakeClock()
        self.done = 0
        self.fails = False
        self._kept = list[asyncio.Task[None]]()

    async def start(self, every: float | Callable[[], float], *, at_start: bool = False) -> None:
        job = Job("watering", every=every, run=self._do, at_start=at_start)
        self._kept.append(asyncio.create_task(Supervisor().repeat(job)))
        await a_few_turns()

    async def end(self) -> None:
        for task in self._kept:
            task.cancel()
            with suppress(asyncio.CancelledError):
                await task

    async def _do(self) -> None:
        if self.fails:
            raise OSError
        self.done += 1


@pytest_asyncio.fixture
async def worker() -> AsyncIterator[Worker]:
    worker = Worker()
    yield worker
    await worker.end()


async def test_a_job_is_done_again_after_each_pause(worker: Worker) -> None:
    await worker.start(every=10.0)
    await worker.clock.passes(9.9)
    assert worker.done == 0

    for times in (1, 2, 3):
        await worker.clock.passes(10.0)
        assert worker.done == times


async def test_a_job_at_the_start_is_done_at_once(worker: Worker) -> None:
    await worker.start(every=10.0, at_start=True)
    assert worker.done == 1
    await worker.clock.passes(10.0)
    assert worker.done == 2


async def test_a_job_may_work_out_its_next_time_itself(worker: Worker) -> None:
    pauses = iter((5.0, 20.0, 100.0))
    await worker.start(every=lambda: next(pauses))
    await worker.clock.passes(5.0)
    assert worker.done == 1
    await worker.clock.passes(19.9)
    assert worker.done == 1
    await worker.clock.passes(0.1)
    assert worker.done == 2


async def test_a_job_that_fails_is_logged_and_done_again(worker: Worker) -> None:
    await worker.start(every=10.0)
    worker.fails = True
    with capture_logs() as lines:
        await worker.clock.passes(10.0)

    assert [(line["event"], line["task"]) for line in lines] == [("task_failed", "watering")]
    worker.fails = False
    await worker.clock.passes(RESTARTS.first)
    await worker.clock.passes(10.0)
    assert worker.done == 1
