"""A whole game through the shipped entry point, from /durak to the leaderboard."""

import random

from tests.e2e.chats import Chat, Person
from tests.e2e.game import button, gather, heard, newest_public, play_on, press, result, until
from tests.e2e.knowledge import leaks
from tests.e2e.process import BotProcess
from tests.e2e.record import games, tallies


async def until_result(person: Person) -> str:
    shown = await until(lambda: result(person), "the result")
    return shown.text


async def test_two_play_to_the_end_and_the_tallies_equal_the_record(chat: Chat, bot: BotProcess) -> None:
    people = await gather(chat, ["Anna", "Boris"])
    pressed = await play_on(people, random.Random(1))
    said = await until_result(people[0])

    (game,) = games(bot.database)
    outcome = game.outcome
    assert outcome is not None
    assert pressed >= len([line for line in game.moves if line.author == "player"]) > 10
    fool = None if outcome.fool is None else game.names[outcome.fool]
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


async def test_nobody_is_shown_what_they_may_not_see(chat: Chat, bot: BotProcess) -> None:
    people = await gather(chat, ["Anna", "Boris", "Clara"], house=1)
    spectator = await chat.newcomer("Watcher")
    await play_on(people, random.Random(2))
    await until_result(people[0])
    (game,) = games(bot.database)
    for person in people:
        seat = game.names.index(person.name)
        read = person.has_read()
        assert any("Your 6 cards" in piece.text for piece in read)
        assert not leaks(game, seat, read)
    assert not leaks(game, None, spectator.has_read())
    assert await bot.stop() == 0
    for secret in (*chat.settings.values(), game.opening.seed):
        assert secret.startswith("http") or secret.startswith("ws") or secret not in bot.output
    assert not leaks_in_log(bot.output)


def leaks_in_log(output: str) -> list[str]:
    return [line for line in output.splitlines() if any(sign in line for sign in "♠♥♦♣") or "m:1:" in line]


async def test_six_play_and_play_again(chat: Chat, bot: BotProcess) -> None:
    people = await gather(chat, ["Anna", "Boris", "Clara", "Dima", "Elena", "Fritz"])
    await play_on(people, random.Random(3))
    await until_result(people[0])
    await press(people[2], "Rematch")
    await newest_public(people[0], "game 2")
    await newest_public(people[0], "Players 6 of 6")
    shown, token = await button(people[2], "Start")
    await people[2].presses(shown, token)

    async def second_deal() -> bool:
        return len(games(bot.database)) == 2

    await until(second_deal, "the second deal")
    first, second = games(bot.database)
    outcome = first.outcome
    assert outcome is not None
    if outcome.fool is not None:
        assert second.opening.deal().defender == outcome.fool
