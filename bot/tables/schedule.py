"""Computes the actions at a table that need no press, from the table, its game and the time."""

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from math import ceil
from operator import attrgetter
from zoneinfo import ZoneInfo

from adapters.port import UserRef
from bot.model.calendar import LocalTime
from bot.model.table import KEPT_MINUTES, NEVER, Phase, Table
from bot.model.waiting import (
    CALL_AFTER,
    CALL_AFTER_IN_ROOM,
    COUNTDOWN_SECONDS,
    GRACE,
    LAST_SECONDS,
    PRESS_GRACE,
    Countdown,
    Waiting,
)
from bot.tables.house_players import thinking_seconds
from engine import Seat
from engine.runtime import Author, Game

# After this many moves in a row made for an absent person, a house player takes the seat until they return.
MAX_ABSENCES = 3

UNTOUCHED_SECONDS = 15 * 60.0  # the time after which an unused lobby is closed
MAX_DELAY_SECONDS = 60 * 60.0  # the longest time for which an announced table waits for its room
ROOM_RETRY_SECONDS = 15.0  # the pause between checks whether its room is free

# If house players hold all seats of people, the table sleeps after this many seconds without a press.
ASLEEP_SECONDS = 5 * 60.0

PUT_AWAY_SECONDS = 24 * 60 * 60.0  # seconds of sleep after which a table is closed

_ANY_CLOCKS = LocalTime(ZoneInfo("UTC"), quiet=None)  # for results that do not depend on a server's clocks


@dataclass(frozen=True, slots=True)
class Redraw:
    """The table looks different from this time on, and nothing else happens."""

    at: float


@dataclass(frozen=True, slots=True)
class MoveFor:
    """The clock or house players move for seats; house players first think for `thinking` seconds."""

    at: float
    author: Author
    seats: tuple[Seat, ...]
    thinking: float = 0.0


@dataclass(frozen=True, slots=True)
class ReleaseSeats:
    """The seats kept for invited people until this time are free again."""

    at: float


@dataclass(frozen=True, slots=True)
class ClosePanel:
    """The panel that is open for the room closes: nobody has pressed it for a while."""

    at: float


@dataclass(frozen=True, slots=True)
class EnterPhase:
    """The table opens, begins its game, or is closed."""

    at: float
    phase: Phase


# The actions that need no press, each at a Unix time.
Due = Redraw | MoveFor | ReleaseSeats | ClosePanel | EnterPhase


@dataclass(frozen=True, slots=True)
class Times:
    """The times from which a table's actions are counted, in Unix seconds of the current clock.

    Attributes:
        now: The current time.
        changed_at: The newest move that others see; before the deal the newest change of the lobby.
        counted_from: When the bot, or the table's room, last came back.
        drawn_at: When the table was last redrawn because time had passed, or when the bot started.
        seen_at: By person, when they saw the newest move; those who haven't are missing.
        back_at: By seat, the version at which its person came back without a move.
        in_room: The people with their hand in the room, where no message has notified them.
        extended_at: When the last of the awaited people got more time for the newest move; 0 for nobody.
    """

    now: float
    changed_at: float
    counted_from: float
    drawn_at: float
    seen_at: Mapping[UserRef, float] = field(default_factory=dict)
    back_at: Mapping[Seat, int] = field(default_factory=dict)
    in_room: Collection[UserRef] = ()
    extended_at: float = 0.0


