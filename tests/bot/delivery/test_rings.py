"""A phone rings when its owner has to act in a new bout and may be elsewhere: the hand is posted again."""

from dataclasses import replace

import pytest

from adapters.port import User
from bot.delivery.rings import PRESENT_SECONDS, QUIET_SECONDS
from bot.model.table import Table
from bot.model.waiting import CALL_AFTER
from tests.bot.messages import place_of
from tests.bot.running_bot import ANNA, BORIS, CLARA, RunningBot

PEOPLE = (ANNA, BORIS, CLARA)
TAKE = "T"
PASS = "P"


@pytest.fixture
async def table(bot: RunningBot) -> Table:
    return await bot.chooses(await bot.dealt(*PEOPLE, rules="podkidnoy-36 throw_in=attacker"), clock=0)


async def roles(bot: RunningBot, table: Table) -> tuple[User, User, User]:
    """Returns the attacker, the defender, and the third player."""
    state = (await bot.session(table)).state
    assert state is not None
    attacker = state.attacker
    defender = state.defender
    return PEOPLE[attacker], PEOPLE[defender], PEOPLE[3 - attacker - defender]


async def attacks(bot: RunningBot, table: Table) -> None:
    await bot.plays(table)
    await bot.settle()


async def takes(bot: RunningBot, table: Table) -> None:
    """Plays a take without an addition: the next bout is that of the third player."""
    attacker, defender, _ = await roles(bot, table)
    await bot.presses_move(table, defender, TAKE)
    await bot.presses_move(table, attacker, PASS)
    await bot.settle()


def rang(bot: RunningBot, user: User) -> int:
    """Returns the number of private messages posted since the last call; there is never more than one."""
    posted = [sent for sent in bot.chat.sent if sent.verb == "post" and sent.place == user.ref]
    bot.chat.sent.clear()
    assert len(bot.chat.sees_alone(user)) == 1
    return len(posted)


async def test_whoever_has_to_act_after_a_while_of_waiting_is_sent_their_hand_anew(
    bot: RunningBot, table: Table
) -> None:
    await attacks(bot, table)
    await bot.skip(QUIET_SECONDS)
    attacker, defender, third = await roles(bot, table)
    bot.chat.sent.clear()
    await takes(bot, table)

    posted = [sent.place for sent in bot.chat.sent if sent.verb == "post"]
    assert posted == [third.ref]
    assert "Your turn: attack" in bot.hand_message(third).text
    assert place_of(bot.hand_message(third).audience) == third.ref
    assert {len(bot.chat.sees_alone(each)) for each in (attacker, defender, third)} == {1}


@pytest.mark.parametrize(("chosen", "called"), [("later", 1), ("table", 0)])
async def test_who_wants_to_be_called_later_or_by_the_table_alone_is(
    bot: RunningBot, table: Table, chosen: str, called: int
) -> None:
    await attacks(bot, table)
    await bot.skip(QUIET_SECONDS)
    _, _, third = await roles(bot, table)

    await bot.chat.types(third, f"/me turn {chosen}")
    bot.chat.forget(bot.chat.sees_alone(third)[-1].ref)  # that answer
    bot.chat.sent.clear()

    await takes(bot, table)
    assert rang(bot, third) == 0

    table = await bot.chooses(table, clock=120)
    await bot.skip(CALL_AFTER)
    assert bot.calls()
    assert rang(bot, third) == called

    await bot.restart()
    await bot.skip(CALL_AFTER)
    assert rang(bot, third) == 0


async def test_nobody_is_rung_within_a_minute_of_the_deal(bot: RunningBot, table: Table) -> None:
    await attacks(bot, table)
    await bot.skip(QUIET_SECONDS - 1)
    _, _, third = await roles(bot, table)
    bot.chat.sent.clear()
    await takes(bot, table)
    assert rang(bot, third) == 0


@pytest.mark.parametrize(("away", "rings"), [(PRESENT_SECONDS - 1, 0), (PRESENT_SECONDS, 1)])
async def test_who_has_just_pressed_is_looking_and_sees_an_edit(
    bot: RunningBot, table: Table, away: float, rings: int
) -> None:
    await attacks(bot, table)
    await bot.skip(QUIET_SECONDS)
    await takes(bot, table)
    await bot.skip(away)
    _, defender, _ = await roles(bot, table)  # the player who passed in the previous bout

    bot.chat.sent.clear()
    await attacks(bot, table)
    assert rang(bot, defender) == rings


async def test_nobody_rings_for_a_move_in_the_same_bout_or_after_a_restart(
    bot: RunningBot, table: Table
) -> None:
    await attacks(bot, table)
    await bot.skip(QUIET_SECONDS)
    attacker, defender, _ = await roles(bot, table)
    bot.chat.sent.clear()
    await bot.presses_move(table, defender, TAKE)
    await bot.settle()
    assert rang(bot, attacker) == 0

    await bot.skip(QUIET_SECONDS)
    bot.chat.sent.clear()
    await bot.restart()
    await bot.settle()

    assert rang(bot, attacker) == 0


async def test_a_hand_that_stands_in_the_room_does_not_ring(bot: RunningBot) -> None:
    bot.chat.limits = replace(bot.chat.limits, ephemeral_seconds=900.0)
    table = await bot.chooses(await bot.dealt(*PEOPLE, rules="podkidnoy-36 throw_in=attacker"), clock=0)
    _, _, third = await roles(bot, table)
    await bot.chat.presses(third, bot.table_message().ref, "My hand")
    await attacks(bot, table)
    await bot.skip(QUIET_SECONDS)
    assert any("Your cards moved to the table" in message.text for message in bot.chat.sees_alone(third))

    bot.chat.sent.clear()
    await takes(bot, table)
    assert [sent for sent in bot.chat.sent if sent.verb == "post"] == []
