"""Writing a move to disk, beside the plain driver: `python -m tests.bench journal`."""

import asyncio
import sqlite3
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from time import perf_counter, process_time

from adapters.port import RoomRef
from bot.app import SCHEMA
from bot.storage import Database, SqlJournal
from engine.runtime import Author, Entry
from tests.bench.rows import Measured
from tests.bot.storage.samples import OPENING, SERVER, playing

ROUNDS = 40
MOVES = 50  # of each round; ours and the others take turns, so that both meet the same noise
TABLES = 10  # at so many tables people also move at the same moment, which shares a transaction
POSITION = OPENING.deal().to_text()
PRAGMAS = (
    "busy_timeout=10000",
    "journal_mode=WAL",
    "synchronous=FULL",
    "secure_delete=ON",
    "foreign_keys=ON",
)


ENTRY = "INSERT INTO entry (table_id, version, game, seat, text, author, at) VALUES (?, ?, ?, ?, ?, ?, ?)"
SNAPSHOT = """
    INSERT INTO snapshot (table_id, text) VALUES (?, ?)
    ON CONFLICT (table_id) DO UPDATE SET text = excluded.text
"""


def appends_beside_sqlite(is_quick: bool, /) -> Measured:
    """Compares moves per second of the journal and of the plain driver, in two files of one schema."""
    rounds = 3 if is_quick else ROUNDS
    found = asyncio.run(_rounds(rounds))

    milliseconds = 1000 * median(each.alone for each in found) / MOVES
    plain = 1000 * median(each.plainly for each in found) / MOVES
    together = median(each.plainly / each.together for each in found)
    cpu = sum(each.plain_cpu for each in found) / sum(each.cpu for each in found)

    return Measured(
        [median(each.plainly / each.alone for each in found)],
        f"storing a move takes {milliseconds:.2f} ms, and the same rows in plain `sqlite3` {plain:.2f} ms. "
        f"By CPU time the ratio is {cpu:.2f}. With moves at {TABLES} tables at the same moment, which share "
        f"a transaction, it is {together:.2f}",
    )


@dataclass(frozen=True)
class _Round:
    """Seconds for the moves of a round: one by one, at several tables at once, and by the plain driver."""

    alone: float
    together: float
    plainly: float
    cpu: float
    plain_cpu: float


async def _rounds(rounds: int) -> list[_Round]:
    with TemporaryDirectory() as folder:
        ours = Path(folder) / "ours.db"
        plain = Path(folder) / "plain.db"
        tables = {path: await _tables(path) for path in (ours, plain)}
        database = Database(f"sqlite+aiosqlite:///{ours}", SCHEMA)
        connection = _connected(plain)
        journal = SqlJournal(database)
        found = list[_Round]()

        for number in range(rounds + 1):
            first = number * 2 * MOVES
            times = [_now()]
            for move in _moves(tables[ours][0], first):
                await journal.append(move, snapshot=POSITION, outcome=None)

            times.append(_now())
            for version in range(MOVES // TABLES):
                moves = [_move(table, first + MOVES + version) for table in tables[ours]]
                await asyncio.gather(
                    *[journal.append(each, snapshot=POSITION, outcome=None) for each in moves]
                )

            times.append(_now())
            _append(connection, _moves(tables[plain][0], first))
            times.append(_now())
            (alone, cpu), (together, _), (plainly, plain_cpu) = [
                (wall - wall_before, cpu - cpu_before)
                for (wall_before, cpu_before), (wall, cpu) in pairwise(times)
            ]
            found.append(_Round(alone, together, plainly, cpu, plain_cpu))

        connection.close()
        await database.close()

    return found[1:]  # the first round warms up


async def _tables(path: Path) -> list[int]:
    """Creates a database with some tables."""
    database = Database(f"sqlite+aiosqlite:///{path}", SCHEMA)
    await database.open()
    ids = [(await playing(database, RoomRef(SERVER, str(room)))).id for room in range(TABLES)]
    await database.close()
    return ids


def _now() -> tuple[float, float]:
    """Returns the wall clock's time and the CPU time used so far."""
    return perf_counter(), process_time()


def _moves(table: int, first: int) -> list[Entry]:
    return [_move(table, first + each) for each in range(MOVES)]


def _connected(path: Path) -> sqlite3.Connection:
    connection = sqlite3.connect(path, isolation_level=None)
    for pragma in PRAGMAS:
        connection.execute(f"PRAGMA {pragma}")
    return connection


def _move(table: int, version: int) -> Entry:
    return Entry(table, version + 1, 1, 0, "A 9H", Author.PLAYER, 1_700_000_000.5 + version)


def _append(connection: sqlite3.Connection, moves: Sequence[Entry]) -> None:
    for move in moves:
        row = (move.table_id, move.version, move.game, move.seat, move.text, move.author, move.at)
        connection.execute("BEGIN IMMEDIATE")
        connection.execute(ENTRY, row)
        connection.execute(SNAPSHOT, (move.table_id, POSITION))
        connection.execute("COMMIT")
