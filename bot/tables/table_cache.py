"""The tables in memory, one lock for each: as they are on disk, and in step with their cards."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager

import structlog

from adapters.port import RoomRef, UserRef
from bot.metrics import GAMES
from bot.model.idle_table import UnreadTable
from bot.model.table import Phase, Table
from bot.storage import TableStore
from bot.tables.events import TableEvents
from bot.tables.known_tables import KnownTables
from engine.runtime import GameSession, GameSessions, KeyedLocks, SessionFrozenError

log = structlog.get_logger()


class NoSuchTableError(LookupError):
    """There is no table with this id."""


class TableCache:
    """Finds tables and keeps changed ones.

    A write that fails may have arrived all the same, so what it was to change is read again by whoever asks
    next. `held_table`, `held_session` and `save` are for whoever holds the table's lock.
    """

    def __init__(
        self,
        table_store: TableStore,
        sessions: GameSessions,
        table_events: TableEvents,
    ) -> None:
        self.table_store = table_store
        self._sessions = sessions
        self.table_events = table_events
        self._known = KnownTables()
        self._in_doubt: set[int] = set()
        self.locks = KeyedLocks()

    @property
    def known(self) -> Mapping[int, Table]:
        """The tables in memory, by id."""
        return self._known

    @property
    def rooms(self) -> Mapping[int, RoomRef]:
        """Where the tables in memory stand, and those that were left on disk at the start, by id."""
        return self._known.rooms

    @property
    def frozen(self) -> frozenset[int]:
        """The tables whose record was found to contradict itself."""
        return self._sessions.frozen

    def note_unread(self, unfinished: UnreadTable) -> None:
        """Leave a table on disk until somebody asks for it."""
        self._known.note_unread(unfinished)

    def is_unread(self, table_id: int) -> bool:
        """Whether a table was left on disk at the start, and nobody has asked for it since."""
        return self._known.is_unread(table_id)

    async def check(self, table_id: int) -> None:
        """Look at the record of a table without keeping it in memory.

        Raises:
            SessionFrozenError: What is on disk about the cards contradicts itself.
        """
        await self._sessions.check(table_id)

    async def table(self, table_id: int) -> Table:
        """Return a table.

        Raises:
            NoSuchTableError: There never was such a table.
        """
        if table_id in self._known and table_id not in self._in_doubt:
            return self._known[table_id]
        async with self.locks[table_id]:
            return await self.held_table(table_id)

    async def session(self, table_id: int) -> GameSession:
        """Return the session of a table, and let the phase follow it.

        Raises:
            SessionFrozenError: What is on disk about the table contradicts itself.
        """
        session = await self.held_session(await self.table(table_id))
        await self.follow(session)
        return session

    async def follow(self, session: GameSession) -> None:
        """Let the phase of a table follow its cards, which are the truth."""
        if _phase_by(session, await self.table(session.table_id)) is not None:
            async with self.locks[session.table_id]:
                await self.held_table(session.table_id)
            self.table_events.changed(session.table_id)

    def put(self, table: Table) -> None:
        """Take up a table that was just opened."""
        self._known.put(table)

    def forget(self, table_id: int) -> None:
        """Let go of a table; whoever asks for it again finds it on disk."""
        self._known.forget(table_id)
        self._in_doubt.discard(table_id)
        self._sessions.forget(table_id)

    @contextmanager
    def doubting(self, *tables: int) -> Iterator[None]:
        """Write something about tables; should that fail, they are read again, and looked at anew."""
        try:
            yield
        except BaseException:
            self._in_doubt.update(tables)
            for table_id in tables:
                self.table_events.changed(table_id)
            raise

    async def held_table(self, table_id: int) -> Table:
        """Return a table in step with its cards, from disk if need be."""
        if table_id not in self._known or table_id in self._in_doubt:
            await self.reread(table_id)
        await self._bring_in_step(self._known[table_id])
        return self._known[table_id]

    async def reread(self, table_id: int) -> None:
        """Read a table from disk, whatever is known of it."""
        stored = await self.table_store.get(table_id)
        if stored is None:
            raise NoSuchTableError(table_id)
        if stored.is_damaged:
            log.error("table_damaged", table=table_id)
        self._known.put(stored)
        self._in_doubt.discard(table_id)

    async def held_session(self, table: Table) -> GameSession:
        """Return the session of a table, whatever its phase says."""
        if table.is_damaged:
            raise SessionFrozenError("the rules cannot be read")
        return await self._sessions.find(table.id)

    async def save(self, table: Table) -> Table:
        """Keep a changed table."""
        was_playing = self._known[table.id].phase is Phase.PLAYING
        with self.doubting(table.id):
            self._known.put(await self.table_store.save(table))
        if was_playing is not (table.phase is Phase.PLAYING):
            # Hands at other tables say which one is theirs as long as there is more than one.
            for other in {table_id for user in table.people() for table_id in self.games_of(user)} - {
                table.id
            }:
                self.table_events.changed(other)
        return self._known[table.id]

    def games_of(self, user: UserRef) -> set[int]:
        """Name the tables at which a person sits in a running game."""
        return self._known.games_of(user)

    async def _bring_in_step(self, table: Table) -> None:
        try:
            phase = _phase_by(await self.held_session(table), table)
        except SessionFrozenError:
            return  # its screen says so
        if phase is not None:
            await self.save(table.entered(phase))
            if phase is Phase.OVER:
                GAMES.inc()


def _phase_by(session: GameSession, table: Table) -> Phase | None:
    """Return the phase that a table should be in by its cards; None when it is."""
    is_in_use = table.phase in {Phase.LOBBY, Phase.PLAYING}
    if not is_in_use or session.game != table.game or session.state is None:
        return None
    phase = Phase.PLAYING if session.outcome is None else Phase.OVER
    return None if phase is table.phase else phase
