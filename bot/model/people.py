"""People and servers: their choices, and the findings of a review of a player's moves."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import Enum, StrEnum, auto
from zoneinfo import ZoneInfo

from bot.model.calendar import LocalTime
from engine import Regret


class NoFindings(Enum):
    """Why there is no review of a player's moves."""

    NO_CHOICE = auto()  # they never chose between moves: others moved for them, or it was over too soon
    NO_LOOK_AHEAD = auto()  # an expert cannot look ahead by these rules
    FAILED = auto()  # something went wrong


# The findings of a review: the moves that cost most, or why there are none.
Findings = tuple[Regret, ...] | NoFindings


# --- How a person likes to hold their cards ---


class HandOrder(StrEnum):
    """The order of cards in a hand; trumps come last either way."""

    RANK = auto()
    SUIT = auto()


# --- How a person is called when it is their turn ---


class Calling(StrEnum):
    """When a private message rings a person's phone for their turn."""

    AT_ONCE = auto()
    LATER = auto()  # once the table has waited for them as long as until it calls them
    TABLE = auto()  # never: the table's own call has to do
    NEVER = auto()  # nor is anything else written to them in private, where they can do without


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

# The preset that a word means, in small letters.
PRESET_OF: Mapping[str, str] = {word: preset for preset, words in _WORDS.items() for word in words.split()}


AGAINST_BOTS = "bots"  # the word for a game against house players: no name of rules


# --- The owner of the bot ---


@dataclass(frozen=True, slots=True)
class Owner:
    """The owner of the bot, as far as it is public: an address for questions, and a page about privacy."""

    contact: str = ""
    privacy_url: str = ""


UNNAMED = Owner()


# --- The memory of a person ---


OFF = "off"
ON = "on"


@dataclass(frozen=True, slots=True)
class Profile:
    """A person's choices, and the facts that their chat reports.

    They are kept by the names of these fields; what is empty there was not chosen.
    """

    language: str = ""  # the one they chose, else the locale of their chat; empty when neither is known
    hand_order: HandOrder = HandOrder.RANK  # how they hold their cards
    calling: Calling = Calling.AT_ONCE  # how they are called when it's their turn
    company: bool = False  # whether the last company may call them to a new game
    # Whether one tap on a card plays it, where tables are drawn and it can mean one thing.
    one_tap: bool = False
    reachable: bool | None = None  # whether the bot can write to them; None when that was never tried
    wears_mark: bool = True  # whether they wear the fool's mark where a server marks the fool


NO_CHOICES = Profile()


# --- The choices of a server's moderators ---


PICTURE = "picture"
NIGHT = "22-8"


@dataclass(frozen=True, slots=True, kw_only=True)
class ServerChoice:
    """A named choice of a server, with the values on its buttons; the first is the default."""

    name: str
    values: tuple[str, ...] = (OFF, ON)


_HOURS = re.compile(r"(\d|[01]\d|2[0-3])-(\d|[01]\d|2[0-3])", re.ASCII)


def quiet_hours(text: str) -> tuple[int, int] | None:
    """Reads quiet hours, as in `22-8`: the hour they begin and the hour they end; None if it is none.

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
    worn: str = ""  # whether the fool wears it: a mark beside the name
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
        """Its clocks (UTC until a zone is chosen) and its quiet hours."""
        return LocalTime(ZoneInfo(self.time_zone or "UTC"), quiet_hours(self.quiet or NIGHT))
