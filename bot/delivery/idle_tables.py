"""Notes which tables are idle, so that a restart need not look at them before something is due there."""

import asyncio
from collections.abc import Callable, Iterable
from itertools import islice

import structlog

from bot.delivery.outbox import Outbox
from bot.model.idle_table import IdleTable, UnreadTable
from bot.model.table import Phase
from bot.storage import IdleTableStore
from bot.tables.events import TableEvents
from bot.tables.scheduler import Scheduler
from bot.tables.service import TableService
from engine.runtime import SessionFrozenError

log = structlog.get_logger()

NOTE_SECONDS = 10.0
"""The pause between two notes: a table that changes more often is never idle."""

AT_ONCE = 400
"""So many tables are looked at for one note."""


class IdleTables:
    """Follows tables that have changed until they are idle.

    A kill leaves notes that are too old, but none that is wrong: each holds for one version of a table's
    cards and people, and a message that is posted anew ends it on disk in the same transaction.
    """

    def __init__(
        self,
        idle_tables: IdleTableStore,
        *,
        tables: TableService,
        outbox: Outbox,
        scheduler: Scheduler,
        table_events: TableEvents,
        now: Callable[[], float],
    ) -> None:
        self._idle_table_store = idle_tables
        self._tables = tables
        self._outbox = outbox
        self._scheduler = scheduler
        self._now = now
        self._stirred: dict[int, None] = {}
        self._noted: set[int] = set()
        self._ended: set[int] = set()
        table_events.subscribe(changed=self._stir, evicted=self._end)

    def resume(self, unfinished: Iterable[UnreadTable]) -> None:
        """Take note of what was noted before the bot stopped."""
        self._noted.update(each.id for each in unfinished if each.due_at)

    async def run(self) -> None:
        """Note from time to time what is idle, until cancelled."""
        while True:
            await asyncio.sleep(NOTE_SECONDS)
            try:
                await self.note()
            except Exception:
                log.exception("idle_tables_not_noted")

    async def note(self) -> None:
        """Note which of the tables that have changed are idle now, and which are not any more."""
        looked_at = list(self._stirred)[:AT_ONCE]
        try:
            await self._note(looked_at)
        except BaseException:
            self._stirred |= dict.fromkeys(looked_at)
            raise

    async def _note(self, tables: Iterable[int]) -> None:
        idle = dict[int, IdleTable]()
        for table_id in tables:
            del self._stirred[table_id]  # whatever changes from now on changes again
            try:
                idle_table = await self._if_idle(table_id)
            except SessionFrozenError:
                self._end(table_id)  # it is looked at whenever the bot starts
                continue
            if idle_table is not None:
                idle[table_id] = idle_table
            else:
                self._end(table_id)
                self._stir(table_id)  # behind all others
        ended = set(islice(self._ended, AT_ONCE))
        if idle or ended:
            await self._idle_table_store.note(idle.values(), ended)
            self._noted |= idle.keys()
            self._ended -= ended | idle.keys()

    async def _if_idle(self, table_id: int) -> IdleTable | None:
        """Return what is to be noted of a table that is idle; None if it is not."""
        table, session = await self._tables.table(table_id), await self._tables.session(table_id)
        due_at = self._scheduler.due_at(table)
        is_as_on_disk = table.panel is None and not table.agreed and table.phase is not Phase.CLOSED
        if due_at is None or self._outbox.has_pending_changes(table_id) or not is_as_on_disk:
            return None
        return IdleTable(table_id, session.version, table.touched_at, self._now(), due_at)

    def _stir(self, table_id: int) -> None:
        self._stirred[table_id] = None

    def _end(self, table_id: int) -> None:
        self._stirred.pop(table_id, None)
        if table_id in self._noted:
            self._noted.discard(table_id)
            self._ended.add(table_id)
