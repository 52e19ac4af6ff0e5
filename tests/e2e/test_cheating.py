"""Whole games in which people cheat, are caught and see ghosts, while the bot is killed."""

import random
from collections.abc import Sequence
from contextlib import suppress

import pytest

from bot.locale import Translator
from bot.model.buttons import OpenCheating, ShowHand
from bot.screens.cheating import MAX_UNSEEN
from bot.screens.typed_moves import typed_form
from engine import AccusedWrongly, Caught, Record, Resign, is_honest, parse_action, verify
from tests.e2e.chats import Chat, Person
from tests.e2e.game import MOVE, Chosen, gather, play_on, result, until
from tests.e2e.knowledge import leaks
from tests.e2e.process import BotProcess
from tests.e2e.record import games
from tests.e2e.web import Visitor

COMMAND = "/durak podkidnoy-24 hand_size=8 cheating=on throw_in_timing=anytime"
PEOPLE = ("Anna", "Boris", "Clara")
OPENER = f"{OpenCheating.prefix}:"
BACK = f"{ShowHand.prefix}:"
SEEDS = {"telegram": 3, "discord": 4, "web": 5}


async def types_a_sly_move(person: Person, bot: BotProcess, chance: random.Random) -> None:
    """Cheats or points at a card by typing, if the person may now."""
    game = games(bot.database)[-1]
    *_, (_, state) = game.positions()
    seat = game.names.index(person.name)
    moves = state.sly_moves(seat)
    if moves:
        view = state.view_for(seat)
        text = typed_form(chance.choice(moves), view, state.legal_moves(seat), Translator("en"))
        await person.types(f"/play {text}")


async def presses_a_sly_move(person: Person, chance: random.Random) -> None:
    """Cheats or points at a card by buttons, if the person has them now, and ends at the hand in any case."""
    with suppress(LookupError):  # the hand was redrawn meanwhile
        if not await presses_one_of(person, chance, OPENER):
            return

        while not await presses_one_of(person, chance, MOVE):
            if not await presses_one_of(person, chance, OPENER):  # which card first, then what it beats
                break

    with suppress(LookupError):
        await presses_one_of(person, chance, BACK)


async def presses_one_of(person: Person, chance: random.Random, kind: str) -> bool:
    """Presses one of the newest private buttons whose token begins like this; False if there is none."""
    for shown in reversed(await person.private()):
        tokens = [token for token in shown.buttons if token.startswith(kind)]
        if tokens:
            await person.presses(shown, chance.choice(tokens))
            return True

    return False


async def play_slyly(
    people: Sequence[Person], bot: BotProcess, chance: random.Random, chosen: Chosen, rounds: int
) -> None:
    """Presses moves by the rules, and after every other one a sly one, by buttons or, in chats, by typing."""
    for number in range(rounds):
        await play_on(people, chance, 2, chosen)
        if await result(people[0]) is not None:
            return

        person = chance.choice(people)
        if number % 2 or isinstance(person, Visitor):
            await presses_a_sly_move(person, chance)
        else:
            await types_a_sly_move(person, bot, chance)


@pytest.mark.parametrize("chat", ["telegram", "discord", "web"], indirect=True)
async def test_people_cheat_and_catch_one_another_and_the_result_tells_the_rest(
    chat: Chat, bot: BotProcess, request: pytest.FixtureRequest
) -> None:
    people = await gather(chat, PEOPLE, command=COMMAND)
    chance = random.Random(SEEDS[request.node.callspec.params["chat"]])
    chosen = Chosen()

    await play_slyly(people, bot, chance, chosen, 8)
    await bot.restart_after_a_crash()
    await play_slyly(people, bot, chance, chosen, 8)
    await play_on(people, chance, chosen=chosen)
    shown = await until(lambda: result(people[0]), "the result")

    (game,) = games(bot.database)
    outcome = game.outcome
    assert outcome is not None
    told = {line for line in shown.text.splitlines() if "Nobody saw" in line}  # also beside the picture
    assert len(told) == len(set(outcome.unseen[:MAX_UNSEEN]))

    record = Record(game.opening, tuple((line.seat or 0, parse_action(line.text)) for line in game.moves))
    assert verify(record).is_played
    state = record.opening.deal()
    cheats = 0
    pointed = 0
    for (_, action), step in zip(record.actions, record.steps(), strict=True):
        assert not isinstance(action, Resign)
        cheats += not is_honest(state, action)
        pointed += any(isinstance(event, Caught | AccusedWrongly) for event in step.events)
        state = step.state

    assert cheats
    assert pointed
    for person in people:
        assert not leaks(game, game.names.index(person.name), person.has_read())
