"""The databases of the storage's tests: SQLite always, PostgreSQL where a server is named.

`DURAK_TEST_POSTGRESQL` is the URL of a database on a server where the tests may create more of them, such as
`postgresql+asyncpg://durak@/postgres?host=/run/postgresql`. Without it the storage is tested on SQLite alone,
and one skipped test reports it.
"""

import asyncio
import os
from collections.abc import AsyncIterator, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass
from itertools import count
from typing import Any, Self, TypeVar

import pytest
from sqlalchemy import URL, make_url, text
from sqlalchemy.ext.asyncio import create_async_engine
from sqlmodel import Session
from sqlmodel.sql.expression import SelectOfScalar

from bot.app import SCHEMA
from bot.storage import Database
from bot.storage.database import Work
from tests.bot.settling_loop import settling_loop

SERVER = "DURAK_TEST_POSTGRESQL"

DATABASES = ("sqlite", "postgresql") if SERVER in os.environ else ("sqlite",)

# Runs a test once for each supported database.
on_every_database = pytest.mark.parametrize("database_url", DATABASES, indirect=True)


T = TypeVar("T")


async def pragma(database: Database, statement: str) -> object:
    """Reads or sets a pragma on SQLite's only connection."""

    def work(session: Session) -> object:
        result = session.connection().execute(text(f"PRAGMA {statement}"))
        return result.scalar() if result.returns_rows else None

    return await database.read(work)


async def rows(database: Database, query: SelectOfScalar[T]) -> list[T]:
    """Reads rows of a query without a store's interface."""
    return await database.read(lambda session: list(session.exec(query)))


def keep_waiting(session: Session, event: asyncio.Event) -> None:
    """Blocks SQLite's connection until an event is set."""
    driver: Any = session.connection().connection.dbapi_connection
    driver.run_async(lambda _: event.wait())


@asynccontextmanager
async def held(database: Database) -> AsyncIterator[None]:
    """Holds SQLite's write lock and its connection; on PostgreSQL no writer blocks others."""
    if database.url.get_backend_name() != "sqlite":
        yield
        return

    release = asyncio.Event()
    begun = asyncio.Event()

    def wait(session: Session) -> None:
        begun.set()
        keep_waiting(session, release)

    holding = asyncio.create_task(database.write(wait))
    await begun.wait()
    try:
        yield
    finally:
        release.set()
        await holding


class WatchedDatabase(Database):
    """A database that reports its work to the `SettlingLoop`."""

    async def read(self, work: Work[T]) -> T:
        with settling_loop().working():
            return await super().read(work)

    async def write(self, work: Work[T]) -> T:
        with settling_loop().working():
            return await super().write(work)

    async def report(self, work: Work[T]) -> T:
        with settling_loop().working():
            return await super().report(work)


# Leaves nothing in PostgreSQL's tables but which version they have, and no one connected.
EMPTY = """
DO $$ DECLARE name text; BEGIN
    PERFORM pg_terminate_backend(pid) FROM pg_stat_activity
        WHERE datname = current_database() AND pid <> pg_backend_pid();
    SET LOCAL session_replication_role = replica; -- in any order, whatever refers to what
    FOR name IN SELECT tablename FROM pg_tables WHERE schemaname = 'public' AND tablename <> 'alembic_version'
        LOOP EXECUTE format('DELETE FROM %I', name); END LOOP;
    FOR name IN SELECT sequencename FROM pg_sequences WHERE schemaname = 'public'
        LOOP PERFORM setval(format('%I', name), 1, false); END LOOP;
END $$
"""


# The numbers of the databases that this process makes, on whatever server.
NUMBERS = count()


@dataclass
class PostgresqlServer:
    """A server with one migrated database, which is emptied after every test."""

    url: URL
    _up_to_date: str = ""
    _prefix: str = f"durak_test_{os.getpid()}"

    @classmethod
    @contextmanager
    def named_by_environment(cls) -> Iterator[Self]:
        if SERVER not in os.environ:
            pytest.skip(f"{SERVER} names no server: the storage was not tested on PostgreSQL")

        server = cls(make_url(os.environ[SERVER]))
        with server.bare_database() as server._up_to_date:
            asyncio.run(server._bring_up_to_date())
            yield server

    @contextmanager
    def empty_database(self) -> Iterator[str]:
        """Lends the migrated, empty database to one test at a time."""
        yield self._up_to_date
        self._do(EMPTY, self._up_to_date)

    @contextmanager
    def bare_database(self) -> Iterator[str]:
        """Creates a database without any tables, for one test."""
        name = f"{self._prefix}_{next(NUMBERS)}"
        self._do(f"DROP DATABASE IF EXISTS {name} WITH (FORCE)")
        self._do(f"CREATE DATABASE {name}")
        try:
            yield self.url.set(database=name).render_as_string(hide_password=False)
        finally:
            self._do(f"DROP DATABASE {name} WITH (FORCE)")

    async def _bring_up_to_date(self) -> None:
        database = Database(self._up_to_date, SCHEMA)
        await database.open()
        await database.close()

    def _do(self, statement: str, url: str | None = None) -> None:
        """Runs a statement that no transaction can hold."""

        async def do() -> None:
            engine = create_async_engine(url or self.url, isolation_level="AUTOCOMMIT")
            async with engine.connect() as connection:
                await connection.execute(text(statement))
            await engine.dispose()

        with ThreadPoolExecutor(1) as beside_the_test:  # whose own loop may be running
            beside_the_test.submit(asyncio.run, do()).result()
