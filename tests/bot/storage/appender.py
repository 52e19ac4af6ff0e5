"""A process that plays random games and prints each accepted version, until it is killed.

`python -m tests.bot.storage.appender URL TABLE`
"""

import asyncio
import sys
import time
from random import Random

from bot.app import SCHEMA
from bot.storage import Database, SqlJournal
from engine import Opening
from engine.runtime import Accepted, GameSessions
from tests.bot.storage.samples import RULES


class Teller:
    def changed(self, table_id: int, version: int) -> None:
        print(table_id, version, flush=True)  # noqa: T201 - this is how the test hears of it


async def play(url: str, table_id: int) -> None:
    database = Database(url, SCHEMA)
    await database.open()
    session = await GameSessions(SqlJournal(database), time.time, Teller()).find(table_id)
    chance = Random(0)
    while True:
        if session.state is None or session.outcome is not None:
            opening = Opening(RULES, players=2, seed=str(session.game))
            assert isinstance(await session.deal(session.game + 1, opening), Accepted)
            continue

        seat = chance.choice(sorted(session.state.actors))
        move = chance.choice(session.state.legal_moves(seat))
        assert isinstance(await session.submit(seat, str(move), session.version), Accepted)


if __name__ == "__main__":
    asyncio.run(play(sys.argv[1], int(sys.argv[2])))
