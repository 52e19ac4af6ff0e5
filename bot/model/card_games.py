"""Games with real cards: the fool and the players, as people enter them or a file lists them."""

import csv
import re
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date, datetime, time
from enum import Enum, auto
from functools import partial
from zoneinfo import ZoneInfo

from adapters.port import MessageRef, RoomRef, ServerRef, User, UserRef
from bot.model.table import FORGOTTEN

DAY = 24 * 60 * 60.0

MIN_PLAYERS = 2
MAX_PLAYERS = 16

MAX_GAMES = 2000  # games that one file may hold
MAX_BYTES = 200_000  # size limit of such a file

MAX_ENTRIES_A_DAY = 5  # games, or files of them, that one person may enter
MAX_WAITING = 2500  # games of a server that wait to be confirmed

OBJECTION_SECONDS = 7 * DAY  # the time for the fool's objection, from their notice on
CONFIRMERS = 2  # players whose word counts where the fool gives no answer


@dataclass(frozen=True, slots=True)
class CardGame:
    """A game with real cards: when it was played (Unix seconds), the fool, and all players.

    `month_first_at` is when it was played if the file that holds it writes the month before the day, where
    that is not certain.
    """

    at: float
    fool: User
    players: tuple[User, ...]
    month_first_at: float | None = None

    @property
    def keys(self) -> Collection["GameKey"]:
        """The facts that two entries of the same game share, in each order of day and month."""
        times = {self.at} if self.month_first_at is None else {self.at, self.month_first_at}
        players = frozenset(player.ref for player in self.players)
        return {(at, self.fool.ref, players) for at in times}


GameKey = tuple[float, UserRef, frozenset[UserRef]]


@dataclass(frozen=True, slots=True)
class Origin:
    """Where games were entered together, and whether they came in a file."""

    server: ServerRef
    is_file: bool


@dataclass(frozen=True, slots=True)
class Copy:
    """A message that shows games: to a room, or to one `fool` that was asked there or in private."""

    room: RoomRef
    message: MessageRef
    fool: UserRef | None = None
    is_private: bool = False


@dataclass(frozen=True, slots=True)
class Entered:
    """Games that were entered together; times are Unix seconds."""

    id: int  # their number
    server: ServerRef
    by: User  # the person behind the entry
    at: float  # when they were entered
    counts: bool  # whether they are confirmed
    is_file: bool
    games: int  # how many there are
    first: float  # when the first one was played
    last: float  # when the last one was played
    fools: tuple[tuple[User, int], ...]  # how often each was the fool, the most frequent one first
    players: tuple[User, ...] = ()  # of a game that was entered alone, the fool first
    confirmed_by: frozenset[UserRef] = frozenset()
    notified_at: Mapping[UserRef, float] = field(default_factory=dict)  # when fools were notified
    is_fool_known: bool = False  # whether the fool of a game entered alone was at a table there before
    # When the first game whose date is uncertain was played if days come first, and if months do.
    first_uncertain: float = 0.0
    month_first: float | None = None

    @property
    def fool(self) -> User:
        """The most frequent fool."""
        return self.fools[0][0]

    @property
    def asked_at(self) -> float:
        """When the silence of the fool began: with their notice, or with the entry while there was none."""
        return self.notified_at.get(self.fool.ref, self.at)

    @property
    def unnotified(self) -> Sequence[User]:
        """The fools without a notice, but for who entered the games and who is forgotten."""
        notified = {*self.notified_at, self.by.ref}
        known = [fool for fool, _ in self.fools if fool.ref.platform != FORGOTTEN]
        return [fool for fool in known if fool.ref not in notified]

    @property
    def needs_fool(self) -> bool:
        """Whether nobody but the fool can confirm it: too few others played, or the fool is a stranger."""
        others = {player.ref for player in self.players} - {self.by.ref, self.fool.ref}
        return not self.is_fool_known or len(others) < CONFIRMERS

    def is_confirmed(self, now: float) -> bool:
        """Returns whether a game entered alone is agreed to: by its fool or, after a day, by others."""
        if self.fool.ref in self.confirmed_by | {self.by.ref}:
            return True
        return not self.needs_fool and len(self.confirmed_by) >= CONFIRMERS and now >= self.asked_at + DAY

    def may_confirm(self, user: UserRef) -> bool:
        """Returns whether a person can confirm it: a player other than its author."""
        return user != self.by.ref and any(player.ref == user for player in self.players)

    def may_object(self, user: UserRef, now: float) -> bool:
        """Returns whether a person can still object to being named: for a week from their notice on."""
        named = {player.ref for player in self.players} | {fool.ref for fool, _ in self.fools}
        return user in named and now < self.notified_at.get(user, self.at) + OBJECTION_SECONDS


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
    TOO_MANY = auto()  # it is behind the last line that is read


