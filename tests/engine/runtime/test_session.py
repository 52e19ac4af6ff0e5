"""The promises of a running table: moves are checked, written, and only then shown."""

import asyncio
from dataclasses import replace
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine import EDITION, PRESETS, Defend, Done, InvalidRulesError, Move, Opening, Reason, Rules, State
from engine.runtime import (
    SAME_MOMENT_SECONDS,
    Accepted,
    Author,
    Closed,
    Entry,
    Game,
    GameSession,
    Refused,
    Result,
    Stale,
    Unreadable,
)
from tests.bot.fake_clock import FakeClock
from tests.engine.rules.games import openings
from tests.engine.runtime.playing import (
    OPENING,
    Parts,
    dealt,
    play,
    play_out,
    position,
    runs_at_once,
    some_move,
)
from tests.examples import examples


class DiskFullError(Exception):
    pass


# --- dealing ----------------------------------------------------------------------------------------------


async def test_nothing_is_dealt_at_a_new_table() -> None:
    session = Parts().session()
    assert (session.version, session.game, session.state, session.opening, session.outcome) == (
        0,
        0,
        None,
        None,
        None,
    )
    assert (session.entries, session.events, session.changed_at) == ((), (), 0.0)


async def test_a_deal_is_the_first_version() -> None:
    parts = Parts()
    session = await dealt(parts)
    assert (session.version, session.game, session.opening, session.changed_at) == (1, 1, OPENING, 1000.0)
    assert position(session).to_text() == OPENING.deal().to_text()
    assert [(entry.seat, entry.author, entry.text) for entry in session.entries] == [
        (None, None, OPENING.to_text())
    ]
    assert parts.notebook.notices == [(1, 1)]


async def test_a_running_game_is_not_dealt_over() -> None:
    session = await dealt(Parts())
    assert await session.deal(1, OPENING) == Stale(1)
    assert await session.deal(2, OPENING) == Stale(1)
    assert session.game == 1


async def test_a_game_is_dealt_once() -> None:
    parts = Parts()
    session = await dealt(parts)
    await play_out(session)
    assert await session.deal(1, OPENING) == Stale(session.version)
    results = await asyncio.gather(session.deal(2, OPENING), session.deal(2, OPENING))
    assert sorted(type(result).__name__ for result in results) == ["Accepted", "Stale"]
    assert session.game == 2


async def test_an_earlier_game_is_not_dealt_after_a_later_one() -> None:
    session = Parts().session()
    await session.deal(2, OPENING)
    await play_out(session)
    assert await session.deal(1, OPENING) == Stale(session.version)


async def test_rules_that_do_not_fit_change_nothing() -> None:
    parts = Parts()
    session = parts.session()
    with pytest.raises(InvalidRulesError):
        await session.deal(1, Opening(Rules(deck=24), players=6, seed="1"))

    assert session.version == 0
    assert (parts.journal.entries, parts.notebook.notices) == ({}, [])


# --- moves ------------------------------------------------------------------------------------------------


async def test_an_accepted_move_is_the_next_version_and_brings_its_own_events() -> None:
    parts = Parts()
    session = await dealt(parts)
    parts.clock.time = 1010.0

    for version in (2, 3, 4):
        seat, move = some_move(session)
        step = position(session).apply(seat, Move.parse(move))
        before = session.events
        assert await session.submit(seat, move, session.version) == Accepted(version, step.events)
        assert session.state == step.state
        assert session.events == (*before, *step.events)

    assert session.changed_at == 1010.0
    assert parts.notebook.notices == [(1, 1), (1, 2), (1, 3), (1, 4)]


async def test_a_move_is_written_before_anybody_sees_it() -> None:
    parts = Parts()
    session = await dealt(parts)
    seen_while_writing: list[tuple[int, str, int]] = []

    async def look() -> None:
        await asyncio.sleep(0)
        told = len(parts.notebook.notices)
        seen_while_writing.append((session.version, position(session).to_text(), told))

    parts.journal.before = parts.journal.after = look
    before = position(session).to_text()
    await play(session)

    assert seen_while_writing == [(1, before, 1)] * 2
    assert parts.notebook.notices[1:] == [(1, 2)]


async def test_a_journal_that_fails_leaves_the_table_as_it_was() -> None:
    parts = Parts()
    session = await dealt(parts)
    before = position(session)
    seat, move = some_move(session)

    async def fail() -> None:
        raise DiskFullError

    works = parts.journal.before
    parts.journal.before = fail
    with pytest.raises(DiskFullError):
        await session.submit(seat, move, 1)

    assert (session.state, session.version) == (before, 1)
    assert parts.notebook.notices == [(1, 1), (1, 1)]  # the write may have arrived: a reader finds out

    parts.journal.before = works
    assert isinstance(await session.submit(seat, move, 1), Accepted)


