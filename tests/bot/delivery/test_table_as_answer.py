"""In chats where answers to commands stay, the answer to /durak is the table's only message."""

import pytest

from bot.delivery import messages
from bot.model.messages import MessageKind
from tests.bot.chat import ROOM
from tests.bot.running_bot import ANNA, BORIS, RunningBot


@pytest.fixture(autouse=True)
def answers_are_kept(bot: RunningBot) -> None:
    bot.chat.keeps_answers = True


def tables(bot: RunningBot) -> list[str]:
    return [message.text for message in bot.chat.room_sees() if message.text.startswith("Durak ·")]


async def test_the_answer_is_the_table_and_follows_it(bot: RunningBot) -> None:
    reply = await bot.chat.types(ANNA, "/durak")
    await bot.settle()
    assert [sent.verb for sent in bot.chat.sent] == ["post"]

    message = bot.table_message()
    assert message.screen == reply.public

    table = await bot.app.tables.in_room(message.audience.room)
    assert table is not None
    assert await bot.shown(table, MessageKind.TABLE) == message.ref

    await bot.chat.presses(BORIS, message.ref, "Join")
    await bot.settle()
    assert bot.table_message().ref == message.ref
    assert "Boris" in bot.table_message().text
    assert len(tables(bot)) == 1


async def test_a_table_whose_answer_gets_lost_is_posted(bot: RunningBot) -> None:
    bot.chat.floods[ROOM] = 0.0
    await bot.chat.types(ANNA, "/durak")
    assert not tables(bot)
    await bot.settle()
    assert len(tables(bot)) == 1


async def test_an_answer_that_nobody_hears_of_is_the_table_all_the_same(bot: RunningBot) -> None:
    bot.chat.answers_arrive = False
    await bot.chat.types(ANNA, "/durak")
    await bot.settle()
    await bot.chat.presses(BORIS, bot.table_message().ref, "Join")
    await bot.skip(messages.HOLD_SECONDS)
    assert "Boris" in bot.table_message().text
    assert len(tables(bot)) == 1


async def test_a_table_that_was_posted_before_its_answer_was_ready_is_posted_once(
    bot: RunningBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(messages, "HOLD_SECONDS", 0.0)
    await bot.chat.types(ANNA, "/durak")
    await bot.settle()
    assert len(tables(bot)) == 1


async def test_a_bot_killed_before_it_hears_of_the_answer_finds_the_table_again(bot: RunningBot) -> None:
    bot.chat.answers_arrive = False
    await bot.chat.types(ANNA, "/durak")
    before = bot.table_message().ref
    await bot.restart()
    await bot.chat.presses(BORIS, before, "Join")
    await bot.settle()

    assert bot.table_message().ref == before
    assert "Boris" in bot.table_message().text
    assert len(tables(bot)) == 1


async def test_a_second_durak_leads_to_the_table(bot: RunningBot) -> None:
    await bot.chat.types(ANNA, "/durak")
    await bot.settle()
    reply = await bot.chat.types(BORIS, "/durak")
    assert reply.public is None
    assert reply.ephemeral is not None
    assert len(tables(bot)) == 1


async def test_a_game_that_begins_at_once_is_the_answer_too(bot: RunningBot) -> None:
    reply = await bot.chat.types(ANNA, "/durak bots")
    await bot.settle()
    assert reply.public is not None
    assert len(tables(bot)) == 1
    table = await bot.app.tables.in_room(ROOM)
    assert table is not None
    assert await bot.shown(table, MessageKind.TABLE) == bot.table_message().ref
