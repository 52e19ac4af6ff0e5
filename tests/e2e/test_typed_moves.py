"""A whole game by typing alone, on the chats with typed commands."""

import asyncio
import random
import re
from collections.abc import Sequence

import pytest

from tests.e2e.chats import Chat, Person
from tests.e2e.game import GAME_WITHIN, SHORT, Chosen, GameOverError, choose, gather, result, until
from tests.e2e.knowledge import leaks
from tests.e2e.process import BotProcess
from tests.e2e.record import games

OFFER = "You can type: "
LISTED = re.compile(OFFER + r'([^"\\\n]+)')  # also within the JSON that Discord sends
NOT_NOW = "It’s not your turn"


async def offered(person: Person) -> Sequence[str]:
    """Requests the moves that can be typed; none if it is no longer their turn."""

    def answers() -> list[str]:
        return [piece.text for piece in person.has_read() if OFFER in piece.text or NOT_NOW in piece.text]

    before = len(answers())
    await person.types("/play")

    async def look() -> str | None:
        newer = answers()[before:]
        return newer[-1] if newer else None

    found = LISTED.search(await until(look, "an answer to /play"))
    return found[1].split(" · ") if found else ()


async def type_on(people: Sequence[Person], chance: random.Random) -> None:
    """Types a random move of each player on their turn, until the game is over."""
    chosen: Chosen = {}
    while True:
        try:
            person, _, _ = await choose(people, chance, chosen)
        except GameOverError:
            return

        forms = await offered(person)
        bold = [form for form in forms if form != "take"]
        if forms:
            await person.types(f"/play {chance.choice(bold or forms)}")


@pytest.mark.parametrize("chat", ["telegram", "discord"], indirect=True)
async def test_a_whole_game_is_typed_and_nobody_reads_what_is_for_others(chat: Chat, bot: BotProcess) -> None:
    people = await gather(chat, ["Anna", "Boris"], command=SHORT)
    spectator = await chat.newcomer("Watcher")
    async with asyncio.timeout(GAME_WITHIN):
        await type_on(people, random.Random(4))

    assert await result(people[0]) is not None
    (game,) = games(bot.database)
    for person in (*people, spectator):
        seat = game.names.index(person.name) if person.name in game.names else None
        assert not leaks(game, seat, person.has_read())

    assert not any(OFFER in piece.text for piece in spectator.has_read())
