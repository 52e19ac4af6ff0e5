"""Only rendered tables are idle: all others are checked after a restart."""

import asyncio
from dataclasses import replace

from structlog.testing import capture_logs

from bot.delivery.idle_tables import NOTE_SECONDS
from bot.model.table import NEVER
from tests.bot.chat import ROOM
from tests.bot.idle import become_idle, dues, endless, in_memory
from tests.bot.running_bot import ANNA, BORIS, RunningBot

HOUR = 3600.0


async def test_what_was_not_sent_before_the_kill_is_sent_after_it(bot: RunningBot) -> None:
    table = await endless(bot, ANNA, BORIS)
    await become_idle(bot)
    (other,) = {ANNA.ref, BORIS.ref} - {(await bot.waiting_for(table)).ref}
    before = bot.chat.gates[other] = asyncio.Event()
    await bot.plays(table)
    await bot.skip(NOTE_SECONDS)
    assert await dues(bot) == [0.0]

    sent = len(bot.chat.sent)
    del bot.chat.gates[other]
    await bot.restart()
    before.set()
    await bot.settle()

    assert [message.place for message in bot.chat.sent[sent:]] == [other]


async def test_a_change_that_is_no_move_is_shown_after_a_kill_too(bot: RunningBot) -> None:
    table = await endless(bot, ANNA, BORIS)
    await become_idle(bot)
    gate = bot.chat.gates[BORIS.ref] = asyncio.Event()
    await bot.chat.types(BORIS, "/language de")
    await bot.skip(NOTE_SECONDS)
    assert await dues(bot) == [0.0]

    del bot.chat.gates[BORIS.ref]
    await bot.restart()
    gate.set()
    await bot.settle()

    assert "Karten" in bot.hand_message(BORIS).text
    assert in_memory(bot) == {table.id}


async def test_somebody_who_cannot_be_written_to_is_tried_again_after_a_restart(bot: RunningBot) -> None:
    bot.chat.closed.add(BORIS.ref)
    await endless(bot, ANNA, BORIS)
    await bot.skip(NOTE_SECONDS)
    assert await dues(bot) == [0.0]

    bot.chat.closed.clear()
    await bot.restart()
    await bot.settle()
    assert "Your 6 cards" in bot.hand_message(BORIS).text


async def test_a_hand_that_is_gone_from_the_room_leaves_nothing_to_be_sent(bot: RunningBot) -> None:
    bot.chat.limits = replace(bot.chat.limits, ephemeral_seconds=840.0)
    table = await endless(bot, ANNA, BORIS)
    user = await bot.waiting_for(table)
    await bot.chat.presses(user, bot.table_message().ref, "My hand")
    await bot.settle()

    bot.chat.forget(bot.hand_message(user).ref)
    await bot.plays(table)
    await bot.skip(61.0)
    await become_idle(bot)


async def test_what_only_this_process_knows_is_not_left_standing(bot: RunningBot) -> None:
    await bot.opened(ANNA)
    await bot.chat.presses(ANNA, bot.table_message().ref, "Settings")
    await bot.skip(NOTE_SECONDS)
    opened = await bot.app.tables.in_room(ROOM)
    assert opened is not None
    assert (opened.panel is None) == all(await dues(bot))


async def test_a_question_in_a_hand_is_gone_after_a_kill(bot: RunningBot) -> None:
    table = await endless(bot, ANNA, BORIS)
    user = await bot.waiting_for(table)
    await bot.chat.presses(user, bot.hand_message(user).ref, "🚪 Leave")
    assert bot.hand_message(user).text.startswith("Leave?")
    await bot.skip(NOTE_SECONDS)
    await bot.restart()
    await bot.settle()

    assert "Your 6 cards" in bot.hand_message(user).text


async def test_a_game_that_is_over_need_not_be_read_at_all(bot: RunningBot) -> None:
    table = await bot.dealt(ANNA, BORIS)
    await bot.app.tables.resign(table.id, ANNA)
    await become_idle(bot)
    assert await dues(bot) == [NEVER]
    await bot.restart()
    await bot.skip(HOUR)
    assert in_memory(bot) == set()


async def test_a_table_put_away_before_a_kill_shows_it_after_that_once(bot: RunningBot) -> None:
    table = await bot.opened(ANNA)
    message = bot.table_message().ref
    bot.chat.floods[ROOM] = 30.0
    await bot.chat.types(ANNA, "/stop")
    await bot.restart()
    await bot.skip(30.0)
    assert "Waiting for players" not in bot.chat.messages[message].text

    await bot.skip(NOTE_SECONDS)
    await bot.restart()
    await bot.skip(1.0)

    assert table.id not in in_memory(bot)


async def test_a_note_that_fails_is_made_later(bot: RunningBot) -> None:
    await endless(bot, ANNA, BORIS)
    await become_idle(bot)
    await bot.chat.types(ANNA, "/language de")

    with capture_logs() as logs:
        async with bot.without_disk():
            await bot.skip(NOTE_SECONDS)

    assert "idle tables" in {line.get("task") for line in logs}
    await become_idle(bot)
