"""Stories: people's actions, troubles, and passing time. Each seed makes one."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import Enum, auto
from random import Random
from typing import TypeVar

from adapters.port import RoomRef, ServerRef, User
from bot.app import REGISTRY
from tests.bot.chat import PLATFORM, ROOM, person

T = TypeVar("T")

PUB = RoomRef(ServerRef(PLATFORM, "pub"), "bar")
ROOMS = (ROOM, PUB)

# Everybody stays in one room, so that their name in another room is a leak. No bot or example has these
# names.
REGULARS = {
    ROOM: (person("Anouk"), person("Bruno"), person("Carmen"), person("Dunja")),
    PUB: (person("Yorick"), person("Zelda")),
}
# The first regular of each room is its admin.
ADMINS = {people[0].ref for people in REGULARS.values()}

GAMES = (
    "podkidnoy-24 hand_size=12 throw_in=none",
    "podkidnoy-24",
    "perevodnoy",
    "podkidnoy-36 throw_in_order=free",
)

SOMEBODY = "@somebody"  # a placeholder for a regular of the room

# The words after commands that take any; all are as likely.
WORDS: Mapping[str, Sequence[str]] = {
    "durak": (*GAMES, "20:30", "bots", "bots=expert", SOMEBODY),
    "cup": ("", "20:30"),
    "play": ("", "take", "done", "9h"),
    "leaderboard": ("", "week", "export"),
    "fool": ("", "seasons", f"add {SOMEBODY}", f"add {SOMEBODY} {SOMEBODY}", "import"),
    "stats": ("", SOMEBODY),
    "rules": ("", "perevodnoy"),
    "settings": (
        "",
        "bets on",
        "cards apart",
        "cheats apart",
        "cups off",
        "language de",
        "language ru",
        "pins on",
        "puzzle on",
        "quiet off",
        "save ours",
        "timezone Europe/Vilnius",
        "titles on",
        "turning on",
        "view picture",
        "week on",
        "worn on",
    ),
    "language": ("en", "ru", "uk"),
}

# Every command of the bot, with the words after it.
COMMANDS: Mapping[str, Sequence[str]] = {name: WORDS.get(name, ("",)) for name in REGISTRY.commands}

# Commands by which people play; the others are typed more seldom.
OFTEN = ("durak", "cup", "hand", "stop", "fool", "play", "settings")

WITH_REAL_CARDS = (
    f"/fool add {SOMEBODY}",
    f"/fool add {SOMEBODY} {SOMEBODY}",
    f"/fool add {SOMEBODY} {SOMEBODY} {SOMEBODY}",
)


class Deed(Enum):
    """An action of a person, of their chat or of the bot's owner."""

    PLAYS = auto()  # presses a move in their newest hand, or the button that leads to the hand
    PRESSES = auto()  # presses any visible button, even an old one
    ANSWERS = auto()  # presses a button under a cup, or under a game with real cards
    TYPES = auto()
    ENTERS_GAME = auto()  # types that somebody was the fool of a game with real cards
    DELETES = auto()  # deletes a message about a cup or real cards, which no chat reports
    IS_FORGOTTEN = auto()
    WAITS = auto()
    WATCHES = auto()  # opens the live table in a view, or closes it
    PRESSES_IN_VIEW = auto()  # presses any button of the view
    OPENS_PRIVATE_CHAT = auto()
    LEAVES_OR_JOINS = auto()  # leaves the chat, or joins it again
    BLOCKS_OR_UNBLOCKS = auto()  # blocks the bot in private, or unblocks it
    REMOVES_OR_ADDS_BOT = auto()
    MOVES_ROOM = auto()  # the chat's room gets a new id, and keeps none of its messages
    DROPS_OLD_MOVES = auto()  # the owner of the bot deletes the moves of finished games


class Trouble(Enum):
    """The trouble during a deed."""

    NONE = auto()
    KILL = auto()  # the process ends, a few turns of the loop later
    DISK_BEFORE = auto()  # the next write is refused
    DISK_AFTER = auto()  # the next write succeeds, but is reported as failed
    THROTTLED = auto()  # the room accepts no messages for a while
    FAILED = auto()  # the next delivery fails unforeseen
    LOST_ANSWER = auto()  # the next message arrives, but is reported as failed
    SHUT = auto()  # the presser accepts no private messages until the next trouble
    BANNED = auto()  # the room accepts none until the next trouble
    SLOW = auto()  # the presser's messages arrive after all others
    TWICE = auto()  # the chat delivers the event twice at the same time
    THINKER_DIES = auto()  # the process that thinks for house players ends in its next thought


