"""Budgets of one chat, and who goes first in it."""

import asyncio
from collections.abc import Coroutine
from itertools import pairwise

import pytest

from adapters.port import Budget
from bot.delivery.chat_queue import Lane, Pace
from bot.model.message_slots import Kind, Surface
from tests.bot.hours import Hours

BUDGET = Budget(seconds=2.0, burst=3)


def waits(pace: Pace, kind: Kind, now: float) -> float:
    return pace.ready_at(kind, now) - now


def test_a_burst_goes_out_at_once_and_then_one_each_so_many_seconds() -> None:
    pace = Pace(BUDGET)
    for _ in range(3):
        assert waits(pace, Kind.CALL, 100.0) == 0.0
        pace.spend(Kind.CALL, 100.0)
    assert waits(pace, Kind.CALL, 100.0) == 2.0
    assert waits(pace, Kind.CALL, 101.5) == 0.5
    pace.spend(Kind.CALL, 102.0)
    assert waits(pace, Kind.CALL, 102.0) == 2.0


def test_a_long_silence_earns_no_more_than_the_burst() -> None:
    pace = Pace(BUDGET)
    for _ in range(3):
        pace.spend(Kind.CALL, 1_000_000.0)
    assert waits(pace, Kind.CALL, 1_000_000.0) > 0


def test_a_debt_is_forgiven_beyond_one_burst() -> None:
    pace = Pace(BUDGET)
    for _ in range(40):
        pace.spend(Kind.HAND, 100.0)
    assert waits(pace, Kind.HAND, 100.0) == 2.0 * (3 + 1)


def test_the_tables_edits_keep_apart_though_the_burst_is_left() -> None:
    pace = Pace(BUDGET)
    pace.spend(Kind.TABLE, 100.0)
    assert waits(pace, Kind.TABLE, 100.0) == 2.0
    assert waits(pace, Kind.CALL, 100.0) == 0.0


def test_an_edit_that_was_asked_for_uses_the_burst_but_for_what_is_left_for_calls() -> None:
    pace = Pace(BUDGET)
    for _ in range(2):
        assert pace.ready_at(Kind.TABLE, 100.0, is_asked_for=True) == 100.0
        pace.spend(Kind.TABLE, 100.0)
    assert pace.ready_at(Kind.TABLE, 100.0, is_asked_for=True) == 102.0
    assert waits(pace, Kind.CALL, 100.0) == 0.0
    assert pace.ready_at(Kind.TABLE, 105.0, is_asked_for=True) == 105.0


def test_a_pause_holds_everything_back() -> None:
    pace = Pace(BUDGET)
    pace.paused_until = 110.0
    assert {waits(pace, kind, 100.0) for kind in Kind} == {10.0}
    assert waits(pace, Kind.CALL, 111.0) == 0.0


def test_a_chat_without_a_budget_never_waits() -> None:
    pace = Pace(Budget(0.0, 1))
    for _ in range(50):
        assert waits(pace, Kind.TABLE, 100.0) == 0.0
        pace.spend(Kind.TABLE, 100.0)


@pytest.fixture
async def hours() -> Hours:
    return Hours()


def surface(kind: Kind, table_id: int = 1) -> Surface:
    return Surface(table_id, 1, kind)


@pytest.mark.usefixtures("hours")
async def test_each_surface_waits_once_however_often_it_changed() -> None:
    lane = Lane(BUDGET)
    for _ in range(5):
        lane.add(surface(Kind.TABLE))
    assert await lane.next() == surface(Kind.TABLE)
    assert await lane.next() is None


async def test_what_may_go_first_overtakes(hours: Hours) -> None:
    lane = Lane(BUDGET)
    lane.pace.spend(Kind.TABLE, hours.since_boot())
    lane.add(surface(Kind.TABLE))
    lane.add(surface(Kind.CALL))
    assert await lane.next() == surface(Kind.CALL)


async def test_what_was_asked_for_once_stays_so_until_it_is_taken(hours: Hours) -> None:
    lane = Lane(BUDGET)
    lane.pace.spend(Kind.TABLE, hours.since_boot())
    lane.add(surface(Kind.TABLE), is_asked_for=True)
    lane.add(surface(Kind.TABLE))
    async with asyncio.timeout(0):
        assert await lane.next() == surface(Kind.TABLE)


async def test_what_comes_while_the_lane_waits_is_seen_at_once(hours: Hours) -> None:
    lane = Lane(BUDGET)
    lane.pace.spend(Kind.TABLE, hours.since_boot())
    lane.add(surface(Kind.TABLE))
    async with asyncio.TaskGroup() as tasks:
        waiting = tasks.create_task(lane.next())
        await asyncio.sleep(0)
        lane.add(surface(Kind.RESULT))
        assert await waiting == surface(Kind.RESULT)
        later = tasks.create_task(lane.next())
        await asyncio.sleep(0)
        hours.skip(2.0)
        assert await later == surface(Kind.TABLE)


@pytest.mark.usefixtures("hours")
async def test_a_held_surface_waits_for_its_release_and_others_do_not() -> None:
    lane = Lane(BUDGET)
    hand, other = surface(Kind.HAND), surface(Kind.HAND, 2)
    lane.hold(hand)
    lane.add(hand)
    lane.add(other)
    assert await lane.next() == other
    async with asyncio.TaskGroup() as tasks:
        waiting = tasks.create_task(lane.next())
        await asyncio.sleep(0)
        assert not waiting.done()
        lane.release(hand)
        assert await waiting == hand


async def done(work: Coroutine[None, None, None], hours: Hours) -> None:
    """Let time pass until this is done."""
    async with asyncio.TaskGroup() as tasks:
        working = tasks.create_task(work)
        while not working.done():
            await asyncio.sleep(0)
            hours.skip(1.0)


async def test_what_goes_wrong_again_and_again_is_tried_less_and_less_often(hours: Hours) -> None:
    lane = Lane(BUDGET)
    hand, tried = surface(Kind.HAND), list[float]()

    async def repair(_: Surface, __: Lane) -> None:
        tried.append(hours.since_boot())
        if len(tried) < 10:
            raise ValueError("an answer that cannot be read")

    lane.add(hand)
    await done(lane.work(repair), hours)
    pauses = [after - before for before, after in pairwise(tried)]
    assert pauses == pytest.approx([5, 10, 20, 40, 80, 160, 300, 300, 300], abs=2)


async def test_what_went_well_starts_with_a_short_rest_again(hours: Hours) -> None:
    lane = Lane(BUDGET)
    hand, tried = surface(Kind.HAND), list[float]()

    async def repair(_: Surface, __: Lane) -> None:
        tried.append(hours.since_boot())
        if len(tried) == 3:
            lane.add(hand)
        elif len(tried) < 5:
            raise ValueError("an answer that cannot be read")

    lane.add(hand)
    await done(lane.work(repair), hours)
    assert [after - before for before, after in pairwise(tried)] == pytest.approx([5, 10, 0, 5], abs=2)
