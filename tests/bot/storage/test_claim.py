"""A claim on a PostgreSQL outlives the connection that holds it, and ends the bot if somebody else has it."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import asynccontextmanager, suppress
from time import monotonic
from typing import Self

import pytest
import pytest_asyncio
from sqlalchemy import TextClause, make_url, text
from sqlalchemy.ext.asyncio import AsyncConnection, create_async_engine
from structlog.testing import capture_logs

from bot.config import read_settings
from bot.start import CannotStartError, serve
from bot.storage import Database, DatabaseUnusableError
from bot.storage.claim import PLAYING
from tests.bot.databases import PostgresqlServer

PATIENCE = 60.0
"""Seconds for a server on a busy machine."""

LOCK = f"""
SELECT pid FROM pg_locks JOIN pg_database ON database = pg_database.oid
    WHERE datname = current_database() AND locktype = 'advisory' AND objid = {PLAYING & 0xFFFF_FFFF}
"""
HOLDER, WAITING = text(LOCK + "AND granted"), text(LOCK + "AND NOT granted")
CUT = text("SELECT pg_terminate_backend(:pid)")


class Cable:
    """A way to a server that can be cut so that neither end hears of it."""

    def __init__(self, url: str) -> None:
        self._there = make_url(url)
        self._carrying: set[asyncio.Task[None]] = set()
        self._ends: list[asyncio.StreamWriter] = []

    @property
    def url(self) -> str:
        port = self._server.sockets[0].getsockname()[1]
        here = self._there.set(host="127.0.0.1", port=port, query={})
        return here.render_as_string(hide_password=False)

    async def __aenter__(self) -> Self:
        self._server = await asyncio.start_server(self._connect, "127.0.0.1", 0)
        return self

    async def __aexit__(self, *_: object) -> None:
        self._server.close()
        self.cut()
        for end in self._ends:
            end.transport.abort()

    def cut(self) -> None:
        """Carry nothing more on the connections of today; new ones go through."""
        while self._carrying:
            self._carrying.pop().cancel()

    async def _connect(self, near: asyncio.StreamReader, to_near: asyncio.StreamWriter) -> None:
        host, port = self._there.query.get("host") or self._there.host, self._there.port or 5432
        far, to_far = await (
            asyncio.open_unix_connection(f"{host}/.s.PGSQL.{port}")
            if str(host).startswith("/")
            else asyncio.open_connection(str(host), port)
        )
        self._ends += [to_near, to_far]
        self._carrying |= {asyncio.create_task(carry(near, to_far)), asyncio.create_task(carry(far, to_near))}


async def carry(source: asyncio.StreamReader, target: asyncio.StreamWriter) -> None:
    while data := await source.read(65536):
        target.write(data)
    target.close()


@pytest.fixture
def url(postgresql_server: PostgresqlServer) -> Iterator[str]:
    with postgresql_server.bare_database() as url:
        yield url


@pytest.fixture(autouse=True)
def hurry(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("bot.storage.claim.LOOK_SECONDS", 0.05)


@pytest_asyncio.fixture
async def server(url: str) -> AsyncIterator[AsyncConnection]:
    """Somebody who may look, and end sessions."""
    engine = create_async_engine(url, isolation_level="AUTOCOMMIT")
    async with engine.connect() as connection:
        yield connection
    await engine.dispose()


@asynccontextmanager
async def kept(url: str) -> AsyncIterator[asyncio.Task[None]]:
    """A process that has the database and looks after its claim."""
    database = Database(url)
    await database.claim()
    keeping = asyncio.create_task(database.keep_claim())
    yield keeping
    keeping.cancel()
    with suppress(asyncio.CancelledError):
        await keeping
    await database.close()


async def asked(server: AsyncConnection, question: TextClause = HOLDER) -> int | None:
    """The process of the server that has the claim, or waits for it."""
    pid: int | None = (await server.execute(question)).scalar()
    return pid


async def until(holds: Callable[[], Awaitable[object]]) -> None:
    begun = monotonic()
    while not await holds():
        assert monotonic() < begun + PATIENCE, "waited in vain"
        await asyncio.sleep(0.02)


async def is_in_use(url: str) -> bool:
    """Whether another process is told to leave the database alone."""
    another = Database(url)
    try:
        await another.claim()
    except DatabaseUnusableError:
        return True
    finally:
        await another.close()
    return False


async def test_a_claim_whose_connection_was_cut_is_taken_again(url: str, server: AsyncConnection) -> None:
    with capture_logs() as lines:
        async with kept(url) as keeping:
            for _ in range(2):
                before = await asked(server)
                await server.execute(CUT, {"pid": before})

                async def is_taken_again(before: int | None = before) -> bool:
                    is_told = [line["event"] for line in lines][-1:] == ["claim_taken_again"]
                    return is_told and await asked(server) not in (None, before)

                await until(is_taken_again)
                assert await is_in_use(url)
                assert not keeping.done()
    assert [line["event"] for line in lines] == ["claim_lost", "claim_taken_again"] * 2
    assert not await is_in_use(url)


async def test_a_claim_is_taken_again_although_the_server_does_not_know_that_it_is_lost(
    url: str, server: AsyncConnection, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("bot.storage.claim.LONGEST_ANSWER", 1.0)
    async with Cable(url) as cable, kept(cable.url):
        before = await asked(server)
        cable.cut()

        async def is_taken_again() -> bool:
            return await asked(server) not in (None, before)

        assert await asked(server) == before
        await until(is_taken_again)
        assert await is_in_use(url)


async def test_a_bot_ends_with_one_sentence_when_another_one_has_its_database_by_now(
    url: str, server: AsyncConnection, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("DURAK_DATABASE_URL", url)
    monkeypatch.setenv("DURAK_HTTP_PORT", "0")
    serving = asyncio.create_task(serve(read_settings()))
    await until(lambda: asked(server))
    engine = create_async_engine(url, isolation_level="AUTOCOMMIT")
    async with engine.connect() as another:
        taking = asyncio.create_task(another.execute(text(f"SELECT pg_advisory_lock({PLAYING})")))
        await until(lambda: asked(server, WAITING))
        await server.execute(CUT, {"pid": await asked(server)})
        with pytest.raises(CannotStartError, match=r"^The database .* is in use by another process of this"):
            await serving
        await taking
    await engine.dispose()
