"""A connection to an SQLite file: patient, durable and strict, and asked by everybody in turn."""

import asyncio
import sqlite3
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager
from threading import Thread
from typing import Any, TypeVar
from weakref import WeakSet

import aiosqlite
from sqlalchemy import Connection, event, text
from sqlalchemy.ext.asyncio import AsyncConnection, create_async_engine
from sqlalchemy.pool import AsyncAdaptedQueuePool

from bot.storage.prepared import Done, Step, read_in_one_visit, write_in_one_visit
from bot.storage.trouble import sqlite_error

CLOSE_SECONDS = 5.0
"""How long closing waits for a statement that is under way."""

BUSY_MILLISECONDS = 10_000
"""How long SQLite waits for another process that writes."""

SWITCH_SECONDS = 0.02
"""The pause before another attempt to switch a file that another process is switching."""

READS = "durak_reads"
"""An execution option: nothing will be written, so SQLite need not wait for who does."""

T = TypeVar("T")


class SqliteConnection:
    """One connection for all: SQLite has one writer anyway, and a queue here is fairer than its file lock."""

    def __init__(self, url: str) -> None:
        """Name the file; it is opened when it is first asked for."""
        self._workers: WeakSet[Thread] = WeakSet()
        self._driver: aiosqlite.Connection | None = None
        self.engine = create_async_engine(
            url,
            poolclass=AsyncAdaptedQueuePool,
            pool_size=1,
            max_overflow=0,
            pool_reset_on_return=None,  # every session ends its own transaction
            hide_parameters=True,
            async_creator=self._connect,
        )
        self._keep_transactions_whole()

    async def write(self, steps: Sequence[Step]) -> list[Done]:
        """Execute steps in one transaction, by one visit to the thread of the connection."""
        return await self._in_turn(lambda driver: write_in_one_visit(driver, steps))

    async def read(self, step: Step) -> Done:
        """Execute a step that reads, by one visit to the thread of the connection."""
        return await self._in_turn(lambda driver: read_in_one_visit(driver, step))

    async def _in_turn(self, visit: Callable[[aiosqlite.Connection], Awaitable[T]]) -> T:
        assert isinstance(self.engine.pool, AsyncAdaptedQueuePool)
        if self._driver is not None and not self.engine.pool.checkedout():
            # Its thread does one thing after the other, so nobody who comes later can be in the way.
            return await visit(self._driver)
        async with self.engine.connect() as connection:
            return await visit(await _driver_of(connection))

    async def scrub(self) -> None:
        """Empty the log."""
        async with self.engine.connect() as connection:
            driver = await _driver_of(connection)
            # To the last row: its thread remembers the statement, and nobody commits while one goes on.
            await driver.execute_fetchall("PRAGMA wal_checkpoint(TRUNCATE)")

    async def end(self) -> None:
        """Wait for the threads, once the engine has let go of its connection."""
        for worker in list(self._workers):
            await asyncio.to_thread(worker.join, CLOSE_SECONDS)

    async def _connect(self) -> aiosqlite.Connection:
        """Connect, and note the worker thread, which nobody else could wait for once something went wrong."""
        arguments, options = self.engine.dialect.create_connect_args(self.engine.url)
        options["isolation_level"] = None  # the driver would begin transactions too late
        driver = aiosqlite.connect(*arguments, **options)
        worker = driver._thread  # noqa: SLF001 - the driver shows it to nobody
        worker.daemon = True  # a statement that hangs does not keep the process alive
        self._workers.add(worker)
        await driver
        try:
            await _prepare(driver)
        except BaseException:
            await driver.close()
            raise
        self._driver = driver
        return driver

    def _keep_transactions_whole(self) -> None:
        """Let SQLAlchemy begin transactions, and end those that nobody works in any more."""

        @event.listens_for(self.engine.sync_engine, "invalidate")
        def on_invalidate(connection: Any, *_: object) -> None:
            # Work was cancelled in the middle of a statement. Closing alone would keep the lock for as long
            # as anything still knows the statement, such as the traceback of the cancelled task.
            self._driver = None
            connection.rollback()

        @event.listens_for(self.engine.sync_engine, "begin")
        def on_begin(connection: Any) -> None:
            # At once as a writer: a reader that becomes one later would fail if another process was faster.
            only_reads = connection.get_execution_options().get(READS, False)
            connection.exec_driver_sql("BEGIN" if only_reads else "BEGIN IMMEDIATE")


@asynccontextmanager
async def free_to_rebuild(connection: AsyncConnection) -> AsyncIterator[None]:
    """Let steps make SQLite tables anew, which foreign keys would forbid as soon as there are rows."""
    if connection.dialect.name != "sqlite":
        yield
        return
    driver = await _driver_of(connection)
    await driver.execute("PRAGMA foreign_keys=OFF")  # not by `connection`: a transaction would ignore it
    try:
        yield
    finally:
        await driver.execute("PRAGMA foreign_keys=ON")


async def check(connection: AsyncConnection) -> None:
    """Look for damaged pages in an SQLite file before anybody plays on it."""
    if not await connection.run_sync(sound):
        raise sqlite_error(sqlite3.SQLITE_CORRUPT, "damaged pages")


def sound(connection: Connection) -> bool:
    """Search an SQLite file for damaged pages."""
    return connection.execute(text("PRAGMA quick_check(1)")).scalar() == "ok"


async def _driver_of(connection: AsyncConnection) -> aiosqlite.Connection:
    driver = (await connection.get_raw_connection()).driver_connection
    assert isinstance(driver, aiosqlite.Connection)
    return driver


async def _prepare(driver: aiosqlite.Connection) -> None:
    """Make SQLite patient, durable and strict."""
    await driver.execute(f"PRAGMA busy_timeout={BUSY_MILLISECONDS}")
    await _write_ahead(driver)
    await driver.execute("PRAGMA synchronous=FULL")
    await driver.execute("PRAGMA secure_delete=ON")  # what is deleted is overwritten: `scrub` says when
    await driver.execute("PRAGMA foreign_keys=ON")


async def _write_ahead(driver: aiosqlite.Connection) -> None:
    """Switch to write-ahead logging. SQLite waits for nobody here: two who switch a new file collide."""
    async with asyncio.timeout(BUSY_MILLISECONDS / 1000):
        while True:
            try:
                await driver.execute("PRAGMA journal_mode=WAL")
            except sqlite3.OperationalError as error:
                if error.sqlite_errorcode != sqlite3.SQLITE_BUSY:
                    raise
                await asyncio.sleep(SWITCH_SECONDS)
            else:
                return
