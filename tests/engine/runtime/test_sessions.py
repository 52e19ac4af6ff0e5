"""All tables of a process: found once, replayed, and frozen when the disk contradicts itself."""

import asyncio
from dataclasses import replace
from random import Random

import pytest
from structlog.testing import capture_logs

from engine import PRESETS, Opening
from engine.runtime import Accepted, Game, GameSession, GameSessions, SessionFrozenError
from tests.engine.runtime.memory import Parts, Weather

OPENING = Opening(PRESETS["podkidnoy-36"], players=2, seed="c0ffee5eed")


def tables_of(parts: Parts) -> GameSessions:
    return GameSessions(parts.journal, parts.clock.now, parts.notebook)


async def played(parts: Parts, moves: int = 6) -> GameSession:
    session = parts.session(7)
    await session.deal(1, OPENING)
    rng = Random(2)
    for _ in range(moves):
        assert session.state is not None
        seat = rng.choice(sorted(session.state.actors))
        move = rng.choice(session.state.legal_moves(seat))
        assert isinstance(await session.submit(seat, str(move), session.version), Accepted)
    return session


async def test_a_table_is_found_as_it_was_left() -> None:
    parts = Parts()
    left = await played(parts)
    found = await tables_of(parts).find(7)
    assert found is not left
    assert (found.version, found.state, found.events) == (left.version, left.state, left.events)


async def test_a_table_without_a_game_is_at_version_0() -> None:
    assert (await tables_of(Parts()).find(7)).version == 0


async def test_a_table_is_loaded_once_and_is_always_the_same() -> None:
    parts = Parts()
    await played(parts)
    sessions, before = tables_of(parts), parts.journal.reads
    Weather(parts.journal, Random(1), failing=0.0)
    found = await asyncio.gather(*[sessions.find(7) for _ in range(5)])
    assert {id(session) for session in found} == {id(await sessions.find(7))}
    assert parts.journal.reads == before + 1


async def test_a_forgotten_table_is_read_again() -> None:
    parts = Parts()
    left = await played(parts)
    sessions = tables_of(parts)
    first = await sessions.find(7)
    sessions.forget(7)
    sessions.forget(8)
    second = await sessions.find(7)
    assert second is not first
    assert second.state == left.state


@pytest.mark.parametrize("snapshot", ["", OPENING.deal().to_text(), "~"])
async def test_a_snapshot_that_contradicts_the_journal_freezes_the_session(snapshot: str) -> None:
    parts = Parts()
    left = await played(parts)
    right = parts.journal.snapshots[7]
    parts.journal.snapshots[7] = snapshot
    sessions = tables_of(parts)
    for _ in range(2):
        with pytest.raises(SessionFrozenError):
            await sessions.find(7)
    parts.journal.snapshots[7] = right
    assert (await sessions.find(7)).state == left.state


@pytest.mark.parametrize("text", ["A 2S", "nonsense", "T"])
async def test_a_move_that_cannot_be_replayed_freezes_the_table(text: str) -> None:
    parts = Parts()
    await played(parts)
    parts.journal.entries[7][1] = replace(parts.journal.entries[7][1], text=text)
    with pytest.raises(SessionFrozenError):
        await tables_of(parts).find(7)


@pytest.mark.parametrize("text", ["", "players=2", "players=2 dealer=0 seed=1 rules: podkidnoy-36 deck=37"])
async def test_an_opening_that_cannot_be_dealt_freezes_the_table(text: str) -> None:
    parts = Parts()
    await played(parts)
    parts.journal.entries[7][0] = replace(parts.journal.entries[7][0], text=text)
    with pytest.raises(SessionFrozenError):
        await tables_of(parts).find(7)


async def test_a_move_without_a_seat_freezes_the_table() -> None:
    parts = Parts()
    await played(parts)
    parts.journal.entries[7][1] = replace(parts.journal.entries[7][1], seat=None)
    with pytest.raises(SessionFrozenError):
        await tables_of(parts).find(7)


@pytest.mark.parametrize("what", ["snapshot", "move", "opening"])
async def test_a_frozen_table_is_logged_without_cards(what: str) -> None:
    parts = Parts()
    left = await played(parts)
    entries = parts.journal.entries[7]
    if what == "snapshot":
        parts.journal.snapshots[7] = OPENING.deal().to_text()
    else:
        spoiled = 1 if what == "move" else 0
        entries[spoiled] = replace(entries[spoiled], text="A 9H AS")
    with capture_logs() as lines, pytest.raises(SessionFrozenError) as frozen:
        await tables_of(parts).find(7)
    assert [(line["event"], line["log_level"], line["table"]) for line in lines] == [
        ("table_frozen", "error", 7)
    ]
    said = f"{lines} {frozen.value} {frozen.value.__cause__!r}"
    assert left.state is not None
    cards = [str(card) for card in OPENING.deck]
    assert not [card for card in cards if card in said]
    assert OPENING.seed not in said


async def test_what_is_written_down_is_not_in_a_repr() -> None:
    parts = Parts()
    session = await played(parts)
    saved = await parts.journal.newest_game(7)
    assert saved is not None
    game = Game.replayed(saved)
    said = f"{saved!r} {game!r} {session.entries!r} {session!r} {parts.journal.entries[7][0]}"
    assert OPENING.seed not in said
    assert not [card for card in map(str, OPENING.deck) if card in said]
