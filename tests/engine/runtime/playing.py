"""A dealt table of three, and random moves on it."""

import asyncio
from collections.abc import Callable, Coroutine
from random import Random
from typing import Any

from engine import PRESETS, Opening, Outcome, State
from engine.runtime import Accepted, Entry, GameSession, SavedGame, VersionTakenError


class MemoryJournal:
    """A journal in memory; `before` and `after` run around each write, `reading` before each read."""

    def __init__(self) -> None:
        self.entries: dict[int, list[Entry]] = {}
        self.snapshots: dict[int, str] = {}
        self.outcomes: list[Outcome] = []
        self.reads = 0
        self.before: Callable[[], Coroutine[Any, Any, None]] = _nothing
        self.after: Callable[[], Coroutine[Any, Any, None]] = _nothing
        self.reading: Callable[[], Coroutine[Any, Any, None]] = _nothing

    async def append(self, entry: Entry, *, snapshot: str, outcome: Outcome | None) -> None:
        await self.before()
        written = self.entries.setdefault(entry.table_id, [])
        if any(line.version == entry.version for line in written):
            raise VersionTakenError

        written.append(entry)
        self.snapshots[entry.table_id] = snapshot
        if outcome is not None:
            self.outcomes.append(outcome)

        await self.after()

    async def newest_game(self, session: int) -> SavedGame | None:
        self.reads += 1
        await self.reading()
        written = self.entries.get(session)
        if not written:
            return None

        newest = [entry for entry in written if entry.game == written[-1].game]
        return SavedGame(newest, self.snapshots[session])


class DiskTroubleError(OSError):
    """The disk has failed, perhaps after the write."""


class Weather:
    """Random trouble that makes a journal as slow and unreliable as a disk: pauses and failures.

    `calm` ends that.
    """

    def __init__(self, journal: MemoryJournal, rng: Random, *, failing: float) -> None:
        self._journal = journal
        self._chance = rng
        self._failing = failing
        journal.before = journal.after = journal.reading = self._blow

    def calm(self) -> None:
        self._journal.before = self._journal.after = self._journal.reading = _nothing

    async def _blow(self) -> None:
        for _ in range(self._chance.randrange(4)):
            await asyncio.sleep(0)
        if self._chance.random() < self._failing:
            raise DiskTroubleError


class HandClock:
    """A clock that stops until a test sets it."""

    def __init__(self) -> None:
        self.time = 1000.0

    def now(self) -> float:
        return self.time


class Notebook:
    """A listener that records each notice and its receiver, and calls `on_change` with it."""

    def __init__(self) -> None:
        self.notices: list[tuple[int, int]] = []
        self.on_change: Callable[[], None] = lambda: None

    def changed(self, session: int, version: int) -> None:
        self.notices.append((session, version))
        self.on_change()


class Parts:
    """The parts of a table, and tables made of them: two of the same id are two processes."""

    def __init__(self) -> None:
        self.journal = MemoryJournal()
        self.clock = HandClock()
        self.notebook = Notebook()

    def session(self, session: int = 1, *, moment: float = 0.0) -> GameSession:
        return GameSession(session, self.journal, self.clock.now, self.notebook, moment=moment)


def runs_at_once(work: Coroutine[Any, Any, object]) -> bool:
    """Returns whether this can be done to its end without waiting."""
    try:
        work.send(None)
    except StopIteration:
        return True

    work.close()
    return False


async def _nothing() -> None:
    pass


# --- a dealt table of three, and random moves on it ------------------------------------------------------


OPENING = Opening(PRESETS["podkidnoy-36"], players=3, seed="5eed")


async def dealt(parts: Parts) -> GameSession:
    session = parts.session()
    assert await session.deal(1, OPENING) == Accepted(1)
    return session


def position(session: GameSession) -> State:
    assert session.state is not None
    return session.state


def some_move(session: GameSession, rng: Random | None = None) -> tuple[int, str]:
    state = position(session)
    moves = [(seat, str(move)) for seat in sorted(state.actors) for move in state.legal_moves(seat)]
    return (rng or Random(1)).choice(moves)


async def play(session: GameSession, rng: Random | None = None) -> None:
    seat, move = some_move(session, rng)
    assert isinstance(await session.submit(seat, move, session.version), Accepted)


async def play_out(session: GameSession, rng: Random | None = None) -> None:
    rng = rng or Random(1)
    while session.outcome is None:
        await play(session, rng)