@dataclass(frozen=True, slots=True)
class Problem:
    """A line that can't be read, by its number from 1; `word` is the unreadable part."""

    line: int
    why: Unread
    word: str = ""


class NoTableError(Exception):
    """The file is no table of games."""


class DayOrder(Enum):
    """The first part of a date such as 04/03/2025."""

    DAY_FIRST = auto()
    MONTH_FIRST = auto()


_SEPARATORS = ",;\t"
_BETWEEN_NAMES = re.compile(r"[;,/+&|]")
_DAY = re.compile(r"(\d{1,4})([-./])(\d{1,2})[-./](\d{1,4})(?!\d)", re.ASCII)
_MIN_YEAR = 1000

# Encodings without a mark of their own, as programs of Windows write them; that in which most can be read.
_OF_WINDOWS = ("cp1251", "cp1252")


def games_in(
    content: bytes,
    zone: ZoneInfo,
    now: float,
    named: Callable[[str], Sequence[User]],
    known: Collection[GameKey] = (),
) -> tuple[list[CardGame], list[Problem]]:
    """Reads a table of games: in each line a date, the fool, and the players, in one cell or in several.

    A first line without a date is a heading. The fool need not be listed among the players again. The file
    is in UTF-8, UTF-16 or an encoding of Windows, its days are those of `zone`, `named` finds people by a
    name, and `known` are the games entered already. Where nothing in the file shows whether days or months
    come first, games know both times.

    Raises:
        NoTableError: It is no text, or no line of it is a game's.
    """
    readings = list[Mapping[int, CardGame | Problem]]()
    for text in _texts(content):
        lines = list(_cells(text))
        read_in = partial(_read_games, lines, zone=zone, now=now, named=named, known=known)
        by_order = [read_in(order=order) for order in _orders(lines, zone, now)]
        reading = by_order[0] if len(by_order) == 1 else _with_both_times(*by_order)
        readings.append(reading)

    read = min(readings, key=_number_of_problems, default={})
    if not read:
        raise NoTableError

    games = [outcome for outcome in read.values() if isinstance(outcome, CardGame)]
    problems = [outcome for outcome in read.values() if isinstance(outcome, Problem)]
    return sorted(games, key=lambda game: game.at), problems


def _number_of_problems(read: Mapping[int, CardGame | Problem]) -> int:
    return sum(isinstance(outcome, Problem) for outcome in read.values())


def _texts(content: bytes) -> Iterator[str]:
    """Returns the possible texts of a file, one for each likely encoding.

    Raises:
        NoTableError: It is no text.
    """
    if content.startswith((b"\xff\xfe", b"\xfe\xff")):
        encodings: Sequence[str] = ("utf-16",)
    elif b"\0" in content:
        is_big_endian = content[::2].count(0) > content[1::2].count(0)
        encodings = ("utf-16-be" if is_big_endian else "utf-16-le",)
    else:
        encodings = ("utf-8-sig",)

    for encoding in (*encodings, *_OF_WINDOWS):
        try:
            text = content.decode(encoding)
        except UnicodeDecodeError:
            continue

        if not _is_text(text):
            continue

        yield text
        if encoding in encodings:
            return


def _is_text(text: str) -> bool:
    return all(character.isprintable() or character in "\r\n\t" or character.isspace() for character in text)


def _cells(text: str) -> Iterator[tuple[int, list[str]]]:
    """Returns the cells of each line that is not blank, with its number."""
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