@dataclass(frozen=True)
class Step:
    """One action with its trouble.

    Attributes:
        words: The command, or how the label of the button begins.
        choice: The index of the button among several such ones, modulo their number.
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
        words = self.words or f"no. {self.choice}"
        trouble = ""
        if self.trouble is Trouble.KILL:
            trouble = f", KILL after {self.turns} turns"
        elif self.trouble is not Trouble.NONE:
            trouble = f", {self.trouble.name}"

        return f"{self.user.name} in {self.room.id}: {self.deed.name} {words}{trouble}; {self.gap} s pass"


Story = tuple[Step, ...]

# The relative frequency of each.
DEEDS = dict.fromkeys(Deed, 0.25) | {
    Deed.PLAYS: 16.0,
    Deed.PRESSES: 4.0,
    Deed.ANSWERS: 2.0,
    Deed.TYPES: 2.5,
    Deed.ENTERS_GAME: 0.5,
    Deed.WAITS: 1.0,
    Deed.WATCHES: 0.8,
    Deed.PRESSES_IN_VIEW: 1.6,
}
TROUBLES = dict.fromkeys(Trouble, 1.0) | {Trouble.NONE: 16.0, Trouble.KILL: 4.0, Trouble.THINKER_DIES: 0.2}
GAPS = {0.0: 6, 0.5: 4, 3.0: 8, 12.0: 2, 70.0: 1, 400.0: 0.5, 3 * 3600.0: 0.1}

CUP_EVENINGS = 0.2  # the share of stories that begin with a cup
WITH_CLOSED_FOOL = 0.2  # the share in which somebody who blocks the bot is named as a fool at once
MAX_TURNS = 80  # the slowest press is answered within this many turns of the loop


def story_of(seed: int) -> Story:
    """Returns the story of a seed: a game begins in each room, and then anything may happen."""
    chance = Random(seed)
    length = chance.randint(20, 80)
    return (*_beginning(chance), *(_any_step(chance) for _ in range(length)))


def _beginning(chance: Random) -> Iterator[Step]:
    """Yields the steps by which a game begins in each room, or a cup in the larger one."""
    for room in ROOMS:
        is_cup_evening = room == ROOM and chance.random() < CUP_EVENINGS
        if is_cup_evening:
            cup = list(_opened(room, "/cup", "I’m in", "Begin now"))
            at = chance.randrange(len(cup))
            yield from (*cup[:at], _troubled(cup[at], chance), *cup[at + 1 :])
        else:
            yield from _opened(room, f"/durak {chance.choice(GAMES)}", "Join", "Start")

    if chance.random() < WITH_CLOSED_FOOL:
        yield from _named_without_private_chat(chance)


def _opened(room: RoomRef, command: str, join: str, begin: str) -> Iterator[Step]:
    """Yields the steps by which all regulars of a room join, by the labels of their buttons."""
    opener, *others = REGULARS[room]
    yield Step(Deed.TYPES, room, opener, command, gap=3.0)
    for user in others:
        yield Step(Deed.PRESSES, room, user, join)
    yield Step(Deed.PRESSES, room, opener, begin, gap=3.0)


def _named_without_private_chat(chance: Random) -> Iterator[Step]:
    """Yields the steps by which somebody who blocks the bot is named as the fool of a game."""
    room = chance.choice(ROOMS)
    fool, *others = chance.sample(REGULARS[room], k=len(REGULARS[room]))
    yield Step(Deed.BLOCKS_OR_UNBLOCKS, room, fool)
    yield _troubled(Step(Deed.ENTERS_GAME, room, others[0], f"/fool add @{fool.name}", gap=12.0), chance)
    yield _troubled(Step(Deed.PRESSES, room, fool, choice=chance.randrange(1000)), chance)


def _any_step(chance: Random) -> Step:
    room = chance.choice(ROOMS)
    deed = _weighted(chance, DEEDS)
    user = chance.choice(REGULARS[room])
    words = ""
    if deed is Deed.TYPES:
        words = _command(chance, room)
    elif deed is Deed.ENTERS_GAME:
        words = _with_names(chance.choice(WITH_REAL_CARDS), chance, room)

    step = Step(deed, room, user, words, choice=chance.randrange(1000), gap=_weighted(chance, GAPS))
    return _troubled(step, chance)


def _troubled(step: Step, chance: Random) -> Step:
    """Returns a step with any trouble, or none."""
    return replace(step, trouble=_weighted(chance, TROUBLES), turns=chance.randrange(MAX_TURNS))


def _command(chance: Random, room: RoomRef) -> str:
    """Returns a command with its words."""
    is_usual = chance.random() < 0.5
    names = OFTEN if is_usual else tuple(COMMANDS)
    name = chance.choice(names)
    words = chance.choice(COMMANDS[name])
    return _with_names(f"/{name} {words}", chance, room)


def _with_names(command: str, chance: Random, room: RoomRef) -> str:
    """Returns a command in which regulars of the room are named."""
    words = command.split()
    names = [f"@{chance.choice(REGULARS[room]).name}" if word == SOMEBODY else word for word in words]
    return " ".join(names)


def _weighted(chance: Random, weights: Mapping[T, float]) -> T:
    return chance.choices(list(weights), list(weights.values()))[0]
