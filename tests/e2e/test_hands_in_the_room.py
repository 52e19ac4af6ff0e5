"""Whole games without the private chat: the cards are in the table's room, for their player alone."""

import random
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence

import pytest
import pytest_asyncio

from tests.e2e import discord, telegram
from tests.e2e.chats import Person
from tests.e2e.discord import Place
from tests.e2e.game import SHORT, gather, hand_with, play_on, press, result, until
from tests.e2e.knowledge import leaks
from tests.e2e.process import BotProcess
from tests.e2e.record import games
from tests.e2e.telegram import Group, telegram_group
from tests.wire.telegram import Ephemerals

NAMES = ("Anna", "Boris")


def nobody_saw_too_much(bot: BotProcess, people: Sequence[Person]) -> None:
    (game,) = games(bot.database)
    assert game.outcome is not None
    for person in people:
        seat = game.names.index(person.name) if person.name in game.names else None
        assert not leaks(game, seat, person.has_read())


async def open_hands(people: Sequence[Person]) -> None:
    """Opens everyone's hand once; from then on they wait."""
    for person in people:
        assert isinstance(person, discord.Member | telegram.Member)
        person.is_patient = True
        await press(person, "My hand")


async def type_for_hands(people: Sequence[Person]) -> None:
    """Types the command for everyone's hand once; from then on they wait."""
    for person in people:
        assert isinstance(person, discord.Member | telegram.Member)
        person.is_patient = True
        await person.types("/hand")


class TestOnTelegram:
    @pytest_asyncio.fixture(loop_scope="session")
    async def chat(self) -> AsyncIterator[Group]:
        async with telegram_group() as group:
            group.server.ephemerals = Ephemerals.HONOURED
            yield group

    async def test_people_play_who_have_never_opened_the_private_chat(
        self, chat: Group, bot: BotProcess
    ) -> None:
        chat.are_strangers = True
        people = await gather(chat, NAMES, command=SHORT)
        spectator = await chat.newcomer("Watcher")
        await open_hands(people)
        await play_on(people, random.Random(5))
        await until(lambda: result(people[0]), "the result")
        nobody_saw_too_much(bot, [*people, spectator])

        for person in (*people, spectator):
            assert isinstance(person, telegram.Member)
            assert not person.person.private.messages  # no one was led there, and no one came

    async def test_people_play_by_a_command_that_nobody_else_sees(self, chat: Group, bot: BotProcess) -> None:
        chat.are_strangers = True
        people = await gather(chat, NAMES, command=SHORT)
        await type_for_hands(people)
        await play_on(people, random.Random(9))
        await until(lambda: result(people[0]), "the result")
        nobody_saw_too_much(bot, people)
        said = [message.text for message in chat.group.messages if message.receiver is None]
        assert "/hand" not in said

    async def test_one_plays_in_the_group_and_one_in_private(self, chat: Group, bot: BotProcess) -> None:
        people = await gather(chat, NAMES, command=SHORT)
        await press(people[0], "My hand")
        await play_on(people, random.Random(6))
        await until(lambda: result(people[0]), "the result")
        nobody_saw_too_much(bot, people)
        for person in people:
            assert len(person.rang()) == 1

    @pytest.mark.parametrize("ephemerals", [Ephemerals.IGNORED, Ephemerals.LOST])
    async def test_a_server_that_shows_nothing_in_the_group_costs_nobody_the_game(
        self, chat: Group, bot: BotProcess, ephemerals: Ephemerals
    ) -> None:
        chat.server.ephemerals = ephemerals
        people = await gather(chat, NAMES, command=SHORT)
        spectator = await chat.newcomer("Watcher")
        await press(people[0], "My hand")

        if ephemerals is Ephemerals.LOST:  # the private chat points to the cards, and brings them back
            await people[0].presses(*await hand_with(people[0], "Show them here"))

        await play_on(people, random.Random(7))
        await until(lambda: result(people[0]), "the result")
        nobody_saw_too_much(bot, [*people, spectator])


@pytest.mark.parametrize("chat", ["discord"], indirect=True)
@pytest.mark.parametrize(("ask", "seed"), [(type_for_hands, 10), (open_hands, 8)])
async def test_asking_once_is_enough_for_a_game_with_direct_messages_closed(
    chat: Place, bot: BotProcess, ask: Callable[[Sequence[Person]], Awaitable[None]], seed: int
) -> None:
    """Opens the hands by the command, or by a press on My hand."""
    chat.are_strangers = True
    people = await gather(chat, NAMES, command=SHORT)
    await ask(people)
    await play_on(people, random.Random(seed))
    await until(lambda: result(people[0]), "the result")
    nobody_saw_too_much(bot, people)
