"""Messages of tables lost by restoring a backup: a press gets an explanation and removes the buttons."""

import asyncio
from pathlib import Path

from bot.model.buttons import CallMe
from bot.storage import back_up, restore
from tests.bot.chat import ROOM
from tests.bot.running_bot import ANNA, BORIS, CLARA, RunningBot

LOST = "This table is gone: the bot was set back to an earlier day. /durak opens a new one."


async def sets_back(bot: RunningBot, backup: Path) -> None:
    """Stops the bot, and starts it again on a backup."""
    await bot.settle()
    await bot.stop()
    await asyncio.to_thread(restore, bot.url, backup)
    await bot.start()
    await bot.settle()


async def test_a_press_at_a_lost_table_explains_it_in_the_place_of_that_message_alone(
    bot: RunningBot, tmp_path: Path
) -> None:
    backup = tmp_path / "backup.db"
    await bot.app.servers.choose(ROOM.server, locale="en")
    await bot.chat.types(BORIS, "/language de")
    await asyncio.to_thread(back_up, bot.url, backup)

    await bot.dealt(ANNA, BORIS)
    table = bot.table_message()
    hands = [bot.hand_message(user) for user in (ANNA, BORIS)]
    await sets_back(bot, backup)

    reply = await bot.chat.presses(ANNA, table.ref, "My hand")
    assert reply.toast == LOST
    assert bot.chat.messages[table.ref].text == LOST
    assert bot.chat.messages[table.ref].buttons == ()
    assert [bot.hand_message(user).buttons for user in (ANNA, BORIS)] == [hand.buttons for hand in hands]

    await bot.chat.presses(BORIS, hands[1].ref, "⇅")
    left = bot.hand_message(BORIS)
    assert (left.ref, left.buttons) == (hands[1].ref, ())
    assert left.text.startswith("Diesen Tisch gibt es nicht mehr"), "in the language of its reader"


async def test_a_press_at_a_lost_table_does_nothing_at_the_next_one_of_its_room(
    bot: RunningBot, tmp_path: Path
) -> None:
    backup = tmp_path / "backup.db"
    await asyncio.to_thread(back_up, bot.url, backup)
    await bot.opened(ANNA)
    lost = bot.table_message()
    await sets_back(bot, backup)

    newer = await bot.opened(BORIS)
    reply = await bot.chat.presses(CLARA, lost.ref, "Join")
    assert reply.toast == LOST
    assert (await bot.app.tables.table(newer.id)).people() == (BORIS.ref,)


async def test_a_call_to_a_lost_table_leaves_no_buttons_behind(bot: RunningBot, tmp_path: Path) -> None:
    backup = tmp_path / "backup.db"
    await bot.chat.types(CLARA, "/help")
    await asyncio.to_thread(back_up, bot.url, backup)

    table = await bot.dealt(ANNA, BORIS)
    await bot.chat.presses_token(CLARA, bot.table_message().ref, str(CallMe(table.id, table.game)))
    await bot.settle()
    promise = bot.chat.sees_alone(CLARA)[-1]
    assert promise.buttons
    await sets_back(bot, backup)

    reply = await bot.chat.presses_token(CLARA, promise.ref, promise.buttons[0].token)
    assert reply.toast == LOST
    assert (bot.chat.messages[promise.ref].text, bot.chat.messages[promise.ref].buttons) == (LOST, ())


async def test_a_button_that_a_message_does_not_show_changes_nothing_there(bot: RunningBot) -> None:
    """Presses a button of a table that never was, made up by a client, on another table's message."""
    await bot.opened(ANNA, BORIS)
    standing = bot.table_message()
    reply = await bot.chat.presses_token(CLARA, standing.ref, "h:999999")
    await bot.settle()
    assert reply.toast == "There\N{RIGHT SINGLE QUOTATION MARK}s no such table here. /durak opens a new one."
    assert reply.replacement is None
    assert bot.table_message() == standing
