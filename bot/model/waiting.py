"""How long a table has been waiting for people, and what follows from that, which is a function of time."""

from dataclasses import dataclass
from datetime import datetime, time, timedelta
from zoneinfo import ZoneInfo

from engine import Seat

CALL_AFTER = 20.0
"""Seconds of silence after which those everybody waits for are called, where there is a clock."""

LONG_SECONDS = 60.0
"""Seconds of silence after which the table says for how long it has been waiting."""

GRACE = 20.0
"""Seconds a person has at least, after the bot or the room came back, before the table moves for them."""

FIRST_CALL_WITHOUT_CLOCK = 4 * 60 * 60.0
DAY = 24 * 60 * 60.0
MOST_DAYS = 7
"""Where there is no clock, people are called after some hours and then daily, for so many days."""

WAKING_HOURS = range(8, 22)
"""When nobody minds being called, on the clocks of the server."""


@dataclass(frozen=True, slots=True)
class Waiting:
    """A table waits for people.

    Attributes:
        seats: Whom it waits for.
        since: When the newest move was made, in Unix seconds like all times here.
        now: The time it is.
        clock: Seconds after which the table moves for people; 0: never.
        counted_from: When the bot, or its room, came back last; nobody can be late before that.
        zone: What the clocks of the server show.
    """

    seats: frozenset[Seat]
    since: float
    now: float
    clock: int
    counted_from: float
    zone: ZoneInfo

    @property
    def is_long(self) -> bool:
        """Whether it is worth saying for how long."""
        return self.now >= self.since + LONG_SECONDS

    @property
    def moves_at(self) -> float:
        """When the table moves for them, if it has a clock."""
        return self.counted_from + GRACE if self.is_postponed else self.since + self.clock

    @property
    def is_postponed(self) -> bool:
        """Whether they have more time than the clock says, because the bot has just come back."""
        return self.counted_from + GRACE > self.since + self.clock

    @property
    def calls(self) -> tuple[float, ...]:
        """When they are called: twice before the table moves for them, or by day as long as there is hope."""
        if self.clock:
            return self.since + CALL_AFTER, self.since + max(self.clock / 2, 2 * CALL_AFTER)
        waits = (FIRST_CALL_WITHOUT_CLOCK, *(day * DAY for day in range(1, MOST_DAYS + 1)))
        return tuple(self._by_day(self.since + wait) for wait in waits)

    @property
    def call(self) -> int | None:
        """Which call is the newest, from 0; None before the first."""
        made = sum(at <= self.now for at in self.calls)
        return made - 1 if made else None

    @property
    def called(self) -> frozenset[Seat]:
        """Who has been called and has not come: nobody else may act for them before."""
        return frozenset() if self.call is None else self.seats

    @property
    def turns(self) -> tuple[float, ...]:
        """Every time at which something about it looks different."""
        return self.since + LONG_SECONDS, *self.calls

    @property
    def at_least(self) -> float:
        """How many seconds it had lasted at the newest of these times, as is said until the next."""
        return max((at for at in self.turns if at <= self.now), default=self.since) - self.since

    def _by_day(self, at: float) -> float:
        """The time itself, or the morning after it."""
        there = datetime.fromtimestamp(at, self.zone)
        if there.hour in WAKING_HOURS:
            return at
        day = there.date() + timedelta(days=there.hour >= WAKING_HOURS.stop)
        return datetime.combine(day, time(WAKING_HOURS.start), self.zone).timestamp()
