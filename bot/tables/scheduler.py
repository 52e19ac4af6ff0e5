"""What happens at a table without a press: house players move, the absent are called and moved for.

Everything follows from the journal and the time, so there are no timers to save. A restart forgets one thing:
who came back to their seat without making a move yet.
"""

import asyncio
from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from math import ceil
from operator import attrgetter

import structlog

from adapters.port import RoomRef, UserRef
from bot.model.calendar import LocalTime
from bot.model.table import (
    COUNTDOWN_SECONDS,
    GRACE,
    KEPT_MINUTES,
    LAST_SECONDS,
    NEVER,
    Countdown,
    Phase,
    Table,
    TableRefusedError,
    Waiting,
)
from bot.people import Servers
from bot.tables.house_players import STAND_IN, HousePlayers
from bot.tables.service import TableEvents, TableService
from engine import Absent, Done, HousePlayer, Seat, Stop
from engine.runtime import Accepted, Author, GameSession, SessionFrozenError

UNTOUCHED_SECONDS = 15 * 60.0  # seconds after which a lobby closes itself in which nothing happens


@dataclass(frozen=True, slots=True)
class ScheduledAction:
    """Something that happens at a table at a time; without an author it only looks different from then on.

    With `to` the people around it go on to another phase, or in the same one without seats that were kept;
    else the author moves for the seats.
    """

    at: float
    author: Author | None = None
    seats: tuple[Seat, ...] = ()
    to: Phase | None = None


# --- The wall clock without its steps: waiting goes on as the event loop counts ---


# Seconds that the wall clock may differ from the loop's from one look to the next; more is a step.
TOLERANCE = 2.0


class SteadyClock:
    """Tells how long ago something happened that was written down by the wall clock.

    The clock is set, or the machine sleeps, while the loop's clock stands still. What was written down before
    is told afterwards as if the wall clock had been right all the time.
    """

    def __init__(self, now: Callable[[], float], on_step: Callable[[float], None]) -> None:
        """Follow a wall clock; `on_step` is called with the seconds by which it was found to have stepped."""
        self._now = now
        self._on_step = on_step
        self._loop = asyncio.get_running_loop()
        self._ahead = now() - self._loop.time()
        self._stepped = 0.0
        self._known: dict[int, tuple[float, float]] = {}

    def now(self) -> float:
        """Return the wall clock's time in Unix seconds, and notice if it has stepped."""
        now = self._now()
        before, self._ahead = self._ahead, now - self._loop.time()
        step = self._ahead - before
        if abs(step) > TOLERANCE:
            self._stepped += step
            self._on_step(step)
        return now

    def since(self, table_id: int, written: float, now: float) -> float:
        """Return the time of what happened last at a table, by the wall clock as it goes `now`.

        `written` is the wall clock's time when it happened, as it was written down.
        """
        known = self._known.get(table_id)
        if known is None or known[0] != written:
            # Nothing happened later than now: it was written down by a clock that was ahead of ours.
            known = self._known[table_id] = written, self._stepped + max(0.0, written - now)
        return written + self._stepped - known[1]

    def evict(self, table_id: int) -> None:
        """Drop what is known of a table that was evicted."""
        self._known.pop(table_id, None)


log = structlog.get_logger()

# After this many moves made for an absent person a house player takes the seat until they come back.
MOST_ABSENCES = 3

LATEST_SECONDS = 60 * 60.0  # seconds for which an announced table waits until the game in its room is over
ROOM_SECONDS = 15.0  # seconds until it is tried again

# Seconds without a press of its people after which a table held by house players alone rests.
ASLEEP_SECONDS = 5 * 60.0

PUT_AWAY_SECONDS = 24 * 60 * 60.0  # seconds of rest after which a table is put away
AFTER_AN_ERROR = 5.0
CLOCK_SECONDS = 5.0  # how often the wall clock is looked at, which may have been set


