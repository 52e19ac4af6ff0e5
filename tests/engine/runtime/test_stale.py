"""A press is stale when what the presser would look at has changed, and only then."""

from random import Random

import pytest

from engine import EDITION, Done, Opening, Rules, State
from engine.runtime import Accepted, Stale
from tests.engine.runtime.memory import Parts
from tests.engine.runtime.playing import play, play_out, position


def looked_at(state: State, seat: int) -> tuple[object, ...]:
    """What somebody on this seat looks at before choosing."""
    cards = [card for pair in state.bout for card in (pair.attack, pair.beat) if card is not None]
    lies = tuple(cards) if seat == state.defender else frozenset(card.rank for card in cards)
    return state.hands[seat], state.attacker, state.defender, state.taking, lies, len(state.talon)


@pytest.mark.parametrize("seed", ["a", "b", "c", "d"])
async def test_choices_last_while_nothing_changes_that_one_would_look_at(seed: str) -> None:
    session = Parts().session()
    await session.deal(1, Opening(Rules(), 5, seed))
    rng = Random(seed)
    seen = {session.version: position(session)}
    lasted = 0
    while session.outcome is None:
        for seat in range(5):
            now = looked_at(position(session), seat)
            for version in range(session.version_for(seat), session.version + 1):
                assert looked_at(seen[version], seat) == now
                lasted += version < session.version
        await play(session, rng)
        seen[session.version] = position(session)
    assert lasted


async def test_two_who_are_done_at_the_same_moment_are_both_heard() -> None:
    session = Parts().session()
    await session.deal(1, Opening(Rules(), 3, "a"))
    state = position(session)
    attack = state.legal_moves(state.attacker)[0]
    await session.submit(state.attacker, str(attack), session.version)
    state = position(session)
    await session.submit(state.defender, "T", session.version)
    helpers = sorted(position(session).awaited)
    assert len(helpers) == 2
    version = session.version
    first, second = [await session.submit(seat, str(Done()), version) for seat in helpers]
    assert isinstance(first, Accepted)
    assert isinstance(second, Accepted)


async def test_a_choice_made_before_the_defender_took_is_stale() -> None:
    session = Parts().session()
    await session.deal(1, Opening(Rules(), 3, "a"))
    state = position(session)
    await session.submit(state.attacker, str(state.legal_moves(state.attacker)[0]), session.version)
    version = session.version
    await session.submit(state.defender, "T", version)
    assert await session.submit(state.attacker, str(Done()), version) == Stale(version + 1)


@pytest.mark.parametrize("attacker", range(4))
async def test_a_throw_in_makes_only_the_defenders_choices_stale(attacker: int) -> None:
    session = Parts().session()
    rules = Rules(throw_in_timing="anytime")
    await session.deal(1, Opening(rules, 4, "68", starters=(attacker,)))
    for _ in ("attack", "throw-in"):
        seen = session.version
        card = str(position(session).legal_moves(attacker)[0])
        assert isinstance(await session.submit(attacker, card, seen), Accepted)
    before, (_, *helpers) = seen, position(session).throw_order
    assert [session.version_for(seat) for seat in helpers] == [before, before]
    assert session.version_for(position(session).defender) == before + 1


async def test_nobody_presses_the_same_button_twice() -> None:
    session = Parts().session()
    await session.deal(1, Opening(Rules(), 3, "a"))
    state = position(session)
    attack = str(state.legal_moves(state.attacker)[0])
    assert isinstance(await session.submit(state.attacker, attack, 1), Accepted)
    assert await session.submit(state.attacker, attack, 1) == Stale(2)


async def test_that_another_keeps_the_cards_makes_nobodys_answer_stale() -> None:
    session = Parts().session()
    await session.deal(1, Opening(Rules(redeal_same_suit=5), players=3, seed="5eed", edition=EDITION))
    for seat in (2, 0, 1):
        assert isinstance(await session.submit(seat, "K", 1), Accepted)
    attacker = position(session).attacker
    attack = str(position(session).legal_moves(attacker)[0])
    assert isinstance(await session.submit(attacker, attack, 1), Stale)
    assert isinstance(await session.submit(attacker, attack, session.version), Accepted)


async def test_a_game_that_an_earlier_version_has_dealt_goes_on_without_asking() -> None:
    parts = Parts()
    session = parts.session()
    opening = Opening.from_text("players=3 dealer=2 seed=5eed rules: podkidnoy-36 redeal_same_suit=5")
    await session.deal(1, opening)
    await play_out(session)
    resumed = parts.session()
    await resumed.load()
    assert resumed.state == session.state
    assert all(entry.text != "K" for entry in resumed.entries)
