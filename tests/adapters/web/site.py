"""The page's server on a free port, with a real adapter; tests stop and restart it."""

import asyncio
import contextlib
import time
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from functools import partial

from aiohttp import web

from adapters.port import ArgumentChoice, ArgumentKind, ArgumentSpec, CommandSpec, RoomRef
from adapters.web import TrustedProxies, WebAdapter
from adapters.web.refs import room_ref
from adapters.web.request_guard import NO_PROXIES
from bot.locale import LOCALES, sentences_of
from tests.adapters.contract import ListeningInbox, eventually
from tests.adapters.web.pages import KnownPages
from tests.adapters.web.store import MemoryStore

PERIODS = tuple(ArgumentChoice(period, period) for period in ("week", "month", "all"))
COMMANDS = (
    CommandSpec("durak", "Open a table here", (ArgumentSpec("preset", "Rule set"),)),
    CommandSpec("hand", "Show my hand", summaries={"de": "Meine Karten zeigen"}),
    CommandSpec(
        "leaderboard",
        "Who is best",
        (ArgumentSpec("period", "Since when", ArgumentKind.CHOICE, PERIODS),),
    ),
)


class Site:
    """The server of one page; its guests and messages outlive a restart."""

    def __init__(
        self,
        *,
        host: str = "127.0.0.1",
        public_url: str = "",
        proxies: TrustedProxies = NO_PROXIES,
        most_newcomers: int = 1000,
        commands: Sequence[CommandSpec] = COMMANDS,
    ) -> None:
        self.store = MemoryStore()
        self.inbox = ListeningInbox()
        self.pages = KnownPages()
        self.room: RoomRef = room_ref("main")
        self.now = time.time()
        """The wall clock; it moves only when a test moves it."""
        self.monotonic: float | None = None
        """The clock of the request limits; None: the real one."""

        self._host = host
        self._public_url = public_url
        self._proxies = proxies
        self._most_newcomers = most_newcomers
        self._commands = commands

        self._port = 0
        self._runner: web.AppRunner | None = None
        self._running: asyncio.Task[None] | None = None
        self.adapter = self._new_adapter()

    @property
    def url(self) -> str:
        """The address of the main room, without a guest's secret."""
        return f"http://127.0.0.1:{self._port}/r/main"

    @property
    def owner_key(self) -> str:
        """The key in the owner's link, which is printed at the start."""
        return self.adapter.owner_path.partition("#owner=")[2]

    def _monotonic(self) -> float:
        return time.monotonic() if self.monotonic is None else self.monotonic

    def _new_adapter(self) -> WebAdapter:
        return WebAdapter(
            self.store,
            commands=self._commands,
            languages=LOCALES,
            translations=partial(sentences_of, "adapters/"),
            host=self._host,
            public_url=self._public_url,
            proxies=self._proxies,
            most_newcomers=self._most_newcomers,
            now=lambda: self.now,
            monotonic=self._monotonic,
        )

    async def serve(self) -> None:
        """Serves HTTP but handles no events yet, like a bot that is just starting."""
        app = web.Application()
        self.adapter.attach(app, self.pages)
        self._runner = web.AppRunner(app, access_log=None, shutdown_timeout=1)
        await self._runner.setup()
        await web.TCPSite(self._runner, "127.0.0.1", self._port).start()
        self._port = self._runner.addresses[0][1]

    async def start(self) -> None:
        await self.serve()
        self._running = asyncio.create_task(self.adapter.run(self.inbox))
        await eventually(lambda: self.adapter.ready)

    async def stop(self) -> None:
        if self._running is not None:
            self._running.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await self._running

        if self._runner is not None:
            await self._runner.cleanup()

    async def restart(self) -> None:
        """Replaces the adapter by a new one on the same records and address, like another process."""
        await self.stop()
        self.adapter = self._new_adapter()
        await self.start()


@asynccontextmanager
async def web_site(
    *,
    host: str = "127.0.0.1",
    public_url: str = "",
    proxies: TrustedProxies = NO_PROXIES,
    most_newcomers: int = 1000,
    commands: Sequence[CommandSpec] = COMMANDS,
) -> AsyncIterator[Site]:
    """Serves a page that announces `host` as its address."""
    site = Site(
        host=host, public_url=public_url, proxies=proxies, most_newcomers=most_newcomers, commands=commands
    )
    await site.start()
    yield site
    await site.stop()
