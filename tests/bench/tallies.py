"""Tallies over many recorded results, and the wait of other players for them.

`python -m tests.bench.tallies --rows 1000000`
"""

import asyncio
import sqlite3
from argparse import ArgumentDefaultsHelpFormatter, ArgumentParser
from collections.abc import Awaitable, Iterator, Sequence
from contextlib import closing
from datetime import UTC, datetime
from itertools import accumulate
from pathlib import Path
from random import Random
from statistics import median
from tempfile import TemporaryDirectory
from time import perf_counter, process_time

from adapters.port import ServerRef, UserRef
from bot.app import SCHEMA
from bot.storage import Database, PrivacyStore, SqlJournal, StandingsStore
from engine.runtime import Author, Entry
from tests.bench.rows import Measured
from tests.bot.storage.samples import open_table

# The first server has most of the games. Each has as many people; some play much more than others.
SERVERS = 5
PEOPLE = 2000

MAX_GAMES = 0.8
GAMES_OF_A_TABLE = 20
FIRST_TABLE = 1_000_000  # of the games of one person
MOVES_OF_ONE = 13  # moves of one person in a game
YEARS = 3 * 365 * 24 * 60 * 60
NOW = datetime(2026, 12, 31, 12, tzinfo=UTC).timestamp()
# When the year began that is nearly over: in Kyiv, two hours before UTC.
THIS_YEAR = datetime(2026, 1, 1, tzinfo=UTC).timestamp() - 2 * 60 * 60

PAUSE = 0.005  # seconds between the moves that are made while a player asks
RESULT = """
    INSERT INTO result (table_id, game, seat, server_id, player_id, players, people, losers, place, is_loser,
    is_draw, points, epaulettes, finished_at, trump, bouts, seconds)
    VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 0, 0, ?, ?, ?, ?)
"""
TABLE = """
    INSERT INTO card_table (id, server_id, room, topic, opener_id, preset, rules, seed, opened_at, changed_at,
    phase, game, auto_done, clock, strength, is_paused, hints, stopped, locale)
    VALUES (?, ?, ?, '', 1, 'podkidnoy-36', '', '', 0, 0, 'over', 1, 1, 0, 'regular', 0, 1, '', 'en')
"""


def long_questions(is_quick: bool, /) -> Measured:
    """Queries the leaderboard and one player's tallies while another table moves."""
    rows = 5_000 if is_quick else 1_000_000
    board, stats, wait, beside = asyncio.run(_measured(rows))
    return Measured((board, stats, 1000 * wait), beside)


async def _measured(rows: int) -> tuple[float, float, float, str]:
    with TemporaryDirectory() as folder:
        path = Path(folder) / "durak.db"
        url = f"sqlite+aiosqlite:///{path}"
        await open_and_close(url)
        fill(path, rows)
        began = perf_counter()
        await open_and_close(url)
        counting = perf_counter() - began
        database = Database(url, SCHEMA)
        await database.open()
        standings = StandingsStore(database)
        server = ServerRef("telegram", "-1")
        table = (await open_table(database)).id
        waits = list[float]()
        moving = asyncio.create_task(_move(SqlJournal(database), table, waits))
        board = await seconds(standings.ranking(server, None, 15), standings.summary(server))
        busiest = UserRef("telegram", "1")
        stats = await seconds(
            standings.stats(server, busiest),
            standings.practice(server, busiest),
            standings.career(server, busiest),
            standings.rating(server, busiest),
        )
        a_year = await seconds(standings.ranking(server, THIS_YEAR, 15), standings.summary(server, THIS_YEAR))
        moving.cancel()
        await asyncio.wait([moving])
        await database.close()

    return (
        board,
        stats,
        max(waits),
        (
            f"the leaderboard of a year takes {a_year:.2f} s. Counting all of them once, as after an "
            f"upgrade from an old version, takes {counting:.0f} s"
        ),
    )


def everything_about_the_busiest(is_quick: bool, /) -> Measured:
    """Writes all rows about one player into files while another table moves."""
    games = 500 if is_quick else 50_000
    return asyncio.run(_packed(games))


async def _packed(games: int) -> Measured:
    with TemporaryDirectory() as folder:
        path = Path(folder) / "durak.db"
        url = f"sqlite+aiosqlite:///{path}"
        await open_and_close(url)
        fill(path, 1_000)
        fill_with_games_of_one(path, games)
        database = Database(url, SCHEMA)
        await database.open()
        table = (await open_table(database)).id
        waits = list[float]()
        moving = asyncio.create_task(_move(SqlJournal(database), table, waits))
        await asyncio.sleep(10 * PAUSE)
        waits.clear()

        began = perf_counter()
        used = process_time()
        files = await PrivacyStore(database).everything_about(UserRef("telegram", "1"), None, 9_000_000)
        cpu = process_time() - used
        took = perf_counter() - began

        moving.cancel()
        await asyncio.wait([moving])
        await database.close()

    size = sum(map(len, files)) / 1e6
    waits = waits or [0.0]  # too quick for a single move
    return Measured(
        (cpu, size, 1000 * max(waits)),
        f"took {took:.1f} s; {len(waits)} moves meanwhile, each in {1000 * median(waits):.1f} ms (median)",
    )


