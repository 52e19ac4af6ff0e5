"""Keeps the tables: the people around each and the cards on it, changed together under one lock per table."""

import asyncio
import heapq
import secrets
from collections.abc import Awaitable, Callable, Collection, Iterable, Iterator, Mapping
from contextlib import AsyncExitStack, contextmanager, suppress
from dataclasses import dataclass, replace
from hashlib import sha256
from typing import TypeVar

import structlog

from adapters.port import RoomRef, ServerRef, User, UserRef
from bot.metrics import GAMES
from bot.model.messages import MessageSlot
from bot.model.table import NEVER, Phase, RuleSet, Table, TableRefusal, TableRefusedError, UnreadTable
from bot.storage import DatabaseUnreachableError, MessageSlotStore, TableStore
from engine import Match, Opening
from engine.runtime import Author, Closed, GameSession, GameSessions, KeyedLocks, Result, SessionFrozenError

log = structlog.get_logger()

TRACE_DIGITS = 32  # 128 bits of a hash


def _place(room: RoomRef) -> tuple[str, str, str]:
    """Return what is locked where a table is opened or moves: a room with its topics."""
    return room.server.platform, room.server.id, room.id


class NoSuchTableError(LookupError):
    """There is no table with this id."""


def new_seed() -> str:
    """Make the secret of a deal."""
    return secrets.token_hex(16)


def trace_of(event: str) -> str:
    """Return a hash of a chat's event id (none for none); the id is not kept, as it can tell who did it."""
    return sha256(event.encode()).hexdigest()[:TRACE_DIGITS] if event else ""


def next_opening(table: Table, session: GameSession, event: str) -> Opening:
    """Carry the match on if the same people play on by the same rules; else begin a new one.

    The shuffle takes what no player could choose once the seed was sealed: how people joined, and the
    start (the `event`). A game that starts by itself has no press; what is drawn now was not known before.
    """
    before, outcome = session.opening, session.outcome
    match = Match.begin(table.rules, len(table.players))
    if before is not None and outcome is not None:
        earlier = Match.of(before)
        match = earlier.after(outcome)
        if before.rules != table.rules or not table.is_same_company or match.is_over:
            match = earlier.changed(table.rules, len(table.players))
    traces = [*(player.joined or "house" for player in table.players), trace_of(event or new_seed())]
    # One hash of all: by a person's id one could try out which of their presses gives a single trace.
    return match.opening(seed=table.seed, salt=trace_of(",".join(traces)))


About = TypeVar("About")


class Listeners(list[Callable[[About], object]]):
    """Listeners to one kind of event, who return at once; a call tells them all."""

    def __call__(self, about: About, version: int = 0) -> None:  # listeners ask for the newest version
        """Tell what it is about; `version` is what the engine's announcer port hands over."""
        for listener in self:
            listener(about)


class TableEvents:
    """What happens to tables; the announcer of the engine's sessions."""

    def __init__(self) -> None:
        self.changed = Listeners[int]()  # a table looks different
        self.gathers = Listeners[int]()  # people gather at a table, or those who do have changed
        self.evicted = Listeners[int]()  # a table was dropped from memory; it is on disk
        self.over = Listeners[int]()  # a game was played to its end, and its results are on record
        self.outdated = Listeners[MessageSlot]()  # a message has to be posted again, where it is seen at once


