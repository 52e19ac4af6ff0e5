"""The queue of thoughts: which one is next, how long it gets, and what happens if its process is lost."""

import asyncio
import os
import subprocess
import sys
from collections.abc import AsyncIterator, Callable
from concurrent.futures import BrokenExecutor, Executor, Future
from typing import Any

import pytest
import pytest_asyncio
from prometheus_client import REGISTRY
from structlog.testing import capture_logs

from bot.metrics import CLUSTER, HERE
from bot.thinking import queue as queue_module
from bot.thinking.processes import Processes
from bot.thinking.queue import (
    MAX_THOUGHT_SECONDS,
    MIN_BUDGET,
    REPORT_SECONDS,
    REST_SECONDS,
    RETURN_SECONDS,
    Purpose,
    ThoughtQueue,
)
from bot.thinking.thoughts import FULL_BUDGET, Thought
from engine import PRESETS, Memory, Move, Opening
from tests.bot.fake_clock import FakeClock, a_few_turns

STATE = Opening(PRESETS["podkidnoy-36"], 2, "5eed", shuffle=1).deal()


def thought(number: int = 0) -> Thought:
    """Returns a thought that is known by its thinker."""
    (seat,) = STATE.awaited
    view = STATE.view_for(seat)
    return Thought(f"thinker {number}", view, STATE.legal_moves(seat), Memory.of(view, ()))


MOVE = thought().moves[0]


class Desk(Executor):
    """Thinkers that answer on the test's command."""

    def __init__(self, places: int = 1) -> None:
        self.places = places
        self.given: list[tuple[str, float, Future[Any]]] = []

    async def run(self) -> None:
        """Runs until it is cancelled."""

    @property
    def idle(self) -> int:
        return self.places - sum(not future.done() for *_, future in self.given)

    room = idle

    def submit(self, fn: Any, /, *args: Any, **kwargs: Any) -> Future[Any]:
        del fn, kwargs
        (task,) = args
        future = Future[Any]()
        self.given.append((task.func.__self__.thinker, task.args[0], future))
        return future

    @property
    def thinkers(self) -> list[str]:
        return [thinker for thinker, *_ in self.given]

    async def answer(self, took: float = 0.1) -> None:
        """Answers the oldest thought."""
        _, seconds, future = next(each for each in self.given if not each[2].done())
        future.set_result((MOVE, took * seconds))
        await a_few_turns()

    async def break_down(self) -> None:
        """Drops all places with their thoughts."""
        for *_, future in self.given:
            if not future.done():
                future.set_exception(BrokenExecutor())
        await a_few_turns()


class PatientDesk(Desk):
    """Thinkers with a second thought waiting."""

    @property
    def idle(self) -> int:
        return max(0, super().idle)

    @property
    def room(self) -> int:
        return super().idle + self.places


class NoProcesses(Processes):
    """Processes simulated by the test."""

    def __init__(self, desk: Desk) -> None:
        super().__init__(desk.places)
        self._desk = desk

    @property
    def idle(self) -> int:
        return self._desk.idle

    @property
    def room(self) -> int:
        return self._desk.room

    def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        return self._desk.submit(fn, *args, **kwargs)


@pytest_asyncio.fixture
async def clock() -> FakeClock:
    return FakeClock()


@pytest.fixture
def desk() -> Desk:
    return Desk()


@pytest_asyncio.fixture
async def queue(clock: FakeClock, desk: Desk) -> AsyncIterator[ThoughtQueue]:
    del clock
    queue = ThoughtQueue(NoProcesses(desk))
    yield queue
    queue.end()


async def asked(queue: ThoughtQueue, kind: Purpose, *numbers: int) -> list[asyncio.Task[Move]]:
    tasks = [asyncio.create_task(queue.think(kind, thought(number))) for number in numbers]
    await a_few_turns()
    return tasks


def counted(kind: Purpose, outcome: str) -> float:
    found = REGISTRY.get_sample_value("durak_thoughts_total", {"kind": str(kind), "outcome": outcome})
    return found or 0.0


def answered(where: str) -> float:
    return REGISTRY.get_sample_value("durak_thoughts_answered_total", {"where": where}) or 0.0


async def test_a_thought_alone_has_its_full_budget(queue: ThoughtQueue, desk: Desk) -> None:
    (task,) = await asked(queue, Purpose.GAME, 1)
    await desk.answer()
    assert await task == MOVE
    assert [seconds for _, seconds, _ in desk.given] == [FULL_BUDGET]
    assert queue.share == 1.0


