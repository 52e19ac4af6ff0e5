"""Somebody sets the wall clock, or the machine sleeps: nobody waits longer, or is moved for sooner."""

import pytest
from structlog.testing import capture_logs

from bot.model.table import Phase, Table
from bot.model.waiting import GRACE
from bot.tables.scheduler import CLOCK_SECONDS, FULL_SECONDS, UNTOUCHED_SECONDS
from bot.tables.steady_clock import TOLERANCE, SteadyClock
from engine.runtime import Author
from tests.bot.hours import Hours
from tests.bot.house import ANNA, BORIS, House

HOUR = 3600.0
STEPS = pytest.mark.parametrize("step", [-HOUR, HOUR], ids=["back", "ahead"])


async def authors(house: House, table: Table) -> list[Author | None]:
    return [entry.author for entry in (await house.session(table)).entries[1:]]


@STEPS
async def test_house_players_go_on(slow_house: House, step: float) -> None:
    house = slow_house
    table = await house.opened(ANNA)
    for label in ("Add house", "Add house", "Start"):
        await house.chat.presses(ANNA, house.table_message().ref, label)
    await house.settle()
    while (await house.waiting_seat(table)) == 0:
        await house.plays(table)
    await house.settle()
    version = (await house.session(table)).version
    house.hours.step(step)
    await house.skip(3.0)
    assert (await house.session(table)).version == version + 1
    assert (await authors(house, table))[-1] is Author.HOUSE


@STEPS
async def test_people_have_the_time_that_the_clock_of_the_table_says(house: House, step: float) -> None:
    table = await house.dealt(ANNA, BORIS)
    await house.skip(60.0)
    house.hours.step(step)
    await house.skip(CLOCK_SECONDS)
    await house.skip(59.0 - CLOCK_SECONDS)
    assert await authors(house, table) == []
    await house.skip(1.0)
    assert await authors(house, table) == [Author.CLOCK]


@STEPS
async def test_people_have_some_time_after_a_step(house: House, step: float) -> None:
    table = await house.dealt(ANNA, BORIS)
    await house.skip(119.0)
    house.hours.step(step)
    with capture_logs() as lines:
        await house.skip(CLOCK_SECONDS)
    assert [(line["event"], line["seconds"]) for line in lines] == [("clock_stepped", step)]
    await house.skip(GRACE - 1.0)
    assert await authors(house, table) == []
    await house.skip(1.0)
    assert await authors(house, table) == [Author.CLOCK]


@STEPS
async def test_a_move_after_the_step_begins_a_new_wait(house: House, step: float) -> None:
    table = await house.chooses(await house.dealt(ANNA, BORIS), auto_done=False)
    await house.skip(60.0)
    house.hours.step(step)
    await house.skip(CLOCK_SECONDS)
    await house.plays(table)
    await house.settle()
    await house.skip(119.0)
    assert await authors(house, table) == [Author.PLAYER]
    await house.skip(1.0)
    assert (await authors(house, table))[1] is Author.CLOCK


@STEPS
async def test_a_move_before_the_step_is_noticed_counts_from_when_it_was_made(
    house: House, step: float
) -> None:
    table = await house.chooses(await house.dealt(ANNA, BORIS), auto_done=False)
    await house.skip(60.0)
    house.hours.step(step)
    await house.plays(table)
    await house.settle()
    await house.skip(119.0)
    assert await authors(house, table) == [Author.PLAYER]
    await house.skip(1.0)
    assert (await authors(house, table))[1] is Author.CLOCK


async def test_a_clock_that_was_set_back_while_the_bot_was_down_holds_nobody_up(house: House) -> None:
    table = await house.dealt(ANNA, BORIS)
    await house.stop()
    house.hours.step(-HOUR)
    await house.start()
    await house.skip(119.0)
    assert await authors(house, table) == []
    await house.skip(1.0)
    assert await authors(house, table) == [Author.CLOCK]


@STEPS
async def test_a_full_table_begins_as_soon_as_it_would_have(house: House, step: float) -> None:
    table = await house.opened(ANNA, BORIS, rules="max_players=2")
    house.hours.step(step)
    await house.skip(FULL_SECONDS - 1.0)
    assert (await house.bot.tables.table(table.id)).phase is Phase.LOBBY
    await house.skip(1.0)
    assert (await house.bot.tables.table(table.id)).phase is Phase.PLAYING


@STEPS
async def test_a_lobby_stays_open_for_as_long_as_it_would_have(house: House, step: float) -> None:
    table = await house.opened(ANNA)
    house.hours.step(step)
    await house.skip(CLOCK_SECONDS)
    await house.skip(UNTOUCHED_SECONDS - 1.0 - CLOCK_SECONDS)
    assert (await house.bot.tables.table(table.id)).phase is Phase.LOBBY
    await house.skip(1.0)
    assert (await house.bot.tables.table(table.id)).phase is Phase.CLOSED


async def test_a_clock_that_goes_a_little_wrong_is_followed() -> None:
    hours, steps = Hours(), list[float]()
    clock = SteadyClock(hours, steps.append)
    written = hours.now()
    for _ in range(10):
        hours.skip(60.0)
        hours.step(TOLERANCE)
        assert clock.now() == hours.now()
    assert steps == []
    assert clock.since(1, written) == written
