"""Times on a server's clocks, and appointments."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, time, timedelta
from functools import cache
from zoneinfo import ZoneInfo, available_timezones

from adapters.port import RoomRef, ServerRef

DAY_SECONDS = 24 * 60 * 60.0
SEASON_MONTHS = 3  # months in a season; the first of a year begins with January


@cache
def time_zones() -> Sequence[str]:
    """Returns the names of the time zones that a server can choose: UTC, and then places in order.

    Other names would mislead: an abbreviation such as `EST` has no summer time, `Etc/GMT+5` is five hours
    behind, and `localtime` is wherever the bot runs.
    """
    places = (zone for zone in available_timezones() if "/" in zone and not zone.startswith("Etc/"))
    return ["UTC", *sorted(places)]


@dataclass(frozen=True, slots=True)
class LocalTime:
    """A server's time zone and its quiet hours: the hours they begin and end, or None for never.

    All times given and returned are Unix seconds.
    """

    zone: ZoneInfo
    quiet: tuple[int, int] | None

    def is_quiet(self, at: float) -> bool:
        """Returns whether people are not to be disturbed."""
        if self.quiet is None:
            return False
        begins, ends = self.quiet
        hour = self.at(at).hour
        return begins <= hour < ends if begins < ends else hour >= begins or hour < ends

    def by_day(self, at: float) -> float:
        """Returns the time itself, or the end of the quiet hours it falls into."""
        if self.quiet is None or not self.is_quiet(at):
            return at
        there = self.at(at)
        ends = self.quiet[1]
        return self._on(there, days=there.hour >= ends, hour=ends)

    def daily(self, after: float, hour: int, minute: int = 0) -> float:
        """Returns the next time at which the clocks show this hour and minute."""
        there = self.at(after)
        today = self._on(there, days=0, hour=hour, minute=minute)
        return today if today > after else self._on(there, days=1, hour=hour, minute=minute)

    def weekly(self, after: float, weekday: int, hour: int) -> float:
        """Returns the next time at which it is this hour of a weekday, from 0 (Monday) to 6."""
        there = self.at(after)
        days = (weekday - there.weekday()) % 7
        this = self._on(there, days=days, hour=hour)
        return this if this > after else self._on(there, days=days + 7, hour=hour)

    def weekly_before(self, at: float, weekday: int, hour: int) -> float:
        """Returns the latest time, up to this one, at which it was this hour of a weekday."""
        there = self.at(at)
        days = (there.weekday() - weekday) % 7
        this = self._on(there, days=-days, hour=hour)
        return this if this <= at else self._on(there, days=-days - 7, hour=hour)

    def week_of(self, at: float) -> float:
        """Returns the beginning of the week that contains a time: a Monday's midnight."""
        there = self.at(at)
        return self._on(there, days=-there.weekday(), hour=0)

    def season_of(self, at: float) -> float:
        """Returns the beginning of the season that contains a time."""
        there = self.at(at)
        first = there.replace(month=there.month - (there.month - 1) % SEASON_MONTHS, day=1)
        return self._on(first, days=0, hour=0)

    def season_after(self, at: float) -> float:
        """Returns the end of the season that contains a time, which is the beginning of the next one."""
        return self.season_of(self.season_of(at) + (31 * SEASON_MONTHS + 5) * 24 * 60 * 60)

    def at(self, at: float) -> datetime:
        """Returns the local date and time."""
        return datetime.fromtimestamp(at, self.zone)

    def _on(self, there: datetime, *, days: int, hour: int, minute: int = 0) -> float:
        """Returns when the clocks show this hour and minute, some days after a date."""
        day = there.date() + timedelta(days=days)
        return datetime.combine(day, time(hour, minute), self.zone).timestamp()


@dataclass(frozen=True, slots=True)
class Appointment:
    """Something that is due on a server at a time."""

    server: ServerRef
    kind: str  # each kind has one handler
    at: float  # when, in Unix seconds
    about: str = ""  # which one of its kind, in a format of its handler
    room: RoomRef | None = None  # the room for its post; None if it doesn't matter or is unknown
