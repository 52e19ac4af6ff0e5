"""A story: what people do, what goes wrong meanwhile, and how much time passes. Each seed has one."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from enum import Enum, auto
from random import Random
from typing import TypeVar

from adapters.port import RoomRef, ServerRef, User
from tests.bot.chat import PLATFORM, ROOM, person

T = TypeVar("T")

PUB = RoomRef(ServerRef(PLATFORM, "pub"), "bar")
ROOMS = (ROOM, PUB)

# Everybody stays in one room, so that a name in another one is a leak.
REGULARS = {
    ROOM: (person("Anna"), person("Boris"), person("Clara")),
    PUB: (person("Zelda"), person("Yorick")),
}

GAMES = (
    "podkidnoy-24 hand_size=12 throw_in=none",
    "podkidnoy-24",
    "perevodnoy",
    "podkidnoy-36 throw_in_order=free",
)

COMMANDS = (
    *(f"/durak {rules}" for rules in GAMES),
    "/durak 20:30",
    "/hand",
    "/table",
    "/stop",
    "/fool",
    "/leaderboard",
    "/settings",
)


class Deed(Enum):
    """What somebody does."""

    PLAYS = auto()  # presses a move in their newest hand, or what leads to it
    PRESSES = auto()  # presses any button that they see, old ones too
    TYPES = auto()
    IS_FORGOTTEN = auto()
    WAITS = auto()


class Trouble(Enum):
    """What goes wrong while it is done."""

    NONE = auto()
    KILL = auto()  # the process ends, a few turns of the loop later
    DISK_BEFORE = auto()  # the next write is refused
    DISK_AFTER = auto()  # the next write is on disk, and the bot hears that it is not
    THROTTLED = auto()  # the room takes no message for a while
    FAILED = auto()  # the next delivery fails unforeseen
    LOST_ANSWER = auto()  # the next message arrives, and the bot hears that it did not
    SHUT = auto()  # the presser takes no private message until the next trouble
    BANNED = auto()  # the room takes none until the next trouble
    SLOW = auto()  # what goes to the presser arrives after all else
    TWICE = auto()  # the chat delivers the event twice at the same time


@dataclass(frozen=True)
class Step:
    """One thing that somebody does.

    Attributes:
        words: The command, or how the label of the button begins.
        choice: Which of several such buttons, counted round and round.
        turns: After how many turns of the event loop a process is killed.
        gap: How many seconds pass afterwards.
    """

    deed: Deed
    room: RoomRef
    user: User
    words: str = ""
    choice: int = 0
    trouble: Trouble = Trouble.NONE
    turns: int = 0
    gap: float = 0.5

    def __str__(self) -> str:
        trouble = "" if self.trouble is Trouble.NONE else f", {self.trouble.name} after {self.turns} turns"
        words = self.words or f"no. {self.choice}"
        return f"{self.user.name} in {self.room.id}: {self.deed.name} {words}{trouble}; {self.gap} s pass"


Story = tuple[Step, ...]

# How often each happens, compared with the others.
DEEDS = {Deed.PLAYS: 16, Deed.PRESSES: 4, Deed.TYPES: 2, Deed.WAITS: 1, Deed.IS_FORGOTTEN: 0.3}
TROUBLES = dict.fromkeys(Trouble, 1.0) | {Trouble.NONE: 16.0, Trouble.KILL: 4.0}
GAPS = {0.0: 6, 0.5: 4, 3.0: 8, 12.0: 2, 70.0: 1, 400.0: 0.5, 3 * 3600.0: 0.1}

MAX_TURNS = 80  # in so many turns of the loop the slowest press is answered


def story_of(seed: int) -> Story:
    """Tells a story: a game begins in each room, and then anything happens."""
    chance = Random(seed)
    length = chance.randint(20, 80)
    return (*_beginning(chance), *(_any_step(chance) for _ in range(length)))


def _beginning(chance: Random) -> Iterator[Step]:
    for room, people in REGULARS.items():
        rules = chance.choice(GAMES)
        yield Step(Deed.TYPES, room, people[0], f"/durak {rules}")
        for user in people[1:]:
            yield Step(Deed.PRESSES, room, user, "Join")
        yield Step(Deed.PRESSES, room, people[0], "Start")


def _any_step(chance: Random) -> Step:
    room = chance.choice(ROOMS)
    deed = _weighted(chance, DEEDS)
    return Step(
        deed,
        room,
        chance.choice(REGULARS[room]),
        chance.choice(COMMANDS) if deed is Deed.TYPES else "",
        chance.randrange(1000),
        _weighted(chance, TROUBLES),
        chance.randrange(MAX_TURNS),
        _weighted(chance, GAPS),
    )


def _weighted(chance: Random, weights: Mapping[T, float]) -> T:
    return chance.choices(list(weights), list(weights.values()))[0]
