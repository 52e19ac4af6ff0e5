"""A cup evening through the shipped entry point: up to eleven friends, two leavers, and a killed bot."""

import asyncio
import random
import time
from collections.abc import Sequence

import pytest

from tests.e2e.chats import Chat, Person, Shown
from tests.e2e.game import PAUSE, Chosen, choice_of, newest_public, open_choices, press, until
from tests.e2e.process import BotProcess

pytestmark = pytest.mark.timeout(400)

NAMES = ("Anna", "Boris", "Clara", "Dima", "Elena", "Fritz", "Greta")
LATE = "Lukas"
EVENING_SECONDS = 360.0  # for all games of a cup, on a machine that is busy with other tests


async def standing(person: Person) -> Shown:
    """Returns the message of the cup, the first one that everyone sees; it is edited all evening."""

    async def look() -> Shown | None:
        return next((shown for shown in await person.public() if shown.text.startswith("🏆")), None)

    return await until(look, "the message of the cup")


async def sees(person: Person, words: str) -> Shown:
    """Waits until the message of the cup has these words."""

    async def look() -> Shown | None:
        shown = await standing(person)
        return shown if words in shown.text else None

    return await until(look, f"{words!r} in the message of the cup", within=EVENING_SECONDS)


async def play(people: Sequence[Person], chosen: Chosen, chance: random.Random, words: str) -> None:
    """Presses everyone's first move that beats, throws in or attacks, until the cup shows these words."""
    async with asyncio.timeout(EVENING_SECONDS):
        while words not in (await standing(people[0])).text:
            is_idle = True
            for person in chance.sample(people, len(people)):
                choices = await open_choices(person, chosen)
                if not choices:
                    continue

                is_idle = False
                shown, token = choices[0]
                chosen[person, choice_of(token)] = time.monotonic()

                try:
                    await person.presses(shown, token)
                except LookupError:  # the hand was redrawn meanwhile
                    continue

            if is_idle:
                for person in people:
                    await person.looks()
                await asyncio.sleep(PAUSE)


async def leaves_game(person: Person) -> None:
    """Leaves a running game, in which a bot plays on."""

    async def look() -> tuple[Shown, str] | None:
        for shown in await person.private():
            for token in shown.buttons:
                if token.startswith("q:"):
                    return shown, token

        return None

    shown, token = await until(look, "the way out of a game")
    await person.forces(shown, f"{token.rpartition(':')[0]}:leave")


# Not on the page: a room there has one table.
@pytest.mark.parametrize(("chat", "size"), [("telegram", len(NAMES)), ("discord", 6)], indirect=["chat"])
async def test_a_cup_with_two_leavers_and_a_killed_bot_has_a_winner(
    chat: Chat, bot: BotProcess, size: int
) -> None:
    people = [await chat.newcomer(name) for name in NAMES[:size]]
    late = await chat.newcomer(LATE)
    chance = random.Random(11)
    chosen = Chosen()

    await people[0].types("/cup podkidnoy-24")
    for number, person in enumerate(people[1:], start=2):
        await press(person, "I’m in")
        if number == len(people) // 2:
            await sees(person, f"({number} of 16)")
            await bot.restart_after_a_crash()

    await sees(people[0], f"({len(people)} of 16)")
    await press(people[0], "Begin now")
    await sees(people[0], "round 1 of 2")
    await bot.restart_after_a_crash()

    quitter = people[1]
    stayer = people[2]
    await press(late, "Get in line")
    await sees(late, f"In line: {LATE}")
    await press(stayer, "Leave the cup")  # plays this game to its end
    await leaves_game(quitter)

    playing = [person for person in people if person is not quitter]
    await play(playing, chosen, chance, "round 2 of 2")
    tables = (await sees(late, "round 2 of 2")).text.partition("\n\n")[0]
    assert LATE in tables
    assert sum(name in tables for name in (quitter.name, stayer.name)) == 0

    playing = [person for person in (*people, late) if person not in {quitter, stayer}]
    await bot.restart_after_a_crash()
    await play(playing, chosen, chance, "the final")
    await bot.restart_after_a_crash()
    await play(playing, chosen, chance, "wins the cup!")
    news = await newest_public(people[0], "wins the cup!")
    assert "🔑" in (await standing(people[0])).text
    assert "fool’s cap" in news.text or "🃏" not in news.text
