"""Whole games through the shipped entry point, from /durak to the leaderboard."""

import random

import pytest

from tests.e2e.chats import Chat, Person
from tests.e2e.game import button, gather, heard, newest_public, play_on, press, result, until
from tests.e2e.knowledge import leaks
from tests.e2e.process import BotProcess
from tests.e2e.record import games, tallies

pytestmark = pytest.mark.timeout(200)


async def result_said_to(person: Person) -> str:
    shown = await until(lambda: result(person), "the result")
    return shown.text


async def test_a_game_ends_as_recorded_and_nobody_saw_what_they_may_not(chat: Chat, bot: BotProcess) -> None:
    people = await gather(chat, ["Anna", "Boris"], house=1)
    spectator = await chat.newcomer("Watcher")
    await play_on(people, random.Random(2))
    said = await result_said_to(people[0])

    (game,) = games(bot.database)
    outcome = game.outcome
    assert outcome is not None
    fool = None if outcome.fool is None else game.names[outcome.fool] or "🤖 Ada"
    assert (f"{fool} is the fool!" if fool else "A draw") in said
    assert game.opening.seed in said

    counted = tallies([game])
    assert set(counted) == {"Anna", "Boris"}
    board, fools = await heard(people[1], "/leaderboard"), await heard(people[1], "/fool")
    for name, tally in counted.items():
        line = f"{name} · fool {tally.fools} in 1 game · index {tally.index:.2f}"
        assert line in board
        assert line in fools
    stats = await heard(people[0], "/stats")
    assert "1 game" in stats
    assert f"fool index: {counted['Anna'].index:.2f}" in stats

    for person in people:
        seat = game.names.index(person.name)
        assert any("Your 6 cards" in read.text for read in person.has_read())
        assert not leaks(game, seat, person.has_read())
    assert not leaks(game, None, spectator.has_read())
    assert await bot.stop() == 0
    tokens = [value for name, value in chat.settings.items() if name.endswith("TOKEN")]
    for secret in (*tokens, game.opening.seed, "♠", "♥", "♦", "♣", "m:1:"):
        assert secret not in bot.output


async def test_two_play_again_and_the_fool_is_attacked(chat: Chat, bot: BotProcess) -> None:
    people = await gather(chat, ["Anna", "Boris"], command="/durak podkidnoy-24")
    await play_on(people, random.Random(1))
    await result_said_to(people[0])
    await press(people[1], "Rematch")
    await newest_public(people[0], "game 2")
    shown, token = await button(people[1], "Start")
    await people[1].presses(shown, token)

    async def is_dealt_again() -> bool:
        return len(games(bot.database)) == 2

    await until(is_dealt_again, "the second deal")
    first, second = games(bot.database)
    outcome = first.outcome
    assert outcome is not None
    if outcome.fool is not None:
        assert second.opening.deal().defender == outcome.fool


async def test_six_play(chat: Chat, bot: BotProcess) -> None:
    people = await gather(chat, ["Anna", "Boris", "Clara", "Dima", "Elena", "Fritz"])
    await play_on(people, random.Random(3), presses=40)
    (game,) = games(bot.database)
    assert {line.seat for line in game.moves if line.author == "player"} == set(range(6))
