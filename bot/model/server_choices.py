"""The choices of a server's admins."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from zoneinfo import ZoneInfo

from bot.model.calendar import LocalTime

OFF = "off"
ON = "on"
PICTURE = "picture"
NIGHT = "22-8"


@dataclass(frozen=True, slots=True, kw_only=True)
class ServerChoice:
    """A named choice of a server, with the values on its buttons; the first is the default."""

    name: str
    values: tuple[str, ...] = (OFF, ON)


_HOURS = re.compile(r"(\d|[01]\d|2[0-3])-(\d|[01]\d|2[0-3])", re.ASCII)


def quiet_hours(text: str) -> tuple[int, int] | None:
    """Parses quiet hours, as in `22-8`, into the hours they begin and end; None if the text is invalid.

    >>> quiet_hours("22-8")
    (22, 8)
    """
    match = _HOURS.fullmatch(text)
    return (int(match[1]), int(match[2])) if match and int(match[1]) != int(match[2]) else None


@dataclass(frozen=True, slots=True)
class ServerChoices:
    """The choices of a server; empty ones were not made."""

    preset: str = ""  # its default rules
    locale: str = ""  # the language of its tables
    time_zone: str = ""  # the IANA name of the zone in which its weeks begin
    view: str = ""  # how its tables look
    style: str = ""  # the colours of its pictures
    quiet: str = ""  # when people are not called and nothing is posted, as `quiet_hours` reads it
    worn: str = ""  # whether the fool wears a mark beside the name
    pins: str = ""  # whether tables are pinned until their game is over
    pins_by: str = ""  # the id of the last admin to switch that on
    home: str = ""  # the id of the room where news are posted
    home_topic: str = ""  # the topic of that room
    home_by: str = ""  # the id of the last admin to switch news on there
    home_closed: str = ""  # `ON` once they got the notice that the room takes no messages
    of_features: Mapping[str, str] = field(default_factory=dict)  # the choices about features, by name

    def value_of(self, choice: ServerChoice) -> str:
        """Returns the value of a choice: its default until another was chosen."""
        chosen: str = self.of_features.get(choice.name, "") or getattr(self, choice.name, "")
        return chosen or choice.values[0]

    def wants(self, choice: ServerChoice) -> bool:
        """Returns whether a choice that is on or off is on."""
        return self.value_of(choice) == ON

    @property
    def local_time(self) -> LocalTime:
        """Its time zone (UTC by default) and its quiet hours."""
        return LocalTime(ZoneInfo(self.time_zone or "UTC"), quiet_hours(self.quiet or NIGHT))
