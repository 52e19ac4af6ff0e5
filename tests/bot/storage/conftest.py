"""Whatever is promised of the storage is promised of every database."""

import asyncio
import threading
from collections.abc import AsyncIterator

import pytest

from tests.bot.databases import on_every_database


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    if "database_url" in metafunc.fixturenames:
        metafunc.parametrize(*on_every_database.args, **on_every_database.kwargs)


@pytest.fixture(autouse=True)
async def no_thread_outlives_its_loop() -> AsyncIterator[None]:
    """Where a connection fails, aiosqlite's thread ends a moment after its caller hears of it."""
    yield
    for thread in threading.enumerate():
        if "_connection_worker_thread" in thread.name:
            await asyncio.to_thread(thread.join, 2)


@pytest.fixture(autouse=True)
def _database_threads() -> None:
    """Leave SQLite its threads: other processes may hold a lock for which they wait."""