class Scheduler:
    """Watches every running game. `changed` is all that is called when a table moves on."""

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
        """Make moves through `tables`.

        Args:
            tables: The tables.
            servers: Know what their clocks show.
            now: Tells the wall clock's time in Unix seconds.
            house_players: Chooses moves for house players.
            pace: Multiplies the pauses made for people; 0 makes none.
            is_served: Whether the bot can be heard in a room; if not, the time of its tables stands still.
            table_events: Told of a table that looks different because time has passed.
        """
        self._tables = tables
        self._servers = servers
        self._clock = SteadyClock(now, self._stepped)
        self._pace = pace
        self._is_served = is_served
        self._table_events = table_events
        self._house_players = house_players
        self._absent: HousePlayer = Absent()
        self._counted_from: dict[int, float] = {}
        self._began = self._clock.now()
        self._back: defaultdict[int, dict[Seat, int]] = defaultdict(dict)
        self._seen_at: dict[int, float] = {}
        self._shown: defaultdict[int, dict[UserRef, tuple[int, float]]] = defaultdict(dict)
        self._stirred: dict[int, asyncio.Event] = {}
        self._foreseen: dict[int, float] = {}
        self._tasks: asyncio.TaskGroup | None = None

    # --- what others ask and tell -------------------------------------------------------------------------

    def changed(self, table_id: int) -> None:
        """Look at a table again, also while its watch runs or ends."""
        self._foreseen.pop(table_id, None)
        if table_id in self._stirred:
            self._stirred[table_id].set()
        elif self._tasks is not None:
            self._stirred[table_id] = asyncio.Event()
            self._tasks.create_task(self._watch(table_id))

    def evict(self, table_id: int) -> None:
        """Drop what is known of a table that was evicted."""
        for kept in (self._counted_from, self._back, self._seen_at, self._shown, self._foreseen):
            kept.pop(table_id, None)
        self._clock.evict(table_id)

    def due_at(self, table: Table) -> float | None:
        """Return when something happens at a table without a press; None while that is not known."""
        return self._foreseen.get(table.id) if self._is_served(table.room) else None

    def served_again(self, table_id: int) -> None:
        """Start counting again: the bot can be heard at this table again."""
        self._counted_from[table_id] = self._clock.now()
        self.changed(table_id)

    def shown(self, table_id: int, version: int, users: Iterable[UserRef]) -> None:
        """Count the time of these people from now on: they see what a version left them to do."""
        for user in users:
            if self._shown[table_id].get(user, (0, 0.0))[0] < version:
                self._shown[table_id][user] = version, self._clock.now()

    def came_back(self, table: Table, session: GameSession, seat: Seat) -> None:
        """Give a seat back to its person, who has just done something."""
        was_away = seat in self.stand_ins(table, session)
        self._back[table.id][seat] = session.version
        if was_away:
            self._table_events.changed(table.id)

    def stand_ins(self, table: Table, session: GameSession) -> frozenset[Seat]:
        """Name the seats of people whom a house player stands in for: they have left, or are away."""
        away, back = set[Seat](), self._back.get(table.id, {})
        for seat, player in enumerate(table.players):
            may_be_away = player.user is not None and table.options.clock
            since = back.get(seat, 0)
            if player.has_left or (may_be_away and session.absences(seat, since=since) >= MOST_ABSENCES):
                away.add(seat)
        return frozenset(away)

    def is_asleep(self, table: Table, session: GameSession, away: frozenset[Seat]) -> bool:
        """Whether a table rests, as house players hold the seats of all its people: any press goes on."""
        asleep_at = self._asleep_at(table, session, away)
        return asleep_at is not None and asleep_at <= self._clock.now()

    def _asleep_at(self, table: Table, session: GameSession, away: frozenset[Seat]) -> float | None:
        people = {seat for seat, player in enumerate(table.players) if player.user is not None}
        if table.phase is not Phase.PLAYING or not people <= away:
            return None
        pressed = (each.at for each in reversed(session.entries) if each.author is Author.PLAYER)
        return next(pressed, session.entries[0].at) + ASLEEP_SECONDS

    def waiting(
        self, table: Table, session: GameSession, away: frozenset[Seat], local: LocalTime
    ) -> Waiting | None:
        """Say how long a table has been waiting for people; None when it does not."""
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
            return moved_at  # what was shown before a restart is looked at again after it

        known = self._shown.get(table.id, {})
        seen = [known.get(user) for seat in people if (user := table.players[seat].user)]
        times = [each[1] for each in seen if each and each[0] == session.seen_version]
        if is_moment and len(times) < len(seen):
            return min(self._clock.now(), moved_at + GRACE)
        return max(times, default=moved_at)

    def countdown(self, table: Table) -> Countdown | None:
        """Say when a full lobby starts by itself; None where it does not. After a restart it goes on."""
        if not table.starts_by_itself:
            return None
        now = self._clock.now()
        full = self._clock.since(table.id, table.touched_at, now) + COUNTDOWN_SECONDS
        return Countdown(max(full, self._counted_since(table) + LAST_SECONDS), now)

    def minutes_kept(self, table: Table) -> int:
        """Return for how many minutes seats are kept at a table."""
        until = max((player.kept_until for player in table.expected), default=0.0)
        return max(0, ceil((until - self._clock.now()) / 60.0))

    def is_soon(self, table: Table) -> bool:
        """Whether an announced table opens so soon that those who come are called."""
        return table.calls_at is not None and table.calls_at <= self._clock.now()

    async def called(self, table: Table, session: GameSession) -> frozenset[Seat]:
        """Name the seats that the table waits for whose people have been called."""
        choices = await self._servers.choices(table.room.server)
        waiting = self.waiting(table, session, self.stand_ins(table, session), choices.local_time)
        return frozenset() if waiting is None else waiting.called

    async def move_for_called(self, table_id: int) -> bool:
        """Move at once for all who were called and have not come; False when there are none."""
        called = await self.called(*await self._tables.with_session(table_id))
        if called:
            await self._move(table_id, Author.CLOCK, sorted(called))
        return bool(called)

    # --- the watch ----------------------------------------------------------------------------------------

    async def run(self) -> None:
        """Watch until cancelled."""
        async with asyncio.TaskGroup() as tasks:
            self._tasks = tasks
            try:
                while True:
                    await asyncio.sleep(CLOCK_SECONDS)
                    self._clock.now()
            finally:
                self._tasks = None  # a group that ends takes no more work
                self._house_players.end()

    def _stepped(self, seconds: float) -> None:
        """Give all people the time they get when the bot comes back: the wall clock has been set."""
        log.warning("clock_stepped", seconds=round(seconds))
        self._began = self._clock.now()
        self._counted_from.clear()
        self._shown.clear()
        self._seen_at = {table_id: at + seconds for table_id, at in self._seen_at.items()}
        for table_id in list(self._stirred):
            self._table_events.changed(table_id)

    async def _watch(self, table_id: int) -> None:
        """Do what falls due at one table for as long as a game runs there."""
        stirred = self._stirred[table_id]
        while True:
            stirred.clear()
            try:
                due = await self._next_due(table_id)
                if due is not None and due.at <= self._clock.now():
                    await self._perform(table_id, due)
                    continue
                if not stirred.is_set():
                    self._foreseen[table_id] = NEVER if due is None else due.at
            except SessionFrozenError:
                due = None  # its screen says so
            except Exception:
                log.exception("deadline_failed", table=table_id)
                due = ScheduledAction(self._clock.now() + AFTER_AN_ERROR)
            if due is None and not stirred.is_set():
                del self._stirred[table_id]
                return
            with suppress(TimeoutError):
                async with asyncio.timeout(None if due is None else due.at - self._clock.now()):
                    await stirred.wait()

    async def _next_due(self, table_id: int) -> ScheduledAction | None:
        table = await self._tables.table(table_id)
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
        return min(dues, key=attrgetter("at"), default=None)

    def _dues_before_the_deal(self, table: Table) -> Iterator[ScheduledAction]:
        """Say what will happen without a press to an announced table, or to people who gather."""
        now, seen_at = self._clock.now(), self._seen_at.get(table.id, self._began)
        if table.phase is Phase.ANNOUNCED and (starts_at := table.starts_at) is not None:
            if table.calls_at is not None and table.calls_at > seen_at:
                yield ScheduledAction(table.calls_at)
            elif now > starts_at + LATEST_SECONDS:
                yield ScheduledAction(now, to=Phase.CLOSED)
            else:  # it opens once its room is free
                opens_at = starts_at if starts_at > seen_at else seen_at + ROOM_SECONDS
                yield ScheduledAction(opens_at, to=Phase.LOBBY)
        if table.phase is not Phase.LOBBY:
            return
        if (countdown := self.countdown(table)) is None:
            untouched = self._clock.since(table.id, table.touched_at, now) + UNTOUCHED_SECONDS
            yield ScheduledAction(max(untouched, self._counted_since(table) + GRACE), to=Phase.CLOSED)
        elif countdown.turns_at > seen_at:
            yield ScheduledAction(countdown.turns_at)
        else:
            yield ScheduledAction(countdown.ends_at, to=Phase.PLAYING)
        for until in {player.kept_until for player in table.kept}:
            yield ScheduledAction(until, to=Phase.LOBBY)
            for minutes in range(1, KEPT_MINUTES):  # the lobby says for how many a seat is kept
                if until - 60.0 * minutes > seen_at:
                    yield ScheduledAction(until - 60.0 * minutes)

    def _counted_since(self, table: Table) -> float:
        """Return when the bot, or the room of a table, came back last."""
        return self._counted_from.get(table.id, self._began)

    def _dues(self, table: Table, session: GameSession, local: LocalTime) -> Iterator[ScheduledAction]:
        """Say what will happen without a press; empty when the game is over."""
        state, away = session.state, self.stand_ins(table, session)
        if state is None:
            return
        waiting, now = self.waiting(table, session, away, local), self._clock.now()
        if (asleep_at := self._asleep_at(table, session, away)) is not None:
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
        for seats in [house] if move_together else [[seat] for seat in house]:
            if seats:
                yield ScheduledAction(paused_until, Author.HOUSE, tuple(seats))
        if waiting is None:
            return
        seen_at = self._seen_at.get(table.id, self._began)
        yield from (ScheduledAction(at) for at in waiting.turns if at > seen_at)
        if waiting.is_limited:
            yield ScheduledAction(waiting.moves_at, Author.CLOCK, tuple(sorted(waiting.seats)))

    async def _perform(self, table_id: int, due: ScheduledAction) -> None:
        """Move, let the people around a table gather or begin, put it away, or have it drawn again."""
        if due.author is not None:
            await self._move(table_id, due.author, due.seats)
            return
        if due.to is None:
            self._seen_at[table_id] = self._clock.now()
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
                self._seen_at[table_id] = self._clock.now()
        except TableRefusedError:
            return  # a press was faster

    async def _move(self, table_id: int, author: Author, seats: Sequence[Seat]) -> None:
        """Moves for those of these seats that are waited for, and shows it once."""
        table, session = await self._tables.with_session(table_id)
        seen = session.seen_version
        if author is Author.CLOCK:
            await session.claims_made()  # these presses came in time
        state = session.state
        assert state is not None  # a move is due
        if session.seen_version != seen:
            return  # a press was faster, which the watch was told of
        seats = [seat for seat in seats if seat in state.awaited]

        try:
            if author is Author.HOUSE and state.public_view().is_throw_in_round:
                await self._throw_in_or_pass(table, session, seats)
            else:
                await self._move_one_by_one(table, session, author, seats)
        finally:
            self._table_events.changed(table_id)

    async def _move_one_by_one(
        self, table: Table, session: GameSession, author: Author, seats: Sequence[Seat]
    ) -> None:
        version = session.version
        for seat in seats:
            state = session.state
            assert state is not None  # a move is due

            if author is Author.CLOCK:
                move = self._absent.choose(state.view_for(seat), state.legal_moves(seat))
            else:
                strength = _strength_of(table, seat)
                move = await self._house_players.choose(strength, state, session.events, seat)

            # Who lets the moment for throwing in pass has passed, and was not absent.
            by = Author.AUTO if author is Author.CLOCK and move == Done() else author
            result = await self._tables.submit(table.id, seat, str(move), version, by, is_told=False)
            version += 1
            if not isinstance(result, Accepted) or result.version != version:
                return  # a press was faster, so all times are counted again

    async def _throw_in_or_pass(self, table: Table, session: GameSession, seats: Sequence[Seat]) -> None:
        """Lets one of these house players throw in, or all pass: their cards do not decide when."""
        state = session.state
        seen = session.seen_version
        assert state is not None  # a move is due
        strengths = {seat: _strength_of(table, seat) for seat in seats}
        moves = await self._house_players.choose_together(
            strengths, state, session.events, pause=min(self._pace, 1.0)
        )

        thrown_in = {seat: move for seat, move in moves.items() if move != Done()}
        for seat, move in list(thrown_in.items())[:1] or moves.items():
            if session.seen_version != seen:
                return  # a press was faster
            version = session.version
            await self._tables.submit(table.id, seat, str(move), version, Author.HOUSE, is_told=False)


def _put_away(table: Table) -> Table:
    if table.phase is not Phase.PLAYING:
        return table.call_off()
    return replace(table.close(), stopped=Stop.ABSENCE)


def _strength_of(table: Table, seat: Seat) -> str:
    """Returns the strength of a house player, or of the one that stands in for a person."""
    return table.options.strength if table.players[seat].user is None else STAND_IN


def pause_after(version: int) -> float:
    """Return between one and three seconds, not always the same, so that it feels like a person thinking."""
    return 1 + 2 * (version * 0.618 % 1)
