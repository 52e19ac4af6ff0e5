"""All tables of a process: loaded once, replayed, and frozen if the record contradicts itself."""

import asyncio
from dataclasses import replace
from random import Random

import pytest
from structlog.testing import capture_logs

from engine import PRESETS, Opening
from engine.runtime import Accepted, Game, GameSession, GameSessions, Result, SessionFrozenError, Stale
from tests.engine.runtime.playing import (
    OPENING,
    DiskTroubleError,
    Notebook,
    Parts,
    Weather,
    dealt,
    play_out,
    position,
    some_move,
)
from tests.examples import share

FOR_TWO = Opening(PRESETS["podkidnoy-36"], players=2, seed="c0ffee5eed")


def tables_of(parts: Parts) -> GameSessions:
    return GameSessions(parts.journal, parts.clock.now, parts.notebook)


async def played(parts: Parts, moves: int = 6) -> GameSession:
    session = parts.session(7)
    await session.deal(1, FOR_TWO)
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
    sessions = tables_of(parts)
    before = parts.journal.reads
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


@pytest.mark.parametrize("snapshot", ["", FOR_TWO.deal().to_text(), "~"])
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
        parts.journal.snapshots[7] = FOR_TWO.deal().to_text()
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
    cards = [str(card) for card in FOR_TWO.deck]
    assert not [card for card in cards if card in said]
    assert FOR_TWO.seed not in said


async def test_what_is_written_down_is_not_in_a_repr() -> None:
    parts = Parts()
    session = await played(parts)
    saved = await parts.journal.newest_game(7)
    assert saved is not None

    game = Game.replayed(saved)
    said = f"{saved!r} {game!r} {session.entries!r} {session!r} {parts.journal.entries[7][0]}"
    assert FOR_TWO.seed not in said
    assert not [card for card in map(str, FOR_TWO.deck) if card in said]


# --- whatever the disk does and whichever task is cancelled: the journal is the table --------------------


SEEDS = range(share(6))
PRESSES = 60


class Process:
    """One process with its tables; it records the versions it was notified of, and the accepted moves."""

    def __init__(self, parts: Parts) -> None:
        self._notebook = Notebook()
        self._notebook.on_change = self._look
        self.sessions = GameSessions(parts.journal, parts.clock.now, self._notebook)
        self.session: GameSession | None = None
        self.seen: list[int] = []
        self.accepted: dict[int, str] = {}

    async def presses(self, rng: Random) -> None:
        """Presses a legal move after reading the table; the move may be stale by then, or fail."""
        try:
            self.session = session = await self.sessions.find(1)
            if session.outcome is not None:
                return

            seat, move = some_move(session, rng)
            self._note(move, await session.submit(seat, move, session.version))
        except DiskTroubleError:
            pass

    def _look(self) -> None:
        if self.session is not None:
            self.seen.append(self.session.version)

    def _note(self, move: str, result: Result) -> None:
        if isinstance(result, Accepted):
            assert result.version not in self.accepted
            self.accepted[result.version] = move


async def storm(processes: list[Process], rng: Random) -> None:
    """Presses at once for several people, and cancels some of them at any moment."""
    for _ in range(PRESSES):
        presses = [asyncio.ensure_future(rng.choice(processes).presses(rng)) for _ in range(4)]
        for _ in range(rng.randrange(6)):
            await asyncio.sleep(0)

        if rng.random() < 0.3:
            rng.choice(presses).cancel()

        await asyncio.wait(presses)
        for press in presses:
            assert press.cancelled() or press.exception() is None


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("processes", [1, 2])
@pytest.mark.parametrize("failing", [0.0, 0.15])
async def test_a_table_is_what_its_journal_says(seed: int, processes: int, failing: float) -> None:
    parts = Parts()
    rng = Random(seed)
    await dealt(parts)
    weather = Weather(parts.journal, rng, failing=failing)
    people = [Process(parts) for _ in range(processes)]

    await storm(people, rng)
    weather.calm()

    written = parts.journal.entries[1]
    assert [entry.version for entry in written] == list(range(1, len(written) + 1))

    for process in people:
        await process.presses(rng)
        assert process.seen == sorted(process.seen)

        for version, move in process.accepted.items():
            assert written[version - 1].text == move

        session = await process.sessions.find(1)
        await play_on(session)
        assert session.version == len(written)

        fresh = parts.session()
        await fresh.load()
        assert (session.state, tuple(session.entries)) == (fresh.state, tuple(fresh.entries))


async def play_on(session: GameSession) -> None:
    """Presses a move on the newest position, which another process may have changed."""
    while session.outcome is None:
        await session.submit(*some_move(session), session.version)


async def lost(parts: Parts, session: GameSession, seat: int, move: str) -> None:
    """Makes a move arrive in the journal while its table gets an error."""

    async def fail() -> None:
        raise DiskTroubleError

    works = parts.journal.after
    parts.journal.after = fail
    with pytest.raises(DiskTroubleError):
        await session.submit(seat, move, session.version)

    parts.journal.after = works


async def test_a_move_that_arrived_unnoticed_is_found_by_who_looks() -> None:
    parts = Parts()
    sessions = GameSessions(parts.journal, parts.clock.now, parts.notebook)
    session = await sessions.find(1)
    await session.deal(1, OPENING)
    told = len(parts.notebook.notices)
    await lost(parts, session, *some_move(session))

    assert session.is_in_doubt
    assert len(parts.notebook.notices) == told + 1
    assert (await sessions.find(1)).version == 2
    assert not session.is_in_doubt


async def test_a_deal_that_arrived_without_a_word_is_not_dealt_again() -> None:
    parts = Parts()
    session = parts.session()

    async def fail() -> None:
        raise DiskTroubleError

    works = parts.journal.after
    parts.journal.after = fail
    with pytest.raises(DiskTroubleError):
        await session.deal(1, OPENING)

    parts.journal.after = works
    assert await session.deal(1, Opening(OPENING.rules, OPENING.players, seed="another")) == Stale(1)
    assert session.opening == OPENING


async def test_a_resignation_waits_for_the_move_that_is_being_written() -> None:
    parts = Parts()
    session = await dealt(parts)
    Weather(parts.journal, Random(3), failing=0.0)
    seat, move = some_move(session)
    results = await asyncio.gather(session.submit(seat, move, 1), session.resign((seat + 1) % 3))
    assert [type(result) for result in results] == [Accepted, Accepted]
    assert [entry.text for entry in session.entries[1:]] == [move, "resigns"]


async def test_a_table_that_cannot_be_read_again_stays_in_doubt() -> None:
    parts = Parts()
    session = await dealt(parts)
    seat, move = some_move(session)
    await lost(parts, session, seat, move)
    weather = Weather(parts.journal, Random(1), failing=1.0)

    with pytest.raises(DiskTroubleError):
        await session.submit(seat, move, 1)

    assert session.is_in_doubt
    weather.calm()
    assert await session.submit(seat, move, 1) == Stale(2)

    await play_out(session)
    assert position(session).outcome() == session.outcome
