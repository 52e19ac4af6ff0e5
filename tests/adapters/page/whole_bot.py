"""The whole bot with the page as its only chat, run within the test's process."""

import asyncio
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from aiohttp import web

from adapters.port import UserRef
from adapters.web import WebAdapter
from adapters.web.refs import PLATFORM, room_ref
from bot.app import REGISTRY, SCHEMA, Bot
from bot.locale import LOCALES, sentences_of
from bot.metrics import REFUSALS
from bot.model.table import Table
from bot.storage import Database, SqlGuestStore
from tests.adapters.contract import eventually

ROOM = room_ref("main")


@dataclass
class WholeBot:
    """The bot, and the address of its main room."""

    app: Bot
    url: str
    store: SqlGuestStore

    async def table(self) -> Table:
        """Returns the table that the main room shows."""
        table = await self.app.tables.shown_in(ROOM)
        assert table is not None
        return table

    async def user(self, name: str) -> UserRef:
        """Returns the guest with this name."""
        (guest,) = [guest for guest in await self.store.guests() if guest.name == name]
        return UserRef(PLATFORM, guest.id)

    def refusals(self) -> dict[str, float]:
        """Counts what has been refused so far, by reason."""
        (family,) = REFUSALS.collect()
        return {
            sample.labels["reason"]: sample.value
            for sample in family.samples
            if sample.name.endswith("_total") and sample.value
        }


@asynccontextmanager
async def whole_bot(folder: Path, *, public_url: str = "") -> AsyncIterator[WholeBot]:
    """Runs the bot until the context ends, without its pauses for people."""
    database = Database(f"sqlite+aiosqlite:///{folder / 'durak.db'}", SCHEMA)
    await database.open()
    store = SqlGuestStore(database)
    adapter = WebAdapter(
        store,
        commands=REGISTRY.announced(),
        languages=LOCALES,
        translations=partial(sentences_of, "adapters/"),
        public_url=public_url,
    )
    app = Bot({adapter.platform: adapter}, database, time.time, pace=0.0, locale="en")

    site = web.Application()
    adapter.attach(site, app.pages)
    runner = web.AppRunner(site, access_log=None, shutdown_timeout=1)
    await runner.setup()
    await web.TCPSite(runner, "127.0.0.1", 0).start()
    number = runner.addresses[0][1]

    running = asyncio.create_task(app.run())
    try:
        await eventually(lambda: adapter.ready or running.done())
        yield WholeBot(app, f"http://127.0.0.1:{number}/r/{ROOM.id}", store)
        assert not running.done(), "the bot has ended by itself"
    finally:
        running.cancel()
        with suppress(asyncio.CancelledError):
            await running
        await runner.cleanup()
        await database.close()
