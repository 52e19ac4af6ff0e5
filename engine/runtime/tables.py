"""All living tables of this process."""

import structlog

from engine.runtime.locks import Locks
from engine.runtime.ports import Announcer, Clock, Journal
from engine.runtime.table import Table, TableFrozen

log = structlog.get_logger()


class Tables:
    """Finds tables; a table asked for the first time is read from the journal and replayed."""

    def __init__(self, journal: Journal, clock: Clock, announcer: Announcer) -> None:
        self._journal = journal
        self._clock = clock
        self._announcer = announcer
        self._known: dict[int, Table] = {}
        self._frozen: set[int] = set()
        self._loading = Locks()

    async def find(self, table: int) -> Table:
        """Give a table; one where nothing was ever dealt is at version 0.

        Raises:
            TableFrozen: What is on disk about it contradicts itself.
        """
        if table not in self._known:
            async with self._loading[table]:
                if table not in self._known:
                    self._known[table] = await self._loaded(table)
        return self._known[table]

    def forget(self, table: int) -> None:
        """Let go of a table that nobody plays at; the next `find` reads it again."""
        self._known.pop(table, None)
        self._frozen.discard(table)

    async def _loaded(self, table: int) -> Table:
        fresh = Table(table, self._journal, self._clock, self._announcer)
        try:
            await fresh.load()
        except TableFrozen as error:
            if table not in self._frozen:
                self._frozen.add(table)
                log.error("table_frozen", table=table, why=str(error))  # noqa: TRY400 - a trace could hold hands
            raise
        self._frozen.discard(table)
        return fresh
