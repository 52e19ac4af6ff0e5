"""Running games: one by one, moves are checked, written to the journal, and only then shown."""

import asyncio
from collections.abc import AsyncIterator, Callable, Hashable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Protocol
from weakref import WeakValueDictionary

import structlog

from engine.rules.errors import IllegalMoveError, InvalidTextError, Reason
from engine.rules.events import Event, Outcome, Seat, seen_by
from engine.rules.moves import (
    Accuse,
    Action,
    Attack,
    Done,
    Exchange,
    Keep,
    LayAway,
    Move,
    Resign,
    parse_action,
)
from engine.rules.opening import Opening
from engine.rules.state import State

# Seconds within which two throw-ins count as made at the same moment (rule 4.10).
SAME_MOMENT_SECONDS = 1.0

# Moves of others that leave a seat's choices valid while attacker and defender stay the same. A thrown-in
# card brings no new rank, but the defender has to answer it.
_HARMLESS = (Keep, Done, Exchange, LayAway)
_HARMLESS_UNLESS_DEFENDING = (*_HARMLESS, Attack)

log = structlog.get_logger()


# --- What a session depends on: a journal, and an announcer of changes ---


class Author(StrEnum):
    """The author of a seat's move, as one letter, because every move is stored with its author."""

    PLAYER = "p"  # the person in that seat
    HOUSE = "h"  # a house player, in its own seat or standing in
    AUTO = "a"  # the table, because nothing else was possible
    CLOCK = "c"  # the table, because time ran out


@dataclass(frozen=True, slots=True)
class Entry:
    """One entry of a table's journal.

    The first entry of a game has no seat and contains the opening; each further one is a move. Versions count
    the entries of all games of a table, so an old button never fits a newer game.
    """

    table_id: int
    version: int  # the table's version after this entry; the first entry makes version 1
    game: int  # which game of the table this is, from 1
    seat: Seat | None  # whose move it is; None for an opening
    text: str = field(repr=False)  # the opening, with the seed of the deal in it, or the move
    author: Author | None  # the author of the move; None for an opening
    at: float  # Unix seconds


@dataclass(frozen=True, slots=True)
class SavedGame:
    """The newest game of a table: its entries in order, and the text of the position after the last one."""

    entries: Sequence[Entry] = field(repr=False)
    snapshot: str = field(repr=False)


class VersionTakenError(Exception):
    """This version of this table has been written by another process; nothing was written."""


class Journal(Protocol):
    """Stores the entries of all tables durably; implemented by the program around the engine."""

    async def append(self, entry: Entry, *, snapshot: str, outcome: Outcome | None) -> None:
        """Writes an entry, the position after it and, if the game ended, its result: all or nothing.

        Raises:
            VersionTakenError: The table has an entry of this version already.
        """

    async def newest_game(self, table_id: int) -> SavedGame | None:
        """Reads the record of a table's newest game; None before the first deal."""


class Announcer(Protocol):
    """Receives every change of a table."""

    def changed(self, table_id: int, version: int) -> None:
        """Marks a table as changed to a new version; must not block."""


# --- Results of a submission ---


@dataclass(frozen=True, slots=True)
class Accepted:
    """The move is played and on disk; `events` are its consequences, unfiltered."""

    version: int
    events: tuple[Event, ...] = ()


@dataclass(frozen=True, slots=True)
class Refused:
    """The move is against the rules."""

    reason: Reason


@dataclass(frozen=True, slots=True)
class Unreadable:
    """The text is not a move."""


@dataclass(frozen=True, slots=True)
class Stale:
    """The move was meant for an earlier position; the table is at `version` now."""

    version: int


@dataclass(frozen=True, slots=True)
class Closed:
    """No game is running."""


Result = Accepted | Refused | Unreadable | Stale | Closed  # the results of a submitted move


# --- A game, and the table where it is played ---


class SessionFrozenError(RuntimeError):
    """The record of a table contradicts itself; the table is frozen until the record is repaired."""


