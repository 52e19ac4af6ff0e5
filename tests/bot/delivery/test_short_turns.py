"""Work on many tables leaves turns of the event loop to other tasks."""

import asyncio
from collections.abc import Sized
from itertools import pairwise

import pytest

from bot.delivery.outbox import MAX_TURN_SECONDS, ShortTurns
from tests.bot.chat import person
from tests.bot.fake_clock import FakeClock
from tests.bot.outbox_harness import OutboxHarness, says

MANY = 8


async def most_in_a_turn(done: Sized) -> int:
    """Waits until everything is done; returns the most items done in one turn of the loop."""
    seen = [len(done)]
    while seen[-1] < MANY:
        await asyncio.sleep(0)
        seen.append(len(done))
    return max(after - before for before, after in pairwise(seen))


@pytest.mark.parametrize(
    ("seconds", "in_a_turn"), [(2 * MAX_TURN_SECONDS, 1), (MAX_TURN_SECONDS * 0.6, 2), (0.0, MANY)]
)
async def test_as_much_is_computed_in_a_turn_as_there_is_time_for(seconds: float, in_a_turn: int) -> None:
    clock = FakeClock()
    turns = ShortTurns()
    done = list[int]()

    async def compute(number: int) -> None:
        await turns.next()
        clock.skip(seconds)
        done.append(number)

    tasks = [asyncio.create_task(compute(number)) for number in range(MANY)]
    assert await most_in_a_turn(done) == in_a_turn
    assert done == list(range(MANY))

    await asyncio.gather(*tasks)


async def test_messages_of_many_people_leave_turns_to_those_who_press(harness: OutboxHarness) -> None:
    slots = [await harness.private(person(f"player {number}")) for number in range(MANY)]
    for slot in slots:
        harness.turn(slot, says("your cards"))
    harness.screens.while_drawing = lambda: harness.clock.skip(2 * MAX_TURN_SECONDS)
    assert await most_in_a_turn(harness.screens.drawn) == 1
