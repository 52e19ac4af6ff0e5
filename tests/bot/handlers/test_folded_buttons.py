"""In chats that fold buttons, a lobby and a result have one row, and the rest is shown on request."""

from dataclasses import replace

import pytest

from adapters.port import PrivateChat
from tests.bot.messages import buttons_of, text_of
from tests.bot.running_bot import ANNA, BORIS, CLARA, RunningBot

COMPANY = "📣 Let these players invite me"


@pytest.fixture(autouse=True)
def _folds(bot: RunningBot) -> None:
    bot.chat.limits = replace(
        bot.chat.limits, folds_buttons=True, private_chat=PrivateChat.IN_THE_ROOM, ephemeral_seconds=900.0
    )


def labels(bot: RunningBot) -> list[str]:
    return [button.label for button in bot.table_message().buttons]


async def test_a_lobby_has_one_row(bot: RunningBot) -> None:
    await bot.opened(ANNA, BORIS)
    assert labels(bot) == ["Join", "Add bot", "Start", "Settings", "More…"]
    assert len(bot.table_message().screen.rows) == 1


async def test_the_other_buttons_of_a_lobby_are_shown_to_whoever_asks(bot: RunningBot) -> None:
    await bot.opened(ANNA, BORIS, CLARA)
    await bot.chat.presses(ANNA, bot.table_message().ref, "Add bot")
    reply = await bot.chat.presses(BORIS, bot.table_message().ref, "More…")
    assert reply.secret is not None
    offered = [button.label for button in buttons_of(reply.secret)]
    assert offered == ["Leave", "Remove bot", "Change seat", "Close the table"]


async def test_whoever_is_expected_sits_down_by_no_look_at_the_other_buttons(bot: RunningBot) -> None:
    table = await bot.opened(ANNA, BORIS)
    await bot.chat.presses(CLARA, bot.table_message().ref, "More…")
    assert (await bot.app.tables.table(table.id)).people() == (ANNA.ref, BORIS.ref)


async def test_the_other_buttons_follow_what_they_do(bot: RunningBot) -> None:
    table = await bot.opened(ANNA, BORIS, CLARA)
    await bot.chat.presses(ANNA, bot.table_message().ref, "Add bot")
    await bot.chat.presses(ANNA, bot.table_message().ref, "More…")
    panel = bot.open_message(ANNA, "Remove bot").ref

    reply = await bot.chat.presses(ANNA, panel, "Remove bot")
    assert reply.replacement is not None
    assert "Remove bot" not in [button.label for button in buttons_of(reply.replacement)]

    moved = await bot.chat.presses(ANNA, panel, "Change seat")
    assert moved.replacement is None
    assert moved.toast is None

    await bot.chat.presses(ANNA, panel, "Leave")
    await bot.settle()
    assert (await bot.app.tables.table(table.id)).people() == (BORIS.ref, CLARA.ref)
    assert panel not in bot.chat.messages


async def test_whoever_looks_for_a_hand_that_they_lack_may_be_notified_of_the_next_game(
    bot: RunningBot,
) -> None:
    await bot.dealt(ANNA, BORIS)
    assert labels(bot) == ["My hand", "⚙️ Table"]

    reply = await bot.chat.presses(CLARA, bot.table_message().ref, "My hand")
    assert reply.secret is not None
    assert text_of(reply.secret) == "You’re not at this table."

    answer = bot.chat.sees_alone(CLARA)[-1]
    promise = await bot.chat.presses(CLARA, answer.ref, "🔔 Notify me of the next game")
    assert promise.toast is not None
    assert promise.toast.startswith("🔔 OK")


async def test_a_player_who_is_to_be_notified_may_let_the_others_invite_them(bot: RunningBot) -> None:
    table = await bot.dealt(ANNA, BORIS)
    await bot.app.tables.resign(table.id, ANNA)
    await bot.settle()
    result = bot.chat.room_sees()[-1]
    assert COMPANY not in [button.label for button in result.buttons]

    reply = await bot.chat.presses(BORIS, result.ref, "🔔 Notify me of the next game")
    assert reply.secret is not None
    assert COMPANY in [button.label for button in buttons_of(reply.secret)]


async def test_where_nobody_can_be_called_nothing_of_that_kind_is_offered(bot: RunningBot) -> None:
    bot.chat.limits = replace(bot.chat.limits, can_call=False)
    await bot.dealt(ANNA, BORIS)
    reply = await bot.chat.presses(CLARA, bot.table_message().ref, "My hand")
    assert reply.secret is None
    assert reply.toast == "You’re not at this table."
