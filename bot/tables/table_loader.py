"""After a restart tables stay on disk until somebody asks for them, or something is due there.

What was idle when the bot stopped is read when it is due. Everything else may have messages that were not
sent, so it is read as soon as the chats are answered, one table after the other.
"""

import asyncio
import heapq
from collections.abc import Callable, Iterable
from contextlib import suppress

import structlog

from bot.model.idle_table import NEVER, UnreadTable
from bot.model.table import Phase
from bot.storage import DatabaseUnreachableError
from bot.tables.table_cache import TableCache
from engine.runtime import SessionFrozenError

log = structlog.get_logger()

AFTER_AN_ERROR = 5.0
"""Seconds until a table is tried again that could not be reached."""

LEFT_OUT_SECONDS = 10 * 60.0
"""Seconds until a table is tried again that could not be read."""

CHECK_SECONDS = 1.0
"""The pause between two looks at the records of tables that nobody has asked for."""


class TableLoader:
    """Reads each table in time, and tells everybody that it has changed, so that they look at it."""

    def __init__(self, cache: TableCache, now: Callable[[], float]) -> None:
        self._cache = cache
        self._table_events = cache.table_events
        self._now = now
        self._unread: set[int] = set()
        self._dues: list[tuple[float, int]] = []
        self._unreadable: set[int] = set()
        self._table_events.subscribe(changed=self._unread.discard, evicted=self._unreadable.discard)

    @property
    def damaged(self) -> list[int]:
        """The tables that were found damaged and are not put away yet."""
        known = self._cache.known
        return sorted(
            each
            for each in self._unreadable | self._cache.frozen
            if each not in known or known[each].phase is not Phase.CLOSED
        )

    def resume(self, unfinished: Iterable[UnreadTable]) -> None:
        """Leave these tables on disk for now; times are counted by the loop's clock, which nobody sets."""
        ahead = self._now() - asyncio.get_running_loop().time()
        for each in unfinished:
            self._cache.note_unread(each)
            self._unread.add(each.id)
            if each.due_at != NEVER:
                self._dues.append((each.due_at - ahead, each.id))
        heapq.heapify(self._dues)

    async def run(self) -> None:
        """Read tables until cancelled."""
        async with asyncio.TaskGroup() as tasks:
            tasks.create_task(self._load_in_time())
            tasks.create_task(self._check())

    async def _load_in_time(self) -> None:
        loop = asyncio.get_running_loop()
        while self._dues:
            due_at, table_id = heapq.heappop(self._dues)
            if table_id not in self._unread:
                continue
            await asyncio.sleep(max(0.0, due_at - loop.time()))
            if table_id in self._unread:
                began = loop.time()
                await self._load(table_id)
                await asyncio.sleep(loop.time() - began)  # half of the time is for everybody else

    async def _load(self, table_id: int) -> None:
        try:
            is_damaged = (await self._cache.table(table_id)).is_damaged
            (self._unreadable.add if is_damaged else self._unreadable.discard)(table_id)
            with suppress(SessionFrozenError):  # its screen says so
                await self._cache.session(table_id)
        except DatabaseUnreachableError:
            self._try_again(table_id, AFTER_AN_ERROR)
        except Exception:
            log.exception("table_left_out", table=table_id)  # the others go on
            self._unreadable.add(table_id)
            self._try_again(table_id, LEFT_OUT_SECONDS)
        else:
            self._table_events.changed(table_id)

    def _try_again(self, table_id: int, seconds: float) -> None:
        heapq.heappush(self._dues, (asyncio.get_running_loop().time() + seconds, table_id))

    async def _check(self) -> None:
        """Look at the records of unread tables, so that damaged ones are found and say so."""
        for table_id in sorted(self._unread):
            if table_id not in self._unread:
                continue
            await asyncio.sleep(CHECK_SECONDS)
            try:
                await self._cache.check(table_id)
            except SessionFrozenError:
                self._table_events.changed(table_id)
            except Exception as error:
                log.warning("table_not_checked", table=table_id, error=type(error).__name__)
