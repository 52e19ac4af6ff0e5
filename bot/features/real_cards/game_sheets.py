"""Reads files with lists of games with real cards, as people keep them (`games_in`).

Three layouts are supported, each with or without a running number in the first column:

    date, fool, players               2026-11-12, Boris, Anna, Clara
    date, players, fool               2026-11-12, "Anna, Boris, Clara", Boris
    date, a column for each player    2026-11-12, , x,

A heading names the columns; without one the first layout is assumed.
"""

import csv
import re
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime, time
from enum import Enum, auto
from zoneinfo import ZoneInfo

from adapters.port import User
from bot.features.real_cards.dates import DateReader, DayOrder
from bot.features.real_cards.model import MAX_GAMES, MAX_PLAYERS, MIN_PLAYERS, CardGame, GameKey


class Unread(Enum):
    """The reason why a line of a file was not read as a game."""

    DATE = auto()
    FUTURE = auto()
    PLAYERS = auto()
    FOOL = auto()  # no fool is given, or several are marked
    UNKNOWN = auto()  # nobody has this name
    AMBIGUOUS = auto()  # several people have this name
    KNOWN = auto()  # the game was entered already
    TOO_MANY = auto()  # the file has more games than are read


@dataclass(frozen=True, slots=True)
class UnreadableLine:
    """A line that was not read, by its number from 1; `word` is the part that caused it."""

    line: int
    why: Unread
    word: str = ""


class NoTableError(Exception):
    """The file is not a table of games; `line` is its first line, empty if it is not text."""

    def __init__(self, line: str = "") -> None:
        super().__init__(line)
        self.line = line


@dataclass(frozen=True, slots=True)
class Club:
    """The server that a file is from.

    Attributes:
        zone: The time zone of dates.
        now: The current time, in Unix seconds.
        find: Returns the people with a name.
        locales: The languages of month names.
        entered_games: The games that were entered before.
    """

    zone: ZoneInfo
    now: float
    find: Callable[[str], Sequence[User]]
    locales: Sequence[str]
    entered_games: Collection[GameKey] = ()

    @property
    def this_year(self) -> int:
        """The current year in the server's time zone."""
        return datetime.fromtimestamp(self.now, self.zone).year

    def noon(self, day: date) -> float:
        """Returns the time at which games of a day count as played, in Unix seconds."""
        return datetime.combine(day, time(12), self.zone).timestamp()

    def is_past(self, day: date | None) -> bool:
        """Returns whether a day is today or earlier; False for None."""
        return day is not None and day <= datetime.fromtimestamp(self.now, self.zone).date()


Readings = Mapping[int, CardGame | UnreadableLine]  # the reading of each line of a file, by its number


def games_in(content: bytes, club: Club) -> tuple[list[CardGame], list[UnreadableLine]]:
    """Returns the games of a file in order of time, and the lines that were not read.

    The file may be in UTF-8, UTF-16 or a Windows encoding. If nothing in it shows whether days or months come
    first, games have both times (`CardGame.month_first_at`).

    Raises:
        NoTableError: The file is not text, or not a table of games.
    """
    readings = list[Readings]()
    first_line = ""

    for text in _texts(content):
        first_line = first_line or text.strip().partition("\n")[0].strip()
        lines = list(_cells(text))
        readers = [DateReader(order, club.this_year, club.locales) for order in DayOrder]
        sheet = _sheet_of(lines, readers[0], club)
        if sheet is None:
            continue

        rows = list(sheet.rows(lines))
        by_order = [_read_games(rows, reader, club) for reader in _possible(readers, rows, club)]
        readings.append(by_order[0] if len(by_order) == 1 else _with_both_times(*by_order))

    read = min(readings, key=_number_of_problems, default={})
    if not read:
        raise NoTableError(first_line)

    games = [outcome for outcome in read.values() if isinstance(outcome, CardGame)]
    problems = [outcome for outcome in read.values() if isinstance(outcome, UnreadableLine)]
    return sorted(games, key=lambda game: game.at), problems


def _number_of_problems(read: Readings) -> int:
    return sum(isinstance(outcome, UnreadableLine) for outcome in read.values())


# --- the text and its cells ------------------------------------------------------------------------------

_SEPARATORS = ",;\t"

# Legacy encodings of Windows programs, tried if the text is not UTF-8; the one with the fewest problems wins.
_OF_WINDOWS = ("cp1251", "cp1252")


def _texts(content: bytes) -> Iterator[str]:
    """Yields the possible texts of a file, one for each likely encoding; none if it is not text."""
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


@dataclass(frozen=True, slots=True)
class SheetLine:
    """The number of a line, counted from 1, and its cells."""

    number: int
    cells: Sequence[str]


def _cells(text: str) -> Iterator[SheetLine]:
    """Yields the lines that are not blank.

    Raises:
        NoTableError: The text is not valid CSV.
    """
    first = text.partition("\n")[0]
    separator = max(_SEPARATORS, key=first.count)
    rows = csv.reader(text.splitlines(), delimiter=separator, skipinitialspace=True)

    try:
        for row in rows:
            cells = [cell.strip() for cell in row]
            if any(cells):
                yield SheetLine(rows.line_num, cells)
    except csv.Error as error:
        raise NoTableError(first.strip()) from error