async def test_a_written_but_unreported_move_is_found_by_the_next_one() -> None:
    parts = Parts()
    session = await dealt(parts)
    seat, move = some_move(session)

    async def fail() -> None:
        raise DiskFullError

    works = parts.journal.after
    parts.journal.after = fail
    with pytest.raises(DiskFullError):
        await session.submit(seat, move, 1)

    parts.journal.after = works

    assert await session.submit(seat, move, 1) == Stale(2)
    assert session.entries[-1].text == move


async def test_a_cancelled_press_leaves_the_table_usable() -> None:
    parts = Parts()
    session = await dealt(parts)
    writing = asyncio.Event()

    async def hang() -> None:
        writing.set()
        await asyncio.Event().wait()

    works = parts.journal.before
    parts.journal.before = hang
    async with asyncio.TaskGroup() as tasks:
        press = tasks.create_task(session.submit(*some_move(session), 1))
        await writing.wait()
        press.cancel()

    parts.journal.before = works
    assert session.version == 1

    await play(session)


async def test_the_announcer_is_told_when_the_lock_is_free() -> None:
    parts = Parts()
    session = await dealt(parts)
    free: list[bool] = []
    parts.notebook.on_change = lambda: free.append(runs_at_once(session.load()))
    await play(session)
    assert free == [True]


async def test_a_double_tap_acts_once() -> None:
    parts = Parts()
    session = await dealt(parts)
    seat, move = some_move(session)
    results = await asyncio.gather(*[session.submit(seat, move, 1) for _ in range(5)])
    assert [type(result) for result in results] == [Accepted, Stale, Stale, Stale, Stale]
    assert (session.version, len(parts.journal.entries[1])) == (2, 2)


# --- refused moves ----------------------------------------------------------------------------------------


async def test_a_button_of_another_version_is_stale() -> None:
    parts = Parts()
    session = await dealt(parts)
    seat, move = some_move(session)
    for version in (-1, 0, 2, 99):
        assert await session.submit(seat, move, version) == Stale(1)

    assert parts.notebook.notices == [(1, 1)]


async def test_what_is_against_the_rules_is_refused_with_its_reason() -> None:
    session = await dealt(Parts())
    attacker = position(session).attacker
    idle = next(seat for seat in range(3) if seat not in position(session).actors)
    assert await session.submit(attacker, "T", 1) == Refused(Reason.NOT_DEFENDER)
    assert await session.submit(idle, "P", 1) != Accepted(2)
    assert session.version == 1


@pytest.mark.parametrize("text", ["", "A", "A 9X", "hello", "D 9H", "A 9H\n", "a 9h", "\ud83d", "P P"])
async def test_what_is_no_move_is_unreadable(text: str) -> None:
    session = await dealt(Parts())
    assert await session.submit(position(session).attacker, text, 1) == Unreadable()
    assert session.version == 1


@pytest.mark.parametrize("seat", [-1, 3, 99])
async def test_a_seat_that_is_not_there_cannot_move(seat: int) -> None:
    session = await dealt(Parts())
    _, move = some_move(session)
    assert isinstance(await session.submit(seat, move, 1), Refused)


async def test_without_a_running_game_the_table_is_closed() -> None:
    parts = Parts()
    assert await parts.session().submit(0, "P", 0) == Closed()
    session = await dealt(parts)
    await play_out(session)
    assert await session.submit(0, "P", session.version) == Closed()
    assert parts.journal.outcomes == [session.outcome]


# --- two processes ----------------------------------------------------------------------------------------


async def test_who_comes_second_sees_what_the_first_one_did() -> None:
    parts = Parts()
    mine = await dealt(parts)
    theirs = parts.session()
    await theirs.load()
    await play(theirs)
    await play(theirs)

    assert await mine.submit(*some_move(mine), 1) == Stale(3)
    assert (mine.version, mine.state, mine.entries) == (3, theirs.state, theirs.entries)

    await play(mine)


async def test_a_deal_that_comes_second_changes_nothing() -> None:
    parts = Parts()
    mine = parts.session()
    theirs = parts.session()
    await theirs.deal(1, OPENING)
    assert await mine.deal(1, replace(OPENING, seed="other")) == Stale(1)
    assert mine.opening == OPENING


# --- game after game, start after start -------------------------------------------------------------------


async def test_versions_go_on_through_all_games_of_a_table() -> None:
    session = await dealt(Parts())
    first_move = some_move(session)
    await play_out(session)
    ended_at = session.version
    assert await session.deal(2, replace(OPENING, seed="2")) == Accepted(ended_at + 1)
    assert (session.game, len(session.entries), session.events, session.outcome) == (2, 1, (), None)
    assert await session.submit(*first_move, 1) == Stale(ended_at + 1)


