"""Runs everything that can happen now, without waiting for anything that needs a clock."""

import time
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import TypeVar

from sqlalchemy import text

from bot.storage import Database
from tests.bot.chat import Chat
from tests.bot.fake_clock import FakeClock
from tests.bot.settling_loop import settling_loop

PATIENCE_SECONDS = 60.0  # how long `until` waits, on a machine that is busy with other tests
T = TypeVar("T")


class Harness:
    """A system that runs beside the test, on a database, a chat and the test's own time."""

    database: Database

    def __init__(self, chat: Chat, clock: FakeClock) -> None:
        self.chat = chat
        self.clock = clock

    async def settle(self) -> None:
        """Waits until nothing more happens without time passing."""
        await settling_loop().settled()

    async def until(self, holds: Callable[[], T]) -> T:
        """Waits until a condition holds, without time passing; returns its value."""
        deadline = time.monotonic() + PATIENCE_SECONDS
        while not (held := holds()):
            assert time.monotonic() < deadline, "waited in vain"
            await settling_loop().turn()
        return held

    async def skip(self, seconds: float) -> None:
        """Skips time and waits for its effects; work under way ends before."""
        await self.settle()
        self.clock.skip(seconds)
        await self.settle()

    @asynccontextmanager
    async def without_disk(self, table: str = "entry") -> AsyncIterator[None]:
        """Fails every statement on this table of the database in this block; `entry` holds the moves."""
        await self._rename(table, "out_of_reach")
        try:
            yield
        finally:
            await self._rename("out_of_reach", table)

    async def _rename(self, old: str, new: str) -> None:
        statement = text(f"ALTER TABLE {old} RENAME TO {new}")
        await self.database.write(lambda session: session.connection().execute(statement).close())