# --- the columns -----------------------------------------------------------------------------------------

# The words of headings, in all languages of the bot.
_DATE_WORDS = frozenset(
    ("date", "day", "when", "datum", "tag", "wann", "дата", "день", "когда", "коли", "data", "diena", "kada")
)
_FOOL_WORDS = frozenset(
    (
        *("fool", "durak", "loser", "lost", "verlierer", "verloren"),
        *("дурак", "проигравший", "проиграл", "дурень", "програв", "durnius", "pralaimėjo"),
    )
)
_PLAYER_WORDS = (
    *("players", "player", "played", "who", "with"),
    *("spieler", "dabei", "mitspieler", "wer"),
    *("игроки", "игрок", "играли", "кто", "гравці", "гравець", "грали", "хто"),
    *("žaidėjai", "žaidėjas", "žaidė", "kas"),
)

# The marks of the fool in a column for each player, the most certain ones first.
_FOOL_MARKS = (frozenset("xх×✗✘✕🃏"), frozenset("1"))

_BETWEEN_NAMES = re.compile(r"[;,/+&|]")
MAX_COLUMNS_BEFORE = 2  # the columns that may hold the date: the first, or one after a running number


@dataclass(frozen=True, slots=True)
class Row:
    """A parsed line: the day, the fool and the players as written; the fool may be empty."""

    line: int
    day: str
    fool: str
    players: Sequence[str]


@dataclass(frozen=True, slots=True)
class ListSheet:
    """A sheet that names the fool and the players of each game; the attributes are indexes of columns."""

    day: int
    fool: int
    players: Collection[int] | None  # None: all other columns after the day
    heading: SheetLine | None

    def rows(self, lines: Sequence[SheetLine]) -> Iterator[Row]:
        """Yields the parsed lines, without the heading."""
        for line in lines:
            if line is self.heading:
                continue

            fool = self._fool_in(line)
            names = [
                name.strip()
                for column, cell in enumerate(line.cells)
                if self._is_players(column, fool)
                for name in _BETWEEN_NAMES.split(cell)
            ]
            players = [name for name in names if name]
            yield Row(line.number, _cell(line, self.day), _cell(line, fool), players)

    def _fool_in(self, line: SheetLine) -> int:
        """Returns the column of the fool; the last one of the line if the players come before the fool.

        Players are often separated by commas without quotes, so lines can be longer than the heading.
        """
        if self.heading is None or not self.players:
            return self.fool

        ends_heading = self.fool == len(self.heading.cells) - 1
        is_behind_players = min(self.players) < self.fool
        if not (ends_heading and is_behind_players):
            return self.fool

        last = max(column for column, cell in enumerate(line.cells) if cell)
        return max(last, self.fool)

    def _is_players(self, column: int, fool: int) -> bool:
        if self.players is None:
            return column > self.day and column != fool
        return column != fool and (column in self.players or column == self.fool)


@dataclass(frozen=True, slots=True)
class MarkSheet:
    """A sheet with a column for each player, in which a mark means the fool."""

    day: int
    names: Mapping[int, str]  # the players by column
    heading: SheetLine

    def rows(self, lines: Sequence[SheetLine]) -> Iterator[Row]:
        """Yields the parsed lines, without the heading.

        If some cells have other marks than a fool's, an empty cell means that the player was absent.
        """
        games = [line for line in lines if line is not self.heading]
        cells = [_cell(line, column).casefold() for line in games for column in self.names]
        fool_marks = next((marks for marks in _FOOL_MARKS if marks & set(cells)), frozenset[str]())
        shows_presence = any(cell and cell not in fool_marks for cell in cells)

        for line in games:
            marks = {column: _cell(line, column).casefold() for column in self.names}
            fools = [self.names[column] for column, mark in marks.items() if mark in fool_marks]
            players = [self.names[column] for column, mark in marks.items() if mark or not shows_presence]
            fool = fools[0] if len(fools) == 1 else ""
            yield Row(line.number, _cell(line, self.day), fool, players)


Sheet = ListSheet | MarkSheet


def _cell(line: SheetLine, column: int) -> str:
    return line.cells[column] if column < len(line.cells) else ""


def _sheet_of(lines: Sequence[SheetLine], dates: DateReader, club: Club) -> Sheet | None:
    """Determines the columns of a sheet; returns None if it is not a sheet of games."""
    if not lines:
        return None

    first, *rest = lines
    if any(_is_day(cell, dates) for cell in first.cells[:MAX_COLUMNS_BEFORE]):
        return _without_heading(first, None, dates)

    by_heading = _by_heading(first, rest, club)
    if by_heading is not None:
        return by_heading

    return _without_heading(rest[0], first, dates) if rest else None


def _without_heading(first: SheetLine, heading: SheetLine | None, dates: DateReader) -> ListSheet | None:
    """Returns a sheet with the columns day, fool and players; None if the first game has no day."""
    for column, cell in enumerate(first.cells[:MAX_COLUMNS_BEFORE]):
        if _is_day(cell, dates):
            return ListSheet(column, column + 1, None, heading)

    return None


