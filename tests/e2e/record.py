"""The records of a bot, read with sqlite3 alone and recounted."""

import sqlite3
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from engine import Move, Opening, Outcome, Record, State


@dataclass(frozen=True)
class Line:
    """A line in the journal."""

    version: int
    game: int
    seat: int | None
    text: str
    author: str | None
    at: float


@dataclass
class Counts:
    """The results of a player."""

    games: int = 0
    fools: int = 0
    draws: int = 0
    first_out: int = 0
    expected: float = 0

    @property
    def index(self) -> float:
        return (self.fools + 3) / (self.expected + 3)


@dataclass(frozen=True)
class Game:
    """One game of the journal."""

    lines: Sequence[Line]
    names: Sequence[str | None] = field(default=())  # by seat; None: a house player

    @property
    def opening(self) -> Opening:
        return Opening.from_text(self.lines[0].text)

    @property
    def moves(self) -> Sequence[Line]:
        return self.lines[1:]

    def positions(self) -> Iterator[tuple[Line, State]]:
        """Yields every position with the line that led to it."""
        state = self.opening.deal()
        yield self.lines[0], state
        for line in self.moves:
            assert line.seat is not None
            state = state.apply(line.seat, Move.parse(line.text)).state
            yield line, state

    @property
    def outcome(self) -> Outcome | None:
        moves = tuple((line.seat or 0, Move.parse(line.text)) for line in self.moves)
        return Record(self.opening, moves).replay().outcome()


def _rows(database: Path, query: str, *values: object) -> list[tuple[object, ...]]:
    connection = sqlite3.connect(f"file:{database}?mode=ro", uri=True)
    try:
        return connection.execute(query, values).fetchall()
    finally:
        connection.close()


def journal(database: Path, table_id: int = 1) -> list[Line]:
    """Returns all lines of a table, in order."""
    query = "SELECT version, game, seat, text, author, at FROM entry WHERE table_id = ? ORDER BY version"
    return [Line(*row) for row in _rows(database, query, table_id)]  # type: ignore[arg-type]  # sqlite3 knows no types


def games(database: Path, table_id: int = 1) -> list[Game]:
    """Returns the games of a table."""
    lines = journal(database, table_id)
    seats: defaultdict[object, list[str | None]] = defaultdict(list)
    query = (
        "SELECT of_game, player.name FROM seat LEFT JOIN player ON player.id = player_id "
        "WHERE table_id = ? ORDER BY of_game, seat"
    )

    for game, name in _rows(database, query, table_id):
        player = None if name is None else str(name)
        seats[game].append(player)

    numbers = sorted({line.game for line in lines})
    return [Game([line for line in lines if line.game == number], seats[number]) for number in numbers]


def seeds(database: Path) -> list[str]:
    """Returns the seeds of all deals."""
    dealt = [
        Opening.from_text(str(text)).seed
        for (text,) in _rows(database, "SELECT text FROM entry WHERE seat IS NULL")
    ]
    return [*dealt, *(str(seed) for (seed,) in _rows(database, "SELECT seed FROM card_table"))]


def message_slots(database: Path) -> int:
    """Counts the messages on record as posted."""
    ((count,),) = _rows(database, "SELECT count(*) FROM message_slot WHERE message <> ''")
    assert isinstance(count, int)
    return count


def snapshot(database: Path, table_id: int = 1) -> str:
    """Returns the stored position of a table."""
    ((text,),) = _rows(database, "SELECT text FROM snapshot WHERE table_id = ?", table_id)
    return str(text)


def results(database: Path) -> dict[str, Counts]:
    """Counts the result rows of people, whatever the moves."""
    query = (
        "SELECT player.name, count(*), sum(is_loser), sum(is_draw), sum(place IS 1), "
        "sum(1.0 * max(losers, 1) / players) FROM result JOIN player ON player.id = player_id "
        "WHERE people >= 2 GROUP BY player_id"
    )
    return {str(name): Counts(*counts) for name, *counts in _rows(database, query)}  # type: ignore[arg-type]  # as above


def zone_and_view(database: Path) -> tuple[str, str]:
    """Returns the time zone and the view that the page's moderators chose."""
    ((zone, view),) = _rows(database, "SELECT time_zone, view FROM server WHERE platform = 'web'")
    return str(zone), str(view)


def tallies(played: Sequence[Game]) -> dict[str, Counts]:
    """Counts the finished games of at least two people, from the moves alone."""
    found: defaultdict[str, Counts] = defaultdict(Counts)
    for game in played:
        outcome = game.outcome
        if outcome is None or sum(name is not None for name in game.names) < 2:
            continue

        for seat, name in enumerate(game.names):
            if name is None:
                continue

            tally = found[name]
            tally.games += 1
            tally.fools += seat in outcome.losers
            tally.draws += outcome.is_draw
            tally.first_out += outcome.order[:1] == (seat,)
            tally.expected += max(1, len(outcome.losers)) / len(game.names)

    return dict(found)
