"""The database: opened once, brought up to date, one session for each piece of work."""

import asyncio
import sqlite3
from collections.abc import AsyncIterator
from contextlib import AbstractAsyncContextManager, AsyncExitStack, asynccontextmanager
from threading import Thread
from typing import Any
from weakref import WeakSet

import aiosqlite
from sqlalchemy import event, func, make_url, select, text
from sqlalchemy.exc import SQLAlchemyError
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine, create_async_engine
from sqlalchemy.pool import AsyncAdaptedQueuePool
from sqlmodel.ext.asyncio.session import AsyncSession

from bot.storage.claim import claim
from bot.storage.migrations import newer_version, newest_step, upgrade
from bot.storage.reach import DatabaseUnreachableError, Reach
from bot.storage.trouble import DatabaseUnusableError, explained, name_of, sqlite_error

CLOSE_SECONDS = 5.0
"""How long closing waits for a statement that is under way."""

BUSY_MILLISECONDS = 10_000
"""How long SQLite waits for another process that writes."""

NO_CHANGE = "UPDATE alembic_version SET version_num = version_num"
"""Something to write that changes nothing."""

READS = "durak_reads"
"""An execution option: nothing will be written, so SQLite need not wait for who does."""

UPGRADING = 0x6475_7261_6B01
"""PostgreSQL's number for the lock that whoever brings the tables up to date holds meanwhile."""

SWITCH_SECONDS = 0.02
"""The pause before another attempt to switch a file that another process is switching."""


class Database:
    """Where everything is kept. SQLite by default, PostgreSQL by its URL."""

    def __init__(self, url: str) -> None:
        """Name the database: an SQLAlchemy URL with an asynchronous driver.

        Its errors are logged, so they name no parameters: those hold hands and seeds.
        """
        self.url = make_url(url)
        self._claims = AsyncExitStack()
        self._reach = Reach(self.url)
        self._closing: set[asyncio.Future[None]] = set()
        self._workers: WeakSet[Thread] = WeakSet()
        if url.startswith("sqlite"):
            # One connection: SQLite has one writer anyway, and a queue here is fairer than its file lock.
            self._engine = create_async_engine(
                url,
                poolclass=AsyncAdaptedQueuePool,
                pool_size=1,
                max_overflow=0,
                pool_reset_on_return=None,  # every session ends its own transaction
                hide_parameters=True,
                async_creator=self._connect_sqlite,
            )
            _keep_transactions_whole(self._engine)
        else:
            self._engine = create_async_engine(url, pool_pre_ping=True, hide_parameters=True)
        self._reading_engine = self._engine.execution_options(**{READS: True})

    async def open(self) -> None:
        """Connect, and bring the tables up to date.

        Raises:
            DatabaseUnusableError: It cannot be opened, is damaged, or was made by a newer version.
        """
        try:
            await self._open()
            self._reach.opened()
        except Exception as error:
            if (why := explained(error, self.url)) is not None:
                raise DatabaseUnusableError(why) from error
            raise

    async def claim(self) -> None:
        """Keep the database to this process until it is closed.

        Raises:
            DatabaseUnusableError: Another process has it, or it cannot be opened.
        """
        try:
            await claim(self._engine, self._claims)
        except Exception as error:
            if (why := explained(error, self.url)) is not None:
                raise DatabaseUnusableError(why) from error
            raise

    async def _open(self) -> None:
        async with (
            self._engine.connect() as connection,
            _free_to_rebuild(connection),
            connection.begin(),
        ):
            if connection.dialect.name == "postgresql":  # others may start at the same moment
                await connection.execute(select(func.pg_advisory_xact_lock(UPGRADING)))
            else:
                await _check(connection)
            if newer := await connection.run_sync(newer_version):
                raise DatabaseUnusableError(
                    f"{name_of(self.url)} was made by a newer version: {newer}; this one knows "
                    f"{newest_step()}, so install that version again, or restore an older backup."
                )
            await connection.run_sync(upgrade)
            # A file that may only be read is found out here, not by people.
            await connection.execute(text(NO_CHANGE))

    async def close(self) -> None:
        """Let go of all connections.

        Somebody may have been cancelled in the middle of a statement. Its worker thread finishes it, closes
        the file and reports to this loop, which therefore waits for it.
        """
        if self._closing:
            await asyncio.wait(list(self._closing))
        await self._claims.aclose()
        await self._engine.dispose()
        for worker in list(self._workers):
            await asyncio.to_thread(worker.join, CLOSE_SECONDS)

    async def _connect_sqlite(self) -> aiosqlite.Connection:
        """Connect, and note the worker thread, which nobody else could wait for once something went wrong."""
        arguments, options = self._engine.dialect.create_connect_args(self._engine.url)
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
        return driver

    async def is_healthy(self) -> bool:
        """Whether the database answers, and can be written to if it lately could not."""
        try:
            self._reach.check()
            if self._reach.trouble is not None:
                await self._try_to_write()
            async with self._engine.connect() as connection:
                reading = await connection.execution_options(**{READS: True})
                await reading.execute(text("SELECT 1"))
        except (SQLAlchemyError, OSError, DatabaseUnreachableError):
            return False
        return True

    async def _try_to_write(self) -> None:
        async with self.session() as session:
            await (await session.connection()).execute(text(NO_CHANGE))
            await session.commit()

    async def scrub(self) -> None:
        """Leave nothing in SQLite's files of what was deleted or overwritten before.

        The file itself is overwritten at once, but its log keeps older pages until it is emptied. PostgreSQL
        does the like by itself, in its own time.
        """
        if self._engine.dialect.name != "sqlite":
            return
        async with self._engine.connect() as connection:
            driver = (await connection.get_raw_connection()).driver_connection
            assert isinstance(driver, aiosqlite.Connection)
            await driver.execute("PRAGMA wal_checkpoint(TRUNCATE)")

    def session(self) -> AbstractAsyncContextManager[AsyncSession]:
        """Return a session for one piece of work; what is not committed never happened.

        It is closed to the end even if who works is cancelled; `close` waits for that.

        Raises:
            DatabaseUnreachableError: The disk, the file or the server is not there for us at the moment.
        """
        return self._session(self._engine)

    def reading(self) -> AbstractAsyncContextManager[AsyncSession]:
        """Return a session in which nothing is written: it does not wait for another process that writes.

        Raises:
            DatabaseUnreachableError: The disk, the file or the server is not there for us at the moment.
        """
        return self._session(self._reading_engine)

    @asynccontextmanager
    async def _session(self, engine: AsyncEngine) -> AsyncIterator[AsyncSession]:
        self._reach.check()
        session = AsyncSession(engine, expire_on_commit=False)
        if self._reach.trouble is not None:
            event.listen(session.sync_session, "after_commit", lambda _: self._reach.written())
        try:
            yield session
        except Exception as error:
            if (out_of_reach := self._reach.failed(error)) is None:
                raise
            raise out_of_reach from error
        finally:
            closing = asyncio.ensure_future(session.close())
            self._closing.add(closing)
            closing.add_done_callback(self._closing.discard)
            await asyncio.shield(closing)