def _is_day(cell: str, dates: DateReader) -> bool:
    """Returns whether a cell is meant as a date, even if it is not a valid one."""
    return _LIKE_A_DAY.match(cell) is not None or dates.read(cell) is not None


_LIKE_A_DAY = re.compile(r"\d{1,4}[-./]\d{1,2}[-./]\d{1,4}(?!\d)", re.ASCII)


def _by_heading(heading: SheetLine, games: Sequence[SheetLine], club: Club) -> Sheet | None:
    """Determines the columns from a heading; returns None if it has no day, or neither fool nor players."""
    words = {column: cell.casefold().strip("*:.#№ ") for column, cell in enumerate(heading.cells)}
    day = _column(words, _DATE_WORDS)
    fool = _column(words, _FOOL_WORDS)
    if day is None:
        return None

    others = [column for column in words if column not in {day, fool}]
    if fool is not None:
        are_named = [column for column in others if words[column].startswith(_PLAYER_WORDS)]
        return ListSheet(day, fool, _with_unnamed(are_named, words, fool), heading)

    names = {column: heading.cells[column] for column in others if column > day and words[column]}
    are_known = sum(bool(club.find(name)) for name in names.values()) >= MIN_PLAYERS
    marks = [cell for line in games for cell in (_cell(line, column) for column in names) if cell]
    are_marked = bool(marks) and all(len(mark) == 1 for mark in marks)

    return MarkSheet(day, names, heading) if are_known or are_marked else None


def _column(words: Mapping[int, str], meanings: Collection[str]) -> int | None:
    return next((column for column, word in words.items() if word in meanings), None)


def _with_unnamed(players: Sequence[int], words: Mapping[int, str], fool: int) -> Collection[int] | None:
    """Returns the columns of the players: the named ones, and unnamed ones after the first of these."""
    if not players:
        return None

    columns = set[int]()
    last = max(words)
    for column in (*words, *range(last + 1, last + 1 + MAX_PLAYERS)):
        is_unnamed = not words.get(column) and column > min(players)
        if column != fool and (column in players or is_unnamed):
            columns.add(column)

    return columns


# --- the games -------------------------------------------------------------------------------------------


def _possible(readers: Sequence[DateReader], rows: Sequence[Row], club: Club) -> Sequence[DateReader]:
    """Returns the readers that fit the dates of a sheet; both if the order stays uncertain."""
    day_first, month_first = readers
    texts = [row.day for row in rows]
    read = {reader.order: [reader.read(text) for text in texts] for reader in readers}
    if read[day_first.order] == read[month_first.order]:
        return (day_first,)

    fitting = {order: [club.is_past(day) for day in days] for order, days in read.items()}
    readable = list(map(any, zip(*fitting.values(), strict=True)))
    possible = [reader for reader in readers if fitting[reader.order] == readable]

    return possible or (day_first,)


def _with_both_times(day_first: Readings, month_first: Readings) -> Readings:
    """Combines the readings in both orders: games have both times; an error in either one remains."""
    read = dict(day_first)
    for line, other in month_first.items():
        own = day_first[line]
        if isinstance(other, UnreadableLine):
            read[line] = other if isinstance(own, CardGame) else own
        elif isinstance(own, CardGame):
            read[line] = replace(own, month_first_at=other.at)

    return read


def _read_games(rows: Sequence[Row], dates: DateReader, club: Club) -> Readings:
    """Returns the games of these rows, or their errors, by line number."""
    read = dict[int, CardGame | UnreadableLine]()
    keys = set(club.entered_games)
    number_of_games = 0

    for row in rows:
        if number_of_games >= MAX_GAMES:
            read[row.line] = UnreadableLine(row.line, Unread.TOO_MANY)
            break

        reading = _game(row, dates, club)
        if isinstance(reading, CardGame) and any(key in keys for key in reading.keys):
            reading = UnreadableLine(row.line, Unread.KNOWN, row.day)

        if isinstance(reading, CardGame):
            keys |= set(reading.keys)
            number_of_games += 1

        read[row.line] = reading

    return read


def _game(row: Row, dates: DateReader, club: Club) -> CardGame | UnreadableLine:
    """Returns the game of a row, or its error; the fool need not be repeated among the players."""
    day = dates.read(row.day)
    if day is None:
        return UnreadableLine(row.line, Unread.DATE, row.day)
    if not row.fool:
        return UnreadableLine(row.line, Unread.FOOL)

    people = list[User]()
    for word in (row.fool, *row.players):
        namesakes = club.find(word)
        if len(namesakes) != 1:
            problem = Unread.AMBIGUOUS if namesakes else Unread.UNKNOWN
            return UnreadableLine(row.line, problem, word)

        people.append(namesakes[0])

    players = tuple({user.ref: user for user in people}.values())
    if not MIN_PLAYERS <= len(players) <= MAX_PLAYERS:
        return UnreadableLine(row.line, Unread.PLAYERS)
    if not club.is_past(day):
        return UnreadableLine(row.line, Unread.FUTURE, row.day)

    return CardGame(club.noon(day), people[0], players)
