"""Long thoughts run in separate processes, which the bot starts and ends."""

import asyncio
import gc
import os
import signal
import subprocess
import sys
import time
from collections.abc import AsyncIterator, Callable
from concurrent.futures import BrokenExecutor
from functools import partial
from multiprocessing import active_children
from pathlib import Path
from typing import TypeVar

import pytest
import pytest_asyncio
from structlog.testing import capture_logs

from bot.thinking.processes import MAX_TASK_SECONDS, Processes
from tests.bot.fake_clock import FakeClock, a_few_turns
from tests.e2e.start import ROOT

T = TypeVar("T")

ENDS_WITHIN = 20.0
NICE_ENOUGH = 18
on_linux = pytest.mark.skipif(
    not Path("/proc/self/stat").exists(), reason="looks at processes as Linux shows them"
)

BOT = """
import asyncio, os, time
from bot.thinking.processes import Processes

async def begin():
    print(await asyncio.wrap_future(Processes().submit(os.getpid)), flush=True)
    time.sleep(60)

if __name__ == "__main__":
    asyncio.run(begin())
"""


@pytest_asyncio.fixture
async def processes() -> AsyncIterator[Processes]:
    processes = Processes()
    yield processes
    processes.shutdown()


async def done(processes: Processes, task: Callable[[], T]) -> T:
    return await asyncio.wrap_future(processes.submit(task))


def is_there(process: int) -> bool:
    """Returns whether a process runs; a zombie does not."""
    try:
        return " Z " not in Path(f"/proc/{process}/stat").read_text()
    except OSError:
        return False


def is_gone(process: int) -> bool:
    """Waits until a killed process has ended; returns false if it does not."""
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
async def test_a_patient_process_steps_back_and_another_does_not() -> None:
    own = os.nice(0)
    for is_patient in (False, True):
        processes = Processes(is_patient=is_patient)
        try:
            assert (await done(processes, partial(os.nice, 0)) > own) is is_patient
        finally:
            processes.shutdown()


@on_linux
async def test_a_process_that_hangs_is_ended_and_replaced(processes: Processes) -> None:
    clock = FakeClock()  # it pauses while a process begins
    reported = list[object]()
    asyncio.get_running_loop().set_exception_handler(lambda _, context: reported.append(context))

    hung = await done(processes, os.getpid)
    os.kill(hung, signal.SIGSTOP)
    task = processes.submit(os.getpid)
    await a_few_turns()

    clock.skip(MAX_TASK_SECONDS - 1)
    await a_few_turns()
    assert is_there(hung), "it may still come"

    with capture_logs() as lines:
        clock.skip(2)
        await a_few_turns()

    assert [line["event"] for line in lines] == ["worker_hangs"]
    with pytest.raises(BrokenExecutor):
        await asyncio.wrap_future(task)

    assert await done(processes, os.getpid) != hung
    assert is_gone(hung)

    del task
    gc.collect()
    assert reported == [], "a failure that no caller waits for is no error of the loop"


async def test_a_process_that_died_is_replaced(processes: Processes) -> None:
    dead = await done(processes, os.getpid)
    with pytest.raises(BrokenExecutor), capture_logs() as lines:
        await done(processes, partial(os.kill, dead, signal.SIGKILL))
    assert [line["event"] for line in lines] == ["worker_died"]
    assert await done(processes, os.getpid) != dead


async def test_a_task_that_fails_costs_no_process(processes: Processes) -> None:
    process = await done(processes, os.getpid)
    with pytest.raises(FileNotFoundError):
        await done(processes, partial(os.stat, "/nowhere"))
    assert await done(processes, os.getpid) == process


async def test_as_many_tasks_are_done_at_a_time_as_there_are_processes() -> None:
    processes = Processes(2)
    try:
        assert processes.places == processes.idle == 2
        tasks = [processes.submit(time.sleep, 0.5) for _ in range(2)]
        assert processes.idle == 0
        await asyncio.gather(*map(asyncio.wrap_future, tasks))
        assert processes.idle == 2
    finally:
        processes.shutdown()


async def test_a_process_that_dies_costs_the_others_nothing() -> None:
    processes = Processes(2)
    try:
        before = set(active_children())
        first = asyncio.wrap_future(processes.submit(time.sleep, 60))
        (victim,) = set(active_children()) - before
        second = asyncio.wrap_future(processes.submit(time.sleep, 0.1))
        os.kill(victim.pid or 0, signal.SIGKILL)

        outcomes = await asyncio.gather(first, second, return_exceptions=True)
        assert isinstance(outcomes[0], BrokenExecutor)
        assert not isinstance(outcomes[1], BaseException)
    finally:
        processes.shutdown()


async def test_processes_that_are_warm_have_begun_before_their_first_task(processes: Processes) -> None:
    had_begun = processes.has_begun
    processes.warm_up(os.getpid)
    assert processes.has_begun
    assert not had_begun
    processes.warm_up(partial(os.abort))  # once only


@on_linux
async def test_a_process_that_hangs_does_not_outlive_its_end(processes: Processes) -> None:
    hung = await done(processes, os.getpid)
    os.kill(hung, signal.SIGSTOP)
    processes.shutdown()
    assert is_gone(hung)