@given(openings(), st.integers())
@examples(6)
async def test_a_table_resumed_at_any_version_is_the_table(opening: Opening, seed: int) -> None:
    parts = Parts()
    rng = Random(seed)
    live = parts.session()
    await live.deal(1, opening)

    while live.outcome is None:
        parts.clock.time += 1
        await play(live, rng)

        # To resume costs as much as all moves before: at every version, a game would take ten seconds.
        if live.outcome is None and rng.random() > 0.2:
            continue

        resumed = parts.session()
        await resumed.load()
        for name in ("version", "game", "state", "opening", "events", "outcome", "changed_at"):
            assert getattr(resumed, name) == getattr(live, name), name

        assert tuple(resumed.entries) == tuple(live.entries)


# --- a press is stale when the facts behind its choice have changed, and only then ------------------------


def facts_weighed(state: State, seat: int) -> tuple[object, ...]:
    """Returns the facts that a player on this seat weighs before a choice."""
    laid = [card for pair in state.bout for card in (pair.attack, pair.beat)]
    cards = [card for card in laid if card is not None]
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
            now = facts_weighed(position(session), seat)
            for version in range(session.version_for(seat), session.version + 1):
                assert facts_weighed(seen[version], seat) == now
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


async def test_an_accusation_counts_from_any_version_of_its_bout_but_of_no_earlier_one() -> None:
    session = Parts().session()
    await session.deal(1, Opening(Rules(cheating=True, throw_in_timing="anytime"), 3, "a"))
    attacker = position(session).attacker
    defender = position(session).defender
    helper = 3 - attacker - defender
    await session.submit(attacker, str(position(session).fair_moves(attacker)[0]), session.version)

    wrong = next(move for move in position(session).sly_moves(defender) if isinstance(move, Defend))
    await session.submit(defender, str(wrong), session.version)
    seen = session.version
    await session.submit(attacker, str(Done()), seen)
    assert await session.submit(helper, f"C {wrong.card}", 1) == Stale(seen + 1)
    assert isinstance(await session.submit(helper, f"C {wrong.card}", seen - 1), Accepted)
    assert position(session).unbeaten == (wrong.attack,)


@pytest.mark.parametrize("attacker", range(4))
async def test_a_throw_in_makes_only_the_defenders_choices_stale(attacker: int) -> None:
    session = Parts().session()
    rules = Rules(throw_in_timing="anytime")
    await session.deal(1, Opening(rules, 4, "68", starters=(attacker,), shuffle=1))

    for _ in ("attack", "throw-in"):
        seen = session.version
        card = str(position(session).legal_moves(attacker)[0])
        assert isinstance(await session.submit(attacker, card, seen), Accepted)

    before = seen
    (_, *helpers) = position(session).throw_order
    assert [session.version_for(seat) for seat in helpers] == [before, before]
    assert session.version_for(position(session).defender) == before + 1


async def test_nobody_presses_the_same_button_twice() -> None:
    session = Parts().session()
    await session.deal(1, Opening(Rules(), 3, "a"))
    state = position(session)
    attack = str(state.legal_moves(state.attacker)[0])
    assert isinstance(await session.submit(state.attacker, attack, 1), Accepted)
    assert await session.submit(state.attacker, attack, 1) == Stale(2)


async def test_an_idle_done_makes_nobodys_attack_stale_in_a_game_of_an_earlier_edition() -> None:
    parts = Parts()
    session = parts.session()
    await session.deal(1, Opening(PRESETS["wikipedia-de"], 4, "5eed", edition=2))
    for seat in range(4):
        await session.submit(seat, "K", session.version)

    seen = session.version
    state = position(session)
    for seat in set(range(4)) - {state.attacker}:
        assert isinstance(await session.submit(seat, "P", seen), Accepted)

    attack = str(state.legal_moves(state.attacker)[0])
    assert isinstance(await session.submit(state.attacker, attack, seen), Accepted)
    resumed = parts.session()
    await resumed.load()
    assert resumed.state == session.state


@pytest.mark.parametrize("edition", [2, EDITION])
@pytest.mark.parametrize("preset", PRESETS)
def test_a_move_that_changes_nothing_for_others_makes_none_of_their_choices_stale(
    preset: str, edition: int
) -> None:
    """Plays a game; whoever has the same choices, against the same cards, can still press an old button."""
    rules = replace(PRESETS[preset], trump_six_exchange=PRESETS[preset].turn_up == "talon_bottom")
    opening = Opening(rules, 4, "5eed", edition=edition)
    game = Game(opening, (Entry(1, 1, 1, None, opening.to_text(), None, 0.0),), opening.deal())
    rng = Random(0)

    while game.state.outcome() is None:
        choices = [(seat, move) for seat in range(4) for move in game.state.legal_moves(seat)]
        seat, move = rng.choice(choices)
        entry = Entry(1, game.entries[-1].version + 1, 1, seat, str(move), Author.PLAYER, 0.0)
        before = game
        game = game.after((entry, move))

        for other in {*range(4)} - {seat}:
            if _sees_the_same_choices(before.state, game.state, other):
                assert game.version_for(other) == before.version_for(other), (seat, str(move), other)


