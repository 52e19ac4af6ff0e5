"""A database belongs to one bot: a file under any of its names; PostgreSQL even if connections break."""

import asyncio
import os
import sqlite3
import stat
import sys
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import asynccontextmanager, closing, suppress
from pathlib import Path
from time import monotonic
from typing import Self

import pytest
import pytest_asyncio
from sqlalchemy import TextClause, make_url, text
from sqlalchemy.ext.asyncio import AsyncConnection, create_async_engine
from structlog.testing import capture_logs

from bot.app import SCHEMA
from bot.config import read_settings
from bot.process.exits import CannotStartError
from bot.start import serve
from bot.storage import Database, DatabaseUnreachableError, DatabaseUnusableError, back_up, restore
from bot.storage.claim import PLAYING
from tests.bot.databases import PostgresqlServer

PATIENCE = 60.0  # seconds for a server on a busy machine
LOCK = f"""
SELECT pid FROM pg_locks JOIN pg_database ON database = pg_database.oid
    WHERE datname = current_database() AND locktype = 'advisory' AND objid = {PLAYING & 0xFFFF_FFFF}
"""
HOLDER, WAITING = text(LOCK + "AND granted"), text(LOCK + "AND NOT granted")
CUT = text("SELECT pg_terminate_backend(:pid)")


class Cable:
    """A connection to a server that can be cut without either end noticing."""

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
        """Stops all data on the current connections; new ones work."""
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
    monkeypatch.setattr("bot.storage.claim.CHECK_SECONDS", 0.05)


@pytest_asyncio.fixture
async def server(url: str) -> AsyncIterator[AsyncConnection]:
    """Yields a connection that can list and end sessions."""
    engine = create_async_engine(url, isolation_level="AUTOCOMMIT")
    async with engine.connect() as connection:
        yield connection
    await engine.dispose()


@asynccontextmanager
async def kept(url: str) -> AsyncIterator[asyncio.Task[None]]:
    """Yields a process that has claimed the database and keeps its claim."""
    database = Database(url, SCHEMA)
    await database.claim()
    keeping = asyncio.create_task(database.keep_claim())
    yield keeping
    keeping.cancel()
    with suppress(asyncio.CancelledError):
        await keeping

    await database.close()


async def asked(server: AsyncConnection, question: TextClause = HOLDER) -> int | None:
    """Returns the server's process that holds the claim, or waits for it."""
    pid: int | None = (await server.execute(question)).scalar()
    return pid


async def until(holds: Callable[[], Awaitable[object]]) -> None:
    begun = monotonic()
    while not await holds():
        assert monotonic() < begun + PATIENCE, "waited in vain"
        await asyncio.sleep(0.02)


async def is_in_use(url: str) -> bool:
    """Returns whether another process is refused the database."""
    another = Database(url, SCHEMA)
    try:
        await another.claim()
    except DatabaseUnusableError:
        return True
    finally:
        await another.close()

    return False


@pytest.mark.parametrize("other", ["itself", "symbolic link", "hard link"])
async def test_a_file_is_claimed_whatever_it_is_called_and_whether_or_not_its_lock_was_deleted(
    tmp_path: Path, other: str
) -> None:
    file, link = tmp_path / "durak.db", tmp_path / "elsewhere" / "link.db"
    link.parent.mkdir()
    if other == "symbolic link":
        link.symlink_to(file)

    bot = Database(f"sqlite+aiosqlite:///{file}", SCHEMA)
    await bot.claim()
    await bot.open()
    if other == "hard link":
        link.hardlink_to(file)

    url = f"sqlite+aiosqlite:///{file if other == 'itself' else link}"
    if other != "hard link" or sys.platform == "linux":
        assert await is_in_use(url)

    if sys.platform == "linux":
        (tmp_path / "durak.db.lock").unlink()
        assert await is_in_use(url)
        with pytest.raises(DatabaseUnusableError):
            restore(url, file)

    await bot.close()
    assert not await is_in_use(url)


async def test_a_lock_keeps_out_no_connection_of_the_bot_that_holds_it(tmp_path: Path) -> None:
    file = tmp_path / "durak.db"
    bot = Database(f"sqlite+aiosqlite:///{file}", SCHEMA)
    await bot.claim()
    await bot.open()
    assert await bot.is_healthy()
    with closing(sqlite3.connect(file)) as beside:
        assert beside.execute("SELECT count(*) FROM card_table").fetchone() == (0,)

    await bot.close()


