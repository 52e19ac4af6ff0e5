"""A bot that is killed at any moment resumes where it stopped."""

import asyncio
import random
from contextlib import suppress

import pytest

from engine.runtime import Author
from tests.e2e.chats import Chat, Person, Shown
from tests.e2e.discord import Place
from tests.e2e.game import SHORT, Chosen, choose, gather, moves_of, newest_public, play_on, result, until
from tests.e2e.process import BotProcess
from tests.e2e.record import Line, games, journal, message_slots, snapshot
from tests.e2e.web import Visitor


async def tables_seen(person: Person) -> list[Shown]:
    return [shown for shown in await person.public() if "· deck" in shown.text]


def moves_of_people(lines: list[Line]) -> list[Line]:
    """Leaves out the moves that the bot makes itself where a player can only be done."""
    return [line for line in lines if line.author in {None, Author.PLAYER}]


async def agree(bot: BotProcess) -> bool:
    """Returns whether the recorded moves lead to the stored position."""
    *_, (_, position) = games(bot.database)[-1].positions()
    return position.to_text() == snapshot(bot.database)


async def test_a_killed_bot_loses_nothing(chat: Chat, bot: BotProcess) -> None:
    people = await gather(chat, ["Anna", "Boris"], command=SHORT)
    chance = random.Random(4)
    chosen = Chosen()
    heard = 0

    for presses in (1, 4):
        await play_on(people, chance, presses, chosen)
        person, shown, token = await choose(people, chance, chosen)
        before = moves_of_people(journal(bot.database))
        await bot.restart_after_a_crash()
        assert moves_of_people(journal(bot.database)) == before

        await until(lambda: agree(bot), "journal and snapshot to agree")

        with suppress(LookupError):  # the hand was a move behind and has been redrawn
            await person.presses(shown, token)  # a button as old as the crash

        after = moves_of_people(journal(bot.database))
        if after != before:  # else it was a move behind, crash or not, and is stale
            assert (after[:-1], after[-1].text) == (before, token.split(":")[3])
            heard += 1

    assert heard

    await play_on(people, chance, chosen=chosen)
    await end_as_if_nothing_had_happened(bot, people)


# Not on the page: the test above also kills the bot there, and browsers cost the most time.
@pytest.mark.parametrize("chat", ["telegram", "discord"], indirect=True)
async def test_a_bot_killed_while_presses_are_under_way_loses_nothing(chat: Chat, bot: BotProcess) -> None:
    people = await gather(chat, ["Anna", "Boris", "Clara"], house=1, command="/durak podkidnoy-24")
    chance = random.Random(5)
    chosen = Chosen()

    for _ in range(2):
        await play_on(people, chance, 3, chosen)
        person, shown, token = await choose(people, chance, chosen)
        press = asyncio.ensure_future(person.presses(shown, token))
        await asyncio.sleep(chance.uniform(0.0, 0.015))
        before = journal(bot.database)
        bot.kill()
        press.cancel()
        await asyncio.wait([press])
        await bot.restart_after_a_crash()
        assert journal(bot.database)[: len(before)] == before

    await play_on(people, chance, chosen=chosen)
    await end_as_if_nothing_had_happened(bot, people)


async def end_as_if_nothing_had_happened(bot: BotProcess, people: list[Person]) -> None:
    await until(lambda: result(people[0]), "the result")
    (game,) = games(bot.database)
    assert game.outcome is not None
    assert [line.version for line in game.lines] == list(range(1, len(game.lines) + 1))

    if not isinstance(people[0], Visitor):  # the page shows the result in place of the last table
        await newest_public(people[0], "deck 0")
        assert [len(await tables_seen(person)) for person in people] == [1] * len(people)

    async def no_hand_is_left() -> bool:
        return not [move for person in people for move in await moves_of(person)]

    await until(no_hand_is_left, "the hands to go")


@pytest.mark.parametrize("chat", ["discord"], indirect=True)
async def test_a_message_whose_arrival_was_never_noted_is_posted_once(chat: Place, bot: BotProcess) -> None:
    anna = await chat.newcomer("Anna")
    chat.keeps_an_arrival_to_itself()
    await anna.types("/durak")
    table = await newest_public(anna, " · 1 of 6")
    assert message_slots(bot.database) == 0

    await bot.restart_after_a_crash()
    await anna.presses(table, table.token("Add bot"))
    await newest_public(anna, " · 2 of 6")
    assert len(await anna.public()) == 1


@pytest.mark.parametrize("chat", ["telegram"], indirect=True)
async def test_a_lobby_outlives_the_process(chat: Chat, bot: BotProcess) -> None:
    anna = await chat.newcomer("Anna")
    await anna.types("/durak")
    await newest_public(anna, " · 1 of 6")

    async def is_on_record() -> bool:  # a chat and a disk cannot be written in one step
        return message_slots(bot.database) > 0

    await until(is_on_record, "the message on record")
    await bot.restart_after_a_crash()
    boris = await chat.newcomer("Boris")
    table = await newest_public(boris, " · 1 of 6")
    await boris.presses(table, table.token("Join"))
    await newest_public(anna, " · 2 of 6")
    assert len([shown for shown in await anna.public() if " of 6" in shown.text]) == 1
