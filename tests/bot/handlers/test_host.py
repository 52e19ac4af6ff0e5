"""The host of a table and the admins of its chat can take care of a running game."""

import asyncio

import pytest

from bot.model.table import Phase, Table
from bot.model.waiting import CALL_AFTER
from engine.runtime import Author
from tests.bot.running_bot import ANNA, BORIS, CLARA, RunningBot

pytestmark = pytest.mark.usefixtures("opens_alone")


async def test_a_pause_lets_time_stand_still_until_somebody_goes_on(bot: RunningBot) -> None:
    table = await bot.dealt(ANNA, BORIS)
    await bot.taps(ANNA, "⚙️ Table")
    await bot.taps(ANNA, "Pause")
    assert "⏸" in bot.table_message().text

    version = (await bot.session(table)).version
    await bot.restart()
    await bot.skip(1000.0)
    assert (await bot.session(table)).version == version

    await bot.taps(ANNA, "⚙️ Table")
    await bot.taps(ANNA, "Go on")
    await bot.skip(10.0)
    assert (await bot.session(table)).version == version  # nobody's move is made at that very moment

    await bot.skip(200.0)
    assert (await bot.session(table)).version > version


async def opens_panel(bot: RunningBot) -> None:
    """Opens the host's panel, unless the room sees it already."""
    if "Pause" not in [button.label for button in bot.table_message().buttons]:
        await bot.taps(ANNA, "⚙️ Table")


async def boris_is_awaited(bot: RunningBot) -> Table:
    """Returns a table of Anna's where Boris is to move."""
    table = await bot.dealt(ANNA, BORIS)
    if await bot.waiting_for(table) == ANNA:
        await bot.plays(table)
    assert await bot.waiting_for(table) == BORIS
    return table


async def test_a_host_moves_for_those_who_were_called_and_for_nobody_before(bot: RunningBot) -> None:
    table = await boris_is_awaited(bot)
    await bot.taps(ANNA, "⚙️ Table")
    panel = bot.open_message(ANNA, "Pause")
    assert "⏩ Move for them" not in [button.label for button in panel.buttons]

    table_message = bot.table_message().ref
    early = await bot.chat.presses_token(ANNA, table_message, f"t:{table.id}:1:skip")
    assert early.toast == "Not yet: I’ll call them first."

    await bot.skip(CALL_AFTER)
    await opens_panel(bot)
    panel = bot.open_message(ANNA, "⏩ Move for")
    skip = next(button for button in panel.buttons if button.label.startswith("⏩ Move for"))
    version = (await bot.session(table)).version
    presses = (bot.chat.presses_token(ANNA, table_message, skip.token) for _ in range(3))
    await asyncio.gather(*presses)

    again = await bot.chat.presses_token(ANNA, table_message, skip.token)
    assert again.toast == early.toast
    session = await bot.session(table)
    assert session.version == version + 1
    assert session.entries[-1].author is Author.CLOCK


async def test_a_host_who_is_late_is_offered_no_bot_for_their_own_move(
    bot: RunningBot, opens_alone: bool
) -> None:
    table = await bot.dealt(ANNA, BORIS)
    if await bot.waiting_for(table) == BORIS:
        await bot.plays(table)
    assert await bot.waiting_for(table) == ANNA
    seat = await bot.waiting_seat(table)
    await bot.skip(CALL_AFTER)
    await opens_panel(bot)
    labels = [button.label for button in bot.open_message(ANNA, "Pause").buttons]
    # The room's admins read a public panel as well.
    assert ({"⏩ Move for them", "Bot for Anna"} <= set(labels)) is not opens_alone

    table_message = bot.table_message().ref
    version = (await bot.session(table)).version
    for action in ("skip", f"replace-{seat}"):
        refused = await bot.chat.presses_token(ANNA, table_message, f"t:{table.id}:1:{action}")
        assert refused.toast == "That’s your own seat: make the move yourself."
    assert (await bot.session(table)).version == version
    assert not (await bot.app.tables.table(table.id)).players[seat].has_left

    bot.chat.moderators.add(CLARA.ref)
    await bot.chat.presses_token(CLARA, table_message, f"t:{table.id}:1:skip")
    assert (await bot.session(table)).version == version + 1


async def test_a_house_player_takes_the_seat_of_who_was_called_until_they_come_back(
    bot: RunningBot,
) -> None:
    table = await boris_is_awaited(bot)
    seat = await bot.waiting_seat(table)
    user = await bot.waiting_for(table)
    await bot.taps(ANNA, "⚙️ Table")
    table_message = bot.table_message().ref

    for each in (seat, len(table.players)):
        told = await bot.chat.presses_token(ANNA, table_message, f"t:{table.id}:1:replace-{each}")
        assert told.toast == "Not yet: I’ll call them first."

    await bot.skip(CALL_AFTER)
    await opens_panel(bot)
    await bot.taps(ANNA, f"Bot for {user.name}")
    assert (await bot.app.tables.table(table.id)).players[seat].has_left

    hand = next(message for message in bot.chat.sees_alone(user) if message.ref not in bot.chat.ephemeral)
    await bot.chat.presses(user, hand.ref, "Come back")
    assert not (await bot.app.tables.table(table.id)).players[seat].has_left


@pytest.mark.parametrize("way", ["Back", "⚙️ Table"])
async def test_a_host_looks_away(bot: RunningBot, way: str, opens_alone: bool) -> None:
    await bot.dealt(ANNA, BORIS)
    await bot.taps(ANNA, "⚙️ Table")
    await bot.taps(ANNA, "Back" if opens_alone else way)  # alone, it is in its own message
    assert [button.label for button in bot.table_message().buttons] == ["My hand", "⚙️ Table", "🔔 Notify me"]


async def test_others_cannot_and_admins_can(bot: RunningBot) -> None:
    table = await bot.dealt(ANNA, BORIS)
    table_message = bot.table_message().ref
    denied = await bot.chat.presses_token(BORIS, table_message, f"t:{table.id}:1:pause")
    assert denied.toast == "Only the host or a chat admin can do that."

    bot.chat.moderators.add(CLARA.ref)
    for each in ("pause", "resume", "close"):
        reply = await bot.chat.presses_token(CLARA, table_message, f"t:{table.id}:1:{each}")
        assert reply.toast is None

    await bot.chat.presses_token(CLARA, table_message, f"t:{table.id}:1:stop")
    over = await bot.chat.presses_token(CLARA, table_message, f"t:{table.id}:1:pause")
    assert over.toast == "No game is running here."


async def test_the_tables_own_buttons_stay_while_a_host_looks_after_the_game(
    bot: RunningBot, opens_alone: bool
) -> None:
    table = await bot.dealt(ANNA, BORIS)
    own = [button.label for button in bot.table_message().buttons]
    await bot.taps(ANNA, "⚙️ Table")
    shown = [button.label for button in bot.table_message().buttons]
    assert shown[: len(own)] == own
    assert (shown == own) is opens_alone
    panel = bot.open_message(ANNA, "Propose to stop")
    assert "A stopped game has no result: nobody is the fool." in panel.text

    await bot.chat.types(BORIS, "/stop")
    await bot.settle()
    # A panel that only the host sees stays as it was opened.
    await bot.taps(ANNA, "Propose to stop" if opens_alone else "Stop the game")
    assert (await bot.app.tables.table(table.id)).phase is Phase.CLOSED

    if opens_alone:
        assert not [message for message in bot.chat.sees_alone(ANNA) if message.buttons]
