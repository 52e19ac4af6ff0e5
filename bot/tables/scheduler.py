"""Schedules all that needs no press at a table: house players move, the absent are called and moved for.

Everything follows from the journal and the time, so there are no timers to save. A restart loses one thing:
the people back at their seat without a move yet.
"""

import asyncio
from collections.abc import Callable, Collection, Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass, field, replace
from math import ceil
from operator import attrgetter

import structlog

from adapters.port import RoomRef, UserRef
from bot.model.calendar import LocalTime
from bot.model.table import KEPT_MINUTES, NEVER, Phase, Table, TableRefusedError
from bot.model.waiting import COUNTDOWN_SECONDS, GRACE, LAST_SECONDS, Countdown, Waiting
from bot.people import Servers
from bot.tables.automatic_moves import AutomaticMoves
from bot.tables.clock import SteadyClock
from bot.tables.events import TableEvents
from bot.tables.house_players import HousePlayers
from bot.tables.service import TableService
from engine import Seat, Stop
from engine.runtime import Author, GameSession, SessionFrozenError

log = structlog.get_logger()

# After this many moves made for an absent person a house player takes the seat until they come back.
MAX_ABSENCES = 3

UNTOUCHED_SECONDS = 15 * 60.0  # the time after which an unused lobby is closed
MAX_DELAY_SECONDS = 60 * 60.0  # the longest time for which an announced table waits for its room
ROOM_RETRY_SECONDS = 15.0  # the pause between checks whether its room is free

# Seconds without a press of its people after which a table held by house players alone rests.
ASLEEP_SECONDS = 5 * 60.0

PUT_AWAY_SECONDS = 24 * 60 * 60.0  # seconds of rest after which a table is put away
RETRY_SECONDS = 5.0  # the pause after an unexpected error
STUCK_SECONDS = 60.0  # seconds after which a table is stuck where an action is overdue, or fails
CLOCK_SECONDS = 5.0  # the pause between readings of the wall clock, which may have been set


@dataclass(frozen=True, slots=True)
class ScheduledAction:
    """An action that is due at a table; without an author and a phase the table is only drawn again.

    With an author, it moves for the seats. With `to`, the table enters another phase, or stays in the same
    one without its kept seats.
    """

    at: float
    author: Author | None = None
    seats: tuple[Seat, ...] = ()
    to: Phase | None = None


@dataclass(slots=True)
class TableWatch:
    """The scheduler's record of one table.

    Attributes:
        counted_from: When the room came back last; None: with the bot.
        back_at: By seat, the version at which its person came back without a move.
        drawn_at: When the table was drawn again last because time had passed.
        shown: By person, the newest version that they have seen, and when.
        next_at: When the next action is due; None while that is unknown.
        failing_since: When actions began to fail, one after the other; None while they don't.
        is_waiting: Whether the game waits for people.
        woken: Wakes the task that watches the table; None while there is no such task.
    """

    counted_from: float | None = None
    back_at: dict[Seat, int] = field(default_factory=dict)
    drawn_at: float | None = None
    shown: dict[UserRef, tuple[int, float]] = field(default_factory=dict)
    next_at: float | None = None
    failing_since: float | None = None
    is_waiting: bool = False
    woken: asyncio.Event | None = None


