"""A bot for each test, on a copy of an empty database that was migrated once."""

import asyncio
import shutil
from collections.abc import AsyncIterator, Callable, Iterator, Mapping
from pathlib import Path

import pytest
import pytest_asyncio
import structlog

from bot.app import SCHEMA
from bot.storage import Database
from tests.bot.chat import Chat
from tests.bot.databases import PostgresqlServer, WatchedDatabase
from tests.bot.fake_clock import FakeClock
from tests.bot.one_thread import sqlite_on_the_loop
from tests.bot.outbox_harness import OutboxHarness
from tests.bot.running_bot import RunningBot, running_bot
from tests.bot.settling_loop import SettlingLoop
from tests.bot.shared_statements import shared_statements


def pytest_asyncio_loop_factories() -> Mapping[str, Callable[[], asyncio.AbstractEventLoop]]:
    """Runs every test on a loop that can be waited for."""
    return {"settling": SettlingLoop}


@pytest.fixture(autouse=True)
def _database_threads() -> Iterator[None]:
    """Runs SQLite without threads, which cost a third of the time; the storage's tests keep them."""
    with sqlite_on_the_loop():
        yield


@pytest.fixture(scope="session", autouse=True)
def _plain_traces() -> None:
    """Leaves positions out of the traces of logged errors: each would take a quarter of a minute."""
    look = structlog.dev.ConsoleRenderer(colors=False, exception_formatter=structlog.dev.plain_traceback)
    structlog.configure(processors=[structlog.processors.add_log_level, look])


@pytest.fixture(scope="session", autouse=True)
def _compiled_statements() -> Iterator[None]:
    with shared_statements():
        yield


@pytest.fixture(scope="session")
def empty_database(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("bot") / "empty.db"

    async def make() -> None:
        database = Database(f"sqlite+aiosqlite:///{path}", SCHEMA)
        await database.open()
        await database.close()

    asyncio.run(make())
    return path


@pytest.fixture(scope="session")
def postgresql_server() -> Iterator[PostgresqlServer]:
    with PostgresqlServer.named_by_environment() as server:
        yield server


@pytest.fixture
def sqlite_url(empty_database: Path, tmp_path: Path) -> str:
    shutil.copy(empty_database, tmp_path / "durak.db")
    return f"sqlite+aiosqlite:///{tmp_path / 'durak.db'}"


@pytest.fixture
def database_url(request: pytest.FixtureRequest) -> Iterator[str]:
    """Yields the URL of an SQLite file, or of the database that `on_every_database` selects."""
    if getattr(request, "param", "sqlite") == "sqlite":
        yield request.getfixturevalue("sqlite_url")
    else:
        server: PostgresqlServer = request.getfixturevalue("postgresql_server")
        with server.empty_database() as url:
            yield url


@pytest_asyncio.fixture
async def database(database_url: str) -> AsyncIterator[Database]:
    database = WatchedDatabase(database_url, SCHEMA)
    await database.open()
    yield database
    await database.close()


@pytest.fixture
def chat() -> Chat:
    return Chat()


@pytest_asyncio.fixture
async def bot(database_url: str, chat: Chat) -> AsyncIterator[RunningBot]:
    async with running_bot(database_url, chat) as bot:
        yield bot


@pytest_asyncio.fixture
async def slow_bot(database_url: str, chat: Chat) -> AsyncIterator[RunningBot]:
    """Yields a bot with the pauses that people get."""
    async with running_bot(database_url, chat, pace=1.0) as bot:
        yield bot


@pytest_asyncio.fixture
async def harness(database: Database, chat: Chat) -> AsyncIterator[OutboxHarness]:
    harness = OutboxHarness(database, chat, FakeClock())
    await harness.start()
    yield harness
    await harness.settle()
    await harness.stop()
