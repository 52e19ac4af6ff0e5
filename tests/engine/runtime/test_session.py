"""What a living table promises: checked, written down, and only then shown."""

import asyncio
from dataclasses import replace
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine import InvalidRulesError, Opening, Reason, Rules, parse_move
from engine.runtime import Accepted, Closed, Refused, Stale, Unreadable
from tests.engine.rules.games import openings
from tests.engine.runtime.memory import Parts, runs_at_once
from tests.engine.runtime.playing import OPENING, dealt, play, play_out, position, some_move
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
    assert parts.notebook.told == [(1, 1)]


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
    assert (parts.journal.entries, parts.notebook.told) == ({}, [])


# --- moves ------------------------------------------------------------------------------------------------


async def test_an_accepted_move_is_the_next_version_and_brings_its_own_events() -> None:
    parts = Parts()
    session = await dealt(parts)
    parts.clock.time = 1010.0
    for version in (2, 3, 4):
        seat, move = some_move(session)
        step = position(session).apply(seat, parse_move(move))
        before = session.events
        assert await session.submit(seat, move, session.version) == Accepted(version, step.events)
        assert session.state == step.state
        assert session.events == (*before, *step.events)
    assert session.changed_at == 1010.0
    assert parts.notebook.told == [(1, 1), (1, 2), (1, 3), (1, 4)]


async def test_a_move_is_written_before_anybody_sees_it() -> None:
    parts = Parts()
    session = await dealt(parts)
    seen_while_writing: list[tuple[int, str, int]] = []

    async def look() -> None:
        await asyncio.sleep(0)
        told = len(parts.notebook.told)
        seen_while_writing.append((session.version, position(session).to_text(), told))

    parts.journal.before = parts.journal.after = look
    before = position(session).to_text()
    await play(session)
    assert seen_while_writing == [(1, before, 1)] * 2
    assert parts.notebook.told[1:] == [(1, 2)]


async def test_a_journal_that_fails_leaves_the_table_as_it_was() -> None:
    parts = Parts()
    session = await dealt(parts)
    before = position(session)
    seat, move = some_move(session)

    async def fail() -> None:
        raise DiskFullError

    parts.journal.before, works = fail, parts.journal.before
    with pytest.raises(DiskFullError):
        await session.submit(seat, move, 1)
    assert (session.state, session.version) == (before, 1)
    assert parts.notebook.told == [(1, 1), (1, 1)]  # the write may have arrived: whoever looks, finds out

    parts.journal.before = works
    assert isinstance(await session.submit(seat, move, 1), Accepted)


async def test_a_written_but_unreported_move_is_found_by_the_next_one() -> None:
    parts = Parts()
    session = await dealt(parts)
    seat, move = some_move(session)

    async def fail() -> None:
        raise DiskFullError

    parts.journal.after, works = fail, parts.journal.after
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

    parts.journal.before, works = hang, parts.journal.before
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


# --- what is not played -----------------------------------------------------------------------------------


async def test_a_button_of_another_version_is_stale() -> None:
    parts = Parts()
    session = await dealt(parts)
    seat, move = some_move(session)
    for version in (-1, 0, 2, 99):
        assert await session.submit(seat, move, version) == Stale(1)
    assert parts.notebook.told == [(1, 1)]


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
    mine, theirs = parts.session(), parts.session()
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
    parts, rng = Parts(), Random(seed)
    live = parts.session()
    await live.deal(1, opening)
    while True:
        resumed = parts.session()
        await resumed.load()
        for name in ("version", "game", "state", "opening", "events", "outcome", "changed_at"):
            assert getattr(resumed, name) == getattr(live, name), name
        assert tuple(resumed.entries) == tuple(live.entries)
        if live.outcome is not None:
            break
        parts.clock.time += 1
        await play(live, rng)
