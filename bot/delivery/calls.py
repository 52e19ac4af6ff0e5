"""Calls people in private who asked for it when the next game gathers in a room: once, and never at night."""

import asyncio
from collections.abc import Callable, Mapping

import structlog

from adapters.port import ChatPort, NeedsOptIn, Only, Throttled, User, UserRef
from bot.delivery.messages import MessageIndex
from bot.model.messages import MessageKind, MessageSlot
from bot.model.table import Phase, Table
from bot.people import People, Servers
from bot.screens.calls import called_screen
from bot.storage import CallStore
from bot.tables.service import TableEvents, TableService

log = structlog.get_logger()

LONGEST = 12 * 60 * 60.0
"""Seconds after which a wish to be called expires."""

PAUSE = 3.0
"""Seconds after which a new table calls: it may be called off at once, and has to be posted first."""

ATTEMPTS = 3


class Calls:
    """Keeps who wants to be called, on disk, and calls them."""

    def __init__(
        self,
        store: CallStore,
        *,
        tables: TableService,
        table_events: TableEvents,
        message_index: MessageIndex,
        people: People,
        servers: Servers,
        chats: Mapping[str, ChatPort],
        now: Callable[[], float],
    ) -> None:
        self._store = store
        self._tables = tables
        self._message_index = message_index
        self._people = people
        self._servers = servers
        self._chats = chats
        self._now = now
        self._waiting = 0
        self._changed: dict[int, None] = {}
        self._stirred = asyncio.Event()
        table_events.subscribe(changed=self._note)

    async def ask(self, user: User, table: Table, game: int) -> float:
        """Call a person to the next game in the room of a table; return until when (Unix seconds)."""
        until = self._now() + LONGEST
        await self._store.ask(user, table.room, until, table.id, game)
        self._waiting += 1
        return until

    async def drop(self, user: UserRef, table: Table) -> bool:
        """Call a person no more; False if they were not to be called."""
        return await self._store.drop(user, table.room)

    def _note(self, table_id: int) -> None:
        if self._waiting:
            self._changed[table_id] = None
            self._stirred.set()

    async def run(self) -> None:
        """Call people until cancelled; who waits is known after a restart, too."""
        self._waiting = await self._store.number(self._now())
        while True:
            await self._stirred.wait()
            await asyncio.sleep(PAUSE)
            self._stirred.clear()
            changed, self._changed = list(self._changed), {}
            try:
                for table_id in changed:
                    await self._call_to(await self._tables.table(table_id))
                if changed:
                    self._waiting = await self._store.number(self._now())
            except Exception:
                log.exception("calls_failed")

    async def _call_to(self, table: Table) -> None:
        if table.phase is not Phase.LOBBY or table.is_full:
            return
        if (await self._servers.choices(table.room.server)).local_time.is_quiet(self._now()):
            return
        for user in await self._store.waiting(table.room, table.id, table.game, self._now()):
            if table.seat_of(user) is None:
                await self._call(user, table)

    async def _call(self, user: UserRef, table: Table) -> None:
        """Call one person; they are taken off the list first, so that no call comes twice."""
        if not await self._store.drop(user, table.room):
            return
        slot = MessageSlot(table.id, table.game, MessageKind.TABLE)
        screen = called_screen(
            table, await self._message_index.message(slot), await self._people.translator_for(user)
        )
        for _ in range(ATTEMPTS):
            delivery = await self._chats[user.platform].post(Only(user, table.room), screen)
            if not isinstance(delivery, Throttled):
                break
            await asyncio.sleep(delivery.retry_after)
        if isinstance(delivery, NeedsOptIn):
            await self._people.set_reachable(user, reachable=False)