@dataclass(frozen=True, slots=True)
class Game:
    """A game up to its newest entry; everything is derived from the entries.

    `actions` are those of all entries but the first, `public_events` the events as a spectator saw them.
    `stage_began` is the version since which the same player has attacked the same defender, before or after
    the first card of the bout. `hidden` counts the newest entries that only their players can see yet (rule
    12.4).
    """

    opening: Opening = field(repr=False)
    entries: tuple[Entry, ...]
    state: State = field(repr=False)
    actions: tuple[Action, ...] = field(default=(), repr=False)
    events: tuple[Event, ...] = field(default=(), repr=False)
    public_events: tuple[Event, ...] = field(default=(), repr=False)
    stage_began: int = 0
    hidden: int = 0

    @property
    def newest_seen(self) -> Entry:
        """The newest public entry."""
        return self.entries[-1 - self.hidden]

    def after(self, *moves: tuple[Entry, Action]) -> "Game":
        """Returns the game with further entries played; raises InvalidTextError or IllegalMoveError."""
        state = self.state
        events = [*self.events]
        public_events = [*self.public_events]
        stage_began = self.stage_began
        hidden = self.hidden

        for entry, action in moves:
            if entry.seat is None:
                raise InvalidTextError("a move needs a seat")

            before = state
            state, happened = before.act(entry.seat, action)
            events += happened
            if _stage_of(state) != _stage_of(before):
                stage_began = entry.version

            if isinstance(action, Done) and state.public_view() == before.public_view():
                hidden += 1
                continue

            hidden = 0
            public_events += seen_by(happened, None)

        return Game(
            self.opening,
            (*self.entries, *[entry for entry, _ in moves]),
            state,
            (*self.actions, *[action for _, action in moves]),
            tuple(events),
            tuple(public_events),
            stage_began,
            hidden,
        )

    def version_for(self, seat: Seat) -> int:
        """Returns the oldest version at which this seat's choices meant the same as now.

        The seat's own moves make its older choices stale, and so do moves that may change their meaning.
        """
        is_defending = seat == self.state.defender and bool(self.state.bout)
        harmless = _HARMLESS if is_defending else _HARMLESS_UNLESS_DEFENDING
        for entry, action in zip(reversed(self.entries), reversed(self.actions), strict=False):
            version = entry.version
            if version <= self.stage_began or entry.seat == seat or not isinstance(action, harmless):
                return version

        return self.entries[0].version

    def absences(self, seat: Seat, since: int = 0) -> int:
        """Returns how many of this seat's newest moves were made by the clock or by a stand-in.

        Counts back to the last move of the player, or to version `since`. Skips moves that the table made
        because nothing else was possible: these do not prove that the player is absent.
        """
        count = 0
        for entry in reversed(self.entries):
            if entry.seat != seat or entry.author is Author.AUTO:
                continue
            if entry.author is Author.PLAYER or entry.version <= since:
                break

            count += 1

        return count

    @staticmethod
    def replayed(saved_game: SavedGame) -> "Game":
        """Replays a game from its entries and checks the position against the snapshot.

        Raises:
            SessionFrozenError: The entries cannot be played, or lead to another position.
        """
        try:
            first, *moves = saved_game.entries
            opening = Opening.from_text(first.text)
            pairs = [(entry, parse_action(entry.text)) for entry in moves]
            game = Game(opening, (first,), opening.deal()).after(*pairs)
        except ValueError as error:
            # Unreadable text, impossible rules, an illegal move: the messages may contain hidden cards.
            raise SessionFrozenError(f"the journal cannot be replayed: {type(error).__name__}") from None

        if game.state.to_text() != saved_game.snapshot:
            raise SessionFrozenError("the journal and the snapshot disagree")

        return game


def _stage_of(state: State) -> tuple[object, ...]:
    """Returns a key that changes whenever the attacker, the defender or the kind of awaited move does."""
    return bool(state.undecided), state.bouts, bool(state.bout), state.attacker, state.defender, state.ended


def _bout_of(game: Game) -> tuple[int, int] | None:
    """Returns the game and the bout with cards on the table; None if the table is empty."""
    return (game.entries[0].game, game.state.bouts) if game.state.bout else None


