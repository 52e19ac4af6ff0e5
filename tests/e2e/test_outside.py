"""Whole games in chats that the bot is not a member of, in one message."""

import random

import pytest

from tests.e2e import discord, telegram
from tests.e2e.chats import Chat
from tests.e2e.conftest import OUTSIDE
from tests.e2e.game import SHORT, Chosen, button, newest_public, play_on, press, result, until
from tests.e2e.knowledge import leaks
from tests.e2e.process import BotProcess
from tests.e2e.record import games, results, tallies

# Two people in Telegram, where a private chat has no more, and three on Discord.
TABLES = {
    "telegram-outside": (SHORT, ("Anna", "Boris")),
    "discord-outside": ("/durak hand_size=12 throw_in=none", ("Anna", "Boris", "Clara")),
}


@pytest.mark.parametrize("chat", OUTSIDE, indirect=True)
async def test_a_game_outside_is_one_message_that_outlives_a_kill(
    chat: Chat, bot: BotProcess, request: pytest.FixtureRequest
) -> None:
    command, names = TABLES[request.node.callspec.params["chat"]]
    people = [await chat.newcomer(name) for name in names]
    anna, boris, *_ = people
    assert isinstance(boris, telegram.Member | discord.Member)
    boris.speaks("de")

    await anna.types(command)
    for number, person in enumerate(people[1:], start=2):
        await press(person, "Join")
        await newest_public(anna, f"{number} of")  # the answer to a press may come before its effect
    await press(anna, "Start", "Start now")
    await button(anna, "My hand")  # until somebody presses it, it shows after the kill what it shows now

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

    assert any("Du hast" in read.text for read in boris.has_read())
    assert not any("Du hast" in read.text for read in anna.has_read())

    await press(boris, "Rematch")
    await newest_public(anna, "game 2")
    assert len(await anna.public()) == 1
