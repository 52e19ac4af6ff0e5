"""Calls people to a game that gathers players, by a mention in its room or in private.

Nobody is called at night. Every call asks `CallStore.ring` first, so that one server calls a person at most
once in half an hour, for whatever reason.
"""

import asyncio
from collections.abc import Callable, Collection, Coroutine, Mapping
from typing import Any

import structlog

from adapters.port import Chat, Delivered, NeedsOptIn, Only, Screen, ServerRef, Throttled, User, UserRef
from bot.delivery.announcements import Announcements
from bot.delivery.messages import MessageIndex
from bot.delivery.presence import Presence
from bot.model.messages import MessageKind, TableSlot
from bot.model.profile import Calling
from bot.model.refusal import RefusedError
from bot.model.table import Phase, Player, Table
from bot.people import People, Servers
from bot.screens.calls import called_screen, kept_screen, promise_screen
from bot.storage import CallStore, Wish
from bot.tables.events import TableEvents
from bot.tables.service import TableService

log = structlog.get_logger()

WISH_SECONDS = 12 * 60 * 60.0  # seconds after which a wish to be called expires

# Seconds after which the bot gives up calling the players of the last game.
COMPANY_SECONDS = 5 * 60.0

PAUSE = 3.0  # seconds before a new table calls anyone, as it may be called off at once
ATTEMPTS = 3
RETRY_SECONDS = 60.0  # seconds before a throttled or failed call is retried


