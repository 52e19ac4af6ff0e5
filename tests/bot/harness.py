"""Waiting without time: everything that can happen now happens, and nothing that needs a clock."""

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import TypeVar

from sqlalchemy import text

from bot.storage import Database
from tests.bot.chat import Chat
from tests.bot.fake_clock import FakeClock

QUIET_ROUNDS = 12
"""Longer than any chain of database work that leads to a message."""

T = TypeVar("T")


class Harness:
    """Something that runs beside the test, on a database, a chat and the test's own time."""

    database: Database

    def __init__(self, chat: Chat, clock: FakeClock) -> None:
        self.chat = chat
        self.clock = clock

    async def settle(self) -> None:
        """Wait until nothing happens any more without time passing.

        The database has one connection with a fair queue, so each of our turns gives everybody else one.
        """
        quiet, seen = 0, -1
        while quiet < QUIET_ROUNDS:
            quiet = quiet + 1 if len(self.chat.sent) == seen else 0
            seen = len(self.chat.sent)
            await self._give_way()

    async def until(self, holds: Callable[[], T]) -> T:
        """Wait until it holds, without time passing."""
        for _ in range(20_000):
            if held := holds():
                return held
            await self._give_way()
        raise AssertionError("waited in vain")

    async def skip(self, seconds: float) -> None:
        """Let time pass, and everything happen that was waiting for it; what is under way ends before."""
        await self.settle()
        self.clock.skip(seconds)
        await self.settle()

    @asynccontextmanager
    async def without_disk(self, table: str = "entry") -> AsyncIterator[None]:
        """Let everything fail meanwhile that needs this table of the database; `entry` holds the moves."""
        await self._rename(table, "out_of_reach")
        try:
            yield
        finally:
            await self._rename("out_of_reach", table)

    async def _rename(self, old: str, new: str) -> None:
        async with self.database.session() as session:
            await (await session.connection()).execute(text(f"ALTER TABLE {old} RENAME TO {new}"))
            await session.commit()

    async def _give_way(self) -> None:
        await self.database.is_healthy()
        await asyncio.sleep(0)