@asynccontextmanager
async def _free_to_rebuild(connection: AsyncConnection) -> AsyncIterator[None]:
    """Let steps make SQLite tables anew, which foreign keys would forbid as soon as there are rows."""
    if connection.dialect.name != "sqlite":
        yield
        return
    driver = (await connection.get_raw_connection()).driver_connection
    assert isinstance(driver, aiosqlite.Connection)
    await driver.execute("PRAGMA foreign_keys=OFF")  # not by `connection`: a transaction would ignore it
    try:
        yield
    finally:
        await driver.execute("PRAGMA foreign_keys=ON")


async def _check(connection: AsyncConnection) -> None:
    """Look for damaged pages in an SQLite file before anybody plays on it."""
    found = (await connection.execute(text("PRAGMA quick_check(1)"))).scalar()
    if found != "ok":
        raise sqlite_error(sqlite3.SQLITE_CORRUPT, str(found))


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


def _keep_transactions_whole(engine: AsyncEngine) -> None:
    """Let SQLAlchemy begin SQLite's transactions, and end those that nobody works in any more."""

    @event.listens_for(engine.sync_engine, "invalidate")
    def on_invalidate(connection: Any, *_: object) -> None:
        # Work was cancelled in the middle of a statement. Closing alone would keep the lock for as long as
        # anything still knows the statement, such as the traceback of the cancelled task.
        connection.rollback()

    @event.listens_for(engine.sync_engine, "begin")
    def on_begin(connection: Any) -> None:
        # At once as a writer: a reader that becomes one later would fail if another process was faster.
        only_reads = connection.get_execution_options().get(READS, False)
        connection.exec_driver_sql("BEGIN" if only_reads else "BEGIN IMMEDIATE")