def fill_with_games_of_one(path: Path, games: int) -> None:
    """Records games of the first player, each with its own moves."""
    tables = range(FIRST_TABLE, FIRST_TABLE + -(-games // GAMES_OF_A_TABLE))
    played = [(FIRST_TABLE + game // GAMES_OF_A_TABLE, game % GAMES_OF_A_TABLE) for game in range(games)]
    result = (0, 1, 1, 4, 4, 1, 1, False, False, NOW, "S", 9, 200.0)

    with closing(sqlite3.connect(path)) as connection, connection:
        connection.executemany(TABLE, ((table, 1, str(table)) for table in tables))
        connection.executemany(RESULT, ((table, game, *result) for table, game in played))
        connection.executemany(
            "INSERT INTO entry (table_id, version, game, seat, text, author, at) "
            "VALUES (?, ?, ?, 0, ?, 'player', ?)",
            (
                (table, MOVES_OF_ONE * game + move, game, "D 7♠ 8♠" if move % 3 else "P", NOW + 7.123 * move)
                for table, game in played
                for move in range(MOVES_OF_ONE)
            ),
        )


async def open_and_close(url: str) -> None:
    """Brings a database up to date."""
    database = Database(url, SCHEMA)
    await database.open()
    await database.close()


async def _move(journal: SqlJournal, table: int, waits: list[float]) -> None:
    """Writes moves until it is cancelled, and records the duration of each."""
    version = 0
    while True:
        version += 1
        began = perf_counter()
        await journal.append(
            Entry(table, version, 1, 0, "P", Author.PLAYER, float(version)), snapshot="", outcome=None
        )
        waits.append(perf_counter() - began)
        await asyncio.sleep(PAUSE)


async def seconds(*questions: Awaitable[object]) -> float:
    """Returns the seconds of these queries, one after another."""
    began = perf_counter()
    for question in questions:
        await question
    return perf_counter() - began


def fill(path: Path, rows: int) -> None:
    """Records random results."""
    connection = sqlite3.connect(path, isolation_level=None)
    connection.execute("PRAGMA synchronous=OFF")
    connection.execute("BEGIN")

    connection.executemany(
        "INSERT INTO server (id, platform, ref, preset, locale, time_zone, view, style, quiet) "
        "VALUES (?, 'telegram', ?, '', '', '', '', '', '')",
        ((server, f"-{server}") for server in range(1, SERVERS + 1)),
    )
    connection.executemany(
        "INSERT INTO player (id, platform, ref, name, locale, language, hand_order, calling, company,"
        " one_tap) VALUES (?, 'telegram', ?, ?, '', '', '', '', 0, 0)",
        ((player, str(player), f"Person {player}") for player in range(1, SERVERS * PEOPLE + 1)),
    )

    results = list(_results(rows))
    tables = {row[0]: row[3] for row in results}
    connection.executemany(TABLE, ((table, server, str(table)) for table, server in tables.items()))
    connection.executemany(RESULT, results)
    connection.execute("COMMIT")
    connection.close()


def _results(rows: int) -> Iterator[Sequence[object]]:
    """Yields random games of two to six, some with a house player, spread over three years."""
    chance = Random(1)
    often = list(accumulate((person + 10) ** -0.7 for person in range(PEOPLE)))
    games = dict.fromkeys(range(1, SERVERS + 1), 0)
    made = 0
    while made < rows:
        server = 1 if chance.random() < MAX_GAMES else chance.randrange(2, SERVERS + 1)
        seats = chance.choice((2, 2, 3, 3, 4, 4, 5, 6))
        houses = int(seats > 2 and chance.random() < 0.25)
        people = set[int]()
        while len(people) < seats - houses:
            people.add((server - 1) * PEOPLE + 1 + chance.choices(range(PEOPLE), cum_weights=often)[0])

        order = chance.sample([*people, *[None] * houses], seats)
        is_draw = chance.random() < 0.06
        table, game = divmod(games[server], GAMES_OF_A_TABLE)
        games[server] += 1
        at = NOW - YEARS + YEARS * made / rows
        trump = chance.choice("SHDC")
        bouts = chance.randrange(8, 25)

        for place, player in enumerate(order, start=1):
            is_loser = place == seats and not is_draw
            seat = (place - 1, server, player, seats, seats - houses, int(not is_draw))
            fate = (None if is_loser else place, is_loser, is_draw)
            yield (table * SERVERS + server, game, *seat, *fate, at, trump, bouts, 20.0 * bouts)

        made += seats


def main() -> None:
    """Prints the chosen figures."""
    parser = ArgumentParser(description=__doc__, formatter_class=ArgumentDefaultsHelpFormatter)
    parser.add_argument("--rows", type=int, default=100_000)
    board, stats, wait, beside = asyncio.run(_measured(parser.parse_args().rows))
    print(f"/leaderboard {board:.3f} s, /stats {stats:.3f} s, longest move {1000 * wait:.1f} ms; {beside}")


if __name__ == "__main__":
    main()
