"""Engines for SQLite: one connection for everything, one task at a time, and one that only reads.

SQLite allows one writer anyway, and our queue is fairer than its file lock.
"""

import asyncio
import sqlite3
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

import aiosqlite
import sqlalchemy as sa
from sqlalchemy.ext.asyncio import AsyncEngine, create_async_engine

from bot.storage.trouble import is_damage

T = TypeVar("T")

BUSY_MILLISECONDS = 10_000  # how long SQLite waits for another process that writes
SWITCH_RETRY_SECONDS = 0.02  # the pause between attempts to switch a file to WAL mode

# With fewer results SQLite plans well without statistics, which would soon be out of date.
MIN_RESULTS_FOR_STATISTICS = 20_000

INCREMENTAL = 2  # the `auto_vacuum` mode in which free pages can be released a few at a time

SAMPLED_ROWS = 1000  # how many rows of each index are sampled for statistics


def sqlite_for_everything(url: sa.URL) -> AsyncEngine:
    """Returns the engine for upgrades, reads and writes; it begins no transactions by itself."""
    engine = _sqlite_engine(url)
    sa.event.listen(engine.sync_engine, "connect", lambda adapted, _: adapted.run_async(_prepare_sqlite))
    return engine


def address_of(file: Path) -> str:
    """Returns the URI of an SQLite file, to which options can be appended."""
    return file.absolute().as_uri()


def sqlite_for_reports(file: Path) -> AsyncEngine:
    """Returns an engine that only reads a file; its write-ahead log allows reads during writes."""
    read_only = {"mode": "ro", "uri": "true"}
    url = sa.URL.create("sqlite+aiosqlite", database=address_of(file), query=read_only)
    return _sqlite_engine(url).execution_options(durak_begin="BEGIN")


def read_in_thread(file: Path, work: Callable[[sa.Connection], T]) -> T:
    """Runs `work` on a separate, read-only connection in this thread, and returns its result."""
    query = {"mode": "ro", "uri": "true"}
    url = sa.URL.create("sqlite", database=address_of(file), query=query)
    with sa.create_engine(url, poolclass=sa.NullPool, hide_parameters=True).connect() as connection:
        connection.exec_driver_sql("BEGIN")
        return work(connection)


def _sqlite_engine(url: sa.URL) -> AsyncEngine:
    engine = create_async_engine(
        url,
        connect_args={"isolation_level": None},
        poolclass=sa.AsyncAdaptedQueuePool,
        pool_size=1,
        max_overflow=0,
        pool_timeout=None,  # waiting for a connection is not an error
        pool_reset_on_return=None,  # every transaction is ended by its owner
        hide_parameters=True,
    )
    sa.event.listen(engine.sync_engine, "begin", _on_begin)

    return engine


def _on_begin(connection: sa.Connection) -> None:
    # The driver is set not to begin transactions, as it would do so too late. A transaction that will write
    # takes the write lock at once: upgrading from a read fails if another writer was faster.
    if begin := connection.get_execution_options().get("durak_begin"):
        connection.exec_driver_sql(begin)


def gather_sqlite_statistics(connection: sa.Connection) -> None:
    """Samples indexes for the query planner, unless the file is so small that it would be misled."""
    is_large = connection.exec_driver_sql(
        "SELECT 1 FROM result LIMIT 1 OFFSET ?", (MIN_RESULTS_FOR_STATISTICS,)
    ).first()
    if is_large is not None:
        connection.exec_driver_sql(f"PRAGMA analysis_limit={SAMPLED_ROWS}").close()
        connection.exec_driver_sql("ANALYZE").close()


def give_back_pages(pages: int, connection: sa.Connection) -> int:
    """Releases up to `pages` free pages of a file to the disk, and returns how many were released.

    Only a file that was made with `auto_vacuum` releases any.
    """
    before = _count_free_pages(connection)
    # `execute` would release a single page: the pragma yields a row for each, and the driver, as the row has
    # no columns, fetches only one.
    script = f"PRAGMA incremental_vacuum({pages})"
    driver: Any = connection.connection.dbapi_connection
    driver.run_async(lambda raw: raw.executescript(script))

    return before - _count_free_pages(connection)


def _count_free_pages(connection: sa.Connection) -> int:
    return int(connection.exec_driver_sql("PRAGMA freelist_count").scalar_one())


async def is_sqlite_sound(file: Path) -> bool:
    """Returns whether a file has no damaged pages; reads all of it in a thread, on a separate connection."""
    try:
        async with aiosqlite.connect(f"{address_of(file)}?mode=ro", uri=True) as connection:
            try:
                return list(await connection.execute_fetchall("PRAGMA quick_check(1)")) == [("ok",)]
            except asyncio.CancelledError:
                await connection.interrupt()
                raise
    except sqlite3.DatabaseError as error:
        if is_damage(error):
            return False
        raise


async def _prepare_sqlite(driver: aiosqlite.Connection) -> None:
    """Sets busy timeout, incremental vacuum, WAL mode, full sync, secure delete and foreign keys."""
    await driver.execute_fetchall(f"PRAGMA busy_timeout={BUSY_MILLISECONDS}")
    await driver.execute_fetchall(f"PRAGMA auto_vacuum={INCREMENTAL}")  # only affects a file without tables
    async with asyncio.timeout(BUSY_MILLISECONDS / 1000):
        while True:
            try:
                await driver.execute_fetchall("PRAGMA journal_mode=WAL")
                break
            except sqlite3.OperationalError as error:
                # SQLite does not wait here: two processes that switch a new file collide.
                if error.sqlite_errorcode != sqlite3.SQLITE_BUSY:
                    raise
                await asyncio.sleep(SWITCH_RETRY_SECONDS)

    await driver.execute_fetchall("PRAGMA synchronous=FULL")
    await driver.execute_fetchall(
        "PRAGMA secure_delete=ON"
    )  # deleted rows are overwritten: see `Database.scrub`
    await driver.execute_fetchall("PRAGMA foreign_keys=ON")
