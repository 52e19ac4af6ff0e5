"""What the moderators of a server chose."""

from dataclasses import dataclass
from zoneinfo import ZoneInfo

PICTURE = "picture"
VIEWS = (PICTURE, "text")
"""How tables can look; the first is what they look like when nobody chose."""

STYLES = ("dark", "light")
"""What colours pictures can have, as above."""

ON = "on"
TEASING = (ON, "off")
"""Whether tables tease their players a little, as above."""


@dataclass(frozen=True, slots=True)
class ServerChoices:
    """The choices of a server; what is empty was not chosen.

    Attributes:
        preset: What is played when nobody says otherwise.
        locale: The language of its tables.
        time_zone: The IANA name of the zone in which its weeks begin.
        view: How its tables look.
        style: What colours its pictures have.
        teasing: Whether its tables tease their players a little.
    """

    preset: str = ""
    locale: str = ""
    time_zone: str = ""
    view: str = ""
    style: str = ""
    teasing: str = ""

    @property
    def zone(self) -> ZoneInfo:
        """The time zone that counts: UTC until another one is chosen."""
        return ZoneInfo(self.time_zone or "UTC")

    @property
    def shown_view(self) -> str:
        """How its tables look: the first of `VIEWS` until another one is chosen."""
        return self.view or VIEWS[0]

    @property
    def shown_style(self) -> str:
        """What colours its pictures have: the first of `STYLES` until others are chosen."""
        return self.style or STYLES[0]

    @property
    def wants_pictures(self) -> bool:
        """Whether its tables are shown as pictures."""
        return self.shown_view == PICTURE

    @property
    def shown_teasing(self) -> str:
        """Whether its tables tease: the first of `TEASING` until the other one is chosen."""
        return self.teasing or TEASING[0]

    @property
    def wants_teasing(self) -> bool:
        """Whether its tables tease."""
        return self.shown_teasing == ON
