"""The growth of costs: a press with more and more tables; a start, results and queries with more games."""

import asyncio
import sqlite3
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path
from tempfile import TemporaryDirectory

from adapters.port import RoomRef, ServerRef
from bot.app import SCHEMA
from bot.storage import Database, RecordStore, StandingsStore
from tests.bench.crowd import crowd, patient_chat
from tests.bench.many_tables import cpu_of_a_press, remember
from tests.bench.rows import Measured
from tests.bench.tallies import THIS_YEAR, fill, open_and_close, seconds
from tests.bot.storage.test_rooms_moved import finish_a_game

TABLES = (4, 40, 400, 4_000)
FEWER_TABLES = (4, 40)
GAMES = (1_000, 10_000, 100_000, 300_000)
FEWER_GAMES = (1_000, 2_000)
SEATS_OF_A_GAME = 3.375  # results of a game, in the mean of those that `fill` makes
RESULTS = 20
SERVER = ServerRef("telegram", "-1")
QUIET = RoomRef(SERVER, "quiet")
TALLIES = """
    INSERT INTO tally (server_id, player_id, games, fools, draws, first_out, expected, epaulettes, points,
    strength, doubt)
    SELECT server_id, player_id, count(*), sum(is_loser), 0, 0, sum(1.0 / players), 0, 0, 25.0, 8.0
    FROM result WHERE player_id IS NOT NULL GROUP BY server_id, player_id
"""


async def with_tables(numbers: Sequence[int]) -> list[float]:
    """Returns the milliseconds of CPU of a press with this many tables in memory."""
    with TemporaryDirectory() as folder:
        async with crowd(str(Path(folder) / "durak.db"), patient_chat()) as bot:
            table = await bot.deal(0)
            found = list[float]()
            for before, number in zip((1, *numbers), numbers, strict=False):
                remember(bot, table, range(before, number))
                presses = [await cpu_of_a_press(bot, 10 * max(numbers) + 3 * number + n) for n in range(3)]
                found.append(1000 * min(presses))

            return found


async def with_games(games: int) -> list[float]:
    """Returns the seconds of a start, a game, /verify, and the leaderboards of all time and of a year."""
    with TemporaryDirectory() as folder:
        path = Path(folder) / "durak.db"
        url = f"sqlite+aiosqlite:///{path}"
        await open_and_close(url)
        fill(path, int(games * SEATS_OF_A_GAME))

        with closing(sqlite3.connect(path)) as connection, connection:
            connection.execute(TALLIES)

        await open_and_close(url)  # which counts months
        database = Database(url, SCHEMA)
        found = [await seconds(database.open())]
        maintaining = asyncio.create_task(database.gather_statistics())
        found.append(await seconds(*(finish_a_game(database, QUIET) for _ in range(RESULTS))) / RESULTS)
        maintaining.cancel()
        await asyncio.wait({maintaining})
        await database.close()
        database = Database(url, SCHEMA)
        await database.open()
        found.append(await seconds(RecordStore(database).newest(QUIET)))

        for since in (None, THIS_YEAR):
            standings = StandingsStore(database)
            found.append(
                await seconds(standings.ranking(SERVER, since, 15), standings.summary(SERVER, since))
            )

        await database.close()

    return found


def measured(is_quick: bool, /) -> Measured:
    """Measures this row of the table of costs."""
    tables, games = (FEWER_TABLES, FEWER_GAMES) if is_quick else (TABLES, GAMES)
    presses = asyncio.run(with_tables(tables))
    found = [asyncio.run(with_games(game)) for game in games]
    figures = [
        f"a press with {number:,} tables: {ms:.1f} ms" for number, ms in zip(tables, presses, strict=True)
    ]
    table = [["finished games", "start", "a whole game", "`/verify`", "`/leaderboard`", "… of a year"]]

    for number, (start, *queries) in zip(games, found, strict=True):
        result, verify, board, year = queries
        quick = [f"{1000 * each:.0f} ms" for each in (result, verify)]
        table.append([f"{number:,}", f"{start:.2f} s", *quick, f"{board:.2f} s", f"{year:.2f} s"])

    return Measured((presses[-1] / presses[0], found[-1][0]), "; ".join(figures), table)
