"""Keeps the tables: the people around each and the cards on it, changed together under one lock per table."""

import asyncio
from collections.abc import Awaitable, Callable
from contextlib import AsyncExitStack
from dataclasses import dataclass

import structlog

from adapters.port import RoomRef, ServerRef, User, UserRef
from bot.model.rule_set import RuleSet
from bot.model.table import Phase, Table, TableRefusal, TableRefusedError
from bot.tables.deals import new_seed, next_opening, trace_of
from bot.tables.table_cache import NoSuchTableError, TableCache
from engine.runtime import Author, Closed, GameSession, Result, SessionFrozenError

__all__ = ["NEEDED_SECONDS", "NoSuchTableError", "Opened", "TableService"]

log = structlog.get_logger()

NEEDED_SECONDS = {Phase.CLOSED: 15 * 60.0, Phase.OVER: 24 * 60 * 60.0}
"""How long after its end a table is kept in memory: somebody may want a rematch, or a message may be late."""

AT_ONCE = 25
"""So many tables are put away before others have their turn."""


@dataclass(frozen=True, slots=True)
class Opened:
    """The answer to opening a table: `is_new` is False when one stands in the room already."""

    table: Table
    is_new: bool


class TableService:
    """All tables of this bot. What it changes is on disk before anybody is told."""

    def __init__(self, cache: TableCache, now: Callable[[], float]) -> None:
        self._cache = cache
        self._table_store = cache.table_store
        self._table_events = cache.table_events
        self._locks = cache.locks
        self._now = now

    async def tidy(self) -> None:
        """Let go of tables that nobody needs; whoever asks for one again finds it on disk."""
        for number, table_id in enumerate(list(self._cache.known)):
            if number % AT_ONCE == 0:
                await asyncio.sleep(0)  # for presses that came meanwhile
            if self._is_needed(table_id):
                continue
            async with self._locks[table_id]:
                if self._is_needed(table_id):
                    continue
                self._cache.forget(table_id)
            self._table_events.evicted(table_id)

    def _is_needed(self, table_id: int) -> bool:
        table = self._cache.known.get(table_id)
        needed = None if table is None else NEEDED_SECONDS.get(table.phase)
        return table is None or needed is None or self._now() < table.touched_at + needed

    async def table(self, table_id: int) -> Table:
        """Return a table.

        Raises:
            NoSuchTableError: There never was such a table.
        """
        return await self._cache.table(table_id)

    async def session(self, table_id: int) -> GameSession:
        """Return the session of a table; without a game its state is None.

        Raises:
            SessionFrozenError: What is on disk about the table contradicts itself.
        """
        return await self._cache.session(table_id)

    async def in_room(self, room: RoomRef) -> Table | None:
        """Return the table that stands in a room and is not over."""
        stored = await self._table_store.in_room(room)
        return None if stored is None else await self.table(stored.id)

    async def open(
        self, room: RoomRef, opener: User, rule_set: RuleSet, locale: str, *, event: str = ""
    ) -> Opened:
        """Open a table, its opener seated if a person, or find the one that stands in the room.

        `event` is the chat's id of the wish to open it.
        """
        async with self._locks[room]:
            if (standing := await self.in_room(room)) is not None:
                return Opened(standing, is_new=False)
            table = await self._table_store.open(
                room=room,
                opener=opener,
                joined=trace_of(event),
                preset=rule_set.name,
                rules=rule_set.rules,
                house_rules=rule_set.house_rules,
                seed=new_seed(),
                locale=locale,
            )
        self._cache.put(table)
        self._table_events.changed(table.id)
        return Opened(table, is_new=True)

    async def change(self, table_id: int, change: Callable[[Table], Table]) -> Table:
        """Change the people of a table.

        Raises:
            TableRefusedError: The change is not possible; nothing happened.
        """
        async with self._locks[table_id]:
            changed = await self._cache.save(change(await self._cache.held_table(table_id)))
        self._table_events.changed(table_id)
        return changed

    async def start(self, table_id: int, user: UserRef, *, event: str = "") -> Table:
        """Deal the cards; `event` is the chat's id of the press that starts the game.

        The deal is written first: a table that is found dealt is a table that plays (see `TableCache`).

        Raises:
            TableRefusedError: It cannot start; nothing happened.
            SessionFrozenError: What is on disk about the table contradicts itself.
        """
        async with self._locks[table_id]:
            gathered = await self._cache.held_table(table_id)
            started, session = gathered.start(user), await self._cache.held_session(gathered)
            opening = next_opening(started, session, event)
            with self._cache.doubting(table_id):
                await session.deal(started.game, opening)
            started = await self._cache.save(started)
        self._table_events.changed(table_id)
        return started

    async def submit(
        self, table_id: int, seat: int, text: str, version: int, author: Author = Author.PLAYER
    ) -> Result:
        """Play a move; the last one of a game also ends it.

        Raises:
            SessionFrozenError: What is on disk about the cards contradicts itself.
        """
        if (await self.table(table_id)).phase is not Phase.PLAYING:
            return Closed()
        session = await self.session(table_id)
        result = await session.submit(seat, text, version, author)
        await self._cache.follow(session)
        return result

    async def resign(self, table_id: int, user: User) -> Result:
        """Give the game up for a person; it ends at once.

        Raises:
            TableRefusedError: They do not sit at the table.
            SessionFrozenError: What is on disk about the cards contradicts itself.
        """
        table = await self.table(table_id)
        seat = table.seat_taken_by(user.ref)
        if table.phase is not Phase.PLAYING:
            return Closed()
        session = await self.session(table_id)
        result = await session.resign(seat)
        await self._cache.follow(session)
        return result

    async def rematch(self, table_id: int, user: User) -> Table:
        """Gather for another game at the same table.

        Raises:
            TableRefusedError: The game is not over, this person did not play, or another table stands in the
                room.
        """
        room = (await self.table(table_id)).room
        async with self._locks[room]:
            standing = await self.in_room(room)
            if standing is not None and standing.id != table_id:
                raise TableRefusedError(TableRefusal.ROOM_TAKEN)
            return await self.change(table_id, lambda table: table.rematch(user, new_seed()))

    async def moved(self, old: RoomRef, new: RoomRef) -> None:
        """Let a room, with its tables and its server's tallies, go on under a new id."""
        async with AsyncExitStack() as locks:
            servers = {old.server, new.server}
            concerned = [table_id for table_id, room in self._cache.rooms.items() if room.server in servers]
            for table_id in sorted(concerned):
                await locks.enter_async_context(self._locks[table_id])
            with self._cache.doubting(*concerned):
                await self._table_store.rename_room(old, new)
                for table_id in concerned:
                    await self._cache.reread(table_id)
        for table_id in concerned:
            self._table_events.changed(table_id)

    async def tables_of(self, user: UserRef, *, near: RoomRef | None = None) -> list[Table]:
        """Return the games that a person can play: those in the room `near` first, then the newest."""
        found = [await self.table(stored.id) for stored in await self._table_store.of_player(user)]
        sound = [table for table in found if not await self._is_frozen(table.id)]
        return sorted(sound, key=lambda table: table.room != near)

    def games_of(self, user: UserRef) -> set[int]:
        """Name the tables at which a person sits in a running game."""
        return self._cache.games_of(user)

    async def _is_frozen(self, table_id: int) -> bool:
        try:
            await self.session(table_id)
        except SessionFrozenError:
            return True
        return False

    async def forget(
        self, user: UserRef, private: ServerRef | None, erase: Callable[[], Awaitable[None]]
    ) -> None:
        """Take a person away from all tables, while `erase` lets the disk forget them.

        A lobby goes on without them; in a game a house player takes their seat for good. The tables in their
        `private` chat are let go.
        """
        async with AsyncExitStack() as locks:
            stored = await self._table_store.about(user, private)
            unsaved = [table_id for table_id, table in self._cache.known.items() if table.knows(user)]
            for table_id in sorted({*stored, *unsaved}):
                await locks.enter_async_context(self._locks[table_id])
                if self._cache.is_unread(table_id):
                    await self._cache.held_table(table_id)
            known = {
                table_id: self._cache.known[table_id]
                for table_id in {*stored, *unsaved}
                if table_id in self._cache.known
            }
            for table in known.values():
                if table.phase is Phase.LOBBY and table.seat_of(user) is not None:
                    await self._cache.save(table.leave(user))
            left = {table_id for table_id, table in known.items() if table.room.server == private}
            with self._cache.doubting(*known):
                await erase()
                for table_id in known.keys() - left:
                    await self._cache.reread(table_id)
            for table_id in left:
                self._cache.forget(table_id)
        for table_id in left:
            self._table_events.evicted(table_id)
        for table_id in known.keys() - left:
            self._table_events.changed(table_id)

    def tables_in(self, room: RoomRef) -> list[int]:
        """Return the known tables of a room and of its topics."""
        return [
            table_id
            for table_id, each in self._cache.rooms.items()
            if (each.server, each.id) == (room.server, room.id)
        ]
