"""Disk space of a played game: `python -m tests.bench disk`."""

import asyncio
import sqlite3
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from unittest.mock import patch

from tests.bench.presses import PEOPLE
from tests.bench.rows import Measured
from tests.bot.chat import Chat
from tests.bot.fake_clock import FakeClock
from tests.bot.running_bot import RunningBot
from tests.bot.settling_loop import SettlingLoop

GAMES = 8  # games of 76 to 157 moves: how long they are makes more of a difference than how they are kept

# How often the played games are put on record again, as those of other tables: pages fill up as in life.
COPIES = 80

# Tables whose rows name a table of the game by `table_id`.
NAMED = ("entry", "message_slot", "snapshot", "seat", "result")

# What the largest tables contain, for readers of the benchmarks.
CONTENTS = {"entry": "moves", "message_slot": "messages", "snapshot": "snapshots"}


def disk_of_a_game(is_quick: bool, /) -> Measured:
    """Plays games of podkidnoy-36 among four players and measures the size of the database."""
    games = 1 if is_quick else GAMES
    copies = 20 if is_quick else COPIES
    chance = Random(1)
    with (
        patch("secrets.token_hex", lambda length: chance.randbytes(length).hex()),  # the same deals each time
        asyncio.Runner(loop_factory=SettlingLoop) as runner,
    ):
        total, by_table, moves = runner.run(_weighed(games, copies))

    heaviest = sorted(by_table.items(), key=lambda pair: -pair[1])[:3]
    shares = ", ".join(f"{CONTENTS.get(name, name)} {size:.1f}" for name, size in heaviest)
    return Measured((total,), f"{shares}; {moves / games:.0f} moves")


async def _weighed(games: int, copies: int) -> tuple[float, dict[str, float], int]:
    """Returns the KiB of a game by table and index, and the number of moves of all games."""
    with TemporaryDirectory() as folder:
        path = Path(folder) / "durak.db"
        bot = RunningBot(f"sqlite+aiosqlite:///{path}", Chat(), FakeClock())
        await bot.start()
        bot.clock.skip(0.123456)  # times in life have fractions

        for _ in range(games):
            await bot.plays_to_the_end(await bot.dealt(*PEOPLE[:4], rules="podkidnoy-36"))
            await bot.settle()

        await bot.stop()
        connection = sqlite3.connect(path)
        ((moves,),) = connection.execute("SELECT count(*) FROM entry WHERE seat IS NOT NULL")
        before = _sizes(connection)

        for copy in range(1, copies + 1):
            _copy(connection, games, copy)

        connection.commit()
        after = _sizes(connection)
        connection.close()

    by_table = {name: (after[name] - before[name]) / 1024 / copies / games for name in after}
    return sum(by_table.values()), by_table, moves


def _sizes(connection: sqlite3.Connection) -> dict[str, int]:
    """Returns the bytes of each table and index, in whole pages."""
    return dict(connection.execute("SELECT name, sum(pgsize) FROM dbstat GROUP BY name"))


def _copy(connection: sqlite3.Connection, games: int, copy: int) -> None:
    """Copies the played games under new table numbers."""
    for table, key in (("card_table", "id"), *((name, "table_id") for name in NAMED)):
        columns = [row[1] for row in connection.execute(f"PRAGMA table_info({table})")]
        copied = ", ".join(f"{name} + {copy * games}" if name == key else name for name in columns)
        connection.execute(
            f"INSERT INTO {table} ({', '.join(columns)}) SELECT {copied} FROM {table} WHERE {key} <= {games}"
        )
