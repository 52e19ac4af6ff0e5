"""How long a table waits: for awaited people, and until a full lobby starts."""

from bisect import bisect
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

import engine
from bot.model.calendar import LocalTime

# Seconds until a full lobby starts, and when it is shown again: chats allow few edits.
COUNTDOWN_SECONDS = 15
LAST_SECONDS = 5


@dataclass(frozen=True, slots=True)
class Countdown:
    """A full lobby starts at `ends_at`; both times are Unix seconds."""

    ends_at: float
    now: float

    @property
    def turns_at(self) -> float:
        """When it looks different."""
        return self.ends_at - LAST_SECONDS

    @property
    def seconds(self) -> int:
        """The seconds left, as shown until that changes."""
        return COUNTDOWN_SECONDS if self.now < self.turns_at else LAST_SECONDS


# Seconds of silence after which awaited people are called, where there is a clock.
CALL_AFTER = 20.0
CALL_AFTER_IN_ROOM = 10.0  # the same for people whose hand is in the room, where nothing has rung before

LONG_SECONDS = 60.0  # seconds of silence after which the table shows for how long it has been waiting

# Seconds before the table moves for a person, at which their hand shows how many are left.
LAST_MINUTE = (60, 15)

# Seconds a person has at least, after the bot or the room came back, before the table moves for them.
GRACE = 20.0

# After an outage as long as this, people are not taken to be awake in quiet hours.
LONG_OUTAGE = 10 * 60.0

# Seconds a person has at least after a press, if the table would have moved for them sooner.
PRESS_GRACE = 15.0

FIRST_CALL_WITHOUT_CLOCK = 4 * 60 * 60.0
DAY = 24 * 60 * 60.0
# Where there is no clock, people are called after some hours and then daily, for this many days.
MAX_DAYS = 7


@dataclass(frozen=True)
class Waiting:
    """A table waits for people."""

    seats: frozenset[engine.Seat]  # the awaited seats
    since: float  # when they saw the newest move, in Unix seconds like all times here
    now: float
    clock: int  # seconds after which the table moves for people; 0: never
    counted_from: float  # when the bot, or its room, came back last; no player is late before that
    local: LocalTime  # the server's clocks and quiet hours
    moved_at: float  # when it was made
    extended_at: float = 0.0  # when one of them pressed, and got more time
    moment: int = 0  # seconds after which the table closes this round of throwing in; 0: it is another wait
    has_come: frozenset[engine.Seat] = frozenset()  # those that have pressed something since that move
    call_after: float = CALL_AFTER  # seconds of silence after which they are called, where there is a clock

    @property
    def is_limited(self) -> bool:
        """Whether the table moves for them one day."""
        return bool(self.clock or self.moment)

    @property
    def is_long(self) -> bool:
        """Whether it is worth saying for how long."""
        return self.now >= self.since + LONG_SECONDS

    @property
    def moves_at(self) -> float:
        """When the table moves for them, if it is limited."""
        return max(self.moves_unextended_at, self.extended_at + PRESS_GRACE)

    @property
    def moves_unextended_at(self) -> float:
        """When the table would move for them if none of them had pressed, as a call has said."""
        if self.moment:
            return max(self._resumed_at, self.since) + self.moment
        return max(self._resumed_at + GRACE, self.since + self.clock)

    @property
    def is_hushed(self) -> bool:
        """Whether a call that came due meanwhile waits for the morning, after an outage."""
        if not self.local.is_quiet(self.now):
            return False
        return not self.is_limited or self._resumed_at > self.now

    @property
    def _resumed_at(self) -> float:
        """When the wait resumed after the bot, or its room, came back: by day, after a long outage."""
        was_long = self.counted_from - self.since > LONG_OUTAGE
        return self.local.by_day(self.counted_from) if was_long else self.counted_from

    @property
    def is_postponed(self) -> bool:
        """Whether they have more time than the clock gives, because the bot has just come back."""
        return self._resumed_at + GRACE > self.since + self.clock

    @cached_property
    def calls(self) -> tuple[float, ...]:
        """When they are called: twice before the table moves for them, or by day as long as there is hope.

        Nobody is called for a pass that the table makes in a moment.
        """
        if self.moment:
            return ()
        if self.clock:
            return self.since + self.call_after, self.since + max(self.clock / 2, 2 * CALL_AFTER)

        waits = (FIRST_CALL_WITHOUT_CLOCK, *(day * DAY for day in range(1, MAX_DAYS + 1)))
        return tuple(self.local.by_day(self.since + wait) for wait in waits)

    @property
    def call(self) -> int | None:
        """Which call is the newest, from 0; None before the first."""
        count = bisect(self.calls, self.now)
        return count - 1 if count else None

    @property
    def called_seats(self) -> frozenset[engine.Seat]:
        """The seats that the table waits for, once it has called them; before that none."""
        return frozenset() if self.call is None else self.seats

    @property
    def seconds_left(self) -> int | None:
        """The seconds left of the last minute, as shown until that changes; None before it."""
        begun = [seconds for at, seconds in self._countdown.items() if at <= self.now]
        return min(begun, default=None)

    @property
    def _countdown(self) -> Mapping[float, int]:
        """The seconds of the last minute that are shown, by the times from which they are."""
        if not self.clock or self.moment:
            return {}
        return {self.moves_at - seconds: seconds for seconds in LAST_MINUTE}

    @property
    def turns(self) -> tuple[float, ...]:
        """Every time at which something about it looks different."""
        return *self._turns_for_all, *self._countdown

    @property
    def _turns_for_all(self) -> tuple[float, ...]:
        """Every time at which it also looks different to people who are not awaited."""
        morning = (self.local.by_day(self.now),) if self.is_hushed else ()
        return self.since + LONG_SECONDS, *self.calls, *morning

    @property
    def at_least(self) -> float:
        """The seconds that the wait has lasted, rounded down to the last time at which that is shown."""
        return max((at for at in self._turns_for_all if at <= self.now), default=self.since) - self.since
