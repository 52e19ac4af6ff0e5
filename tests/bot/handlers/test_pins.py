"""With pins enabled, the table is pinned from the lobby to the end of the game, despite failures."""

import pytest

from adapters.port import MessageRef, PinTrouble, Reply, Throttled
from bot.model.messages import MessageKind
from bot.screens.core_settings import PINS
from bot.screens.server import PINS_REFUSED
from tests.bot.chat import ROOM
from tests.bot.running_bot import ANNA, BORIS, SHORT_GAME, RunningBot


@pytest.fixture(autouse=True)
async def wanted(bot: RunningBot) -> None:
    bot.chat.moderators.add(ANNA.ref)
    await bot.chat.types(ANNA, "/settings pins on")
    await bot.settle()


def pinned(bot: RunningBot) -> list[MessageRef]:
    """Returns the pinned messages that still exist."""
    return [message.ref for message in bot.chat.room_sees() if message.ref in bot.chat.pinned]


async def test_a_table_is_pinned_from_the_lobby_to_the_end_and_in_each_game_once(bot: RunningBot) -> None:
    table = await bot.opened(ANNA, BORIS, rules=SHORT_GAME)
    assert pinned(bot) == [bot.table_message().ref]

    await bot.restart()
    await bot.taps(ANNA, "Start")
    assert pinned(bot) == [bot.table_message().ref]

    await bot.app.tables.resign(table.id, ANNA)
    await bot.settle()
    assert pinned(bot) == []
    assert bot.chat.pins_asked == 2

    await bot.app.tables.rematch(table.id, ANNA)
    await bot.settle()
    assert pinned(bot) == [bot.table_message().ref]

    await bot.taps(ANNA, "Close the table")
    assert pinned(bot) == []


async def test_a_game_that_ends_while_the_bot_is_killed_is_unpinned_after_the_restart(
    bot: RunningBot,
) -> None:
    table = await bot.dealt(ANNA, BORIS)
    bot.chat.pin_troubles = [Throttled(60.0)]
    await bot.app.tables.resign(table.id, ANNA)
    await bot.settle()
    assert pinned(bot)

    await bot.restart()
    await bot.settle()
    assert pinned(bot) == []


async def test_a_lobby_that_is_closed_before_a_kill_is_unpinned_after_the_restart(bot: RunningBot) -> None:
    await bot.opened(ANNA)
    bot.chat.pin_troubles = [Throttled(60.0)]
    await bot.taps(ANNA, "Close the table")
    assert pinned(bot)

    await bot.restart()
    await bot.settle()
    assert pinned(bot) == []

    table = await bot.opened(BORIS)
    assert pinned(bot) == [await bot.shown(table, MessageKind.TABLE)]


async def test_a_chat_that_is_throttled_pins_later(bot: RunningBot) -> None:
    bot.chat.pin_troubles = [Throttled(5.0)]
    await bot.opened(ANNA)
    assert pinned(bot) == []
    await bot.skip(6.0)
    assert pinned(bot) == [bot.table_message().ref]


async def test_a_refusal_is_told_once_to_the_admin_and_switches_pins_off(bot: RunningBot) -> None:
    await bot.app.servers.choose(ROOM.server, quiet="off")
    bot.chat.pin_troubles = [PinTrouble.NO_RIGHT] * 9
    await bot.opened(ANNA, BORIS)
    await bot.skip(1.0)
    await bot.taps(BORIS, "Leave")

    assert pinned(bot) == []
    assert bot.chat.pins_asked == 1

    told = [
        message.text
        for message in bot.chat.sees_alone(ANNA)
        if "I need the right “Pin things”" in message.text
    ]
    assert len(told) == 1
    assert set(PINS_REFUSED) == set(PinTrouble)
    assert not (await bot.app.servers.choices(ROOM.server)).wants(PINS)


async def test_pins_that_are_switched_off_go_at_once(bot: RunningBot) -> None:
    await bot.opened(BORIS)
    assert pinned(bot)
    await bot.chat.types(ANNA, "/settings pins off")
    await bot.settle()
    assert pinned(bot) == []


async def test_who_switched_pins_on_and_is_forgotten_is_told_nothing(bot: RunningBot) -> None:
    await bot.chat.types(ANNA, "/forgetme yes")
    await bot.settle()
    choices = await bot.app.servers.choices(ROOM.server)
    assert (choices.value_of(PINS), choices.pins_by) == ("on", "")


@pytest.mark.parametrize("is_pressed", [False, True])
async def test_where_the_right_to_pin_is_missing_the_switch_says_so_at_once(
    bot: RunningBot, *, is_pressed: bool
) -> None:
    """It used to be accepted, and the next table switched it off again."""
    await bot.chat.types(ANNA, "/settings pins off")
    bot.chat.may_pins = False

    async def switches_on() -> Reply:
        if not is_pressed:
            return await bot.chat.types(ANNA, "/settings pins on")

        await bot.chat.types(ANNA, "/settings pins")
        await bot.settle()
        panel = list(bot.chat.messages.values())[-1]
        return await bot.chat.presses(ANNA, panel.ref, "on")

    reply = await switches_on()
    assert reply.toast == (
        "I can’t pin anything here: I need the right “Pin things”. Give it to me, then try again."
    )
    assert (reply.public, reply.replacement) == (None, None)
    assert not (await bot.app.servers.choices(ROOM.server)).wants(PINS)

    bot.chat.may_pins = True
    assert (await switches_on()).toast is None
    assert (await bot.app.servers.choices(ROOM.server)).wants(PINS)


async def test_a_chat_that_cannot_tell_is_believed(bot: RunningBot) -> None:
    bot.chat.may_pins = None
    assert (await bot.chat.types(ANNA, "/settings pins on")).toast is None
    assert (await bot.app.servers.choices(ROOM.server)).wants(PINS)


async def test_pins_can_be_switched_off_without_the_right(bot: RunningBot) -> None:
    bot.chat.may_pins = False
    assert (await bot.chat.types(ANNA, "/settings pins off")).toast is None
    assert not (await bot.app.servers.choices(ROOM.server)).wants(PINS)