class Scheduler:
    """Watches all tables; `changed` is its only call when a table moves on."""

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
        self._moves = AutomaticMoves(tables, house_players, table_events, pace=pace)
        self._began = self._clock.now()
        self._watches: dict[int, TableWatch] = {}
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

    def evict(self, table_id: int) -> None:
        """Drops the record of an evicted table, but for the task that still watches it."""
        watch = self._watches.pop(table_id, None)
        if watch is not None and watch.woken is not None:
            self._watches[table_id] = TableWatch(woken=watch.woken)
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

    def shown(self, table_id: int, version: int, users: Iterable[UserRef]) -> None:
        """Counts the time of these people from now on: they see this version of the game."""
        shown = self._of(table_id).shown
        for user in users:
            seen_version, _ = shown.get(user, (0, 0.0))
            if seen_version < version:
                shown[user] = version, self._clock.now()

    def came_back(self, table: Table, session: GameSession, seat: Seat) -> None:
        """Gives a seat back to its person after they did something."""
        was_away = seat in self.stand_ins(table, session)
        self._of(table.id).back_at[seat] = session.version
        if was_away:
            self._table_events.changed(table.id)

    def stand_ins(self, table: Table, session: GameSession) -> frozenset[Seat]:
        """Returns the seats in which a house player stands in for a person: they have left, or are away."""
        away = set[Seat]()
        back_at = self._of(table.id).back_at

        for seat, player in enumerate(table.players):
            if player.has_left:
                away.add(seat)
                continue

            may_be_away = player.user is not None and table.options.clock
            if may_be_away and session.absences(seat, since=back_at.get(seat, 0)) >= MAX_ABSENCES:
                away.add(seat)

        return frozenset(away)

    def is_asleep(self, table: Table, session: GameSession, away: frozenset[Seat]) -> bool:
        """Returns whether a table rests, as house players hold the seats of all its people."""
        asleep_at = self._asleep_at(table, session, away)
        return asleep_at is not None and asleep_at <= self._clock.now()

    def _asleep_at(self, table: Table, session: GameSession, away: frozenset[Seat]) -> float | None:
        people = {seat for seat, player in enumerate(table.players) if player.user is not None}
        if table.phase is not Phase.PLAYING or not people <= away:
            return None

        presses = (entry.at for entry in reversed(session.entries) if entry.author is Author.PLAYER)
        last_press = next(presses, session.entries[0].at)
        return last_press + ASLEEP_SECONDS

    def waiting(
        self, table: Table, session: GameSession, away: frozenset[Seat], local: LocalTime
    ) -> Waiting | None:
        """Returns a table's wait for people; None if it waits for none."""
        if table.phase is not Phase.PLAYING or session.state is None or table.options.is_paused:
            return None

        view = session.state.public_view()
        house = {seat for seat, player in enumerate(table.players) if player.user is None}
        people = view.awaited - house - away
        if not people:
            return None

        now = self._clock.now()
        moved_at = self._clock.since(table.id, session.changed_at, now)
        moment = table.options.moment if view.is_throw_in_round else 0

        return Waiting(
            people,
            since=self._seen_since(table, session, people, moved_at, is_moment=bool(moment)),
            now=now,
            clock=table.options.clock,
            counted_from=self._counted_since(table),
            local=local,
            moved_at=moved_at,
            moment=moment,
        )

    def _seen_since(
        self,
        table: Table,
        session: GameSession,
        people: Collection[Seat],
        moved_at: float,
        *,
        is_moment: bool,
    ) -> float:
        """Returns when the last of these people saw the newest move, as far as that is known.

        A moment begins when all of them have seen it: until then it begins now, but no later than some
        seconds after the move.
        """
        if moved_at < self._began:
            return moved_at  # after a restart everything is shown again

        shown = self._of(table.id).shown
        users = [user for seat in people if (user := table.players[seat].user)]
        seen = [shown[user] for user in users if user in shown]
        times = [at for version, at in seen if version == session.seen_version]

        if is_moment and len(times) < len(users):
            return min(self._clock.now(), moved_at + GRACE)

        return max(times, default=moved_at)

    def countdown(self, table: Table) -> Countdown | None:
        """Returns the countdown of a full lobby, which a restart doesn't end; None if it starts by hand."""
        if not table.starts_by_itself:
            return None
        now = self._clock.now()
        full = self._clock.since(table.id, table.touched_at, now) + COUNTDOWN_SECONDS
        return Countdown(max(full, self._counted_since(table) + LAST_SECONDS), now)

    def minutes_kept(self, table: Table) -> int:
        """Returns for how many minutes seats are kept at a table."""
        until = max((player.kept_until for player in table.expected), default=0.0)
        return max(0, ceil((until - self._clock.now()) / 60.0))

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

    async def called(self, table: Table, session: GameSession) -> frozenset[Seat]:
        """Returns the awaited seats whose people have been called."""
        choices = await self._servers.choices(table.room.server)
        waiting = self.waiting(table, session, self.stand_ins(table, session), choices.local_time)
        return frozenset() if waiting is None else waiting.called

    async def move_for_called(self, table_id: int) -> bool:
        """Moves at once for all awaited people that were called; returns False if there are none."""
        called = await self.called(*await self._tables.with_session(table_id))
        if called:
            await self._moves.make(table_id, Author.CLOCK, sorted(called))
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
        for table_id, watch in list(self._watches.items()):
            watch.counted_from = None
            watch.shown.clear()
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
                due = ScheduledAction(self._clock.now() + RETRY_SECONDS)

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

    async def _next_due(self, table_id: int) -> ScheduledAction | None:
        table = await self._tables.table(table_id)
        self._of(table_id).is_waiting = False
        if not self._is_served(table.room):
            return None

        if table.phase is Phase.PLAYING:
            if table.options.is_paused:
                return None

            session = await self._tables.session(table_id)
            choices = await self._servers.choices(table.room.server)
            dues = self._dues(table, session, choices.local_time)
        else:
            dues = self._dues_before_the_deal(table)

        due = min(dues, key=attrgetter("at"), default=None)
        if due is not None and due.author is Author.HOUSE:
            self._house_players.expect(table.options.strength)

        return due

    def _dues_before_the_deal(self, table: Table) -> Iterator[ScheduledAction]:
        """Yields the actions that are due at an announced table, or at a lobby."""
        now = self._clock.now()
        seen_at = self._drawn_at(table)

        if table.phase is Phase.ANNOUNCED and (starts_at := table.starts_at) is not None:
            if now > starts_at + MAX_DELAY_SECONDS:
                yield ScheduledAction(now, to=Phase.CLOSED)
            else:  # it opens once its room is free
                opens_at = starts_at if starts_at > seen_at else seen_at + ROOM_RETRY_SECONDS
                yield ScheduledAction(opens_at, to=Phase.LOBBY)

        if table.phase is not Phase.LOBBY:
            return

        countdown = self.countdown(table)
        if countdown is None:
            untouched = self._clock.since(table.id, table.touched_at, now) + UNTOUCHED_SECONDS
            yield ScheduledAction(max(untouched, self._counted_since(table) + GRACE), to=Phase.CLOSED)
        elif countdown.turns_at > seen_at:
            yield ScheduledAction(countdown.turns_at)
        else:
            yield ScheduledAction(countdown.ends_at, to=Phase.PLAYING)

        for until in {player.kept_until for player in table.kept}:
            yield ScheduledAction(until, to=Phase.LOBBY)
            for minutes in range(1, KEPT_MINUTES):  # the lobby shows for how many a seat is kept
                if until - 60.0 * minutes > seen_at:
                    yield ScheduledAction(until - 60.0 * minutes)

    def _counted_since(self, table: Table) -> float:
        """Returns when the bot, or the room of a table, came back last."""
        counted_from = self._of(table.id).counted_from
        return self._began if counted_from is None else counted_from

    def _drawn_at(self, table: Table) -> float:
        """Returns when a table was drawn last because time had passed, or when the bot started."""
        drawn_at = self._of(table.id).drawn_at
        return self._began if drawn_at is None else drawn_at

    def _dues(self, table: Table, session: GameSession, local: LocalTime) -> Iterator[ScheduledAction]:
        """Yields the actions that are due in a game; none when it is over."""
        state = session.state
        away = self.stand_ins(table, session)
        if state is None:
            return

        waiting = self.waiting(table, session, away, local)
        self._of(table.id).is_waiting = waiting is not None
        now = self._clock.now()
        asleep_at = self._asleep_at(table, session, away)
        if asleep_at is not None:
            if asleep_at <= now:
                put_away_at = max(asleep_at + PUT_AWAY_SECONDS, self._counted_since(table) + GRACE)
                yield ScheduledAction(put_away_at, to=Phase.CLOSED)
                return

            yield ScheduledAction(asleep_at)

        people = frozenset[Seat]() if waiting is None else waiting.seats
        changed_at = self._clock.since(table.id, session.changed_at, now)
        paused_until = changed_at + self._pace * pause_after(session.seen_version)
        house = sorted(state.awaited - people)
        move_together = bool(state.undecided) or state.public_view().is_throw_in_round
        if move_together and house:
            yield ScheduledAction(paused_until, Author.HOUSE, tuple(house))
        elif house:
            yield from (ScheduledAction(paused_until, Author.HOUSE, (seat,)) for seat in house)

        if waiting is None:
            return

        drawn_at = self._drawn_at(table)
        yield from (ScheduledAction(at) for at in waiting.turns if at > drawn_at)
        if waiting.is_limited:
            yield ScheduledAction(waiting.moves_at, Author.CLOCK, tuple(sorted(waiting.seats)))

    async def _perform(self, table_id: int, due: ScheduledAction) -> None:
        """Moves, changes the phase of a table, or has it drawn again."""
        if due.author is not None:
            await self._moves.make(table_id, due.author, due.seats)
            return

        if due.to is None:
            self._of(table_id).drawn_at = self._clock.now()
            self._table_events.changed(table_id)
            return

        table = await self._tables.table(table_id)
        try:
            if due.to is Phase.PLAYING:
                await self._tables.start(table_id, table.opener)
            elif due.to is table.phase:
                await self._tables.change(table_id, lambda now: now.release(self._clock.now()))
            elif due.to is not Phase.LOBBY:
                await self._tables.change(table_id, _put_away)
            elif not await self._tables.gather(table_id):
                self._of(table_id).drawn_at = self._clock.now()
        except TableRefusedError:
            return  # a press was faster


def _put_away(table: Table) -> Table:
    if table.phase is not Phase.PLAYING:
        return table.call_off()
    return replace(table.close(), stopped=Stop.ABSENCE)


def pause_after(version: int) -> float:
    """Returns between one and three seconds, not always the same, so that it feels like a person thinking."""
    return 1 + 2 * (version * 0.618 % 1)
