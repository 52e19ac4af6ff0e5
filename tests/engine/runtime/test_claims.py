"""Who throws in at the same moment as somebody who comes before is heard after them."""

import asyncio

import pytest

from engine import Opening, Reason, Rules, State
from engine.runtime import SAME_MOMENT_SECONDS, Accepted, GameSession, Refused, Result, Stale
from tests.bot.fake_clock import FakeClock
from tests.engine.runtime.memory import Parts, runs_at_once
from tests.engine.runtime.playing import position

OTHERS_AT_ANY_TIME = Rules(throw_in_timing="anytime", attack_limit=2)


async def ready(
    rules: Rules, *, claimants: int = 2, moment: float = SAME_MOMENT_SECONDS
) -> tuple[GameSession, list[tuple[int, str]]]:
    """A table in a bout in which so many can throw in, and their throw-ins, first claim first."""
    for seed in range(2000):
        session = Parts().session(moment=moment)
        await session.deal(1, Opening(rules, 4, str(seed)))
        attacker = position(session).attacker
        await session.submit(attacker, str(position(session).legal_moves(attacker)[0]), session.version)
        claims = throw_ins(position(session))
        if len(claims) >= claimants and claims[0][0] == attacker:
            return session, claims
    raise AssertionError


def throw_ins(state: State) -> list[tuple[int, str]]:
    """The first throw-in of everybody who has one, in the order of their claims."""
    return [
        (seat, str(moves[0]))
        for seat in state.throw_order
        if (moves := state.legal_moves(seat)) and str(moves[0]).startswith("A")
    ]


async def a_while() -> None:
    for _ in range(20):
        await asyncio.sleep(0)


def claimed(session: GameSession, claim: tuple[int, str]) -> asyncio.Task[Result]:
    return asyncio.create_task(session.submit(*claim, session.version))


async def test_the_attacker_comes_before_a_helper_who_was_a_little_quicker() -> None:
    hours = FakeClock()
    session, (first, second, *_) = await ready(OTHERS_AT_ANY_TIME)
    helper = claimed(session, second)
    await a_while()
    assert not helper.done()
    hours.skip(SAME_MOMENT_SECONDS / 2)
    assert runs_at_once(session.submit(*first, session.version))  # and the attack has two cards
    hours.skip(SAME_MOMENT_SECONDS / 2)
    assert await helper == Refused(Reason.LIMIT)


async def test_a_helper_whom_nobody_comes_before_in_that_moment_is_heard() -> None:
    hours = FakeClock()
    session, (_, second, *_) = await ready(OTHERS_AT_ANY_TIME)
    helper = claimed(session, second)
    await a_while()
    hours.skip(0.9)
    await a_while()
    assert not helper.done()
    hours.skip(0.1)
    await a_while()
    assert helper.done()
    assert isinstance(await helper, Accepted)
    assert [pair.by for pair in position(session).bout][-1] == second[0]


async def test_those_who_wait_go_on_in_their_order() -> None:
    hours = FakeClock()
    rules = Rules(throw_in_timing="anytime", attack_limit=None)
    session, (_, second, third) = await ready(rules, claimants=3)
    later = claimed(session, third)
    await a_while()
    earlier = claimed(session, second)
    await a_while()
    hours.skip(SAME_MOMENT_SECONDS)
    assert [isinstance(result, Accepted) for result in (await later, await earlier)] == [True, True]
    assert [pair.by for pair in position(session).bout][-2:] == [second[0], third[0]]


async def test_what_the_defender_does_in_that_moment_does_not_lose_the_claim() -> None:
    hours = FakeClock()
    session, (_, second, *_) = await ready(OTHERS_AT_ANY_TIME)
    helper = claimed(session, second)
    await a_while()
    defender = position(session).defender
    assert isinstance(await session.submit(defender, "T", session.version), Accepted)
    hours.skip(SAME_MOMENT_SECONDS)
    assert isinstance(await helper, Accepted)


@pytest.mark.parametrize("behind", [0, 1])
async def test_who_has_not_seen_yet_that_another_is_done_gives_way_like_who_has(behind: int) -> None:
    hours = FakeClock()
    session, (first, second, *_) = await ready(OTHERS_AT_ANY_TIME)
    (other,) = set(range(4)) - {first[0], position(session).defender, second[0]}
    assert isinstance(await session.submit(other, "P", session.version), Accepted)
    helper = asyncio.create_task(session.submit(*second, session.version - behind))
    await a_while()
    assert not helper.done()
    hours.skip(SAME_MOMENT_SECONDS)
    assert isinstance(await helper, Accepted)


@pytest.mark.parametrize("is_next_begun", [False, True])
async def test_a_claim_is_stale_when_its_bout_is_over(is_next_begun: bool) -> None:
    hours = FakeClock()
    rules = Rules(throw_in_timing="anytime", throw_in_after_take="none")
    session, (_, second, *_) = await ready(rules)
    helper = claimed(session, second)
    await a_while()
    assert isinstance(await session.submit(position(session).defender, "T", session.version), Accepted)
    assert not position(session).bout
    if is_next_begun:
        attacker = position(session).attacker
        attack = str(position(session).legal_moves(attacker)[0])
        assert isinstance(await session.submit(attacker, attack, session.version), Accepted)
    hours.skip(SAME_MOMENT_SECONDS)
    assert isinstance(await helper, Stale)


async def test_who_leaves_while_waiting_holds_nobody_up() -> None:
    hours = FakeClock()
    session, (first, second, *_) = await ready(OTHERS_AT_ANY_TIME)
    helper = claimed(session, second)
    await a_while()
    helper.cancel()
    hours.skip(SAME_MOMENT_SECONDS)
    await a_while()
    assert isinstance(await claimed(session, first), Accepted)


@pytest.mark.parametrize("order", ["free", "strict"])
async def test_in_other_orders_nobody_waits(order: str) -> None:
    FakeClock()
    rules = OTHERS_AT_ANY_TIME.with_options([f"throw_in_order={order}"])
    for seed in range(500):
        session = Parts().session(moment=SAME_MOMENT_SECONDS)
        await session.deal(1, Opening(rules, 4, str(seed)))
        attacker = position(session).attacker
        await session.submit(attacker, str(position(session).legal_moves(attacker)[0]), session.version)
        claims = [claim for claim in throw_ins(position(session)) if claim[0] != attacker]
        if claims:
            break
    assert isinstance(await claimed(session, claims[0]), Accepted)


async def test_without_pauses_nobody_waits() -> None:
    FakeClock()
    session, (_, second, *_) = await ready(OTHERS_AT_ANY_TIME, moment=0.0)
    assert runs_at_once(session.submit(*second, session.version))
    assert [pair.by for pair in position(session).bout][-1] == second[0]


async def test_what_is_not_allowed_is_refused_at_once() -> None:
    FakeClock()
    session, (_, second, *_) = await ready(OTHERS_AT_ANY_TIME)
    missing = next(
        card for card in OTHERS_AT_ANY_TIME.cards(4) if card not in position(session).hands[second[0]]
    )
    assert isinstance(await session.submit(second[0], f"A {missing}", session.version), Refused)
    assert isinstance(await session.submit(*second, session.version - 1), Stale)
    assert isinstance(await session.submit(second[0], "P", session.version), Accepted)