class GameSession:
    """A table in memory. Reads need no lock; every change goes through one lock and the journal.

    Attributes:
        version: The number of the newest entry; 0 before the first deal.
        game: Which game of the table was dealt last, from 1; 0 for none.
        state: The position of the newest game.
        opening: The opening of the newest game; holds its seed.
        entries: The journal of the newest game.
        events: Everything that happened in the newest game, unfiltered.
        outcome: How the newest game ended; None while it runs or before the first one.
        seen_version: The number of the newest public entry.
        changed_at: When that entry was written, in Unix seconds; 0 before the first deal.
        is_in_doubt: Whether the journal may differ: it was never read, or a write failed half-way.
    """

    def __init__(
        self,
        table_id: int,
        journal: Journal,
        now: Callable[[], float],
        announcer: Announcer,
        *,
        moment: float,
    ) -> None:
        """Makes a table; `moment` is how many seconds a throw-in waits for players with priority."""
        self.table_id = table_id
        self._journal = journal
        self._now = now
        self._announcer = announcer
        self._lock = asyncio.Lock()
        self._claims = _Claims(moment)
        self._show(None)
        self.is_in_doubt = True

    def _show(self, game: Game | None) -> None:
        """Sets all attributes from the newest game on disk."""
        newest = None if game is None else game.entries[-1]
        newest_seen = None if game is None else game.newest_seen

        self.newest = game
        self.version = 0 if newest is None else newest.version
        self.game = 0 if newest is None else newest.game
        self.seen_version = 0 if newest_seen is None else newest_seen.version
        self.changed_at = 0.0 if newest_seen is None else newest_seen.at

        self.state: State | None = None if game is None else game.state
        self.opening: Opening | None = None if game is None else game.opening
        self.entries: Sequence[Entry] = () if game is None else game.entries
        self.events: tuple[Event, ...] = () if game is None else game.events
        self.outcome: Outcome | None = None if game is None else game.state.ended
        self.is_in_doubt = False

    def version_for(self, seat: Seat) -> int:
        """Returns the oldest version at which this seat's choices meant the same; see `Game.version_for`."""
        return self.version if self.newest is None else self.newest.version_for(seat)

    def absences(self, seat: Seat, since: int = 0) -> int:
        """Returns how many of this seat's newest moves were not its player's own; see `Game.absences`."""
        return 0 if self.newest is None else self.newest.absences(seat, since)

    async def load(self) -> None:
        """Reads the table from the journal.

        Raises:
            SessionFrozenError: The record on disk contradicts itself.
        """
        async with self._lock:
            await self._reload()

    async def deal(self, game: int, opening: Opening) -> Accepted | Stale:
        """Begins a game; returns `Stale` if this or a later one has begun, or one is running.

        Raises:
            InvalidRulesError: These rules do not fit; nothing happened.
        """
        async with self._turn():
            if game <= self.game or (self.state is not None and self.outcome is None):
                return Stale(self.version)

            text = opening.to_text()
            entry = Entry(self.table_id, self.version + 1, game, None, text, author=None, at=self._now())
            result = await self._write(Game(opening, (entry,), opening.deal()))

        self._announcer.changed(self.table_id, self.version)
        return result

    async def submit(
        self,
        seat: Seat,
        text: str,
        seen_version: int,
        author: Author = Author.PLAYER,
        *,
        is_announced: bool = True,
    ) -> Result:
        """Plays a move that was chosen at `seen_version`; returns `Stale` if that is before `version_for`.

        A throw-in waits a moment for seats with priority. Their moves in that time make it stale only if they
        end the bout. Unless `is_announced`, the caller announces the change, together with the moves that
        follow at once.
        """
        bout = await self._wait_for_claims_before(seat, text, seen_version)
        async with self._turn():
            game = self.newest
            if game is None or self.outcome is not None:
                return Closed()

            if bout is not None and bout == _bout_of(game):
                seen_version = self.version

            try:
                move = Move.parse(text)
            except InvalidTextError:
                move = None

            # An accusation names its card, so it means the same until the roles change.
            oldest = game.stage_began if isinstance(move, Accuse) else self.version_for(seat)
            if not oldest <= seen_version <= self.version:
                return Stale(self.version)
            if move is None:
                return Unreadable()

            result = await self._act(game, seat, move, author)

        return self._announce(result) if is_announced else result

    async def wait_for_claims(self) -> None:
        """Waits until no throw-in is waiting for seats with priority."""
        await self._claims.wait_for_all()

    async def _wait_for_claims_before(
        self, seat: Seat, text: str, seen_version: int
    ) -> tuple[int, int] | None:
        """Delays a valid throw-in for seats with priority; returns its bout, or None if it need not wait."""
        game = self.newest
        if game is None or not (place := game.state.place_in_line(seat)):
            return None

        move = next((move for move in game.state.legal_moves(seat) if str(move) == text), None)
        is_current = self.version_for(seat) <= seen_version <= self.version
        if not is_current or move is None or isinstance(move, Done | Accuse):
            return None

        await self._claims.wait_in_turn(place)
        return _bout_of(game)

    async def resign(self, seat: Seat) -> Result:
        """Gives the game up for a seat, regardless of the version that its player saw last."""
        async with self._turn():
            game = self.newest
            if game is None or self.outcome is not None:
                return Closed()
            result = await self._act(game, seat, Resign(), Author.PLAYER)

        return self._announce(result)

    @asynccontextmanager
    async def _turn(self) -> AsyncIterator[None]:
        """Holds the lock, and announces a change if the table has come to be in doubt."""
        was_in_doubt = self.is_in_doubt
        try:
            async with self._lock:
                yield
        finally:
            if self.is_in_doubt and not was_in_doubt:
                self._announcer.changed(self.table_id, self.version)

    def _announce(self, result: Result) -> Result:
        if not isinstance(result, Refused):
            self._announcer.changed(self.table_id, self.version)
        return result

    async def _act(self, game: Game, seat: Seat, action: Action, author: Author) -> Result:
        entry = Entry(self.table_id, self.version + 1, self.game, seat, str(action), author, self._now())
        try:
            after = game.after((entry, action))
        except IllegalMoveError as error:
            return Refused(error.reason)

        return await self._write(after)

    async def _write(self, after: Game) -> Accepted | Stale:
        """Writes the newest entry to the journal, then shows it; returns `Stale` if its version was taken."""
        count = len(self.events)  # at a deal, of the old game; the new one has no events yet
        try:
            await self._journal.append(
                after.entries[-1], snapshot=after.state.to_text(), outcome=after.state.ended
            )
        except BaseException as error:
            self.is_in_doubt = True  # a write that failed here may still have reached the disk
            if not isinstance(error, VersionTakenError):
                raise

            await self._reload()
            return Stale(self.version)

        self._show(after)
        return Accepted(self.version, after.events[count:])

    async def _reload(self) -> None:
        saved_game = await self._journal.newest_game(self.table_id)
        game = None if saved_game is None else Game.replayed(saved_game)
        self._show(game)


