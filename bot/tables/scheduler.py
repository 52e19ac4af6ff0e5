"""Performs the actions at tables that need no press: house players move, absent people are called and so on.

These actions follow from the journal and the time (`schedule.py`), so there are no timers to save. A restart
loses only which people have come back to their seat without a move yet.
"""

import asyncio
from collections.abc import Callable, Collection, Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field, replace

import structlog

from adapters.port import RoomRef, UserRef
from bot.model.refusal import RefusedError
from bot.model.table import NEVER, Phase, Table, UnreadTable
from bot.people import Servers
from bot.tables.automatic_moves import AutomaticMoves
from bot.tables.clock import SteadyClock
from bot.tables.events import TableEvents
from bot.tables.house_players import HousePlayers
from bot.tables.schedule import ClosePanel, Due, EnterPhase, MoveFor, Redraw, ReleaseSeats, Schedule, Times
from bot.tables.service import TableService
from engine import Seat, Stop
from engine.runtime import Author, Game, GameSession, SessionFrozenError

log = structlog.get_logger()

RETRY_SECONDS = 5.0  # the pause after an unexpected error
STUCK_SECONDS = 60.0  # a table counts as stuck if an action has been overdue, or has failed, this long
CLOCK_SECONDS = 5.0  # the pause between readings of the wall clock, which may have been set


@dataclass(slots=True)
class TableWatch:
    """The scheduler's record of one table.

    Attributes:
        counted_from: When the bot could last write to the room again; None: since it started.
        back_at: By seat, the version at which its person came back without a move.
        extended: By seat, the newest version at which its person got more time, and when.
        drawn_at: When the table was last redrawn because time had passed.
        shown: By person, the newest version that they have seen, and when.
        in_room: The people who see their hand in the room.
        next_at: When the next action is due; None while that is unknown.
        failing_since: Since when every action has failed; None while they succeed.
        is_waiting: Whether the game waits for people.
        woken: Wakes the task that watches the table; None while there is no such task.
    """

    counted_from: float | None = None
    back_at: dict[Seat, int] = field(default_factory=dict)
    extended: dict[Seat, tuple[int, float]] = field(default_factory=dict)
    drawn_at: float | None = None
    shown: dict[UserRef, tuple[int, float]] = field(default_factory=dict)
    in_room: set[UserRef] = field(default_factory=set)
    next_at: float | None = None
    failing_since: float | None = None
    is_waiting: bool = False
    woken: asyncio.Event | None = None


