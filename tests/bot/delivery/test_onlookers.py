"""Hands of players without a choice are updated a little later, after those of the awaited players."""

from dataclasses import replace

import pytest

from adapters.port import Budget, Budgets, User
from bot.model.messages import OnlyInRoom
from bot.model.table import Table
from engine import Defend, State
from tests.bot.chat import person
from tests.bot.messages import Message
from tests.bot.running_bot import ANNA, BORIS, CLARA, RunningBot

PAUSE = 10.0
PEOPLE = (ANNA, BORIS, CLARA)


@pytest.fixture
async def table(bot: RunningBot) -> Table:
    bot.chat.budgets = Budgets(Budget(0.0, 5), Budget(0.0, 5), onlooker_pause=PAUSE)
    return await bot.dealt(*PEOPLE)


async def onlooker(bot: RunningBot, table: Table) -> User:
    state = await state_of(bot, table)
    (seat,) = {0, 1, 2} - {state.attacker, state.defender}
    return PEOPLE[seat]


async def test_whoever_has_to_act_sees_a_move_at_once_and_an_onlooker_after_a_pause(
    bot: RunningBot, table: Table
) -> None:
    await bot.plays(table)
    await bot.settle()
    waits = await onlooker(bot, table)
    assert "🛡 " in bot.hand_message(await bot.waiting_for(table)).text
    assert "On the table" not in bot.hand_message(waits).text
    await bot.skip(PAUSE)
    assert "On the table" in bot.hand_message(waits).text


async def test_an_onlooker_sees_a_move_after_a_pause_where_the_hand_stands_in_the_room_too(
    bot: RunningBot, table: Table
) -> None:
    bot.chat.limits = replace(bot.chat.limits, ephemeral_seconds=900.0)
    waits = await onlooker(bot, table)
    await bot.chat.presses(waits, bot.table_message().ref, "My hand")
    await bot.settle()

    await bot.chat.presses(waits, in_room(bot, waits).ref, "⇅")
    await bot.plays(table)
    await bot.settle()
    assert "On the table" not in in_room(bot, waits).text

    await bot.skip(PAUSE)
    assert "On the table" in in_room(bot, waits).text


async def test_the_private_hand_of_an_onlooker_is_no_second_hand_once_it_stands_in_the_room(
    bot: RunningBot, table: Table
) -> None:
    bot.chat.limits = replace(bot.chat.limits, ephemeral_seconds=900.0)
    await bot.plays(table)
    await bot.skip(PAUSE)
    waits = await onlooker(bot, table)

    await bot.chat.presses(waits, bot.hand_message(waits).ref, "⇅")  # whatever can wait comes after a pause
    await bot.settle()
    await bot.chat.presses(waits, bot.table_message().ref, "My hand")
    await bot.settle()

    (private,) = [
        message for message in bot.chat.sees_alone(waits) if not isinstance(message.audience, OnlyInRoom)
    ]
    assert private.text.startswith("Your cards moved to the table")
    assert [button.label for button in private.buttons] == ["Show them here", "Don’t write to me here"]


def in_room(bot: RunningBot, user: User) -> Message:
    """Returns the player's ephemeral messages in the room."""
    (message,) = [each for each in bot.chat.sees_alone(user) if isinstance(each.audience, OnlyInRoom)]
    return message


async def test_who_attacks_whom_is_seen_at_once_by_all_as_is_how_the_bout_before_ended(
    bot: RunningBot,
) -> None:
    """Covers the next defender, who got no cards and isn't asked yet, but is already attacked."""
    bot.chat.budgets = Budgets(Budget(0.0, 5), Budget(0.0, 5), onlooker_pause=PAUSE)
    people = (*PEOPLE, person("Dora"))
    table = await bot.chooses(await bot.dealt(*people), clock=0, throw_in_seconds=0)
    state = await state_of(bot, table)
    got_cards = {state.attacker, state.defender}

    await bot.plays(table)
    await bot.presses_move(table, await bot.waiting_for(table), "T")
    await bot.settle()
    await bot.skip(PAUSE)

    while (state := await state_of(bot, table)).bout:
        await bot.presses_move(table, await bot.waiting_for(table), "P")

    await bot.settle()
    assert state.defender not in got_cards
    for player in people:
        assert "On the table" not in bot.hand_message(player).text

    defender = bot.hand_message(people[state.defender]).text
    assert f"{people[state.attacker].name} attacks you" in defender or "🛡" in defender


@pytest.mark.parametrize("end", ["beaten", "taken"])
async def test_who_is_awaited_is_seen_at_once_by_all(bot: RunningBot, end: str) -> None:
    """Covers every player who can only look on while the others are asked in turn whether they throw in."""
    bot.chat.budgets = Budgets(Budget(0.0, 5), Budget(0.0, 5), onlooker_pause=PAUSE)
    people = (*PEOPLE, person("Dora"))
    dealt = await bot.dealt(*people, rules="podkidnoy-36 throw_in_order=strict", seed="0" * 64)
    table = await bot.chooses(dealt, clock=0, throw_in_seconds=0)
    await bot.skip(PAUSE)
    await bot.plays(table)
    await bot.settle()

    state = await state_of(bot, table)
    beats = [move for move in state.legal_moves(state.defender) if isinstance(move, Defend)]
    assert beats
    await bot.presses_move(table, people[state.defender], str(beats[0]) if end == "beaten" else "T")
    await bot.settle()

    rounds = 0
    while (state := await state_of(bot, table)).bout:
        (awaited,) = state.awaited
        for seat, player in enumerate(people):
            line = bot.hand_message(player).text.split("\n")[0]
            assert seat == awaited or f"{people[awaited].name} can still throw in" in line, player.name

        await bot.presses_move(table, people[awaited], "P")
        await bot.settle()
        rounds += 1

    assert rounds > 1


async def state_of(bot: RunningBot, table: Table) -> State:
    state = (await bot.session(table)).state
    assert state is not None
    return state
