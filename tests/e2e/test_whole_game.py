"""Whole games through the shipped entry point, from /durak to the leaderboard."""

import random
from collections.abc import Sequence

import pytest

from bot.model.standings import MIN_GAMES
from tests.e2e import discord
from tests.e2e.chats import Chat, Person
from tests.e2e.game import SHORT, button, gather, heard, newest_public, play_on, press, result, until
from tests.e2e.knowledge import leaks
from tests.e2e.process import BotProcess
from tests.e2e.record import Game, games, results, tallies

NAMES = ("Anna", "Boris", "Clara", "Dima")
# The answer to a player who opens the private chat before a game.
WELCOME = "your cards will come here when the game starts"


async def result_said_to(person: Person) -> str:
    shown = await until(lambda: result(person), "the result")
    return shown.text


def nobody_saw_too_much(game: Game, people: Sequence[Person]) -> None:
    """Checks every byte that reached anyone; people without a seat are spectators."""
    for person in people:
        seat = game.names.index(person.name) if person.name in game.names else None
        read = person.has_read()
        assert any("· deck" in piece.text for piece in read)
        assert any("Your 6 cards" in piece.text for piece in read) is (seat is not None)
        assert not leaks(game, seat, read)


async def only_the_hand_rang_and_the_end_is_left(game: Game, people: Sequence[Person]) -> None:
    """Checks the first version of each private message, which makes a phone ring, and the last.

    On a slow machine a game takes minutes, in which a hand may ring again. On Discord the answer to Join or
    Start becomes the hand, so nothing comes in private.
    """
    for person in people:
        welcomes = [text for text in person.rang() if WELCOME in text]  # it may arrive with the first hand
        hands = [text for text in person.rang() if WELCOME not in text]
        if isinstance(person, discord.Member):
            assert not hands
        else:
            assert "Your 6 cards" in hands[0]
            assert [text for text in hands if "Your " not in text] == []

        async def is_over(person: Person = person) -> str:
            kept = (message.text for message in await person.private())
            return next((text for text in kept if text.startswith(("🏆 ", "✅ ", "🃏 ", "🤝 "))), "")

        left = await until(is_over, "the end, for each player alone")

        most = min(len(hands), 1) + len(welcomes)

        async def is_tidy(person: Person = person, most: int = most) -> bool:
            return len(await person.keeps()) == most

        await until(is_tidy, "the older hands of a player to be deleted")

        outcome = game.outcome
        seat = game.names.index(person.name)
        assert outcome is not None

        if seat in outcome.order and not outcome.is_draw:
            place = outcome.order.index(seat) + 1
            safe = f"✅ You’re safe! Place {place} of {len(game.names)}"
            assert ("🏆 You win!" if place == 1 else safe) in left

        assert ("You’re the fool!" in left) is (outcome.fool == seat)


async def tallies_are_those_of(played: Sequence[Game], bot: BotProcess, person: Person) -> None:
    """Checks the chat's statistics and the result rows against a recount of the moves."""
    counted = tallies(played)
    assert results(bot.database) == counted

    board = await heard(person, "/leaderboard")
    fools = await heard(person, "/fool")
    for name, tally in counted.items():
        line = f"{name} · {tally.fools} of 1"
        assert line in board.replace("· fool in ", "· ")
        assert f"{line} game · {tally.fools}" in fools

    stats = await heard(person, "/stats")
    own = counted[person.name]
    drawn = f"{'Time' if own.fools == 1 else 'Times'} the fool{own.fools}"  # on the page
    assert f"1 game, fool in {own.fools} (" in stats or drawn in stats
    words = (
        stats.replace("\N{NO-BREAK SPACE}", " ").replace(":", "").lower()
    )  # the page draws labels and figures
    assert ("out first 1" in words) is bool(own.first_out)
    assert ("draws 1" in words) is bool(own.draws)
    assert f"Place and rating after {MIN_GAMES - 1} more games" in stats


TABLES = {
    "telegram-house": ("telegram", "/durak", NAMES[:2], 1),
    "discord-house": ("discord", "/durak podkidnoy-24", NAMES[:2], 1),
    "discord-four": ("discord", "/durak podkidnoy-24", NAMES, 0),
    "web-house": ("web", "/durak podkidnoy-24", NAMES[:2], 1),
}


@pytest.mark.parametrize(
    ("chat", "command", "names", "house"), TABLES.values(), ids=TABLES, indirect=["chat"]
)
async def test_a_game_ends_as_recorded_and_nobody_saw_what_they_may_not(
    chat: Chat, bot: BotProcess, command: str, names: Sequence[str], house: int
) -> None:
    people = await gather(chat, names, house=house, command=command)
    spectator = await chat.newcomer("Watcher")
    await play_on(people, random.Random(2))
    said = await result_said_to(people[0])

    (game,) = games(bot.database)
    outcome = game.outcome
    assert outcome is not None

    fool = None if outcome.fool is None else game.names[outcome.fool] or "🤖 Ada"
    assert (f"{fool} is the fool!" if fool else "A draw") in said
    assert game.opening.seed not in said
    assert game.opening.seed in await heard(people[0], "/verify")

    await only_the_hand_rang_and_the_end_is_left(game, people)
    await tallies_are_those_of([game], bot, people[0])
    nobody_saw_too_much(game, [*people, spectator])
    assert not spectator.rang()


# Not on the page: whole games are played there by other tests, and browsers cost the most time.
@pytest.mark.parametrize("chat", ["telegram", "discord"], indirect=True)
async def test_two_play_again_and_the_fool_is_attacked(chat: Chat, bot: BotProcess) -> None:
    people = await gather(chat, ["Anna", "Boris"], command=SHORT)
    await play_on(people, random.Random(1))
    await result_said_to(people[0])
    await press(people[1], "Rematch")
    await newest_public(people[0], "game 2")
    await press(people[0], "Join")
    await newest_public(people[0], "2 of 2")
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
