"""The databases that the storage is tested on: SQLite always, PostgreSQL where a server is named.

`DURAK_TEST_POSTGRESQL` is the URL of a database on a server where the tests may make more of them, such as
`postgresql+asyncpg://durak@/postgres?host=/run/postgresql`. Without it the storage is tested on SQLite alone,
and one skipped test says so.
"""

import asyncio
import os
from collections.abc import AsyncIterator, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import (
    AbstractAsyncContextManager,
    AbstractContextManager,
    asynccontextmanager,
    contextmanager,
)
from dataclasses import dataclass, field
from itertools import count
from typing import Self

import pytest
from sqlalchemy import URL, make_url, text
from sqlalchemy.ext.asyncio import create_async_engine
from sqlmodel.ext.asyncio.session import AsyncSession

from bot.storage import Database
from bot.storage.prepared import Step
from bot.storage.sqlite_connection import READS
from tests.bot.settling_loop import settling_loop

SERVER = "DURAK_TEST_POSTGRESQL"

DATABASES = ("sqlite", "postgresql") if SERVER in os.environ else ("sqlite",)

on_every_database = pytest.mark.parametrize("database_url", DATABASES, indirect=True)
"""Runs a test once for each database that the bot knows."""


async def pragma(database: Database, statement: str) -> object:
    """Asks SQLite something, or sets it for its only connection."""
    async with database.session() as session:
        connection = await session.connection(execution_options={READS: True})
        result = await connection.execute(text(f"PRAGMA {statement}"))
        return result.scalar() if result.returns_rows else None


class WatchedDatabase(Database):
    """A database of which the `SettlingLoop` knows when somebody works on it."""

    def session(self) -> AbstractAsyncContextManager[AsyncSession]:
        return self._watched(super().session())

    def reading(self) -> AbstractAsyncContextManager[AsyncSession]:
        return self._watched(super().reading())

    async def write(self, *steps: Step) -> list[int]:
        with settling_loop().working():
            return await super().write(*steps)

    @asynccontextmanager
    async def _watched(
        self, session: AbstractAsyncContextManager[AsyncSession]
    ) -> AsyncIterator[AsyncSession]:
        with settling_loop().working():
            async with session as entered:
                yield entered


@dataclass
class PostgresqlServer:
    """A server on which databases are copies of one that was brought up to date once."""

    url: URL
    _prefix: str = f"durak_test_{os.getpid()}"
    _numbers: "count[int]" = field(default_factory=count)

    @classmethod
    @contextmanager
    def named_by_environment(cls) -> Iterator[Self]:
        if SERVER not in os.environ:
            pytest.skip(f"{SERVER} names no server: the storage was not tested on PostgreSQL")
        server = cls(make_url(os.environ[SERVER]))
        server._make(server._template)
        asyncio.run(server._bring_up_to_date())
        try:
            yield server
        finally:
            server._do(f"DROP DATABASE {server._template}")

    def new_database(self) -> AbstractContextManager[str]:
        """Makes a database with today's tables and nothing in them, for one test."""
        return self._database(f"TEMPLATE {self._template}")

    def bare_database(self) -> AbstractContextManager[str]:
        """Makes a database without any tables, for one test."""
        return self._database()

    @contextmanager
    def _database(self, options: str = "") -> Iterator[str]:
        name = f"{self._prefix}_{next(self._numbers)}"
        self._make(name, options)
        try:
            yield self._url_of(name)
        finally:
            self._do(f"DROP DATABASE {name} WITH (FORCE)")

    @property
    def _template(self) -> str:
        return f"{self._prefix}_template"

    def _url_of(self, name: str) -> str:
        return self.url.set(database=name).render_as_string(hide_password=False)

    async def _bring_up_to_date(self) -> None:
        database = Database(self._url_of(self._template))
        await database.open()
        await database.close()

    def _make(self, name: str, options: str = "") -> None:
        self._do(f"DROP DATABASE IF EXISTS {name} WITH (FORCE)")
        self._do(f"CREATE DATABASE {name} {options}")

    def _do(self, statement: str) -> None:
        """Runs what no transaction can hold."""

        async def do() -> None:
            engine = create_async_engine(self.url, isolation_level="AUTOCOMMIT")
            async with engine.connect() as connection:
                await connection.execute(text(statement))
            await engine.dispose()

        with ThreadPoolExecutor(1) as beside_the_test:  # whose own loop may be running
            beside_the_test.submit(asyncio.run, do()).result()
