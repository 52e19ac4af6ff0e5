"""A chat without edits: only an important change is posted, as a new message."""

from dataclasses import replace

import pytest

from adapters.port import PrivateChat
from bot.model.table import Table
from tests.bot.chat import ROOM
from tests.bot.messages import Place, text_of
from tests.bot.running_bot import ANNA, BORIS, CLARA, SHORT_GAME, RunningBot


@pytest.fixture(autouse=True)
def _plain_chat(bot: RunningBot) -> None:
    limits = bot.chat.limits
    bot.chat.limits = replace(limits, edits=False, private_chat=PrivateChat.OPEN, pin_right="")


def news_for(bot: RunningBot, place: Place) -> list[str]:
    """Returns the messages posted to a place since the last call."""
    posted = [text_of(sent.screen) for sent in bot.chat.sent if sent.place == place and sent.screen]
    bot.chat.sent[:] = [sent for sent in bot.chat.sent if sent.place != place]
    return posted


async def dealt(bot: RunningBot) -> Table:
    """Deals a game of three, and drops the messages about it."""
    table = await bot.dealt(ANNA, BORIS, CLARA, rules=SHORT_GAME)
    bot.chat.sent.clear()
    return table


async def test_who_sits_in_a_lobby_is_news_and_its_settings_are_shown_with_the_next_news(
    bot: RunningBot,
) -> None:
    table = await bot.opened(ANNA)
    bot.chat.sent.clear()

    await bot.chooses(table, clock=300)
    await bot.settle()
    assert not news_for(bot, ROOM)

    await bot.chat.presses(BORIS, bot.table_message().ref, "Join")
    await bot.settle()
    (lobby,) = news_for(bot, ROOM)
    assert "Boris" in lobby
    assert "Clock: 5" in lobby


async def test_each_move_is_news_at_the_table_and_a_hand_while_its_player_can_move(bot: RunningBot) -> None:
    table = await dealt(bot)
    for _ in range(6):
        mover = await bot.waiting_for(table)
        await bot.plays(table)
        await bot.settle()

        assert len(news_for(bot, ROOM)) == 1
        state = (await bot.session(table)).state
        assert state is not None
        for seat, player in enumerate((await bot.app.tables.table(table.id)).players):
            assert player.user is not None
            hands = news_for(bot, player.user)
            is_answered = player.user == mover.ref  # the press itself
            assert len(hands) == (is_answered or seat in state.actors), player.name


async def test_nothing_is_printed_twice_after_a_restart(bot: RunningBot) -> None:
    table = await dealt(bot)
    await bot.plays(table)
    await bot.settle()
    bot.chat.sent.clear()

    await bot.restart()
    await bot.settle()
    assert not bot.chat.sent


async def test_a_call_is_posted_and_left_where_it_is(bot: RunningBot) -> None:
    table = await dealt(bot)
    await bot.skip(600)
    (call,) = bot.calls()
    await bot.plays(table)
    await bot.settle()
    assert bot.calls() == [call]