class KnownTables(dict[int, Table]):
    """The tables in memory, by id; a person's games are found without a look at all others.

    Of tables that were left on disk at the start it knows where they stand and who plays there. Tables are
    added by `put` and removed by `forget` alone.
    """

    def __init__(self) -> None:
        super().__init__()
        self._unread: dict[int, UnreadTable] = {}
        self._playing: dict[int, Collection[UserRef]] = {}
        self._games: dict[UserRef, set[int]] = {}

    @property
    def rooms(self) -> Mapping[int, RoomRef]:
        """Where each table stands, by its id; of those on disk as well."""
        left = {each.id: each.room for each in self._unread.values()}
        return left | {each.id: each.room for each in self.values()}

    def note_unread(self, unfinished: UnreadTable) -> None:
        """Note where a table stands and who plays there; it stays on disk until it is asked for."""
        self._unread[unfinished.id] = unfinished
        self._note_players(unfinished.id, unfinished.playing)

    def is_unread(self, table_id: int) -> bool:
        """Whether a table was left on disk at the start, and was not asked for since."""
        return table_id in self._unread

    def put(self, table: Table) -> None:
        """Keep a table as it is now."""
        self._unread.pop(table.id, None)
        self[table.id] = table
        playing = table.players if table.phase is Phase.PLAYING else ()
        self._note_players(table.id, [player.user for player in playing if player.user is not None])

    def forget(self, table_id: int) -> None:
        """Drop a table."""
        self._unread.pop(table_id, None)
        self.pop(table_id, None)
        self._note_players(table_id, ())

    def games_of(self, user: UserRef) -> set[int]:
        """Name the tables at which a person sits in a running game."""
        return set(self._games.get(user, ()))

    def _note_players(self, table_id: int, playing: Collection[UserRef]) -> None:
        for user in self._playing.pop(table_id, ()):
            games = self._games.get(user, set())
            games.discard(table_id)
            if not games:
                self._games.pop(user, None)
        for user in playing:
            self._games.setdefault(user, set()).add(table_id)
        if playing:
            self._playing[table_id] = playing


# How long after its end a table is kept in memory: for a rematch, or a message that is late.
NEEDED_SECONDS = {Phase.CLOSED: 15 * 60.0, Phase.OVER: 24 * 60 * 60.0}

AT_ONCE = 25  # so many tables are evicted before others have their turn


@dataclass(frozen=True, slots=True)
class Opened:
    """The answer to opening a table: `is_new` is False when one stands in the room already."""

    table: Table
    is_new: bool


