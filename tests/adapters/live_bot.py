"""The whole bot with the real adapter of a chat, in the process of the test."""

import asyncio
import logging
import time
from collections.abc import AsyncIterator, MutableMapping, Sequence
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from structlog.testing import capture_logs

from adapters.port import Adapter
from bot.app import Bot
from bot.storage import Database
from tests.adapters.contract import eventually

TROUBLE = frozenset({"warning", "error", "critical", "exception"})


@dataclass
class LiveBot:
    """A bot that serves one chat; `logged` is all that it has written into its log."""

    app: Bot
    adapter: Adapter
    logged: Sequence[MutableMapping[str, Any]]
    library_log: pytest.LogCaptureFixture

    @property
    def trouble(self) -> list[object]:
        """What its owner would worry about, with the library's own warnings."""
        own = [line for line in self.logged if line["log_level"] in TROUBLE]
        return [*own, *(each for each in self.library_log.records if each.levelno >= logging.WARNING)]


@asynccontextmanager
async def live_bot(
    adapter: Adapter, folder: Path, library_log: pytest.LogCaptureFixture
) -> AsyncIterator[LiveBot]:
    """Run the bot, without the pauses that people get, until the test is over."""
    database = Database(f"sqlite+aiosqlite:///{folder / 'durak.db'}")
    await database.open()
    with capture_logs() as logged:
        app = Bot({adapter.platform: adapter}, database, time.time, pace=0.0, locale="en")
        running = asyncio.create_task(app.run())
        try:
            await eventually(lambda: adapter.ready or running.done())
            yield LiveBot(app, adapter, logged, library_log)
            assert not running.done(), "the bot has ended by itself"
        finally:
            running.cancel()
            with suppress(asyncio.CancelledError):
                await running
            await database.close()
