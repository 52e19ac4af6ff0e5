"""The promises of the storage hold for every database."""

import asyncio
import shutil
import threading
from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import pytest

from bot.storage import migrations
from tests.bot.databases import DATABASES, PostgresqlServer, on_every_database


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    if "database_url" in metafunc.fixturenames:
        metafunc.parametrize(*on_every_database.args, **on_every_database.kwargs)


@pytest.fixture(autouse=True)
async def no_thread_outlives_its_loop() -> AsyncIterator[None]:
    """Waits for aiosqlite's thread, which after a failed connection ends a moment later than the call."""
    yield
    for thread in threading.enumerate():
        if "_connection_worker_thread" in thread.name:
            await asyncio.to_thread(thread.join, 2)


@pytest.fixture(autouse=True)
def _database_threads() -> None:
    """Keeps SQLite's threads, which may have to wait for a lock of another process."""


@pytest.fixture
def next_version(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Gives the steps of a later version of the bot, to add to."""
    home = tmp_path / "migrations"
    shutil.copytree(migrations.HOME, home, ignore=shutil.ignore_patterns("__pycache__"))
    monkeypatch.setattr(migrations, "HOME", home)
    return home


@pytest.fixture(params=DATABASES)
def bare_url(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[str]:
    """Yields the URL of a database without tables."""
    if request.param == "sqlite":
        yield f"sqlite+aiosqlite:///{tmp_path / 'bare.db'}"
        return

    server: PostgresqlServer = request.getfixturevalue("postgresql_server")
    with server.bare_database() as url:
        yield url
