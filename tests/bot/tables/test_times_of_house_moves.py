"""The time of a house player's move does not depend on its cards, whatever kind of move it is."""

from dataclasses import replace
from random import Random

import pytest
from prometheus_client import Counter

from bot.metrics import THOUGHTS_ANSWERED, THOUGHTS_ASKED
from bot.tables.house_players import STAND_IN, thinking_seconds
from bot.tables.schedule import pause_after
from engine import Attack, Defend, Done, Keep, State, Take
from engine.runtime import SAME_MOMENT_SECONDS, Author, GameSession
from tests.bot.running_bot import ANNA, RunningBot
from tests.engine.rules.secrecy import dealt_again

# With transfers and throwing in, and everybody is asked about a new deal.
RULES = "perevodnoy redeal_same_suit=5"
A_MOMENT = 0.01
MOVES = 60


@pytest.mark.parametrize("strength", [pytest.param("expert", marks=pytest.mark.slow), STAND_IN])
async def test_every_move_comes_at_its_time_whatever_cards_are_held(
    slow_bot: RunningBot, strength: str
) -> None:
    """Deals the hidden cards of the house players anew before each of their moves."""
    bot = slow_bot
    table = await bot.opened(ANNA, rules=RULES)
    table = await bot.chooses(table, strength=strength)
    for label in ("Add bot", "Add bot", "Start"):
        await bot.chat.presses(ANNA, bot.table_message().ref, label)

    await bot.settle()
    session = await bot.session(table)
    table = await bot.app.tables.table(table.id)
    chance = Random(7)
    under_way = _thoughts_under_way()
    kinds = set[type[object]]()
    forced = set[bool]()

    for _ in range(MOVES):
        state = _position(session)
        if state.outcome() is not None:
            break

        if 0 in state.awaited:
            await _plays(bot, session, table.id)
            continue

        house = sorted(state.awaited)
        thinking = thinking_seconds(table, house)
        moves_at = session.changed_at + pause_after(session.seen_version)
        begins_in = moves_at - thinking - bot.clock.now()
        if begins_in > A_MOMENT:
            _deal_again(session, chance)
            await bot.skip(begins_in + A_MOMENT / 10)  # no rounding is to make it too early

        forced |= {len(_position(session).legal_moves(seat)) == 1 for seat in house}
        await bot.until(lambda: _thoughts_under_way() == under_way)
        version = session.seen_version
        await bot.skip(moves_at - A_MOMENT - bot.clock.now())
        assert session.seen_version == version, "too early"

        await bot.skip(2 * A_MOMENT)
        if session.seen_version == version:  # a card that is thrown in waits for those that come before it
            await bot.skip(SAME_MOMENT_SECONDS)
            assert isinstance(_actions(session)[-1], Attack), "too late"

        assert session.seen_version > version, "too late"
        kinds |= {
            type(action)
            for entry, action in zip(session.entries[1:], _actions(session), strict=True)
            if entry.author is Author.HOUSE
        }

    assert {Keep, Attack, Defend, Take, Done} <= kinds
    assert forced == {True, False}


def _position(session: GameSession) -> State:
    assert session.state is not None
    return session.state


def _actions(session: GameSession) -> tuple[object, ...]:
    assert session.newest is not None
    return session.newest.actions


def _deal_again(session: GameSession, chance: Random) -> None:
    """Swaps the cards that Anna doesn't see, as nobody can by the front door."""
    known = vars(session)
    state = dealt_again(_position(session), 0, chance)
    known.update(state=state, newest=replace(known["newest"], state=state))


async def _plays(bot: RunningBot, session: GameSession, table: int) -> None:
    moves = list(map(str, _position(session).legal_moves(0)))
    move = next((move for move in ("K", "P") if move in moves), moves[0])
    await bot.chat.presses_token(ANNA, bot.hand_message(ANNA).ref, f"m:{table}:{session.version}:{move}")
    await bot.settle()


def _thoughts_under_way() -> float:
    """Returns how many thoughts have no answer yet, those of earlier tests included."""
    return _counted(THOUGHTS_ASKED) - _counted(THOUGHTS_ANSWERED)


def _counted(counter: Counter) -> float:
    (metric,) = counter.collect()
    return sum(sample.value for sample in metric.samples if sample.name.endswith("_total"))
