"""Whole games in chats that the bot is no member of, in one message."""

import random

import pytest

from tests.e2e.chats import Chat
from tests.e2e.conftest import OUTSIDE
from tests.e2e.game import SHORT, Chosen, newest_public, play_on, press, result, until
from tests.e2e.knowledge import leaks
from tests.e2e.process import BotProcess
from tests.e2e.record import games, results, tallies


@pytest.mark.parametrize("chat", OUTSIDE, indirect=True)
async def test_a_game_outside_is_one_message_that_outlives_a_kill(chat: Chat, bot: BotProcess) -> None:
    anna, boris = people = [await chat.newcomer(name) for name in ("Anna", "Boris")]
    await anna.types(SHORT)
    await press(boris, "Join")
    await newest_public(anna, "2 of")  # the answer to a press may come before its effect
    await press(anna, "Start", "Start now")

    onlooker = await chat.newcomer("Watcher")
    chance = random.Random(3)
    chosen = Chosen()

    await play_on(people, chance, 6, chosen)
    await bot.restart_after_a_crash()
    await press(onlooker, "My hand")  # without a seat, but the message can be edited again
    await play_on(people, chance, chosen=chosen)
    await until(lambda: result(anna), "the result")
    assert len(await anna.public()) == 1

    (game,) = games(bot.database)
    assert results(bot.database) == tallies([game])
    for person in (*people, onlooker):
        seat = game.names.index(person.name) if person in people else None
        assert not leaks(game, seat, person.has_read())

    await press(boris, "Rematch")
    await newest_public(anna, "game 2")
    assert len(await anna.public()) == 1
