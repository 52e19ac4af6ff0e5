"""Records which tables are idle, so that a restart skips them until something is due there."""

from collections.abc import Iterable
from itertools import islice

import structlog

from bot.delivery.moments import Moments
from bot.delivery.outbox import Outbox
from bot.delivery.views import OpenViews
from bot.model.table import IdleTable, Phase, Table, UnreadTable
from bot.storage import TableStore
from bot.tables.events import TableEvents
from bot.tables.scheduler import Scheduler
from bot.tables.service import TableService
from engine.runtime import GameSession, SessionFrozenError

log = structlog.get_logger()

NOTE_SECONDS = 10.0  # the pause between two runs; a table that changes more often is never idle
BATCH_SIZE = 400  # the most tables to check in one run


class IdleTables:
    """Follows changed tables until they are idle, and records the idle ones on disk.

    After a kill some notes may be missing, but none is wrong: each change of a table, or of a message from
    its chat, ends the table's note in the same transaction.
    """

    def __init__(
        self,
        table_store: TableStore,
        *,
        tables: TableService,
        outbox: Outbox,
        scheduler: Scheduler,
        moments: Moments,
        table_events: TableEvents,
        open_views: OpenViews,
    ) -> None:
        self._table_store = table_store
        self._open_views = open_views
        self._tables = tables
        self._outbox = outbox
        self._scheduler = scheduler
        self._moments = moments
        self._changed: dict[int, None] = {}
        self._noted: set[int] = set()
        self._ended: set[int] = set()
        table_events.changed.append(self._mark_changed)
        table_events.evicted.append(self._forget)

    def resume(self, unfinished: Iterable[UnreadTable]) -> None:
        """Adopts the notes of an earlier process."""
        self._noted.update(table.id for table in unfinished if table.due_at)

    async def note(self) -> None:
        """Updates the notes of tables that changed, at most `BATCH_SIZE` at once."""
        checked = list(self._changed)[:BATCH_SIZE]
        idle = dict[int, IdleTable]()
        changeable = set[int]()

        try:
            for table_id in checked:
                del self._changed[table_id]  # any later change counts as a new one
                try:
                    table, session = await self._tables.with_session(table_id)
                except SessionFrozenError:
                    self._end_note(table_id)  # a frozen table is checked at each start
                    continue

                due_at = self._scheduler.due_at(table)
                if due_at is not None and self._is_idle(table, session):
                    waits_since = self._scheduler.schedule(table, session.newest).waits_since
                    idle[table_id] = IdleTable(
                        table_id, session.version, table.touched_at, due_at, waits_since
                    )
                    if table.phase is not Phase.CLOSED:
                        changeable.add(table_id)
                else:
                    self._end_note(table_id)
                    self._mark_changed(table_id)  # at the end of the queue

            tables = set(islice(self._ended, BATCH_SIZE))
            if idle or tables:
                await self._table_store.note_idle(idle.values(), tables)
                self._noted |= changeable
                self._ended -= tables | idle.keys()
        except BaseException:
            self._changed |= dict.fromkeys(checked)
            raise

    def _is_idle(self, table: Table, session: GameSession) -> bool:
        """Returns whether a table is the same on disk as in memory, and its messages are up to date."""
        is_as_on_disk = table.phase is Phase.CLOSED or (table.panel is None and not table.agreed)
        if not is_as_on_disk or self._outbox.is_dirty(table.subject):
            return False
        if table.phase is Phase.PLAYING and self._has_opened_hand(table, session):
            return False

        # While a view is open, its person's hand in the chat is out of date.
        return not self._open_views.are_open_at(table.id)

    def _has_opened_hand(self, table: Table, session: GameSession) -> bool:
        """Returns whether a hand shows something that is only in memory, such as a hint."""
        memory = self._moments.memory(table.id)
        return any(
            player.user is not None and memory.has_opened(player.user, table.game, session.version_for(seat))
            for seat, player in enumerate(table.players)
        )

    def _mark_changed(self, table_id: int) -> None:
        self._changed[table_id] = None

    def _forget(self, table_id: int) -> None:
        """Drops a table from memory; its note on disk stays valid until it changes."""
        self._changed.pop(table_id, None)
        self._noted.discard(table_id)

    def _end_note(self, table_id: int) -> None:
        self._changed.pop(table_id, None)
        if table_id in self._noted:
            self._noted.discard(table_id)
            self._ended.add(table_id)
