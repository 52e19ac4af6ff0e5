"""A process that is killed while it stores the end of a game, by one of the consequences."""

import asyncio
import os
import signal
import sys

from sqlmodel import Session

from bot.app import SCHEMA
from bot.storage import Database, EndedGame, SqlJournal
from tests.bot.storage.test_journal import FOOL, move


def kill(_session: Session, _ended: EndedGame) -> None:
    os.kill(os.getpid(), signal.SIGKILL)


async def main(url: str, table_id: int) -> None:
    database = Database(url, SCHEMA)
    await database.open()
    await SqlJournal(database, [kill]).append(move(table_id, 2), snapshot="over", outcome=FOOL)


if __name__ == "__main__":
    asyncio.run(main(sys.argv[1], int(sys.argv[2])))
