"""Reads tables from disk in time after a restart, and evicts unused ones."""

import asyncio
import heapq
from collections.abc import Callable, Iterable
from contextlib import suppress

import structlog

from bot.model.table import NEVER, Phase, UnreadTable
from bot.model.waiting import GRACE
from bot.storage import DatabaseUnreachableError, MessageSlotStore
from bot.tables.events import TableEvents
from bot.tables.service import TableService
from engine.runtime import SessionFrozenError

log = structlog.get_logger()

RETRY_SECONDS = 5.0  # the pause before a retry of a table that could not be reached
UNREADABLE_RETRY_SECONDS = 10 * 60.0  # the pause before a retry of a table that could not be read
CHECK_SECONDS = 1.0  # the pause between two checks of the records of unread tables


class TableLoader:
    """Reads each table when something is due there, and publishes it as changed."""

    def __init__(self, tables: TableService, table_events: TableEvents, now: Callable[[], float]) -> None:
        self._tables = tables
        self._table_events = table_events
        self._now = now
        self._unread: set[int] = set()
        self._dues: list[tuple[float, int]] = []
        self._unreadable: set[int] = set()
        table_events.changed.append(self._unread.discard)
        table_events.evicted.append(self._unreadable.discard)

    @property
    def damaged(self) -> list[int]:
        """The damaged tables that are not closed yet."""
        sessions = self._tables.known
        damaged = self._unreadable | self._tables.sessions.frozen
        put_away = {
            table_id for table_id in damaged & sessions.keys() if sessions[table_id].phase is Phase.CLOSED
        }
        return sorted(damaged - put_away)

    def resume(self, unfinished: Iterable[UnreadTable]) -> None:
        """Leaves these tables on disk, and schedules when to read each.

        The schedule is by the clock of the event loop, since the wall clock may be changed.

        People with less than `GRACE` seconds left get more time, and their tables are read at once, so that
        the call to them states the new time.
        """
        now = self._now()
        ahead = now - asyncio.get_running_loop().time()
        for table in unfinished:
            self._tables.known.note_unread(table)
            self._unread.add(table.id)

            is_postponed = table.due_at < now + GRACE
            due_at = min(table.due_at, now) if is_postponed else table.due_at
            if due_at != NEVER:
                self._dues.append((due_at - ahead, table.id))

        heapq.heapify(self._dues)

    async def run(self) -> None:
        """Reads tables until cancelled."""
        async with asyncio.TaskGroup() as tasks:
            tasks.create_task(self._load_in_time())
            tasks.create_task(self._check())

    async def _load_in_time(self) -> None:
        loop = asyncio.get_running_loop()
        while self._dues:
            due_at, table_id = heapq.heappop(self._dues)
            if table_id in self._unread:
                await asyncio.sleep(max(0.0, due_at - loop.time()))

            if table_id not in self._unread:
                continue

            began = loop.time()
            again_after = None
            try:
                table = await self._tables.table(table_id)
                if table.is_damaged:
                    self._unreadable.add(table_id)
                else:
                    self._unreadable.discard(table_id)

                with suppress(SessionFrozenError):  # its screen reports it
                    await self._tables.session(table_id)
            except DatabaseUnreachableError:
                again_after = RETRY_SECONDS
            except Exception:
                log.exception("table_left_out", table=table_id)  # the others continue
                self._unreadable.add(table_id)
                again_after = UNREADABLE_RETRY_SECONDS
            else:
                self._table_events.changed(table_id)

            if again_after is not None:
                heapq.heappush(self._dues, (loop.time() + again_after, table_id))

            await asyncio.sleep(loop.time() - began)  # half of the time is for everything else

    async def _check(self) -> None:
        """Checks the records of unread tables, so that damaged ones are reported on their screens."""
        for table_id in sorted(self._unread):
            if table_id not in self._unread:
                continue

            await asyncio.sleep(CHECK_SECONDS)
            try:
                await self._tables.sessions.check(table_id)
            except SessionFrozenError:
                self._table_events.changed(table_id)
            except Exception as error:
                log.warning("table_not_checked", table=table_id, error=type(error).__name__)


TIDY_SECONDS = 10 * 60.0  # the pause between two evictions of unused tables

# Seconds for which the messages of a table are kept after its last use.
MESSAGES_KEPT_SECONDS = 30 * 24 * 60 * 60.0

TIDY_BATCH_SIZE = 20  # tables whose messages are deleted in one transaction


async def tidy_up(tables: TableService, slots: MessageSlotStore, now: Callable[[], float]) -> None:
    """Evicts unused tables, and deletes their old messages."""
    await tables.tidy()
    while await slots.forget_old(now() - MESSAGES_KEPT_SECONDS, TIDY_BATCH_SIZE) == TIDY_BATCH_SIZE:
        pass
