"""A process that plays random games and tells each version once it is accepted, until it is killed.

`python -m tests.bot.storage.appender URL TABLE`
"""

import asyncio
import sys
import time
from random import Random

from bot.storage import Database, SqlJournal
from engine import Opening
from engine.runtime import Accepted, Tables
from tests.bot.storage.samples import RULES


class Wall:
    def now(self) -> float:
        return time.time()


class Teller:
    def changed(self, table: int, version: int) -> None:
        print(table, version, flush=True)  # noqa: T201 - this is how the test hears of it


async def play(url: str, table_id: int) -> None:
    database = Database(url)
    await database.open()
    table = await Tables(SqlJournal(database), Wall(), Teller()).find(table_id)
    chance = Random(0)
    while True:
        if table.state is None or table.outcome is not None:
            opening = Opening(RULES, players=2, seed=str(table.game))
            assert isinstance(await table.deal(table.game + 1, opening), Accepted)
            continue
        seat = chance.choice(sorted(table.state.actors))
        move = chance.choice(table.state.legal_moves(seat))
        assert isinstance(await table.submit(seat, str(move), table.version), Accepted)


if __name__ == "__main__":
    asyncio.run(play(sys.argv[1], int(sys.argv[2])))