def _sees_the_same_choices(before: State, after: State, seat: int) -> bool:
    def sight(state: State) -> tuple[object, ...]:
        table = (state.bouts, state.bout, state.taking, state.attacker, state.defender)
        return *table, state.hands[seat], state.legal_moves(seat)

    return bool(before.legal_moves(seat)) and sight(before) == sight(after)


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


# --- simultaneous throw-ins are heard in the order of their claims ----------------------------------------


OTHERS_AT_ANY_TIME = Rules(throw_in_timing="anytime", attack_limit=2)


async def ready(
    rules: Rules, *, claimants: int = 2, moment: float = SAME_MOMENT_SECONDS
) -> tuple[GameSession, list[tuple[int, str]]]:
    """Returns a table in a bout in which this many can throw in, and their throw-ins, first claim first."""
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
    """Returns the first throw-in of each seat that has one, in the order of their claims."""
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


# --- a seat that gives up, at a living table -------------------------------------------------------------


async def test_who_resigns_has_lost_whatever_was_on_his_screen() -> None:
    session = await dealt(Parts())
    await play(session)
    assert isinstance(await session.resign(1), Accepted)
    assert session.outcome is not None
    assert session.outcome.fool == 1
    assert [(entry.seat, entry.text, entry.author) for entry in session.entries][-1] == (
        1,
        "resigns",
        Author.PLAYER,
    )


async def test_a_game_that_was_given_up_is_found_so_again() -> None:
    parts = Parts()
    session = await dealt(parts)
    await session.resign(0)
    again = parts.session()
    await again.load()
    assert position(again).to_text() == position(session).to_text()
    assert await again.resign(1) == Closed()


async def test_a_seat_that_is_not_there_cannot_resign() -> None:
    session = await dealt(Parts())
    assert await session.resign(9) == Refused(Reason.NO_SUCH_SEAT)
    assert session.version == 1


async def test_no_button_of_a_move_resigns() -> None:
    session = await dealt(Parts())
    assert await session.submit(0, "resigns", 1) == Unreadable()


# --- absences are counted from the journal, so that a restart forgets none --------------------------------


async def submitted_by(session: GameSession, *authors: Author) -> list[int]:
    """Plays a move for each author and returns the seats that moved."""
    seats = []
    for author in authors:
        seat, move = some_move(session)
        await session.submit(seat, move, session.version, author)
        seats.append(seat)

    return seats


async def moved_alone(parts: Parts, *authors: Author) -> tuple[GameSession, int]:
    """Returns a table in whose journal one seat made moves by these authors, one after another."""
    session = await dealt(parts)
    await play_out(session)
    seat = 0
    own = iter(authors)
    parts.journal.entries[1] = [
        entry if entry.seat != seat else replace(entry, author=next(own, Author.AUTO))
        for entry in parts.journal.entries[1]
    ]
    assert next(own, None) is None, "the game was too short for this test"

    await session.load()
    return session, seat


@pytest.mark.parametrize(
    ("authors", "absences"),
    [
        ([Author.PLAYER], 0),
        ([Author.CLOCK], 1),
        ([Author.CLOCK, Author.CLOCK], 2),
        ([Author.CLOCK, Author.PLAYER], 0),
        ([Author.PLAYER, Author.CLOCK], 1),
        ([Author.CLOCK, Author.CLOCK, Author.HOUSE], 3),
        ([Author.PLAYER, Author.CLOCK, Author.AUTO], 1),
        ([Author.AUTO, Author.AUTO], 0),
    ],
)
async def test_absences_are_the_newest_moves_that_the_person_did_not_make(
    authors: list[Author], absences: int
) -> None:
    session, seat = await moved_alone(Parts(), *authors)
    assert session.absences(seat) == absences


async def test_absences_before_somebody_came_back_are_forgiven() -> None:
    session, seat = await moved_alone(Parts(), Author.CLOCK, Author.CLOCK, Author.CLOCK)
    second = [entry.version for entry in session.entries if entry.author is Author.CLOCK][1]
    assert session.absences(seat, since=second) == 1
    assert session.absences(seat, since=session.version) == 0


async def test_one_seats_absences_are_not_anothers() -> None:
    session = await dealt(Parts())
    seats = await submitted_by(session, Author.CLOCK, Author.PLAYER)
    assert seats[0] != seats[1]
    assert (session.absences(seats[0]), session.absences(seats[1])) == (1, 0)
