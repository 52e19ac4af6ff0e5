"""All living tables of this process."""

from collections.abc import Callable

import structlog

from engine.runtime.locks import KeyedLocks
from engine.runtime.ports import Announcer, Journal
from engine.runtime.session import GameSession, SessionFrozenError

log = structlog.get_logger()


class GameSessions:
    """Finds tables; a table whose journal nobody has read is read and replayed."""

    def __init__(
        self, journal: Journal, now: Callable[[], float], announcer: Announcer, *, moment: float = 0.0
    ) -> None:
        """Find tables that give each other's claims `moment` seconds, as in `GameSession`."""
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
        """Read a table without keeping it in memory.

        Raises:
            SessionFrozenError: What is on disk about it contradicts itself.
        """
        await self._load(self._new(table_id))

    async def find(self, table_id: int) -> GameSession:
        """Return a table as it is on disk; one where nothing was ever dealt is at version 0.

        Raises:
            SessionFrozenError: What is on disk about it contradicts itself.
        """
        found = self._known.get(table_id)
        if found is None or found.is_in_doubt:
            async with self._loading[table_id]:
                found = self._known.get(table_id) or self._new(table_id)
                if found.is_in_doubt:
                    await self._load(found)
                self._known[table_id] = found
        return found

    def forget(self, table_id: int) -> None:
        """Let go of a table that nobody plays at; the next `find` reads it again."""
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
                log.error("table_frozen", table=session.table_id, why=str(error))  # a trace could hold hands
            raise
        self._frozen.discard(session.table_id)