class TableService:
    """All tables of this bot: those in memory are as they are on disk, and in step with their cards.

    What it changes is on disk before it is told of. A write that fails may have arrived all the same, so what
    it was to change is read again the next time it is asked for. `held_table`, `held_session` and `save` are
    for the holder of the table's lock.
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
        """Return a table.

        Raises:
            NoSuchTableError: There never was such a table.
        """
        table = self.known.get(table_id)
        if table is not None and table_id not in self._in_doubt:
            return table
        async with self.locks[table_id]:
            return await self.held_table(table_id)

    async def session(self, table_id: int) -> GameSession:
        """Return the session of a table; without a game its state is None.

        Raises:
            SessionFrozenError: What is on disk about the table contradicts itself.
        """
        return (await self.with_session(table_id))[1]

    async def with_session(self, table_id: int) -> tuple[Table, GameSession]:
        """Return a table and its session, the phase of the one in step with the cards of the other.

        Raises:
            NoSuchTableError: There never was such a table.
            SessionFrozenError: What is on disk about the table contradicts itself.
        """
        table = await self.table(table_id)
        session = await self.held_session(table)
        if _phase_by(session, table) is not None:
            await self.follow(session)
            table = await self.table(table_id)
        return table, session

    async def in_room(self, room: RoomRef) -> Table | None:
        """Return the table that stands in a room and is not over."""
        stored = await self._table_store.in_room(room)
        return None if stored is None else await self.table(stored.id)

    async def shown_in(self, room: RoomRef) -> Table | None:
        """Return the table that a room shows: one in use, or else the one where a game was over last."""
        stored = await self._table_store.in_room(room) or await self._table_store.over_in(room)
        return None if stored is None else await self.table(stored.id)

    async def announced_in(self, room: RoomRef) -> Table | None:
        """Return the table that is announced in a room."""
        stored = await self._table_store.announced_in(room)
        return None if stored is None else await self.table(stored.id)

    async def tables_of(self, user: UserRef, *, near: RoomRef | None = None) -> list[Table]:
        """Return the games that a person can play: those in the room `near` first, then the newest."""
        sound = list[Table]()
        for stored in await self._table_store.of_player(user):
            table = await self.table(stored.id)
            with suppress(SessionFrozenError):
                await self.session(table.id)
                sound.append(table)
        return sorted(sound, key=lambda table: table.room != near)

    def tables_in(self, room: RoomRef) -> list[int]:
        """Return the known tables of a room and of its topics."""
        return [
            table_id
            for table_id, each in self.known.rooms.items()
            if (each.server, each.id) == (room.server, room.id)
        ]

    def tables_on(self, server: ServerRef) -> list[int]:
        """Return the known tables of a server."""
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
        """Open a table, its opener seated if a person, or find the one that stands in the room.

        `event` is the chat's id of the wish to open it. With `starts_at` it is announced for that time.
        """
        async with self.locks[_place(room)]:
            find = self.in_room if starts_at is None else self.announced_in
            if (standing := await find(room)) is not None:
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
                starts_at=starts_at,
            )
            self._keep(table)
        self._table_events.changed(table.id)
        return Opened(table, is_new=True)

    async def gather(self, table_id: int) -> bool:
        """Open an announced table, or let the lobby in its room expect those who come.

        False if people play there, or gather for a rematch: it is tried again later.

        Raises:
            TableRefusedError: It is not announced any more.
        """
        room = (await self.table(table_id)).room
        async with self.locks[_place(room)]:
            standing, announced = await self.in_room(room), await self.table(table_id)
            if standing is not None and (standing.phase is Phase.PLAYING or standing.is_rematch):
                return False
            if standing is None or announced.phase is not Phase.ANNOUNCED:
                await self.change(table_id, Table.gather)
            else:
                await self.change(standing.id, lambda now: now.expecting(announced.players))
                await self.change(table_id, lambda now: replace(now.call_off(), starts_at=None))
        return True

    async def change(self, table_id: int, change: Callable[[Table], Table]) -> Table:
        """Change the people of a table.

        Raises:
            TableRefusedError: The change is not possible; nothing happened.
        """
        async with self.locks[table_id]:
            changed = await self.save(change(await self.held_table(table_id)))
        self._table_events.changed(table_id)
        return changed

    async def start(self, table_id: int, user: UserRef, *, event: str = "") -> Table:
        """Deal the cards; `event` is the chat's id of the press that starts the game.

        The deal is written first: a table that is found dealt is a table that plays.

        Raises:
            TableRefusedError: It cannot start; nothing happened.
            SessionFrozenError: What is on disk about the table contradicts itself.
        """
        async with self.locks[table_id]:
            gathered = await self.held_table(table_id)
            started, session = gathered.start(user), await self.held_session(gathered)
            opening = next_opening(started, session, event)
            with self.doubting(table_id):
                await session.deal(started.game, opening)
            started = await self.save(started)
        self._table_events.changed(table_id)
        return started

    async def submit(
        self,
        table_id: int,
        seat: int,
        text: str,
        version: int,
        author: Author = Author.PLAYER,
        *,
        is_told: bool = True,
    ) -> Result:
        """Play a move; the last one of a game also ends it. Unless `is_told`, the caller tells of it later.

        Raises:
            SessionFrozenError: What is on disk about the cards contradicts itself.
        """
        table, session = await self.with_session(table_id)
        if table.phase is not Phase.PLAYING:
            return Closed()
        result = await session.submit(seat, text, version, author, is_told=is_told)
        await self.follow(session)
        return result

    async def resign(self, table_id: int, user: User) -> Result:
        """Give the game up for a person; it ends at once.

        Raises:
            TableRefusedError: They do not sit at the table.
            SessionFrozenError: What is on disk about the cards contradicts itself.
        """
        table, session = await self.with_session(table_id)
        seat = table.seat_taken_by(user.ref)
        if table.phase is not Phase.PLAYING:
            return Closed()
        result = await session.resign(seat)
        await self.follow(session)
        return result

    async def rematch(self, table_id: int, user: User, *, event: str = "") -> Table:
        """Gather for another game at the same table, or sit down where people gather in its room already.

        `event` is the chat's id of the press.

        Raises:
            TableRefusedError: The game is not over, this person did not play, or cannot sit down.
        """
        while True:
            room = (await self.table(table_id)).room
            async with self.locks[_place(room)]:
                if (await self.table(table_id)).room != room:
                    continue  # it has moved in between
                standing = await self.in_room(room)
                if standing is None:
                    return await self.change(table_id, lambda now: now.rematch(user, new_seed()))
                if standing.phase is Phase.LOBBY:
                    return await self.change(standing.id, lambda now: now.join(user, trace_of(event)))
                if standing.id != table_id:
                    raise TableRefusedError(TableRefusal.ROOM_TAKEN)
                is_seated = standing.seat_of(user.ref) is not None
                refusal = TableRefusal.ALREADY_SEATED if is_seated else TableRefusal.NOT_GATHERING
                raise TableRefusedError(refusal)

    async def moved(self, old: RoomRef, new: RoomRef) -> None:
        """Let a room, with its tables and its server's tallies, go on under a new id."""
        async with AsyncExitStack() as locks:
            for place in sorted({_place(old), _place(new)}):
                await locks.enter_async_context(self.locks[place])
            servers = {old.server, new.server}
            concerned = [table_id for table_id, room in self.known.rooms.items() if room.server in servers]
            for table_id in sorted(concerned):
                await locks.enter_async_context(self.locks[table_id])
            with self.doubting(*concerned):
                await self._table_store.rename_room(old, new)
                for table_id in concerned:
                    await self.reread(table_id)
        for table_id in concerned:
            self._table_events.changed(table_id)

    async def forget(
        self, user: UserRef, private: ServerRef | None, erase: Callable[[], Awaitable[None]]
    ) -> None:
        """Take a person away from all tables, while `erase` lets the disk forget them.

        A lobby goes on without them; in a game a house player takes their seat for good. The tables in their
        `private` chat are evicted.
        """
        async with AsyncExitStack() as locks:
            stored = await self._table_store.about(user, private)
            unsaved = [table_id for table_id, table in self.known.items() if table.knows(user)]
            for table_id in sorted({*stored, *unsaved}):
                await locks.enter_async_context(self.locks[table_id])
                if self.known.is_unread(table_id):
                    await self.held_table(table_id)
            known = {
                table_id: self.known[table_id] for table_id in {*stored, *unsaved} if table_id in self.known
            }
            for table in known.values():
                gathers = table.phase in {Phase.LOBBY, Phase.ANNOUNCED}
                if gathers and table.seat_of(user) is not None:
                    await self.save(table.leave(user))
            left = {table_id for table_id, table in known.items() if table.room.server == private}
            with self.doubting(*known):
                await erase()
                for table_id in known.keys() - left:
                    await self.reread(table_id)
            for table_id in left:
                self.evict(table_id)
        for table_id in left:
            self._table_events.evicted(table_id)
        for table_id in known.keys() - left:
            self._table_events.changed(table_id)

    # --- kept in memory -----------------------------------------------------------------------------------

    async def tidy(self) -> None:
        """Evict tables that were not used for long; they are read from disk when they are asked for again."""
        for number, table_id in enumerate(list(self.known)):
            if number % AT_ONCE == 0:
                await asyncio.sleep(0)  # for presses that came in between
            if self._is_needed(table_id):
                continue
            async with self.locks[table_id]:
                if self._is_needed(table_id):
                    continue
                self.evict(table_id)
            self._table_events.evicted(table_id)

    def _is_needed(self, table_id: int) -> bool:
        table = self.known.get(table_id)
        needed = None if table is None else NEEDED_SECONDS.get(table.phase)
        return table is None or needed is None or self._now() < table.touched_at + needed

    async def follow(self, session: GameSession) -> None:
        """Let the phase of a table follow its cards, which are the truth."""
        if _phase_by(session, await self.table(session.table_id)) is not None:
            async with self.locks[session.table_id]:
                await self.held_table(session.table_id)
            self._table_events.changed(session.table_id)

    def evict(self, table_id: int) -> None:
        """Drop a table from memory; it is read from disk when it is asked for again."""
        self.known.forget(table_id)
        self._in_doubt.discard(table_id)
        self.sessions.forget(table_id)

    @contextmanager
    def doubting(self, *tables: int) -> Iterator[None]:
        """Write something about tables; should that fail, they are read and shown again."""
        try:
            yield
        except BaseException:
            self._in_doubt.update(tables)
            for table_id in tables:
                self._table_events.changed(table_id)
            raise

    async def held_table(self, table_id: int) -> Table:
        """Return a table in step with its cards, from disk if need be."""
        if table_id not in self.known or table_id in self._in_doubt:
            await self.reread(table_id)
        table = self.known[table_id]
        try:
            phase = _phase_by(await self.held_session(table), table)
        except SessionFrozenError:
            return self.known[table_id]  # its screen says so
        if phase is not None:
            await self.save(table.entered(phase))
            if phase is Phase.OVER:
                GAMES.inc()
                self._table_events.over(table_id)
        return self.known[table_id]

    async def reread(self, table_id: int) -> None:
        """Read a table from disk, whatever is known of it."""
        stored = await self._table_store.get(table_id)
        if stored is None:
            raise NoSuchTableError(table_id)
        if stored.is_damaged:
            log.error("table_damaged", table=table_id)
        self._keep(stored)
        self._in_doubt.discard(table_id)

    async def held_session(self, table: Table) -> GameSession:
        """Return the session of a table, whatever its phase says."""
        if table.is_damaged:
            raise SessionFrozenError("the rules cannot be read")
        return await self.sessions.find(table.id)

    async def save(self, table: Table) -> Table:
        """Keep a changed table."""
        was_playing = self.known[table.id].phase is Phase.PLAYING
        with self.doubting(table.id):
            self._keep(await self._table_store.save(table))
        if was_playing is not (table.phase is Phase.PLAYING):
            # Hands at other tables say which one is theirs as long as there is more than one.
            others = {table_id for user in table.people() for table_id in self.known.games_of(user)}
            for other in others - {table.id}:
                self._table_events.changed(other)
        return self.known[table.id]

    def _keep(self, table: Table) -> None:
        self.known.put(table)
        if table.phase is Phase.LOBBY:
            self._table_events.gathers(table.id)


