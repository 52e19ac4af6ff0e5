"""The tables: the people around each and the cards on it, changed together under one lock per table."""

import asyncio
from collections.abc import Awaitable, Callable, Iterable, Iterator
from contextlib import AsyncExitStack, contextmanager, suppress
from dataclasses import dataclass, replace

import structlog

from adapters.port import RoomRef, ServerRef, User, UserRef
from bot.metrics import GAMES
from bot.model.choices import RuleSet
from bot.model.refusal import RefusedError, TableRefusal
from bot.model.table import Phase, Table
from bot.storage import TableStore
from bot.tables import deals
from bot.tables.events import TableEvents
from bot.tables.known_tables import KnownTables
from engine.runtime import Author, Closed, GameSession, GameSessions, KeyedLocks, Result, SessionFrozenError

log = structlog.get_logger()

# Seconds for which a table is kept in memory after its end, for a rematch or a late message.
NEEDED_SECONDS = {Phase.CLOSED: 15 * 60.0, Phase.OVER: 24 * 60 * 60.0}

EVICTION_BATCH_SIZE = 25  # tables that are checked before other tasks get their turn


class NoSuchTableError(RefusedError):
    """There is no table with this id."""

    def __init__(self) -> None:
        super().__init__(TableRefusal.NO_TABLE)


@dataclass(frozen=True, slots=True)
class Opened:
    """The answer to opening a table: `is_new` is False if the room had one already."""

    table: Table
    is_new: bool