@dataclass(frozen=True)
class Schedule:
    """A table and its newest game at one moment, from which the actions without a press follow."""

    table: Table
    game: Game | None  # None before the first deal
    times: Times

    def next(self, local: LocalTime, pace: float) -> Due | None:
        """Returns the next action, which may be overdue; None if there is none.

        Args:
            local: The server's clocks and quiet hours.
            pace: Multiplies the pauses of house players.
        """
        if self.table.phase is Phase.PLAYING:
            dues = self._dues_in_game(local, pace)
        else:
            dues = self._dues_before_the_deal()

        return min((*dues, *self._end_of_panel()), key=attrgetter("at"), default=None)

    def _end_of_panel(self) -> Iterator[Due]:
        if self.table.panel is not None and self.table.panel_until < NEVER:
            yield ClosePanel(self.table.panel_until)

    # --- a running game -------------------------------------------------------------------------------

    @cached_property
    def away(self) -> frozenset[Seat]:
        """The seats in which a house player replaces a person who has left, or is away."""
        away = set[Seat]()
        for seat, player in enumerate(self.table.players):
            may_be_away = player.user is not None and bool(self.table.options.clock)
            if player.has_left or (may_be_away and self._absences(seat) >= MAX_ABSENCES):
                away.add(seat)

        return frozenset(away)

    def _absences(self, seat: Seat) -> int:
        """Returns how many moves were made for a person in a row since they came back."""
        if self.game is None:
            return 0
        return self.game.absences(seat, since=self.times.back_at.get(seat, 0))

    @property
    def is_asleep(self) -> bool:
        """Whether the table sleeps, as house players have held all seats of its people for a while."""
        asleep_at = self._asleep_at
        return asleep_at is not None and asleep_at <= self.times.now

    @property
    def _asleep_at(self) -> float | None:
        people = {seat for seat, player in enumerate(self.table.players) if player.user is not None}
        if self.game is None or self.table.phase is not Phase.PLAYING or not people <= self.away:
            return None

        entries = self.game.entries
        presses = (entry.at for entry in reversed(entries) if entry.author is Author.PLAYER)
        return next(presses, entries[0].at) + ASLEEP_SECONDS

    @cached_property
    def awaited_people(self) -> frozenset[Seat]:
        """The seats of the people whom the game waits for, as far as everybody can see (rule 12.4)."""
        if self.game is None or self.table.phase is not Phase.PLAYING or self.table.options.is_paused:
            return frozenset()

        house = {seat for seat, player in enumerate(self.table.players) if player.user is None}
        return self.game.state.public_view().awaited - house - self.away

    @property
    def waits_since(self) -> float | None:
        """When the last of the awaited people saw the newest move; None if the game waits for none.

        People who are not known to have seen it count from the move. A moment for throwing in, however,
        begins only once all have seen it: until then the result is now, at most `GRACE` after the move.
        """
        if not self.awaited_people:
            return None

        times = self.times
        users = [user for seat in self.awaited_people if (user := self.table.players[seat].user)]
        seen = [times.seen_at[user] for user in users if user in times.seen_at]

        if self._moment and len(seen) < len(users):
            return min(times.now, times.changed_at + GRACE)

        return max(seen, default=times.changed_at)

    def ends_soon_for(self, seat: Seat) -> bool:
        """Returns whether the clock moves for a person within `PRESS_GRACE` seconds.

        False in a moment for throwing in, which has the same length for everybody, whoever presses.
        """
        waiting = self.waiting(_ANY_CLOCKS)
        if waiting is None or waiting.moment or not waiting.clock:
            return False

        return seat in waiting.seats and waiting.moves_at < self.times.now + PRESS_GRACE

    def waiting(self, local: LocalTime) -> Waiting | None:
        """Returns the table's wait for people; None if it waits for none."""
        since = self.waits_since
        if since is None:
            return None

        users = {self.table.players[seat].user for seat in self.awaited_people}
        is_silent = not users.isdisjoint(self.times.in_room)

        has_come = {seat for seat in self.awaited_people if self._has_come(seat)}

        return Waiting(
            self.awaited_people,
            since=since,
            now=self.times.now,
            clock=self.table.options.clock,
            counted_from=self.times.counted_from,
            local=local,
            moved_at=self.times.changed_at,
            extended_at=self.times.extended_at,
            moment=self._moment,
            has_come=frozenset(has_come),
            call_after=CALL_AFTER_IN_ROOM if is_silent else CALL_AFTER,
        )

    def _has_come(self, seat: Seat) -> bool:
        """Returns whether a person has pressed something since the newest move."""
        back_at = self.times.back_at.get(seat)
        return self.game is not None and back_at is not None and back_at >= self.game.newest_seen.version

    @property
    def _moment(self) -> int:
        """The seconds that people have for throwing in; 0 if the game waits for another move."""
        if self.game is None:
            return 0

        view = self.game.state.public_view()
        return self.table.options.moment_for(len(view.throw_order)) if view.is_throw_in_round else 0

    def _dues_in_game(self, local: LocalTime, pace: float) -> Iterator[Due]:
        if self.game is None or self.table.options.is_paused:
            return

        asleep_at = self._asleep_at
        if asleep_at is not None and asleep_at <= self.times.now:
            put_away_at = max(asleep_at + PUT_AWAY_SECONDS, self.times.counted_from + GRACE)
            yield EnterPhase(put_away_at, Phase.CLOSED)
            return

        if asleep_at is not None:
            yield Redraw(asleep_at)

        yield from self._house_moves(self.game, pace)

        waiting = self.waiting(local)
        if waiting is None:
            return

        yield from (Redraw(at) for at in waiting.turns if at > self.times.drawn_at)
        if waiting.is_limited:
            yield MoveFor(waiting.moves_at, Author.CLOCK, tuple(sorted(waiting.seats)))

    def _house_moves(self, game: Game, pace: float) -> Iterator[MoveFor]:
        """Yields the moves of house players and stand-ins, as one action."""
        house = tuple(sorted(game.state.awaited - self.awaited_people))
        if not house:
            return

        # They think within the pause, so that its length does not reveal how hard a move was to find.
        thinking = min(pace, 1.0) * thinking_seconds(self.table, house)
        move_at = self.times.changed_at + pace * pause_after(game.newest_seen.version)
        yield MoveFor(move_at - thinking, Author.HOUSE, house, thinking)

    # --- before the deal ------------------------------------------------------------------------------

    @property
    def countdown(self) -> Countdown | None:
        """The countdown of a full lobby, which a restart doesn't end; None if it starts by hand."""
        if not self.table.starts_by_itself:
            return None

        full = self.times.changed_at + COUNTDOWN_SECONDS
        return Countdown(max(full, self.times.counted_from + LAST_SECONDS), self.times.now)

    @property
    def minutes_kept(self) -> int:
        """How many more minutes seats are kept for invited people."""
        until = max((player.kept_until for player in self.table.expected_players), default=0.0)
        return max(0, ceil((until - self.times.now) / 60.0))

    def _dues_before_the_deal(self) -> Iterator[Due]:
        if self.table.phase is Phase.ANNOUNCED:
            yield from self._opening()

        if self.table.phase is Phase.LOBBY:
            yield self._end_of_lobby()
            yield from self._changes_of_kept_seats()

    def _opening(self) -> Iterator[Due]:
        """Yields the opening of an announced table, retried until its room is free, or its closing."""
        times = self.times
        starts_at = self.table.starts_at
        if starts_at is None:
            return

        if times.now > starts_at + MAX_DELAY_SECONDS:
            yield EnterPhase(times.now, Phase.CLOSED)
        elif starts_at > times.drawn_at:
            yield EnterPhase(starts_at, Phase.LOBBY)
        else:
            yield EnterPhase(times.drawn_at + ROOM_RETRY_SECONDS, Phase.LOBBY)

    def _end_of_lobby(self) -> Due:
        """Returns the next step of a countdown, or the closing of a lobby that nobody uses."""
        times = self.times
        countdown = self.countdown

        if countdown is None:
            untouched = times.changed_at + UNTOUCHED_SECONDS
            return EnterPhase(max(untouched, times.counted_from + GRACE), Phase.CLOSED)
        if countdown.turns_at > times.drawn_at:
            return Redraw(countdown.turns_at)

        return EnterPhase(countdown.ends_at, Phase.PLAYING)

    def _changes_of_kept_seats(self) -> Iterator[Due]:
        """Yields the release of kept seats, and each minute before it: the lobby shows how many are left."""
        for until in {player.kept_until for player in self.table.kept}:
            yield ReleaseSeats(until)
            for minutes in range(1, KEPT_MINUTES):
                turns_at = until - 60.0 * minutes
                if turns_at > self.times.drawn_at:
                    yield Redraw(turns_at)


def pause_after(version: int) -> float:
    """Returns a pause of one to three seconds, which varies as if a person were thinking."""
    return 1 + 2 * (version * 0.618 % 1)
