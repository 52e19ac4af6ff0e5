"""Notes which tables are at rest, so that a restart need not look at them before something is due there."""

import asyncio
from collections.abc import Callable, Iterable
from itertools import islice

import structlog

from bot.delivery.outbox import Outbox
from bot.model.rest import Rest, Unfinished
from bot.model.table import Phase
from bot.storage import RestStore
from bot.tables.events import TableEvents
from bot.tables.scheduler import Scheduler
from bot.tables.service import TableService
from engine.runtime import SessionFrozenError

log = structlog.get_logger()

NOTE_SECONDS = 10.0
"""The pause between two notes: a table that changes more often is never at rest."""

AT_ONCE = 400
"""So many tables are looked at for one note."""


class Resting:
    """Follows tables that have changed until they are at rest.

    A kill leaves notes that are too old, but none that is wrong: each holds for one version of a table's
    cards and people, and a message that is posted anew ends it on disk in the same transaction.
    """

    def __init__(
        self,
        rests: RestStore,
        *,
        tables: TableService,
        outbox: Outbox,
        scheduler: Scheduler,
        table_events: TableEvents,
        now: Callable[[], float],
    ) -> None:
        self._rests = rests
        self._tables = tables
        self._outbox = outbox
        self._scheduler = scheduler
        self._now = now
        self._stirred: dict[int, None] = {}
        self._noted: set[int] = set()
        self._ended: set[int] = set()
        table_events.subscribe(changed=self._stir, evicted=self._end)

    def resume(self, unfinished: Iterable[Unfinished]) -> None:
        """Take note of what was noted before the bot stopped."""
        self._noted.update(each.id for each in unfinished if each.due_at)

    async def run(self) -> None:
        """Note from time to time what is at rest, until cancelled."""
        while True:
            await asyncio.sleep(NOTE_SECONDS)
            try:
                await self.note()
            except Exception:
                log.exception("rest_not_noted")

    async def note(self) -> None:
        """Note which of the tables that have changed are at rest now, and which are not any more."""
        looked_at = list(self._stirred)[:AT_ONCE]
        try:
            await self._note(looked_at)
        except BaseException:
            self._stirred |= dict.fromkeys(looked_at)
            raise

    async def _note(self, tables: Iterable[int]) -> None:
        at_rest = dict[int, Rest]()
        for table_id in tables:
            del self._stirred[table_id]  # whatever changes from now on changes again
            try:
                rest = await self._rest(table_id)
            except SessionFrozenError:
                self._end(table_id)  # it is looked at whenever the bot starts
                continue
            if rest is not None:
                at_rest[table_id] = rest
            else:
                self._end(table_id)
                self._stir(table_id)  # behind all others
        ended = set(islice(self._ended, AT_ONCE))
        if at_rest or ended:
            await self._rests.note(at_rest.values(), ended)
            self._noted |= at_rest.keys()
            self._ended -= ended | at_rest.keys()

    async def _rest(self, table_id: int) -> Rest | None:
        """Return at what a table is at rest; None if it is not."""
        table, session = await self._tables.table(table_id), await self._tables.session(table_id)
        due_at = self._scheduler.due_at(table)
        is_as_on_disk = table.panel is None and not table.agreed and table.phase is not Phase.CLOSED
        if due_at is None or self._outbox.has_pending_changes(table_id) or not is_as_on_disk:
            return None
        return Rest(table_id, session.version, table.touched_at, self._now(), due_at)

    def _stir(self, table_id: int) -> None:
        self._stirred[table_id] = None

    def _end(self, table_id: int) -> None:
        self._stirred.pop(table_id, None)
        if table_id in self._noted:
            self._noted.discard(table_id)
            self._ended.add(table_id)