class Scheduler:
    """Watches all tables; call `changed` whenever one has changed."""

    def __init__(
        self,
        tables: TableService,
        servers: Servers,
        now: Callable[[], float],
        house_players: HousePlayers,
        *,
        pace: float,
        is_served: Callable[[RoomRef], bool],
        table_events: TableEvents,
    ) -> None:
        """Makes moves through `tables`.

        Args:
            tables: The tables.
            servers: The servers, with their clocks.
            now: Returns the wall clock's time in Unix seconds.
            house_players: Chooses moves for house players.
            pace: Multiplies the pauses made for people; 0 makes none.
            is_served: Whether the bot can write in a room; if not, the time of its tables stops.
            table_events: Publishes tables that look different because time has passed.
        """
        self._tables = tables
        self._servers = servers
        self._clock = SteadyClock(now, self._stepped)
        self._pace = pace
        self._is_served = is_served
        self._table_events = table_events

        self._house_players = house_players
        self._moves = AutomaticMoves(tables, house_players, table_events)
        self._began = self._clock.now()

        self._watches: dict[int, TableWatch] = {}
        # By table, since when it waited before the bot stopped; most of these aren't watched yet.
        self._noted_waits: dict[int, float] = {}
        self._tasks: asyncio.TaskGroup | None = None

    def _of(self, table_id: int) -> TableWatch:
        return self._watches.setdefault(table_id, TableWatch())

    # --- questions and events ------------------------------------------------------------------------------

    def changed(self, table_id: int) -> None:
        """Schedules the next check of a table, also while its task runs or ends."""
        watch = self._of(table_id)
        watch.next_at = None
        if watch.woken is not None:
            watch.woken.set()
        elif self._tasks is not None:
            watch.woken = asyncio.Event()
            self._tasks.create_task(self._watch(table_id, watch.woken))

    def resume(self, unfinished: Iterable[UnreadTable]) -> None:
        """Continues the waits from before the bot stopped."""
        for table in unfinished:
            if table.waits_since is not None:
                self._noted_waits[table.id] = table.waits_since

    def evict(self, table_id: int) -> None:
        """Drops the record of an evicted table, except for the task that still watches it."""
        watch = self._watches.pop(table_id, None)
        if watch is not None and watch.woken is not None:
            self._watches[table_id] = TableWatch(woken=watch.woken)
        self._noted_waits.pop(table_id, None)
        self._clock.evict(table_id)

    def due_at(self, table: Table) -> float | None:
        """Returns when an action is due at a table without a press; None while that is unknown."""
        watch = self._watches.get(table.id)
        if watch is None or not self._is_served(table.room):
            return None
        return watch.next_at

    def served_again(self, table_id: int) -> None:
        """Restarts the waiting times of a table: the bot can write in its room again."""
        self._of(table_id).counted_from = self._clock.now()
        self.changed(table_id)

    def note_shown(
        self, table_id: int, version: int, users: Iterable[UserRef], *, in_room: Collection[UserRef] = ()
    ) -> None:
        """Records that these people see this version from now on, some of them `in_room`."""
        watch = self._of(table_id)
        shown = watch.shown
        were_in_room = set(watch.in_room)
        for user in users:
            (watch.in_room.add if user in in_room else watch.in_room.discard)(user)
            seen_version, _ = shown.get(user, (0, 0.0))
            if seen_version < version:
                shown[user] = version, self._clock.now()

        if watch.in_room - were_in_room:
            self.changed(table_id)  # they are called sooner

    def came_back(self, table: Table, session: GameSession, seat: Seat) -> None:
        """Gives a seat back to its person after they did something, with some time for their move.

        They get more time for the same move only once, so that nobody can delay a table by pressing buttons.
        """
        watch = self._of(table.id)
        schedule = self.schedule(table, session.newest)
        was_away = seat in schedule.away
        watch.back_at[seat] = session.version

        extended_version, _ = watch.extended.get(seat, (0, 0.0))
        has_extended = extended_version == session.seen_version
        if was_away or (schedule.ends_soon_for(seat) and not has_extended):
            watch.extended[seat] = session.seen_version, self._clock.now()
            self._table_events.changed(table.id)

    def schedule(self, table: Table, game: Game | None = None) -> Schedule:
        """Returns the schedule of a table at this moment; before its first deal there is no `game`."""
        watch = self._of(table.id)
        now = self._clock.now()
        changed_at = table.touched_at
        seen_at: Mapping[UserRef, float] = {}

        # The clock tracks one time of each table, so only the time that its phase needs is converted.
        if table.phase is Phase.PLAYING and game is not None:
            changed_at = self._clock.time_of_event(table.id, game.newest_seen.at, now)
            seen_at = self._seen_at(table, game, changed_at)
        elif table.phase is Phase.LOBBY:
            changed_at = self._clock.time_of_event(table.id, table.touched_at, now)

        times = Times(
            now=now,
            changed_at=changed_at,
            counted_from=watch.counted_from or self._began,
            drawn_at=watch.drawn_at or self._began,
            seen_at=seen_at,
            back_at=dict(watch.back_at),
            in_room=watch.in_room,
            extended_at=0.0 if game is None else _extended_at(watch, game),
        )
        return Schedule(table, game, times)

    def _seen_at(self, table: Table, game: Game, moved_at: float) -> Mapping[UserRef, float]:
        """Returns when people saw the newest move.

        After a restart everything is shown again, so for a move from before it, the time when it was seen
        first is used, if that was recorded.
        """
        if moved_at < self._began:
            noted_at = self._noted_waits.get(table.id, 0.0)
            return dict.fromkeys(table.people(), max(moved_at, noted_at))

        shown = self._of(table.id).shown
        seen_version = game.newest_seen.version
        return {user: at for user, (version, at) in shown.items() if version == seen_version}

    def now(self) -> float:
        """Returns the wall clock's time in Unix seconds."""
        return self._clock.now()

    # --- for the owner ------------------------------------------------------------------------------------

    @property
    def waiting_tables(self) -> list[int]:
        """The tables whose games wait for people."""
        return [table_id for table_id, watch in self._watches.items() if watch.is_waiting]

    @property
    def stuck_tables(self) -> list[int]:
        """The tables where an action is overdue, or has failed again and again."""
        latest = self._clock.now() - STUCK_SECONDS
        return [
            table_id
            for table_id, watch in self._watches.items()
            if min(watch.next_at or NEVER, watch.failing_since or NEVER) < latest
        ]

    async def called_seats(self, table: Table, session: GameSession) -> frozenset[Seat]:
        """Returns the awaited seats whose people have been called."""
        choices = await self._servers.choices(table.room.server)
        waiting = self.schedule(table, session.newest).waiting(choices.local_time)
        return frozenset() if waiting is None else waiting.called_seats

    async def move_for_called(self, table_id: int, *, besides: Seat | None = None) -> bool:
        """Moves at once for awaited people who were called, not for `besides`; returns False without any."""
        called = await self.called_seats(*await self._tables.with_session(table_id)) - {besides}
        if called:
            await self._moves.move_for_absent(table_id, sorted(called))
        return bool(called)

    # --- the tasks ----------------------------------------------------------------------------------------

    async def run(self) -> None:
        """Watches until cancelled."""
        async with asyncio.TaskGroup() as tasks:
            self._tasks = tasks
            for table_id, watch in list(self._watches.items()):  # the tasks ended with the run before
                watch.woken = None
                self.changed(table_id)

            try:
                while True:
                    await asyncio.sleep(CLOCK_SECONDS)
                    self._clock.now()
            finally:
                self._tasks = None  # a group that ends takes no more work

    def _stepped(self, seconds: float) -> None:
        """Restarts all waiting times, as after a start of the bot: the wall clock has been set."""
        log.warning("clock_stepped", seconds=round(seconds))
        self._began = self._clock.now()
        self._noted_waits.clear()
        for table_id, watch in list(self._watches.items()):
            watch.counted_from = None
            watch.shown.clear()
            watch.extended.clear()
            if watch.drawn_at is not None:
                watch.drawn_at += seconds
            if watch.woken is not None:
                self._table_events.changed(table_id)

    async def _watch(self, table_id: int, woken: asyncio.Event) -> None:
        """Performs the actions at one table as they fall due, for as long as there are any."""
        while True:
            woken.clear()
            try:
                due = await self._next_due(table_id)
                self._of(table_id).failing_since = None
                if due is not None and due.at <= self._clock.now():
                    await self._perform(table_id, due)
                    continue

                if not woken.is_set():
                    self._of(table_id).next_at = NEVER if due is None else due.at
            except SessionFrozenError:
                due = None  # its screen reports it
            except Exception:
                log.exception("deadline_failed", table=table_id)
                self._note_failure(table_id)
                due = Redraw(self._clock.now() + RETRY_SECONDS)

            if due is None and not woken.is_set():
                self._stop_watching(table_id)
                return

            pause = None if due is None else due.at - self._clock.now()
            with suppress(TimeoutError):
                async with asyncio.timeout(pause):
                    await woken.wait()

    def _note_failure(self, table_id: int) -> None:
        watch = self._of(table_id)
        if watch.failing_since is None:
            watch.failing_since = self._clock.now()

    def _stop_watching(self, table_id: int) -> None:
        watch = self._of(table_id)
        watch.woken = None
        watch.is_waiting = False
        if watch == TableWatch():  # the table was evicted meanwhile
            del self._watches[table_id]

    async def _next_due(self, table_id: int) -> Due | None:
        """Returns the next action at a table; None if none is due before something changes."""
        watch = self._of(table_id)
        watch.is_waiting = False
        table = await self._tables.table(table_id)
        if not self._is_served(table.room):
            return None

        is_playing = table.phase is Phase.PLAYING
        game = (await self._tables.session(table_id)).newest if is_playing else None
        choices = await self._servers.choices(table.room.server)

        schedule = self.schedule(table, game)
        watch.is_waiting = bool(schedule.awaited_people)
        due = schedule.next(choices.local_time, self._pace)
        if isinstance(due, MoveFor) and due.author is Author.HOUSE:
            self._house_players.expect(table.options.strength)

        return due

    async def _perform(self, table_id: int, due: Due) -> None:
        """Performs an action that is due; a faster press wins."""
        match due:
            case Redraw():
                self._of(table_id).drawn_at = self._clock.now()
                self._table_events.changed(table_id)

            case MoveFor(author=Author.HOUSE):
                returned = dict(self._of(table_id).back_at)
                await self._moves.move_for_house(
                    table_id, due.seats, due.thinking, lambda: self._of(table_id).back_at != returned
                )

            case MoveFor():
                await self._moves.move_for_absent(table_id, due.seats)

            case ReleaseSeats():
                with suppress(RefusedError):
                    await self._tables.change(table_id, lambda table: table.release(self._clock.now()))

            case ClosePanel():
                await self._tables.change(table_id, Table.close_panel)

            case EnterPhase():
                with suppress(RefusedError):
                    await self._enter(table_id, due.phase)

    async def _enter(self, table_id: int, phase: Phase) -> None:
        """Opens a table, begins its game, or closes it.

        Raises:
            RefusedError: The table no longer allows it.
        """
        match phase:
            case Phase.LOBBY:
                if not await self._tables.gather(table_id):
                    self._of(table_id).drawn_at = self._clock.now()
            case Phase.PLAYING:
                table = await self._tables.table(table_id)
                await self._tables.start(table_id, table.opener)
            case _:
                await self._tables.change(table_id, _put_away)


def _extended_at(watch: TableWatch, game: Game) -> float:
    """Returns when the last of the awaited people got more time for the newest move; 0 for nobody."""
    newest = game.newest_seen.version
    awaited = game.state.awaited
    return max(
        (at for seat, (version, at) in watch.extended.items() if version == newest and seat in awaited),
        default=0.0,
    )


def _put_away(table: Table) -> Table:
    if table.phase is not Phase.PLAYING:
        return table.call_off()
    return replace(table.close(), stopped=Stop.ABSENCE)