async def test_games_come_before_hints_and_who_waits_longest_comes_first(
    queue: ThoughtQueue, desk: Desk
) -> None:
    await asked(queue, Purpose.HINT, 1, 2)
    await asked(queue, Purpose.GAME, 3, 4)
    for _ in range(4):
        await desk.answer()
    assert desk.thinkers == [f"thinker {number}" for number in (1, 3, 4, 2)]


async def test_hints_take_no_time_from_games(clock: FakeClock) -> None:
    """Covers a place with a second thought waiting: a hint there would precede the next game's thought."""
    del clock
    desk = PatientDesk(places=2)
    queue = ThoughtQueue(NoProcesses(desk))
    await asked(queue, Purpose.GAME, 1)
    await asked(queue, Purpose.HINT, *range(10, 40))
    await asked(queue, Purpose.GAME, 2, 3)
    queue.end()

    given = {thinker: seconds for thinker, seconds, _ in desk.given}
    assert given.keys() == {"thinker 1", "thinker 10", "thinker 2", "thinker 3"}
    assert given["thinker 2"] == FULL_BUDGET


async def test_the_more_wait_the_shorter_is_each_thought_but_never_shorter_than_the_least(
    queue: ThoughtQueue, desk: Desk
) -> None:
    shortened = counted(Purpose.GAME, "shortened")
    tasks = await asked(queue, Purpose.GAME, *range(30))
    for _ in tasks:
        await desk.answer(took=1.0)

    budgets = [seconds for _, seconds, _ in desk.given[1:]]
    assert budgets == sorted(budgets)
    assert budgets[0] == MIN_BUDGET
    assert budgets[-1] == FULL_BUDGET
    assert counted(Purpose.GAME, "shortened") == shortened + sum(each < FULL_BUDGET for each in budgets)


async def test_two_places_give_twice_the_time(clock: FakeClock) -> None:
    del clock
    budgets = []
    for places in (1, 2):
        desk = Desk(places)
        queue = ThoughtQueue(NoProcesses(desk))
        await asked(queue, Purpose.GAME, *range(10 + places))
        await desk.answer(took=1.0)
        budgets.append(desk.given[-1][1])
        queue.end()

    assert budgets[1] == pytest.approx(2 * budgets[0])


async def test_thoughts_are_shorter_where_the_machine_is_slower_than_its_budget(
    queue: ThoughtQueue, desk: Desk
) -> None:
    tasks = await asked(queue, Purpose.GAME, *range(8))
    for _ in range(4):
        await desk.answer(took=4.0)

    late = desk.given[-1][1]
    for _ in range(4):
        await desk.answer()

    await asyncio.gather(*tasks)
    assert late < queue_module.WAIT_SECONDS / 4


async def test_even_an_end_is_thought_in_time_where_the_machine_is_much_slower_than_its_budget(
    clock: FakeClock,
) -> None:
    del clock
    desk = Desk(places=8)
    queue = ThoughtQueue(NoProcesses(desk))

    for _ in range(60):
        await asked(queue, Purpose.GAME, 1)
        await desk.answer(took=4.0)

    queue.end()
    lonely = desk.given[-1][1]
    assert 2 * 4 * lonely < queue_module.DUE_SECONDS


async def test_a_thought_behind_another_has_less_time_where_the_machine_is_slow(clock: FakeClock) -> None:
    del clock
    desk = PatientDesk()
    queue = ThoughtQueue(NoProcesses(desk))

    for _ in range(60):
        await asked(queue, Purpose.GAME, 1)
        await desk.answer(took=4.0)

    await asked(queue, Purpose.GAME, 1, 2)
    queue.end()
    *_, (_, first, _), (_, second, _) = desk.given
    assert MIN_BUDGET < second < first


async def test_a_thought_that_has_waited_long_is_short(
    queue: ThoughtQueue, desk: Desk, clock: FakeClock
) -> None:
    _, second = await asked(queue, Purpose.GAME, 1, 2)
    clock.skip(queue_module.DUE_SECONDS - 0.1)
    await desk.answer(took=1.0)
    assert MIN_BUDGET <= desk.given[-1][1] < FULL_BUDGET / 3
    await desk.answer()
    assert await second == MOVE


async def test_a_thought_without_an_answer_is_replaced_counted_and_reported_once_a_minute(
    queue: ThoughtQueue, clock: FakeClock
) -> None:
    replaced = counted(Purpose.GAME, "replaced")
    tasks = await asked(queue, Purpose.GAME, 1, 2)
    with capture_logs() as lines:
        clock.skip(MAX_THOUGHT_SECONDS + 0.1)
        outcomes = await asyncio.gather(*tasks, return_exceptions=True)
        assert [type(each) for each in outcomes] == [TimeoutError, TimeoutError]
        assert counted(Purpose.GAME, "replaced") == replaced + 2
        assert lines == []
        clock.skip(REPORT_SECONDS + 0.1)
        await a_few_turns()

    assert lines == [{"event": "thoughts_replaced", "log_level": "warning", "game": 2}]


