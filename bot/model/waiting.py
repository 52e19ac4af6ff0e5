"""How long a table waits for people, and until a full lobby starts."""

from bisect import bisect
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

import engine
from bot.model.calendar import LocalTime

# Seconds until a full lobby starts, and seconds left when the countdown is updated: chats allow few edits.
COUNTDOWN_SECONDS = 15
LAST_SECONDS = 5


@dataclass(frozen=True, slots=True)
class Countdown:
    """A full lobby starts at `ends_at`; both times are Unix seconds."""

    ends_at: float
    now: float

    @property
    def turns_at(self) -> float:
        """When the shown countdown changes."""
        return self.ends_at - LAST_SECONDS

    @property
    def seconds(self) -> int:
        """The seconds left, as the countdown shows them."""
        return COUNTDOWN_SECONDS if self.now < self.turns_at else LAST_SECONDS


# Seconds of silence after which awaited people are called, if there is a clock.
CALL_AFTER = 20.0
CALL_AFTER_IN_ROOM = 10.0  # the same for people with their hand in the room, as nothing has notified them

LONG_SECONDS = 60.0  # seconds of silence after which the table shows how long it has been waiting

# The hand of an awaited person shows these numbers of seconds before the table moves for them.
LAST_MINUTE = (60, 15)

# The table gives a person at least this many seconds after the bot or the room came back.
GRACE = 20.0

# After a longer outage, people are not expected to be awake in quiet hours.
LONG_OUTAGE = 10 * 60.0

# The table gives a person at least this many seconds after their press.
PRESS_GRACE = 15.0

FIRST_CALL_WITHOUT_CLOCK = 4 * 60 * 60.0
DAY = 24 * 60 * 60.0
# Without a clock, people are called after some hours and then daily, for this many days.
MAX_DAYS = 7


@dataclass(frozen=True)
class Waiting:
    """A table's wait for people: for which seats, since when, and how long at most."""

    seats: frozenset[engine.Seat]  # the awaited seats
    since: float  # when they saw the newest move, in Unix seconds like all times here
    now: float
    clock: int  # seconds after which the table moves for people; 0: never
    counted_from: float  # when the bot, or the room, last came back; nobody is late before that
    local: LocalTime  # the server's clocks and quiet hours
    moved_at: float  # when the newest move was made
    extended_at: float = 0.0  # when one of them pressed, and got more time
    moment: int = 0  # seconds after which the table closes a round of throwing in; 0: another kind of wait
    has_come: frozenset[engine.Seat] = frozenset()  # the seats that have pressed something since that move
    call_after: float = CALL_AFTER  # seconds of silence after which they are called, if there is a clock

    @property
    def is_limited(self) -> bool:
        """Whether the table will ever move for them."""
        return bool(self.clock or self.moment)

    @property
    def is_long(self) -> bool:
        """Whether the table shows how long it has been waiting."""
        return self.now >= self.since + LONG_SECONDS

    @property
    def moves_at(self) -> float:
        """When the table moves for them, if it is limited."""
        return max(self.moves_unextended_at, self.extended_at + PRESS_GRACE)

    @property
    def moves_unextended_at(self) -> float:
        """When the table would move for them if none of them had pressed, which is the time in calls."""
        if self.moment:
            return max(self._resumed_at, self.since) + self.moment
        return max(self._resumed_at + GRACE, self.since + self.clock)

    @property
    def is_hushed(self) -> bool:
        """Whether a call that came due during an outage waits until the quiet hours are over."""
        if not self.local.is_quiet(self.now):
            return False
        return not self.is_limited or self._resumed_at > self.now

    @property
    def _resumed_at(self) -> float:
        """When the wait resumed after the bot or the room came back; after a long outage, by day."""
        was_long = self.counted_from - self.since > LONG_OUTAGE
        return self.local.by_day(self.counted_from) if was_long else self.counted_from

    @property
    def is_postponed(self) -> bool:
        """Whether they have more time than the clock gives, because the bot has just come back."""
        return self._resumed_at + GRACE > self.since + self.clock

    @cached_property
    def calls(self) -> tuple[float, ...]:
        """When they are called: twice before the table moves for them or, without a clock, for some days.

        Nobody is called to a round of throwing in, which the table closes soon.
        """
        if self.moment:
            return ()
        if self.clock:
            return self.since + self.call_after, self.since + max(self.clock / 2, 2 * CALL_AFTER)

        waits = (FIRST_CALL_WITHOUT_CLOCK, *(day * DAY for day in range(1, MAX_DAYS + 1)))
        return tuple(self.local.by_day(self.since + wait) for wait in waits)

    @property
    def call(self) -> int | None:
        """The index of the newest call, from 0; None before the first."""
        count = bisect(self.calls, self.now)
        return count - 1 if count else None

    @property
    def called_seats(self) -> frozenset[engine.Seat]:
        """The awaited seats, once they have been called; none before that."""
        return frozenset() if self.call is None else self.seats

    @property
    def seconds_left(self) -> int | None:
        """The seconds left, as shown in the last minute; None before that."""
        begun = [seconds for at, seconds in self._countdown.items() if at <= self.now]
        return min(begun, default=None)

    @property
    def _countdown(self) -> Mapping[float, int]:
        """The seconds left that are shown in the last minute, by the time from which they are shown."""
        if not self.clock or self.moment:
            return {}
        return {self.moves_at - seconds: seconds for seconds in LAST_MINUTE}

    @property
    def turns(self) -> tuple[float, ...]:
        """Every time at which a message about the wait changes."""
        return *self._turns_for_all, *self._countdown

    @property
    def _turns_for_all(self) -> tuple[float, ...]:
        """Every time at which messages to people who are not awaited change as well."""
        morning = (self.local.by_day(self.now),) if self.is_hushed else ()
        return self.since + LONG_SECONDS, *self.calls, *morning

    @property
    def at_least(self) -> float:
        """The seconds that the wait has lasted, rounded down to the last change that all people see."""
        return max((at for at in self._turns_for_all if at <= self.now), default=self.since) - self.since