class TableService:
    """All tables of this bot; those in memory match the disk and their cards.

    Every change is on disk before it is published. A failed write may have succeeded nevertheless, so its
    tables are read again the next time they are needed. `locked_table`, `locked_session` and `save` are for
    the holder of the table's lock.
    """

    def __init__(
        self,
        table_store: TableStore,
        sessions: GameSessions,
        table_events: TableEvents,
        now: Callable[[], float],
    ) -> None:
        self._table_store = table_store
        self.sessions = sessions
        self._table_events = table_events
        self._now = now
        self._in_doubt: set[int] = set()
        self.known = KnownTables()
        self.locks = KeyedLocks()

    # --- found --------------------------------------------------------------------------------------------

    async def table(self, table_id: int) -> Table:
        """Returns a table.

        Raises:
            NoSuchTableError: There never was such a table.
        """
        table = self.known.get(table_id)
        if table is not None and table_id not in self._in_doubt:
            return table
        async with self.locks[table_id]:
            return await self.locked_table(table_id)

    async def session(self, table_id: int) -> GameSession:
        """Returns the session of a table; without a game its state is None.

        Raises:
            SessionFrozenError: The record of the table contradicts itself.
        """
        return (await self.with_session(table_id))[1]

    async def with_session(self, table_id: int) -> tuple[Table, GameSession]:
        """Returns a table and its session, after updating the table's phase to match the cards.

        Raises:
            NoSuchTableError: There never was such a table.
            SessionFrozenError: The table on disk contradicts itself.
        """
        table = await self.table(table_id)
        session = await self.locked_session(table)
        if _phase_by(session, table) is not None:
            await self.update_phase(session)
            table = await self.table(table_id)

        return table, session

    async def in_room(self, room: RoomRef) -> Table | None:
        """Returns the room's table in use; None if there is none."""
        table = await self._table_store.in_room(room)
        return None if table is None else await self.table(table.id)

    async def near(self, user: UserRef, room: RoomRef) -> Table | None:
        """Returns the table of a room that concerns a person: the one where they play, or the room's own."""
        for table_id in sorted(self.known.games_of(user), reverse=True):
            table = await self.table(table_id)
            if table.room == room:
                return table
        return await self.in_room(room)

    async def shown_in(self, room: RoomRef) -> Table | None:
        """Returns the table that a room shows: the one in use, or else the one where a game ended last."""
        table = await self._table_store.in_room(room) or await self._table_store.over_in(room)
        return None if table is None else await self.table(table.id)

    async def announced_in(self, room: RoomRef) -> Table | None:
        """Returns the table that is announced in a room."""
        table = await self._table_store.announced_in(room)
        return None if table is None else await self.table(table.id)

    async def tables_of(self, user: UserRef, *, near: RoomRef | None = None) -> list[Table]:
        """Returns the tables of a person's sound games: those in the room `near` first, then the newest."""
        sound = list[Table]()
        for row in await self._table_store.of_player(user):
            table = await self.table(row.id)
            with suppress(SessionFrozenError):
                await self.session(table.id)
                sound.append(table)

        return sorted(sound, key=lambda table: table.room != near)

    def tables_in(self, room: RoomRef) -> list[int]:
        """Returns the known tables of a room and of its topics."""
        whole = _place(room)
        return [table_id for table_id, place in self.known.rooms.items() if _place(place) == whole]

    def tables_on(self, server: ServerRef) -> list[int]:
        """Returns the known tables of a server."""
        return [table_id for table_id, room in self.known.rooms.items() if room.server == server]

    # --- changed ------------------------------------------------------------------------------------------

    async def open(
        self,
        room: RoomRef,
        opener: User,
        rule_set: RuleSet,
        locale: str,
        *,
        event: str = "",
        starts_at: float | None = None,
    ) -> Opened:
        """Opens a table, and seats its opener if that is a person; or finds the one in the room.

        `event` is the chat's id of the command or press. With `starts_at`, the table is announced for that
        time.
        """
        async with self.locks[_place(room)]:
            find = self.in_room if starts_at is None else self.announced_in
            if (standing := await find(room)) is not None:
                return Opened(standing, is_new=False)

            table = await self._table_store.open(
                room=room,
                opener=opener,
                joined=deals.trace_of(event),
                preset=rule_set.name,
                rules=rule_set.rules,
                house_rules=rule_set.house_rules,
                seed=deals.new_seed(),
                locale=locale,
                starts_at=starts_at,
            )
            self._keep(table)

        self._table_events.changed(table.id)
        return Opened(table, is_new=True)

    def add_new(self, tables: Iterable[Table]) -> None:
        """Adds tables that a series has just opened; the disk has nothing more about them."""
        for table in tables:
            self._keep(table)
            self.sessions.add_new(table.id)
            self._table_events.opened(table.id)

    async def gather(self, table_id: int) -> bool:
        """Opens an announced table, or adds its people to those expected by the lobby in its room.

        Returns False if people play there, or gather for a rematch; the caller retries later.

        Raises:
            RefusedError: It is no longer announced.
        """
        room = (await self.table(table_id)).room
        async with self.locks[_place(room)]:
            standing = await self.in_room(room)
            announced = await self.table(table_id)
            if standing is not None and (standing.phase is Phase.PLAYING or standing.is_rematch):
                return False

            if standing is None or announced.phase is not Phase.ANNOUNCED:
                await self.change(table_id, Table.gather)
            else:
                await self.change(standing.id, lambda now: now.expect_people_of(announced))
                await self.change(table_id, lambda now: replace(now.call_off(), starts_at=None))

        return True

    async def change(self, table_id: int, change: Callable[[Table], Table]) -> Table:
        """Changes the people of a table.

        Raises:
            RefusedError: The change is not possible; nothing happened.
        """
        async with self.locks[table_id]:
            table = await self.save(change(await self.locked_table(table_id)))
        self._table_events.changed(table_id)
        return table

    async def start(self, table_id: int, user: UserRef, *, event: str = "") -> Table:
        """Deals the cards; `event` is the id of the press that starts the game, which enters the shuffle.

        The deal is written first. If the bot is killed then, the dealt cards show at the restart that the
        game has begun.

        Raises:
            RefusedError: It cannot start; nothing happened.
            SessionFrozenError: The table on disk contradicts itself.
        """
        async with self.locks[table_id]:
            lobby = await self.locked_table(table_id)
            table = lobby.start(user)
            session = await self.locked_session(lobby)
            opening = deals.next_opening(table, session, event)
            with self.rereading_on_failure(table_id):
                await session.deal(table.game, opening)

            table = await self.save(table)

        self._table_events.changed(table_id)
        return table

    async def submit(
        self,
        table_id: int,
        seat: int,
        text: str,
        version: int,
        author: Author = Author.PLAYER,
        *,
        is_announced: bool = True,
    ) -> Result:
        """Plays a move; the last one of a game ends it. Unless `is_announced`, the caller publishes the move.

        Raises:
            SessionFrozenError: The record of the cards contradicts itself.
        """
        table, session = await self.with_session(table_id)
        if table.phase is not Phase.PLAYING:
            return Closed()

        result = await session.submit(seat, text, version, author, is_announced=is_announced)
        await self.update_phase(session)
        return result

    async def resign(self, table_id: int, user: User) -> Result:
        """Resigns for a person, which ends the game at once.

        Raises:
            RefusedError: They do not sit at the table.
            SessionFrozenError: The cards on disk contradict themselves.
        """
        table, session = await self.with_session(table_id)
        seat = table.seat_taken_by(user.ref)
        if table.phase is not Phase.PLAYING:
            return Closed()

        result = await session.resign(seat)
        await self.update_phase(session)
        return result

    async def rematch(self, table_id: int, user: User, *, event: str = "") -> Table:
        """Gathers for another game at the same table, or seats the person in the lobby that its room has.

        `event` is the id of the press, which enters the shuffle.

        Raises:
            RefusedError: The game is not over, this person did not play, or cannot sit down.
        """
        while True:
            room = (await self.table(table_id)).room
            async with self.locks[_place(room)]:
                if (await self.table(table_id)).room != room:
                    continue  # it has moved in the meantime

                standing = await self.in_room(room)
                if standing is None:
                    return await self.change(table_id, lambda now: now.rematch(user, deals.new_seed()))
                if standing.phase is Phase.LOBBY:
                    return await self.change(standing.id, lambda now: now.join(user, deals.trace_of(event)))
                if standing.id != table_id:
                    raise RefusedError(TableRefusal.ROOM_TAKEN)

                is_seated = standing.seat_of(user.ref) is not None
                refusal = TableRefusal.ALREADY_SEATED if is_seated else TableRefusal.NOT_GATHERING
                raise RefusedError(refusal)

    async def move(self, table_id: int, room: RoomRef) -> Table:
        """Moves the table of a running game to another room of its server.

        Raises:
            RefusedError: There is a table in that room, or no game runs; nothing happened.
        """
        async with self.locks[_place(room)]:
            if await self.in_room(room) is not None:
                raise RefusedError(TableRefusal.ROOM_TAKEN)

            async with self.locks[table_id]:
                table = await self.locked_table(table_id)
                if table.phase is not Phase.PLAYING:
                    raise RefusedError(TableRefusal.NOT_PLAYING)

                with self.rereading_on_failure(table_id):
                    await self._table_store.move(table_id, room)
                    await self.read_again(table_id)

        self._table_events.changed(table_id)
        return self.known[table_id]

    async def move_room(self, old: RoomRef, new: RoomRef) -> None:
        """Moves a room, with its tables and its server's tallies, to a new id."""
        async with AsyncExitStack() as locks:
            for place in sorted({_place(old), _place(new)}):
                await locks.enter_async_context(self.locks[place])

            servers = {old.server, new.server}
            concerned = [table_id for table_id, room in self.known.rooms.items() if room.server in servers]
            for table_id in sorted(concerned):
                await locks.enter_async_context(self.locks[table_id])

            with self.rereading_on_failure(*concerned):
                await self._table_store.rename_room(old, new)
                for table_id in concerned:
                    await self.read_again(table_id)

        for table_id in concerned:
            self._table_events.changed(table_id)

    async def join(self, outside: ServerRef, room: RoomRef) -> bool:
        """Transfers the tables and tallies of an outside chat to a room; False while one is in use."""
        concerned = [table_id for table_id, place in self.known.rooms.items() if place.server == outside]
        async with AsyncExitStack() as locks:
            for table_id in sorted(concerned):
                await locks.enter_async_context(self.locks[table_id])

            with self.rereading_on_failure(*concerned):
                is_joined = await self._table_store.join(outside, room)
                for table_id in concerned:
                    await self.read_again(table_id)

        return is_joined

    async def forget(
        self, user: UserRef, private: ServerRef | None, erase: Callable[[], Awaitable[None]]
    ) -> None:
        """Removes a person from all tables, while `erase` deletes them on disk.

        A lobby continues without them; in a game a house player takes their seat for good. The tables in
        their `private` chat are evicted.
        """
        async with AsyncExitStack() as locks:
            saved_ids = await self._table_store.about(user, private)
            unsaved_ids = [table_id for table_id, table in self.known.items() if table.involves(user)]
            for table_id in sorted({*saved_ids, *unsaved_ids}):
                await locks.enter_async_context(self.locks[table_id])
                if self.known.is_unread(table_id):
                    await self.locked_table(table_id)

            known = {
                table_id: self.known[table_id]
                for table_id in {*saved_ids, *unsaved_ids}
                if table_id in self.known
            }
            for table in known.values():
                gathers = table.phase in {Phase.LOBBY, Phase.ANNOUNCED}
                if gathers and table.seat_of(user) is not None:
                    await self.save(table.leave(user))

            left = {table_id for table_id, table in known.items() if table.room.server == private}
            with self.rereading_on_failure(*known):
                await erase()
                for table_id in known.keys() - left:
                    await self.read_again(table_id)

            for table_id in left:
                self.evict(table_id)

        for table_id in left:
            self._table_events.evicted(table_id)

        for table_id in known.keys() - left:
            self._table_events.changed(table_id)

    # --- kept in memory -----------------------------------------------------------------------------------

    async def tidy(self) -> None:
        """Evicts unused tables; they are read from disk when they are asked for again."""
        for number, table_id in enumerate(list(self.known)):
            if number % EVICTION_BATCH_SIZE == 0:
                await asyncio.sleep(0)  # presses go first

            if self._is_needed(table_id):
                continue

            async with self.locks[table_id]:
                if self._is_needed(table_id):
                    continue
                self.evict(table_id)

            self._table_events.evicted(table_id)

    def _is_needed(self, table_id: int) -> bool:
        table = self.known.get(table_id)
        seconds = None if table is None else NEEDED_SECONDS.get(table.phase)
        return table is None or seconds is None or self._now() < table.touched_at + seconds

    async def update_phase(self, session: GameSession) -> None:
        """Updates the phase of a table to match its cards, which are the source of truth."""
        if _phase_by(session, await self.table(session.table_id)) is not None:
            async with self.locks[session.table_id]:
                await self.locked_table(session.table_id)
            self._table_events.changed(session.table_id)

    def evict(self, table_id: int) -> None:
        """Drops a table from memory; it is read from disk when it is asked for again."""
        self.known.forget(table_id)
        self._in_doubt.discard(table_id)
        self.sessions.forget(table_id)

    @contextmanager
    def rereading_on_failure(self, *tables: int) -> Iterator[None]:
        """Marks tables for a fresh read if the block, which writes something about them, fails."""
        try:
            yield
        except BaseException:
            self._in_doubt.update(tables)
            for table_id in tables:
                self._table_events.changed(table_id)
            raise

    async def locked_table(self, table_id: int) -> Table:
        """Returns a table, read from disk if necessary, after saving the phase that its game is in."""
        if table_id not in self.known or table_id in self._in_doubt:
            await self.read_again(table_id)

        table = self.known[table_id]
        try:
            phase = _phase_by(await self.locked_session(table), table)
        except SessionFrozenError:
            return self.known[table_id]  # its screen reports it

        if phase is not None:
            await self.save(table.with_phase(phase))
            if phase is Phase.OVER:
                GAMES.inc()

        return self.known[table_id]

    async def read_again(self, table_id: int) -> None:
        """Reads a table from disk, even if it is in memory."""
        table = await self._table_store.get(table_id)
        if table is None:
            raise NoSuchTableError
        if table.is_damaged:
            log.error("table_damaged", table=table_id)

        self._keep(table)
        self._in_doubt.discard(table_id)

    async def locked_session(self, table: Table) -> GameSession:
        """Returns the session of a table in any phase."""
        if table.is_damaged:
            raise SessionFrozenError("the rules cannot be read")
        return await self.sessions.find(table.id)

    async def save(self, table: Table) -> Table:
        """Saves a changed table, and returns the saved one."""
        before = self.known[table.id]
        was_playing = before.phase is Phase.PLAYING
        on_disk = None if table.id in self._in_doubt else before
        with self.rereading_on_failure(table.id):
            self._keep(await self._table_store.save(table, on_disk))

        if was_playing is not (table.phase is Phase.PLAYING):
            # Hands at other tables have a heading while a person plays at more than one.
            others = {table_id for user in table.people() for table_id in self.known.games_of(user)}
            for other in others - {table.id}:
                self._table_events.changed(other)

        return self.known[table.id]

    def _keep(self, table: Table) -> None:
        self.known.put(table)
        if table.phase in {Phase.LOBBY, Phase.ANNOUNCED} and not table.series:
            self._table_events.gathers(table.id)


def _phase_by(session: GameSession, table: Table) -> Phase | None:
    """Returns the phase that a table in use should have by its cards; None if it has that phase."""
    is_in_use = table.phase in {Phase.LOBBY, Phase.PLAYING}
    if not is_in_use or session.game != table.game or session.state is None:
        return None
    phase = Phase.PLAYING if session.outcome is None else Phase.OVER
    return None if phase is table.phase else phase


def _place(room: RoomRef) -> tuple[str, str, str]:
    """Returns the key of the lock under which tables are opened and moved: a room with its topics."""
    return room.server.platform, room.server.id, room.id
