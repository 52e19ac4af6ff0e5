"""What it costs to put a move on disk, beside the plain driver: `python -m tests.bench journal`."""

import asyncio
import sqlite3
from collections.abc import Sequence
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from time import perf_counter, process_time

from bot.storage import Database, SqlJournal
from engine.runtime import Author, Entry
from tests.bench.rows import Measured
from tests.bot.storage.samples import OPENING, playing

ROUNDS = 40
MOVES = 50
"""Of each round; ours and the others take turns, so that both meet the same noise."""

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
    """Compare moves per second of the journal with those of the plain driver, in two files of one schema."""
    wall, cpu, milliseconds = asyncio.run(_rounds(3 if is_quick else ROUNDS))
    return Measured([wall], f"{cpu:.2f} by CPU time; a move takes {milliseconds:.2f} ms")


async def _rounds(rounds: int) -> tuple[float, float, float]:
    with TemporaryDirectory() as folder:
        ours, plain = Path(folder) / "ours.db", Path(folder) / "plain.db"
        tables = {}
        for path in (ours, plain):
            database = Database(f"sqlite+aiosqlite:///{path}")
            await database.open()
            tables[path] = (await playing(database)).id
            await database.close()
        database = Database(f"sqlite+aiosqlite:///{ours}")
        journal, connection = SqlJournal(database), _connected(plain)
        wall, cpu = list[tuple[float, float]](), dict.fromkeys(tables, 0.0)
        for number in range(rounds + 1):
            taken = []
            for path in (ours, plain):
                moves = [_move(tables[path], number * MOVES + each) for each in range(1, MOVES + 1)]
                began, began_cpu = perf_counter(), process_time()
                if path == ours:
                    for entry in moves:
                        await journal.append(entry, snapshot=POSITION, outcome=None)
                else:
                    _append(connection, moves)
                taken.append(perf_counter() - began)
                if number:  # the first round warms up
                    cpu[path] += process_time() - began_cpu
            wall.append((taken[0], taken[1]))
        connection.close()
        await database.close()
    ratio = median(plainly / by_us for by_us, plainly in wall[1:])
    return ratio, cpu[plain] / cpu[ours], 1000 * median(by_us for by_us, _ in wall[1:]) / MOVES


def _connected(path: Path) -> sqlite3.Connection:
    connection = sqlite3.connect(path, isolation_level=None)
    for pragma in PRAGMAS:
        connection.execute(f"PRAGMA {pragma}")
    return connection


def _move(table: int, version: int) -> Entry:
    return Entry(table, version, 1, 0, "A 9H", Author.PLAYER, 1_700_000_000.5 + version)


def _append(connection: sqlite3.Connection, moves: Sequence[Entry]) -> None:
    for move in moves:
        row = (move.table_id, move.version, move.game, move.seat, move.text, move.author, move.at)
        connection.execute("BEGIN IMMEDIATE")
        connection.execute(ENTRY, row)
        connection.execute(SNAPSHOT, (move.table_id, POSITION))
        connection.execute("COMMIT")
