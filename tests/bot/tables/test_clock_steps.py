"""If the wall clock is set or the machine sleeps, nobody waits longer or loses time."""

import pytest
from structlog.testing import capture_logs

from bot.model.table import Phase
from bot.model.waiting import COUNTDOWN_SECONDS, GRACE
from bot.tables.clock import TOLERANCE, SteadyClock
from bot.tables.house_players import QUICK_SECONDS
from bot.tables.schedule import UNTOUCHED_SECONDS
from bot.tables.scheduler import CLOCK_SECONDS
from engine.runtime import Author
from tests.bot.fake_clock import FakeClock
from tests.bot.running_bot import ANNA, BORIS, RunningBot

HOUR = 3600.0
STEPS = pytest.mark.parametrize("step", [-HOUR, HOUR], ids=["back", "ahead"])


@STEPS
async def test_house_players_go_on(slow_bot: RunningBot, step: float) -> None:
    bot = slow_bot
    table = await bot.waits_for_house_player()
    version = (await bot.session(table)).version
    bot.clock.step(step)
    await bot.skip(3.0 - QUICK_SECONDS)
    await bot.skip(QUICK_SECONDS)
    assert (await bot.session(table)).version == version + 1
    assert (await bot.authors(table))[-1] is Author.HOUSE


@STEPS
async def test_people_have_the_time_that_the_clock_of_the_table_says(bot: RunningBot, step: float) -> None:
    table = await bot.dealt(ANNA, BORIS)
    await bot.skip(60.0)

    bot.clock.step(step)
    await bot.skip(CLOCK_SECONDS)
    await bot.skip(59.0 - CLOCK_SECONDS)
    assert await bot.authors(table) == []

    await bot.skip(1.0)
    assert await bot.authors(table) == [Author.CLOCK]


@STEPS
async def test_people_have_some_time_after_a_step(bot: RunningBot, step: float) -> None:
    table = await bot.dealt(ANNA, BORIS)
    await bot.skip(119.0)
    bot.clock.step(step)

    with capture_logs() as lines:
        await bot.skip(CLOCK_SECONDS)

    steps = [line["seconds"] for line in lines if line["event"] == "clock_stepped"]
    assert steps == [step]

    await bot.skip(GRACE - 1.0)
    assert await bot.authors(table) == []

    await bot.skip(1.0)
    assert await bot.authors(table) == [Author.CLOCK]


@STEPS
async def test_people_whose_table_has_just_come_back_have_as_much_time(bot: RunningBot, step: float) -> None:
    table = await bot.dealt(ANNA, BORIS)
    await bot.skip(119.0)
    for label in ("⚙️ Table", "Pause", "Go on"):
        await bot.taps(ANNA, label)

    bot.clock.step(step)
    await bot.skip(CLOCK_SECONDS)
    await bot.skip(GRACE - 1.0)
    assert await bot.authors(table) == []

    await bot.skip(1.0)
    assert await bot.authors(table) == [Author.CLOCK]


@STEPS
async def test_a_move_after_the_step_begins_a_new_wait(bot: RunningBot, step: float) -> None:
    table = await bot.chooses(await bot.dealt(ANNA, BORIS), throw_in_seconds=0)
    await bot.skip(60.0)
    bot.clock.step(step)
    await bot.skip(CLOCK_SECONDS)

    await bot.plays(table)
    await bot.settle()
    await bot.skip(119.0)

    assert await bot.authors(table) == [Author.PLAYER]

    await bot.skip(1.0)
    assert (await bot.authors(table))[1] is Author.CLOCK


@STEPS
async def test_a_move_before_the_step_is_noticed_counts_from_when_it_was_made(
    bot: RunningBot, step: float
) -> None:
    table = await bot.chooses(await bot.dealt(ANNA, BORIS), throw_in_seconds=0)
    await bot.skip(60.0)
    bot.clock.step(step)
    await bot.plays(table)
    await bot.settle()
    await bot.skip(119.0)
    assert await bot.authors(table) == [Author.PLAYER]

    await bot.skip(1.0)
    assert (await bot.authors(table))[1] is Author.CLOCK


@STEPS
async def test_who_was_called_is_called_again_in_time(bot: RunningBot, step: float) -> None:
    await bot.dealt(ANNA, BORIS)
    await bot.skip(20.0)

    bot.clock.step(step)
    await bot.skip(CLOCK_SECONDS)
    await bot.skip(34.0 - CLOCK_SECONDS)
    assert "The bot moves for you" not in bot.calls()[0]

    await bot.skip(6.0)
    assert "The bot moves for you" in bot.calls()[0]


async def test_how_long_a_table_waits_does_not_follow_a_clock_that_was_set(bot: RunningBot) -> None:
    await bot.chooses(await bot.dealt(ANNA, BORIS), clock=0)
    await bot.skip(60.0)
    for _ in range(5):
        assert " for over 1\N{NO-BREAK SPACE}min." in bot.table_message().text
        bot.clock.step(HOUR)
        await bot.skip(5.0)


async def test_a_clock_that_was_set_back_while_the_bot_was_down_holds_nobody_up(bot: RunningBot) -> None:
    table = await bot.dealt(ANNA, BORIS)
    await bot.stop()
    bot.clock.step(-HOUR)
    await bot.start()

    await bot.skip(119.0)
    assert await bot.authors(table) == []

    await bot.skip(1.0)
    assert await bot.authors(table) == [Author.CLOCK]


@STEPS
async def test_a_full_table_begins_as_soon_as_it_would_have(bot: RunningBot, step: float) -> None:
    table = await bot.opened(ANNA, BORIS, rules="max_players=2")
    bot.clock.step(step)
    await bot.skip(CLOCK_SECONDS)
    await bot.skip(COUNTDOWN_SECONDS - 1.0 - CLOCK_SECONDS)
    assert (await bot.app.tables.table(table.id)).phase is Phase.LOBBY
    await bot.skip(1.0)
    assert (await bot.app.tables.table(table.id)).phase is Phase.PLAYING


@STEPS
async def test_a_lobby_stays_open_for_as_long_as_it_would_have(bot: RunningBot, step: float) -> None:
    table = await bot.opened(ANNA)
    bot.clock.step(step)
    await bot.skip(CLOCK_SECONDS)
    await bot.skip(UNTOUCHED_SECONDS - 1.0 - CLOCK_SECONDS)
    assert (await bot.app.tables.table(table.id)).phase is Phase.LOBBY
    await bot.skip(1.0)
    assert (await bot.app.tables.table(table.id)).phase is Phase.CLOSED


async def test_a_clock_that_goes_a_little_wrong_is_followed() -> None:
    wall = FakeClock()
    steps = list[float]()
    clock = SteadyClock(wall.now, steps.append)
    written = clock.now()

    for _ in range(10):
        wall.skip(60.0)
        wall.step(TOLERANCE)
        assert clock.now() == wall.now()

    assert steps == []
    assert clock.time_of_event(1, written, clock.now()) == written