def _orders(lines: Sequence[tuple[int, list[str]]], zone: ZoneInfo, now: float) -> Sequence[DayOrder]:
    """Returns the possible orders of day and month of the dates: two if both are possible."""
    texts = [cells[0] for _, cells in lines if _DAY.match(cells[0])]
    read = {order: [_date(text, order) for text in texts] for order in DayOrder}
    if read[DayOrder.DAY_FIRST] == read[DayOrder.MONTH_FIRST]:
        return (DayOrder.DAY_FIRST,)

    def is_past(day: date | None) -> bool:
        return day is not None and _noon(day, zone) <= now + DAY

    fitting = {order: [is_past(day) for day in days] for order, days in read.items()}
    readable = list(map(any, zip(*fitting.values(), strict=True)))
    possible = [order for order in DayOrder if fitting[order] == readable]

    return possible or (DayOrder.DAY_FIRST,)


def _with_both_times(
    day_first: Mapping[int, CardGame | Problem], month_first: Mapping[int, CardGame | Problem]
) -> Mapping[int, CardGame | Problem]:
    """Returns the reading in one order, with the times of the other one; an error in either stays one."""
    read = dict(day_first)
    for line, other in month_first.items():
        own = day_first[line]
        if isinstance(other, Problem):
            read[line] = other if isinstance(own, CardGame) else own
        elif isinstance(own, CardGame):
            read[line] = replace(own, month_first_at=other.at)

    return read


def _read_games(
    lines: Sequence[tuple[int, list[str]]],
    *,
    order: DayOrder,
    zone: ZoneInfo,
    now: float,
    named: Callable[[str], Sequence[User]],
    known: Collection[GameKey],
) -> Mapping[int, CardGame | Problem]:
    """Reads the games in these lines, or their errors, by the numbers of the lines."""
    read = dict[int, CardGame | Problem]()
    seen = set(known)
    number_of_games = 0

    for place, (line, cells) in enumerate(lines):
        if place == 0 and not _DAY.match(cells[0]):
            continue  # the heading

        if number_of_games >= MAX_GAMES:
            read[line] = Problem(line, Unread.TOO_MANY)
            break

        found = _game(cells, _date(cells[0], order), line, named, zone=zone)
        if isinstance(found, CardGame):
            found = _check(found, line, cells[0], now, seen)

        if isinstance(found, CardGame):
            seen |= set(found.keys)
            number_of_games += 1

        read[line] = found

    return read


def _check(game: CardGame, line: int, word: str, now: float, seen: Collection[GameKey]) -> CardGame | Problem:
    """Returns a game, unless it is yet to come or is entered already."""
    if game.at > now + DAY:
        return Problem(line, Unread.FUTURE, word)
    if any(key in seen for key in game.keys):
        return Problem(line, Unread.KNOWN, word)
    return game


def _game(
    cells: Sequence[str],
    played: date | None,
    line: int,
    named: Callable[[str], Sequence[User]],
    *,
    zone: ZoneInfo,
) -> CardGame | Problem:
    if played is None:
        return Problem(line, Unread.DATE, cells[0])

    words = [name.strip() for cell in cells[2:] for name in _BETWEEN_NAMES.split(cell) if name.strip()]
    if len(cells) < MIN_PLAYERS or not cells[1]:
        return Problem(line, Unread.FOOL)

    found = list[User]()
    for word in (cells[1], *words):
        people = named(word)
        if len(people) != 1:
            problem = Unread.AMBIGUOUS if people else Unread.UNKNOWN
            return Problem(line, problem, word)

        found.append(people[0])

    players = tuple({user.ref: user for user in found}.values())
    if not MIN_PLAYERS <= len(players) <= MAX_PLAYERS:
        return Problem(line, Unread.PLAYERS)

    return CardGame(_noon(played, zone), found[0], players)


def _noon(day: date, zone: ZoneInfo) -> float:
    return datetime.combine(day, time(12), zone).timestamp()


def _date(text: str, order: DayOrder) -> date | None:
    """Reads a day, with or without a time behind it; months come first only between strokes and dashes."""
    found = _DAY.match(text)
    if found is None:
        return None

    first, second, third = (int(found[number]) for number in (1, 3, 4))
    is_month_first = order is DayOrder.MONTH_FIRST and found[2] != "."

    try:
        if first >= _MIN_YEAR:
            return date(first, second, third)
        return date(third, first, second) if is_month_first else date(third, second, first)
    except ValueError:
        return None
