"""Whether the bot can serve, and if not, what is missing: what `/readyz` says."""

import asyncio

from bot.process.supervisor import Supervisor
from bot.storage import Database

PATIENCE = 2.0
"""Seconds the database has to answer."""


class Readiness:
    """Asks the parts that may be out of reach."""

    def __init__(self, chats: Supervisor, database: Database) -> None:
        self._chats = chats
        self._database = database
        self._asking: asyncio.Task[bool] | None = None

    async def missing(self) -> list[str]:
        """Name what is out of reach; empty when the bot is ready."""
        return [*([] if await self._database_answers() else ["database"]), *self._chats.missing]

    async def _database_answers(self) -> bool:
        """Ask the database, once for everybody who wants to know, and wait no longer than is useful."""
        if self._asking is None or self._asking.done():
            self._asking = asyncio.create_task(self._database.is_healthy())
        done, _ = await asyncio.wait({self._asking}, timeout=PATIENCE)
        return bool(done) and self._asking.exception() is None and self._asking.result()
