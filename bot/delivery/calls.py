"""Calls people in private who asked for it when the next game gathers in a room: once, and never at night."""

import asyncio
from collections.abc import Callable

import structlog

from adapters.port import Only, Screen, Throttled, User, UserRef
from bot.delivery.messages import MessageIndex
from bot.delivery.outbox import Outbox
from bot.model.messages import MessageKind, MessageSlot
from bot.model.table import Phase, Table
from bot.people import People, Servers
from bot.screens.calls import called_screen
from bot.storage import CallStore
from bot.tables.events import TableEvents
from bot.tables.service import TableService

log = structlog.get_logger()

LONGEST = 12 * 60 * 60.0  # seconds after which a wish to be called expires

# Seconds after which the last company is not called any more, if that has failed so long.
COMPANY_SECONDS = 5 * 60.0

PAUSE = 3.0  # seconds after which a new table calls, if it is posted by then: it may be called off at once
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
        outbox: Outbox,
        now: Callable[[], float],
    ) -> None:
        self._store = store
        self._tables = tables
        self._message_index = message_index
        self._people = people
        self._servers = servers
        self._outbox = outbox
        self._now = now
        self._waiting = 0
        self._changed: dict[int, None] = {}
        self._stirred = asyncio.Event()
        table_events.gathers.append(self._note)

    async def ask(self, user: User, table: Table, game: int) -> float:
        """Call a person to the next game in the room of a table; return until when (Unix seconds)."""
        until = self._now() + LONGEST
        await self._store.ask(user, table.room, until, table_id=table.id, game=game)
        self._waiting += 1
        return until

    async def drop(self, user: UserRef, table: Table) -> bool:
        """Call a person no more; False if they were not to be called."""
        return await self._store.drop(user, table.room)

    async def company(self, table: Table) -> list[UserRef]:
        """Return who of the last game in the room of a table may be called to it."""
        return await self._store.company(table.room, table.people())

    async def call(self, users: list[UserRef], table: Table) -> None:
        """Call people to a lobby."""
        await self._store.call(users, table.room, self._now() + COMPANY_SECONDS)
        self._waiting += len(users)
        self._note(table.id)

    def _note(self, table_id: int) -> None:
        if self._waiting:
            self._changed[table_id] = None
            self._stirred.set()

    async def run(self) -> None:
        """Call people until cancelled; who waits is known after a restart, too."""
        self._waiting = await self._store.number(self._now())
        async with asyncio.TaskGroup() as tasks:
            while True:
                await self._stirred.wait()
                await asyncio.sleep(PAUSE)
                self._stirred.clear()
                changed, self._changed = list(self._changed), {}
                try:
                    for table_id in changed:
                        for user, screen, table in await self._to_call(await self._tables.table(table_id)):
                            tasks.create_task(self._call(user, screen, table))
                    if changed:
                        self._waiting = await self._store.number(self._now())
                except Exception:
                    log.exception("calls_failed")

    async def _to_call(self, table: Table) -> list[tuple[UserRef, Screen, Table]]:
        """Return whom to call to a table, and how; they are off the list, so that no call comes twice."""
        if table.phase is not Phase.LOBBY or table.is_full:
            return []
        if (await self._servers.choices(table.room.server)).local_time.is_quiet(self._now()):
            return []
        slot = MessageSlot(table.id, table.game, MessageKind.TABLE)
        message = await self._message_index.message(slot)
        if message is None:
            self._note(table.id)  # there is nothing yet to which a call could lead
            return []
        return [
            (user, called_screen(table, message, await self._people.translator_for(user)), table)
            for user in await self._store.waiting(table.room, table.id, table.game, self._now())
            if table.seat_of(user) is None and await self._store.drop(user, table.room)
        ]

    async def _call(self, user: UserRef, screen: Screen, table: Table) -> None:
        """Call one person; each waits for their own chat."""
        try:
            for _ in range(ATTEMPTS):
                delivery = await self._outbox.announce(Only(user, table.room), screen)
                if not isinstance(delivery, Throttled):
                    break
        except Exception:
            log.exception("call_failed", platform=user.platform)