class GameSessions:
    """Finds tables; replays a table that is not in memory from the journal."""

    def __init__(
        self, journal: Journal, now: Callable[[], float], announcer: Announcer, *, moment: float = 0.0
    ) -> None:
        """Makes an empty collection; `moment` is that of each `GameSession`."""
        self._journal = journal
        self._now = now
        self._announcer = announcer
        self._moment = moment
        self._known: dict[int, GameSession] = {}
        self._frozen: set[int] = set()
        self._loading = KeyedLocks()

    @property
    def frozen(self) -> frozenset[int]:
        """The tables whose record was found to contradict itself."""
        return frozenset(self._frozen)

    async def check(self, table_id: int) -> None:
        """Reads a table without keeping it in memory.

        Raises:
            SessionFrozenError: Its record on disk contradicts itself.
        """
        await self._load(self._new(table_id))

    async def find(self, table_id: int) -> GameSession:
        """Returns a table as it is on disk; before the first deal it is at version 0.

        Raises:
            SessionFrozenError: Its record on disk contradicts itself.
        """
        session = self._known.get(table_id)
        if session is None or session.is_in_doubt:
            async with self._loading[table_id]:
                session = self._known.get(table_id) or self._new(table_id)
                if session.is_in_doubt:
                    await self._load(session)
                self._known[table_id] = session

        return session

    def add_new(self, table_id: int) -> None:
        """Adds a table that was just opened, for which the journal has nothing to read."""
        session = self._new(table_id)
        session.is_in_doubt = False
        self._known[table_id] = session

    def forget(self, table_id: int) -> None:
        """Drops a table from memory; the next `find` reads it again."""
        self._known.pop(table_id, None)
        self._frozen.discard(table_id)

    def _new(self, table_id: int) -> GameSession:
        return GameSession(table_id, self._journal, self._now, self._announcer, moment=self._moment)

    async def _load(self, session: GameSession) -> None:
        try:
            await session.load()
        except SessionFrozenError as error:
            if session.table_id not in self._frozen:
                self._frozen.add(session.table_id)
                log.error("table_frozen", table=session.table_id, why=str(error))  # a trace could show hands
            raise

        self._frozen.discard(session.table_id)


_AFTER_ALL = 1_000  # a place after every seat


class _Claims:
    """Delays throw-ins that others may precede, and then wakes them in the order of throwing in."""

    def __init__(self, moment: float) -> None:
        """`moment` is the delay in seconds; with 0 no claim waits."""
        self._moment = moment
        self._waiting: list[tuple[int, asyncio.Future[None]]] = []

    async def wait_in_turn(self, place: int) -> None:
        """Waits until all waiting claims are woken, which is one delay after the first of them came.

        Args:
            place: The place in the order of waking; place 0 need not wait.
        """
        if not place or not self._moment:
            return

        loop = asyncio.get_running_loop()
        if not self._waiting:
            loop.call_later(self._moment, self._go_on)

        turn = loop.create_future()
        self._waiting.append((place, turn))
        await turn

    async def wait_for_all(self) -> None:
        """Waits for the claims that are waiting now; returns at once if there are none."""
        if self._waiting:
            await self.wait_in_turn(_AFTER_ALL)

    def _go_on(self) -> None:
        """Wakes the waiting claims in order; they take the table's lock in the order in which they wake."""
        waiting = sorted(self._waiting, key=lambda claim: claim[0])
        self._waiting = []
        for _, turn in waiting:
            if not turn.done():  # the press may have been cancelled
                turn.set_result(None)


class KeyedLocks:
    """Locks by key: a key keeps its lock for as long as it is held or awaited."""

    def __init__(self) -> None:
        self._locks: WeakValueDictionary[Hashable, asyncio.Lock] = WeakValueDictionary()

    def __getitem__(self, key: Hashable) -> asyncio.Lock:
        lock = self._locks.get(key)
        if lock is None:
            lock = self._locks[key] = asyncio.Lock()
        return lock
