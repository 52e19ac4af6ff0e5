"""Games that were played with real cards: who the fool was, as people enter it or a file tells it."""

import csv
import re
from collections import Counter
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass
from datetime import date, datetime, time
from enum import Enum, auto
from zoneinfo import ZoneInfo

from adapters.port import User, UserRef

DAY = 24 * 60 * 60.0

LEAST_PLAYERS, MOST_PLAYERS = 2, 16

MOST_GAMES = 2000  # games that one file may hold
MOST_BYTES = 200_000  # size limit of such a file


@dataclass(frozen=True, slots=True)
class CardGame:
    """A game with real cards: when it was played (Unix seconds), the fool, and all players."""

    at: float
    fool: User
    players: tuple[User, ...]

    @property
    def key(self) -> tuple[float, UserRef, frozenset[UserRef]]:
        """What two entries of the same game have in common."""
        return self.at, self.fool.ref, frozenset(each.ref for each in self.players)


@dataclass(frozen=True, slots=True)
class Entered:
    """Games that were entered together: they count once that is confirmed."""

    id: int  # their number
    by: UserRef | None  # who entered them; None if they are forgotten
    at: float  # when they were entered (Unix seconds)
    counts: bool  # whether they are confirmed
    games: tuple[CardGame, ...]  # the oldest first

    @property
    def fools(self) -> list[tuple[str, int]]:
        """How often each was the fool, the most frequent one first."""
        names = {game.fool.ref: game.fool.name for game in self.games}
        times = Counter(game.fool.ref for game in self.games)
        return [(names[ref], count) for ref, count in times.most_common()]


# --- Reading a file -----------------------------------------------------------------------------------------


class Unread(Enum):
    """Why a line of a file is no game."""

    DATE = auto()
    FUTURE = auto()
    PLAYERS = auto()
    FOOL = auto()  # is not among the players, or is missing
    UNKNOWN = auto()  # no player has this name
    AMBIGUOUS = auto()  # several people are called so
    KNOWN = auto()  # that game is entered already
    TOO_MANY = auto()  # it stands behind the last line that is read


@dataclass(frozen=True, slots=True)
class Problem:
    """A line that cannot be read, by its number from 1; `word` is what it stumbles over."""

    line: int
    why: Unread
    word: str = ""


class NoTableError(Exception):
    """The file is no table of games."""


_SEPARATORS = ",;\t"
_BETWEEN_NAMES = re.compile(r"[;,/+&|]")
_DAY = re.compile(r"(\d{1,4})[-./](\d{1,2})[-./](\d{1,4})(?!\d)", re.ASCII)
_LEAST_YEAR = 1000


def games_in(
    content: bytes,
    zone: ZoneInfo,
    now: float,
    named: Callable[[str], Sequence[User]],
    known: Collection[tuple[float, UserRef, frozenset[UserRef]]] = (),
) -> tuple[list[CardGame], list[Problem]]:
    """Read a table of games: in each line a date, the fool, and the players, in one cell or in several.

    A first line without a date is a heading. The fool need not be listed among the players again. The file
    is in UTF-8 or UTF-16, its days are those of `zone`, `named` finds people by a name, and `known` are the
    games entered already.

    Raises:
        NoTableError: It is no text, or no line of it is a game's.
    """
    games, problems, seen = list[CardGame](), list[Problem](), set(known)
    lines = list(_cells(content))
    for place, (number, cells) in enumerate(lines):
        played = _date(cells[0])
        if played is None and place == 0:
            continue  # the heading
        if len(games) >= MOST_GAMES:
            problems.append(Problem(number, Unread.TOO_MANY))
            break
        read = _game(cells, played, number, named, zone=zone)
        if isinstance(read, CardGame) and read.at > now + DAY:
            read = Problem(number, Unread.FUTURE, cells[0])
        if isinstance(read, CardGame) and read.key in seen:
            read = Problem(number, Unread.KNOWN, cells[0])
        if isinstance(read, Problem):
            problems.append(read)
        else:
            seen.add(read.key)
            games.append(read)
    if not (games or problems):
        raise NoTableError
    return sorted(games, key=lambda game: game.at), problems


def _cells(content: bytes) -> Iterator[tuple[int, list[str]]]:
    """Return the cells of each line that is not blank, with its number."""
    encoding = "utf-16" if content.startswith((b"\xff\xfe", b"\xfe\xff")) else "utf-8-sig"
    try:
        text = content.decode(encoding)
    except UnicodeDecodeError as error:
        raise NoTableError from error
    first = text.partition("\n")[0]
    separator = max(_SEPARATORS, key=first.count)
    rows = csv.reader(text.splitlines(), delimiter=separator)
    try:
        for row in rows:
            cells = [cell.strip() for cell in row]
            if any(cells):
                yield rows.line_num, cells
    except csv.Error as error:
        raise NoTableError from error


def _game(
    cells: Sequence[str],
    played: date | None,
    number: int,
    named: Callable[[str], Sequence[User]],
    *,
    zone: ZoneInfo,
) -> CardGame | Problem:
    if played is None:
        return Problem(number, Unread.DATE, cells[0])
    words = [name.strip() for cell in cells[2:] for name in _BETWEEN_NAMES.split(cell) if name.strip()]
    if len(cells) < LEAST_PLAYERS or not cells[1]:
        return Problem(number, Unread.FOOL)
    found = list[User]()
    for word in (cells[1], *words):
        people = named(word)
        if len(people) != 1:
            return Problem(number, Unread.AMBIGUOUS if people else Unread.UNKNOWN, word)
        found.append(people[0])
    players = tuple({user.ref: user for user in found}.values())
    if not LEAST_PLAYERS <= len(players) <= MOST_PLAYERS:
        return Problem(number, Unread.PLAYERS)
    noon = datetime.combine(played, time(12), zone).timestamp()
    return CardGame(noon, found[0], players)


def _date(text: str) -> date | None:
    """Read a day, with or without a time behind it: the year first, or the day."""
    found = _DAY.match(text)
    if found is None:
        return None
    first, second, third = (int(number) for number in found.groups())
    year, day = (first, third) if first >= _LEAST_YEAR else (third, first)
    try:
        return date(year, second, day)
    except ValueError:
        return None