def _phase_by(session: GameSession, table: Table) -> Phase | None:
    """Return the phase that a table should be in by its cards; None when it is."""
    is_in_use = table.phase in {Phase.LOBBY, Phase.PLAYING}
    if not is_in_use or session.game != table.game or session.state is None:
        return None
    phase = Phase.PLAYING if session.outcome is None else Phase.OVER
    return None if phase is table.phase else phase


# --- After a restart tables stay on disk until they are asked for, or something is due there ---


AFTER_AN_ERROR = 5.0  # seconds until a table is tried again that could not be reached
LEFT_OUT_SECONDS = 10 * 60.0  # seconds until a table is tried again that could not be read
CHECK_SECONDS = 1.0  # the pause between two checks of the records of tables that were not asked for


class TableLoader:
    """Reads each table in time, and tells that it has changed, so that it is looked at."""

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
        """The tables that were found damaged and are not put away yet."""
        known = self._tables.known
        return sorted(
            each
            for each in self._unreadable | self._tables.sessions.frozen
            if each not in known or known[each].phase is not Phase.CLOSED
        )

    def resume(self, unfinished: Iterable[UnreadTable]) -> None:
        """Leave these tables on disk for now; times are counted by the loop's clock, which is never set."""
        ahead = self._now() - asyncio.get_running_loop().time()
        for each in unfinished:
            self._tables.known.note_unread(each)
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
            if table_id in self._unread:
                await asyncio.sleep(max(0.0, due_at - loop.time()))
            if table_id not in self._unread:
                continue
            began, again_after = loop.time(), None
            try:
                is_damaged = (await self._tables.table(table_id)).is_damaged
                (self._unreadable.add if is_damaged else self._unreadable.discard)(table_id)
                with suppress(SessionFrozenError):  # its screen says so
                    await self._tables.session(table_id)
            except DatabaseUnreachableError:
                again_after = AFTER_AN_ERROR
            except Exception:
                log.exception("table_left_out", table=table_id)  # the others go on
                self._unreadable.add(table_id)
                again_after = LEFT_OUT_SECONDS
            else:
                self._table_events.changed(table_id)
            if again_after is not None:
                heapq.heappush(self._dues, (loop.time() + again_after, table_id))
            await asyncio.sleep(loop.time() - began)  # half of the time is for all else

    async def _check(self) -> None:
        """Look at the records of unread tables, so that damaged ones are found and say so."""
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


# --- Keeps a process small that lives for months ---


TIDY_SECONDS = 10 * 60.0  # how often tables are evicted that were not used for long

# For how many seconds after its last use the messages of a table are known.
MESSAGES_KEPT = 30 * 24 * 60 * 60.0

TIDIED_AT_ONCE = 20  # tables whose messages are forgotten at once


async def keep_tidy(tables: TableService, slots: MessageSlotStore, now: Callable[[], float]) -> None:
    """Put tables away from time to time, and forget old messages, until cancelled."""
    while True:
        await asyncio.sleep(TIDY_SECONDS)
        try:
            await tables.tidy()
            while await slots.forget_old(now() - MESSAGES_KEPT, TIDIED_AT_ONCE) == TIDIED_AT_ONCE:
                pass
        except Exception:
            log.exception("tidying_failed")
