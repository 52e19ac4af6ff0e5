"""Thoughts that take long have a process, which is there for the bot and ends with it."""

import asyncio
import gc
import os
import signal
import subprocess
import sys
import time
from collections.abc import AsyncIterator
from concurrent.futures import BrokenExecutor
from functools import partial
from pathlib import Path

import pytest
import pytest_asyncio
from structlog.testing import capture_logs

from bot.tables.house_players import LONGEST_TASK, Worker
from tests.bot.fake_clock import FakeClock, a_few_turns
from tests.e2e.start import ROOT

ENDS_WITHIN = 20.0
NICE_ENOUGH = 18
on_linux = pytest.mark.skipif(
    not Path("/proc/self/stat").exists(), reason="looks at processes as Linux shows them"
)

BOT = """
import asyncio, os, time
from bot.tables.house_players import Worker

async def begin():
    print(await Worker().do(os.getpid), flush=True)
    time.sleep(60)

if __name__ == "__main__":
    asyncio.run(begin())
"""


@pytest_asyncio.fixture
async def worker() -> AsyncIterator[Worker]:
    worker = Worker()
    yield worker
    worker.end()


def is_there(process: int) -> bool:
    """Whether a process runs; one that waits to be buried does not."""
    try:
        return " Z " not in Path(f"/proc/{process}/stat").read_text()
    except OSError:
        return False


def is_gone(process: int) -> bool:
    """Wait until a process that was killed has ended; false if it does not."""
    until = time.monotonic() + ENDS_WITHIN
    while is_there(process):
        if time.monotonic() > until:
            return False
        time.sleep(0.05)
    return True


@on_linux
def test_a_worker_ends_with_a_bot_that_is_killed(tmp_path: Path) -> None:
    program = tmp_path / "killed.py"
    program.write_text(BOT)
    environment = os.environ | {"PYTHONPATH": str(ROOT)}
    with subprocess.Popen([sys.executable, program], stdout=subprocess.PIPE, env=environment) as bot:
        assert bot.stdout is not None
        process = int(bot.stdout.readline())
        assert is_there(process)
        bot.kill()
    assert is_gone(process)


@pytest.mark.skipif(not hasattr(os, "nice") or os.nice(0) > NICE_ENOUGH, reason="no room for patience")
async def test_a_patient_worker_steps_back_and_another_does_not() -> None:
    own = os.nice(0)
    for is_patient in (False, True):
        worker = Worker(is_patient=is_patient)
        try:
            assert (await worker.do(partial(os.nice, 0)) > own) is is_patient
        finally:
            worker.end()


@on_linux
async def test_a_process_that_hangs_is_ended_and_replaced_whether_or_not_somebody_still_waits(
    worker: Worker,
) -> None:
    clock = FakeClock()  # it stands still while a process begins
    reported = list[object]()
    asyncio.get_running_loop().set_exception_handler(lambda _, context: reported.append(context))
    for is_waited_for in (True, False):
        hung = await worker.do(os.getpid)
        os.kill(hung, signal.SIGSTOP)
        task = asyncio.create_task(worker.do(os.getpid))
        await a_few_turns()
        if not is_waited_for:
            task.cancel()
        clock.skip(LONGEST_TASK - 1)
        await a_few_turns()
        assert is_there(hung), "it may still come"
        with capture_logs() as lines:
            clock.skip(2)
            await a_few_turns()
        assert [line["event"] for line in lines] == ["worker_hangs"]
        (outcome,) = await asyncio.gather(task, return_exceptions=True)
        assert isinstance(outcome, TimeoutError if is_waited_for else asyncio.CancelledError)
        assert await worker.do(os.getpid) != hung
        assert is_gone(hung)
    del task
    gc.collect()
    assert reported == [], "a failure that no caller waits for is no error of the loop"


async def test_a_process_that_died_is_replaced(worker: Worker) -> None:
    dead = await worker.do(os.getpid)
    with pytest.raises(BrokenExecutor), capture_logs() as lines:
        await worker.do(partial(os.kill, dead, signal.SIGKILL))
    assert [line["event"] for line in lines] == ["worker_died"]
    assert await worker.do(os.getpid) != dead


async def test_a_task_that_fails_costs_no_process(worker: Worker) -> None:
    process = await worker.do(os.getpid)
    with pytest.raises(FileNotFoundError):
        await worker.do(partial(os.stat, "/nowhere"))
    assert await worker.do(os.getpid) == process


async def test_what_nobody_waits_for_any_more_is_not_begun(worker: Worker, tmp_path: Path) -> None:
    first = asyncio.create_task(worker.do(os.getpid))
    second = asyncio.create_task(worker.do(partial(os.mkdir, tmp_path / "made")))
    await a_few_turns()
    second.cancel()
    await first
    await worker.do(os.getpid)
    assert not (tmp_path / "made").exists()


@on_linux
async def test_a_process_that_hangs_does_not_outlive_its_end(worker: Worker) -> None:
    hung = await worker.do(os.getpid)
    os.kill(hung, signal.SIGSTOP)
    worker.end()
    assert is_gone(hung)