class Calls:
    """Stores wishes to be called, and calls the people who made them and those who were invited."""

    def __init__(
        self,
        store: CallStore,
        *,
        tables: TableService,
        table_events: TableEvents,
        message_index: MessageIndex,
        people: People,
        servers: Servers,
        announcements: Announcements,
        presence: Presence,
        chats: Mapping[str, Chat],
        now: Callable[[], float],
    ) -> None:
        self._store = store
        self._tables = tables
        self._message_index = message_index
        self._people = people
        self._servers = servers
        self._announcements = announcements
        self._presence = presence
        self._chats = chats
        self._now = now

        self._waiting = 0
        self._changed: dict[int, None] = {}
        self._woken = asyncio.Event()
        self._timers: dict[int, asyncio.TimerHandle] = {}
        self._tasks: asyncio.TaskGroup | None = None

        table_events.gathers.append(self._note_gathering)

    # --- requests of people --------------------------------------------------------------------------------

    async def ask(self, user: User, table: Table, game: int) -> bool:
        """Stores a person's wish to be called to the next game in a table's room.

        Returns False if that was already promised to them.
        """
        now = self._now()
        is_new = await self._store.ask(
            user, table.room, now + WISH_SECONDS, table_id=table.id, game=game, now=now
        )
        self._waiting += 1
        return is_new

    async def promise(self, user: UserRef, table: Table, until: float | None = None) -> bool:
        """Confirms to a person in private that they will be called; False if the bot cannot write to them.

        In that case the wish is kept, and confirmed as soon as the bot can (`promise_waiting_call`).
        """
        translator = await self._people.translator_for(user)
        screen = promise_screen(table, until or self._now() + WISH_SECONDS, translator)
        delivery = await self._announcements.post_answer(Only(user, table.room), screen)
        is_announced = isinstance(delivery, Delivered)
        await self._store.note_promise(user, table.room, is_promised=is_announced)
        return is_announced

    async def promise_waiting_call(self, user: UserRef) -> bool:
        """Confirms a person's wishes that had to wait until the bot could write to them.

        Calls them at once if a game is gathering. Returns whether a wish was confirmed.
        """
        has_promised = False
        for wish, is_promised in await self._store.wishes_of(user, self._now()):
            if not is_promised:
                await self.promise(user, await self._tables.table(wish.table_id), wish.until)
                has_promised = True

            gathering = await self._tables.in_room(wish.room)
            if gathering is not None:
                self._note(gathering.id)

        return has_promised

    async def drop(self, user: UserRef, table: Table) -> bool:
        """Drops a person's wish to be called to a table's room; False if there was none."""
        return await self._store.drop(user, table.room)

    async def mute(self, user: User, table: Table) -> None:
        """Stops calling a person from a table's server, until they ask for it."""
        await self._store.mute(user, table.room.server)

    async def unmute(self, user: UserRef, table: Table) -> None:
        """Allows calling a person from a table's server again."""
        await self._store.unmute(user, table.room.server)

    async def company(self, table: Table) -> list[UserRef]:
        """Returns the players of the last game in a table's room who may be called to the table."""
        company = await self._store.company(table.room, table.people(), self._now())
        return [user for user in company if not self._people.has_left(user, table.room)]

    async def call(self, users: list[UserRef], table: Table) -> None:
        """Schedules calls of people to a lobby, valid for `COMPANY_SECONDS`."""
        await self._store.call(users, table.room, self._now() + COMPANY_SECONDS)
        self._waiting += len(users)
        self._note(table.id)

    async def ring(self, users: Collection[UserRef], server: ServerRef, *, about: str) -> set[UserRef]:
        """Records a mention of people on a server; returns those who may be mentioned now."""
        if not users:
            return set()
        return set(await self._store.ring(users, server, self._now(), about))

    async def _ring(self, user: UserRef, server: ServerRef) -> float | None:
        """Records a private call; returns the time of the previous call, None if it is too early for one."""
        return (await self._store.ring([user], server, self._now())).get(user)

    # --- the calls, and when they are made ---------------------------------------------------------------

    def _note_gathering(self, table_id: int) -> None:
        if self._waiting or self._tables.known[table_id].uncalled:
            self._note(table_id)

    def _note(self, table_id: int) -> None:
        self._changed[table_id] = None
        self._woken.set()

    def _note_at(self, table_id: int, at: float) -> None:
        """Schedules another look at a table; an earlier one that is scheduled stays."""
        timer = self._timers.pop(table_id, None)
        loop = asyncio.get_running_loop()
        when = loop.time() + max(0.0, at - self._now())
        if timer is not None:
            when = min(when, timer.when())
            timer.cancel()

        self._timers[table_id] = loop.call_at(when, self._ring_again, table_id)

    def _ring_again(self, table_id: int) -> None:
        self._timers.pop(table_id, None)
        self._note(table_id)

    async def run(self) -> None:
        """Calls people until cancelled; wishes survive a restart."""
        self._waiting = await self._store.forget_expired(self._now())
        for table_id in await self._store.undecided():
            self._note(table_id)

        async with asyncio.TaskGroup() as tasks:
            self._tasks = tasks
            while True:
                await self._woken.wait()
                await asyncio.sleep(PAUSE)
                self._woken.clear()
                tables = list(self._changed)
                self._changed = {}

                for table_id in tables:
                    try:
                        await self._look(table_id)
                    except Exception:
                        log.exception("calls_failed", table=table_id)
                        self._note_at(table_id, self._now() + RETRY_SECONDS)

                if tables:
                    await self._count()

    async def _count(self) -> None:
        try:
            self._waiting = await self._store.forget_expired(self._now())
        except Exception:
            log.exception("calls_not_counted")

    async def _look(self, table_id: int) -> None:
        """Calls the people whom a table may call now, and schedules the next look."""
        table = await self._tables.table(table_id)
        if table.phase not in {Phase.LOBBY, Phase.ANNOUNCED}:
            return

        local = (await self._servers.choices(table.room.server)).local_time
        now = self._now()
        is_quiet = local.is_quiet(now)
        if is_quiet:
            self._note_at(table_id, local.by_day(now))

        if table.uncalled:
            await self._call_invited(table, is_quiet=is_quiet)

        if not is_quiet and table.phase is Phase.LOBBY and not table.is_full:
            await self._call_waiting(table)

    async def _call_invited(self, table: Table, *, is_quiet: bool) -> None:
        """Decides how invited people are called: by a mention in the room's call, or in private.

        Until the room's call is posted, it can mention them. Afterwards nobody would notice an edit, so they
        are called in private. In quiet hours nobody is called: the people of an announced table are called in
        the morning, and the others not at all, because a seat is kept only for minutes.
        """
        if is_quiet and table.phase is Phase.ANNOUNCED:
            return

        uncalled = table.uncalled
        is_posted = table.has_call
        people = set[UserRef]()
        others = {player.user for player in uncalled if player.user is not None}
        gone = await self._presence.gone(others, table.room)

        if not is_quiet and not is_posted:
            here = others.difference(gone)
            people = await self.ring(here, table.room.server, about=f"{table.id}:{table.game}")

        try:
            await self._tables.change(table.id, lambda now: now.note_called(people, others - people))
        except RefusedError:
            return

        if is_posted and not is_quiet:
            for player in uncalled:
                if player.user not in gone:
                    await self._call_kept(player, table)

    async def _call_kept(self, player: Player, table: Table) -> None:
        """Calls a person in private to the seat that is kept for them."""
        user = player.user
        if user is None or (await self._people.profile(user)).calling is Calling.NEVER:
            return

        before = await self._ring(user, table.room.server)
        if before is None:
            return

        message = await self._message_index.message(TableSlot(table.id, table.game, MessageKind.TABLE))
        translator = await self._people.translator_for(user)
        screen = kept_screen(table, player, message, self._name_of(table), translator)
        self._send(self._tell(user, screen, table, before))

    async def _call_waiting(self, table: Table) -> None:
        """Calls the people waiting for a game; each leaves the list first, so nobody is called twice."""
        server = table.room.server
        waiting = list[Wish]()
        for wish in await self._store.waiting(table.room, table.id, table.game, self._now()):
            if table.seat_of(wish.user) is None:
                waiting.append(wish)
            else:
                await self._store.drop(wish.user, table.room)  # they came without a call

        if not waiting:
            return

        message = await self._message_index.message(TableSlot(table.id, table.game, MessageKind.TABLE))
        if message is None:
            self._note(table.id)  # the table's message, which calls lead to, is not posted yet
            return

        for wish in waiting:
            if await self._presence.is_gone(wish.user, table.room):
                await self._store.drop(wish.user, table.room)
                continue

            before = await self._ring(wish.user, server)
            if before is None:
                at = await self._store.may_ring_at(wish.user, server)
                if at != float("inf"):
                    self._note_at(table.id, at)
                continue

            if not await self._store.drop(wish.user, table.room):
                await self._store.take_back_ring(wish.user, server, before)
                continue

            translator = await self._people.translator_for(wish.user)
            screen = called_screen(table, message, self._name_of(table), translator)
            self._send(self._tell(wish.user, screen, table, before, wish))

    def _name_of(self, table: Table) -> str:
        chat = self._chats.get(table.room.server.platform)
        return "" if chat is None else chat.name_of(table.room.server)

    def _send(self, call: Coroutine[Any, Any, None]) -> None:
        if self._tasks is not None:
            self._tasks.create_task(call)

    async def _tell(
        self, user: UserRef, screen: Screen, table: Table, before: float, wish: Wish | None = None
    ) -> None:
        """Calls one person, waiting only for their own chat; an undelivered call does not count."""
        try:
            delivery = None
            for _ in range(ATTEMPTS):
                delivery = await self._announcements.post(Only(user, table.room), screen)
                if not isinstance(delivery, Throttled):
                    break

            if isinstance(delivery, NeedsOptIn | Throttled):
                await self._store.take_back_ring(user, table.room.server, before)
                if wish is not None:
                    await self._store.restore(wish, is_promised=isinstance(delivery, Throttled))
                    self._waiting += 1

            if isinstance(delivery, Throttled):
                self._note_at(table.id, self._now() + RETRY_SECONDS)
        except Exception:
            log.exception("call_failed", platform=user.platform)
