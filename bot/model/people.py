"""What a look back at a game has found."""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum, StrEnum, auto
from zoneinfo import ZoneInfo

from engine import Regret


class NoFindings(Enum):
    """Why there is no review of a player's moves."""

    NO_CHOICE = auto()  # they never chose between moves: others moved for them, or it was over too soon
    NO_LOOK_AHEAD = auto()  # an expert cannot look ahead by these rules
    FAILED = auto()  # something went wrong


Findings = tuple[Regret, ...] | NoFindings
"""What a look back at a game has found: the moves that cost most, or why it could not tell."""


# --- How a person likes to hold their cards ---


class HandOrder(StrEnum):
    """What cards are sorted by; trumps come last either way."""

    RANK = auto()
    SUIT = auto()

    @property
    def other(self) -> "HandOrder":
        """The order that this one can be changed to."""
        return HandOrder.SUIT if self is HandOrder.RANK else HandOrder.RANK


# --- Words that people type for a preset, beside its name ---


_WORDS: Mapping[str, str] = {
    "podkidnoy-36": "podkidnoy throw-in подкидной дурак підкидний дурень nachlegen primetamas 36",
    "podkidnoy-24": "24",
    "podkidnoy-52": "52",
    "perevodnoy": "transfer переводной перевод переводний переведення schieben schiebedurak"
    " perduodamas pervedamas",
    "wikipedia-de": "german немецкий німецький deutsch wikipedia vokiškas vokiskas",
    "classic": "классика классический класика класичний klassisch klasikinis",
    "durnius": "lithuanian литовский литовський litauisch lietuviškas lietuviskas",
    "durnius-travel": "travel проездной проїзний fahrschein bilietas",
    "pure": "чистый чистий pur grynas",
    "punktedurak": "points очки punkte taškai taskai",
}

PRESET_OF: Mapping[str, str] = {word: preset for preset, words in _WORDS.items() for word in words.split()}
"""The preset that a word means, in small letters."""


AGAINST_BOTS = "bots"
"""What people type for a game against house players: no name of rules."""


# --- What is remembered about a person ---


@dataclass(frozen=True, slots=True)
class Profile:
    """What a person chose, or their chat says of them.

    Attributes:
        language: The one they chose, else the locale of their chat; empty when neither is known.
        hand_order: How they hold their cards.
        private_messages: Whether they want to be written to in private, where they can do without.
        reachable: Whether the bot can write to them; None when that was never tried.
    """

    language: str = ""
    hand_order: HandOrder = HandOrder.RANK
    reachable: bool | None = None
    private_messages: bool = True


# --- What the moderators of a server chose ---


PICTURE = "picture"
VIEWS = (PICTURE, "text")
"""How tables can look; the first is the default."""

STYLES = ("dark", "light")
"""What colours pictures can have, as above."""

ON = "on"
TEASING = (ON, "off")
"""Whether tables tease their players a little, as above."""


@dataclass(frozen=True, slots=True)
class ServerChoices:
    """The choices of a server; what is empty was not chosen.

    Attributes:
        preset: What is played by default.
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
