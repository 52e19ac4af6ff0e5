"""Where a notice stays beside the button, the answer to Join or Start becomes the hand."""

from dataclasses import replace

import pytest

from adapters.port import User
from bot.delivery.rings import PRESENT_SECONDS
from bot.delivery.room_hands import NOTICE_SECONDS
from bot.model.messages import OnlyInRoom
from bot.model.profile import Calling
from tests.bot.messages import Message, text_of
from tests.bot.running_bot import ANNA, BORIS, CALL, RunningBot

LIFETIME = 840.0
WAITING = "Your cards will appear right here"


@pytest.fixture(autouse=True)
def notices_stay(bot: RunningBot) -> None:
    bot.chat.limits = replace(bot.chat.limits, ephemeral_seconds=LIFETIME, notices_stay=True)


def in_room(bot: RunningBot, user: User) -> list[Message]:
    return [message for message in bot.chat.sees_alone(user) if isinstance(message.audience, OnlyInRoom)]


def in_private(bot: RunningBot, user: User) -> list[Message]:
    return [message for message in bot.chat.sees_alone(user) if not isinstance(message.audience, OnlyInRoom)]


async def joins(bot: RunningBot, user: User) -> None:
    await bot.chat.presses(user, bot.table_message().ref, "Join")
    await bot.settle()


async def starts(bot: RunningBot, user: User = ANNA) -> None:
    await bot.chat.presses(user, bot.table_message().ref, "Start")
    await bot.settle()


async def test_the_answer_to_join_becomes_the_hand(bot: RunningBot) -> None:
    table = await bot.opened(ANNA)
    await joins(bot, BORIS)
    (waiting,) = in_room(bot, BORIS)
    assert WAITING in text_of(waiting.screen)

    await starts(bot)
    (hand,) = in_room(bot, BORIS)
    assert (hand.ref, WAITING in hand.text) == (waiting.ref, False)
    assert not in_private(bot, BORIS)

    before = hand.text
    await bot.plays(table)
    await bot.settle()
    (hand,) = in_room(bot, BORIS)
    assert (hand.ref, hand.text == before) == (waiting.ref, False)


async def test_the_answer_to_start_is_the_hand(bot: RunningBot) -> None:
    table = await bot.opened(ANNA, BORIS)
    await starts(bot)
    (hand,) = in_room(bot, ANNA)
    assert hand.buttons
    assert not in_private(bot, ANNA)

    before = hand.text
    await bot.plays(table)
    await bot.settle()
    (after,) = in_room(bot, ANNA)
    assert (after.ref, after.text == before) == (hand.ref, False)


async def test_a_hand_that_came_by_an_edit_is_called_for_at_once(bot: RunningBot) -> None:
    table = await bot.opened(ANNA)
    await joins(bot, BORIS)
    await bot.skip(2 * PRESENT_SECONDS)
    await starts(bot)
    await bot.plays(table)
    await bot.settle()
    assert bot.calls() == [f"{CALL} Boris: your move!"]


@pytest.mark.parametrize("calling", [Calling.AT_ONCE, Calling.LATER])
async def test_private_messages_that_somebody_chose_stay(bot: RunningBot, calling: Calling) -> None:
    await bot.opened(ANNA)
    await bot.app.people.choose(BORIS.ref, calling=calling)
    await joins(bot, BORIS)
    await starts(bot)
    assert not in_room(bot, BORIS)
    assert in_private(bot, BORIS)


async def test_a_game_by_the_day_needs_a_message_that_lasts(bot: RunningBot) -> None:
    table = await bot.opened(ANNA)
    await bot.chooses(table, clock=0)
    await joins(bot, BORIS)
    await starts(bot)
    assert not in_room(bot, BORIS)
    assert in_private(bot, BORIS)


async def test_the_place_is_gone_with_its_player(bot: RunningBot) -> None:
    await bot.opened(ANNA)
    await joins(bot, BORIS)
    await bot.chat.presses(BORIS, bot.table_message().ref, "Leave")
    await bot.settle()
    assert not in_room(bot, BORIS)


async def test_where_the_lobby_lasts_too_long_the_cards_come_in_private(bot: RunningBot) -> None:
    await bot.opened(ANNA)
    await joins(bot, BORIS)
    await bot.skip(LIFETIME - NOTICE_SECONDS + 1)
    assert not in_room(bot, BORIS)

    await starts(bot)
    assert in_private(bot, BORIS)
