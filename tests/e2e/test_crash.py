"""Killed at any moment, the bot goes on where it stood."""

import asyncio
import random

import pytest

from tests.e2e.chats import Chat, Person, Shown
from tests.e2e.game import (
    Chosen,
    choice_of,
    gather,
    moves_of,
    newest_public,
    open_choices,
    play_on,
    result,
    until,
)
from tests.e2e.process import BotProcess
from tests.e2e.record import games, journal, surfaces

pytestmark = pytest.mark.timeout(200)


async def until_on_record(bot: BotProcess) -> None:
    """Wait until the bot knows what it has posted: a chat and a disk cannot be written in one step."""

    async def look() -> bool:
        return surfaces(bot.database) > 0

    await until(look, "a surface on record")


async def tables_seen(person: Person) -> list[Shown]:
    return [shown for shown in await person.public() if "talon" in shown.text]


async def some_move(people: list[Person], chosen: Chosen) -> tuple[Person, Shown, str]:
    (person, shown, token), *_ = await until(lambda: open_choices(people, chosen), "a move to make")
    chosen.add((person, choice_of(token)))
    return person, shown, token


async def test_a_killed_bot_loses_nothing(chat: Chat, bot: BotProcess) -> None:
    people = await gather(chat, ["Anna", "Boris"], command="/durak podkidnoy-24")
    chance, chosen = random.Random(4), Chosen()
    for presses in (1, 5):
        await play_on(people, chance, presses, chosen)
        person, shown, token = await some_move(people, chosen)
        before = journal(bot.database)
        bot.kill()
        await bot.restart_after_a_crash()
        assert journal(bot.database)[: len(before)] == before
        notice = await person.presses(shown, token)  # the button is as old as the crash
        assert not notice or len(journal(bot.database)) > len(before)
        assert len(journal(bot.database)) > len(before), notice

    person, shown, token = await some_move(people, chosen)
    press = asyncio.ensure_future(person.presses(shown, token))
    await asyncio.sleep(0.005)
    bot.kill()  # while the press is under way
    press.cancel()
    await bot.restart_after_a_crash()

    await play_on(people, chance, chosen=chosen)
    await until(lambda: result(people[0]), "the result")
    (game,) = games(bot.database)
    assert game.outcome is not None
    assert [line.version for line in game.lines] == list(range(1, len(game.lines) + 1))
    assert len(await tables_seen(people[0])) == 1
    assert "talon 0" in (await newest_public(people[0], "talon")).text

    async def no_hand_is_left() -> bool:
        return not [move for person in people for move in await moves_of(person)]

    await until(no_hand_is_left, "the hands to go")


async def test_a_lobby_outlives_the_process(chat: Chat, bot: BotProcess) -> None:
    anna = await chat.newcomer("Anna")
    await anna.types("/durak")
    await newest_public(anna, "Players 1 of 6")
    await until_on_record(bot)
    await bot.restart_after_a_crash()
    boris = await chat.newcomer("Boris")
    lobby = await newest_public(boris, "Players 1 of 6")
    await boris.presses(lobby, lobby.token("Join"))
    await newest_public(anna, "Players 2 of 6")
    assert len([shown for shown in await anna.public() if "Players" in shown.text]) == 1