async def test_what_nobody_waits_for_any_more_is_not_begun(queue: ThoughtQueue, desk: Desk) -> None:
    _, second, _ = await asked(queue, Purpose.GAME, 1, 2, 3)
    second.cancel()
    await a_few_turns()
    await desk.answer()
    assert desk.thinkers == ["thinker 1", "thinker 3"]


async def test_a_thought_whose_place_is_lost_is_thought_again_at_once(
    queue: ThoughtQueue, desk: Desk
) -> None:
    (task,) = await asked(queue, Purpose.GAME, 1)
    await desk.break_down()
    await desk.answer()
    assert await task == MOVE
    assert desk.thinkers == ["thinker 1", "thinker 1"]


async def test_a_thought_whose_place_is_lost_twice_is_replaced(queue: ThoughtQueue, desk: Desk) -> None:
    (task,) = await asked(queue, Purpose.GAME, 1)
    await desk.break_down()
    await desk.break_down()
    with pytest.raises(BrokenExecutor):
        await task


# --- other machines -----------------------------------------------------------------------------------------


async def test_other_machines_think_first_and_this_one_where_they_have_no_place(
    clock: FakeClock, desk: Desk
) -> None:
    del clock
    cluster = Desk()
    queue = ThoughtQueue(NoProcesses(desk), cluster)
    await asked(queue, Purpose.GAME, 1, 2)
    assert (cluster.thinkers, desk.thinkers) == (["thinker 1"], ["thinker 2"])
    queue.end()


async def test_answers_are_counted_by_place(clock: FakeClock, desk: Desk) -> None:
    del clock
    cluster = Desk()
    queue = ThoughtQueue(NoProcesses(desk), cluster)
    before_here = answered(HERE)
    before_there = answered(CLUSTER)

    await asked(queue, Purpose.GAME, 1, 2, 3)
    await cluster.answer()
    await cluster.answer()
    await desk.answer()
    queue.end()

    assert answered(HERE) == before_here + 1
    assert answered(CLUSTER) == before_there + 2


async def test_this_machine_thinks_within_the_second_where_another_has_not_answered(
    clock: FakeClock, desk: Desk
) -> None:
    cluster = Desk()
    queue = ThoughtQueue(NoProcesses(desk), cluster)
    (task,) = await asked(queue, Purpose.GAME, 1)
    clock.skip(RETURN_SECONDS + 0.01)
    await a_few_turns()
    assert cluster.given[0][2].cancelled()
    assert desk.given[0][1] < MAX_THOUGHT_SECONDS - RETURN_SECONDS

    await desk.answer()
    assert await task == MOVE

    queue.end()


async def test_this_machine_thinks_at_once_where_another_has_gone(clock: FakeClock, desk: Desk) -> None:
    del clock
    cluster = Desk()
    queue = ThoughtQueue(NoProcesses(desk), cluster)
    (task,) = await asked(queue, Purpose.GAME, 1)
    await cluster.break_down()
    assert desk.thinkers == ["thinker 1"]

    await desk.answer()
    assert await task == MOVE

    queue.end()


# --- times ------------------------------------------------------------------------------------------------


async def test_reviews_come_before_puzzles_and_hold_up_no_game() -> None:
    queue = ThoughtQueue(Processes())
    done = list[str]()

    async def work(kind: Purpose, name: str) -> None:
        await queue.work(kind, dict)
        done.append(name)

    jobs = (work(Purpose.PUZZLE, "first"), work(Purpose.PUZZLE, "puzzle"), work(Purpose.REVIEW, "review"))
    await asyncio.gather(*jobs)
    assert done == ["first", "review", "puzzle"]

    queue.end()


async def test_the_process_for_what_has_time_ends_when_it_had_nothing_to_do_for_a_while() -> None:
    clock = FakeClock()  # it pauses while a process begins
    queue = ThoughtQueue(Processes())
    first = await queue.work(Purpose.REVIEW, os.getpid)
    clock.skip(REST_SECONDS / 2)
    await a_few_turns()
    assert await queue.work(Purpose.REVIEW, os.getpid) == first

    clock.skip(REST_SECONDS + 1)
    await a_few_turns()
    assert await queue.work(Purpose.REVIEW, os.getpid) != first

    queue.end()


def test_who_has_no_cluster_loads_nothing_of_it_and_no_process_before_a_thought() -> None:
    code = "import sys, bot.start; print(*sys.modules)"
    loaded = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    libraries = {"dask", "distributed", "tornado", "concurrent.futures.process"}
    assert not libraries & set(loaded.stdout.split())
