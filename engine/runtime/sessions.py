"""All living tables of this process."""

import structlog

from engine.runtime.locks import Locks
from engine.runtime.ports import Announcer, Clock, Journal
from engine.runtime.session import SessionFrozenError, Table

log = structlog.get_logger()


class Tables:
    """Finds tables; a table whose journal nobody has read is read and replayed."""

    def __init__(self, journal: Journal, clock: Clock, announcer: Announcer, *, moment: float = 0.0) -> None:
        """Find tables that give each other's claims `moment` seconds, as in `Table`."""
        self._journal = journal
        self._clock = clock
        self._announcer = announcer
        self._moment = moment
        self._known: dict[int, Table] = {}
        self._frozen: set[int] = set()
        self._loading = Locks()

    async def find(self, table: int) -> Table:
        """Give a table as it is on disk; one where nothing was ever dealt is at version 0.

        Raises:
            SessionFrozenError: What is on disk about it contradicts itself.
        """
        found = self._known.get(table)
        if found is None or found.is_in_doubt:
            async with self._loading[table]:
                found = self._known.get(table) or self._new(table)
                if found.is_in_doubt:
                    await self._load(found)
                self._known[table] = found
        return found

    def forget(self, table: int) -> None:
        """Let go of a table that nobody plays at; the next `find` reads it again."""
        self._known.pop(table, None)
        self._frozen.discard(table)

    def _new(self, table: int) -> Table:
        return Table(table, self._journal, self._clock, self._announcer, moment=self._moment)

    async def _load(self, table: Table) -> None:
        try:
            await table.load()
        except SessionFrozenError as error:
            if table.id not in self._frozen:
                self._frozen.add(table.id)
                log.error("table_frozen", table=table.id, why=str(error))  # noqa: TRY400 - a trace could hold hands
            raise
        self._frozen.discard(table.id)