@pytest.mark.skipif(sys.platform == "win32", reason="files have no modes there")
@pytest.mark.parametrize("is_new", [True, False])
async def test_nobody_but_its_owner_can_read_a_database_its_log_or_a_backup(
    tmp_path: Path, sqlite_url: str, is_new: bool
) -> None:
    file = tmp_path / "own.db" if is_new else Path(make_url(sqlite_url).database or "")
    url = f"sqlite+aiosqlite:///{file}"
    before = os.umask(0o022)
    try:
        if not is_new:
            file.chmod(0o644)

        bot = Database(url, SCHEMA)
        await bot.claim()
        await bot.open()
        assert readable(file) == {file.name, f"{file.name}-wal", f"{file.name}-shm"}
        back_up(url, tmp_path / "backup.db")
        await bot.close()
        (tmp_path / "backup.db").rename(tmp_path / "copy.db")
        assert readable(tmp_path / "copy.db") == {"copy.db"}
        (tmp_path / "copy.db").chmod(0o644)
        restore(url, tmp_path / "copy.db")
        assert readable(file) == {file.name}
    finally:
        os.umask(before)


def readable(file: Path) -> set[str]:
    """Returns the files of a database, after checking that only their owner can read them."""
    found = [each for each in file.parent.glob(f"{file.name}*") if each.suffix != ".lock"]
    assert {stat.S_IMODE(each.stat().st_mode) for each in found} == {0o600}
    return {each.name for each in found}


async def test_a_claim_whose_connection_was_cut_is_taken_again(url: str, server: AsyncConnection) -> None:
    with capture_logs() as lines:
        async with kept(url) as keeping:
            for _ in range(2):
                before = await asked(server)
                await server.execute(CUT, {"pid": before})

                async def is_taken_again(before: int | None = before) -> bool:
                    is_announced = [line["event"] for line in lines][-1:] == ["claim_taken_again"]
                    return is_announced and await asked(server) not in (None, before)

                await until(is_taken_again)
                assert await is_in_use(url)
                assert not keeping.done()

    assert [line["event"] for line in lines] == ["claim_lost", "claim_taken_again"] * 2
    assert not await is_in_use(url)


@pytest.mark.slow
async def test_a_claim_is_taken_again_although_the_server_does_not_know_that_it_is_lost(
    url: str, server: AsyncConnection, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("bot.storage.claim.ANSWER_TIMEOUT", 1.0)
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


async def test_a_bot_whose_claim_is_lost_writes_and_sends_nothing_from_that_moment_on(
    url: str, server: AsyncConnection, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("bot.storage.claim.CHECK_SECONDS", 60.0)
    suspended = asyncio.Queue[bool]()
    database = Database(url, SCHEMA)
    await database.claim()
    await database.open()
    database.on_claim_lost(suspended.put_nowait)
    keeping = asyncio.create_task(database.keep_claim())
    engine = create_async_engine(url, isolation_level="AUTOCOMMIT")
    async with engine.connect() as another:
        taking = asyncio.create_task(another.execute(text(f"SELECT pg_advisory_lock({PLAYING})")))
        await until(lambda: asked(server, WAITING))
        await server.execute(CUT, {"pid": await asked(server)})
        await taking
        assert await asyncio.wait_for(suspended.get(), 1.0)
        with pytest.raises(DatabaseUnreachableError, match="another process may have taken it"):
            await database.write(lambda _: None)

        with pytest.raises(DatabaseUnusableError, match="is in use by another process") as ended:
            await keeping

        assert ended.value.is_passing

    await engine.dispose()
    await database.close()


async def test_a_claim_that_is_taken_again_lets_the_bot_go_on(url: str, server: AsyncConnection) -> None:
    suspended = asyncio.Queue[bool]()
    database = Database(url, SCHEMA)
    await database.claim()
    await database.open()
    database.on_claim_lost(suspended.put_nowait)
    keeping = asyncio.create_task(database.keep_claim())
    await server.execute(CUT, {"pid": await asked(server)})
    assert [await asyncio.wait_for(suspended.get(), PATIENCE) for _ in range(2)] == [True, False]
    assert await database.write(lambda _: "written") == "written"
    keeping.cancel()
    await database.close()
    assert suspended.empty()
