"""SQLite: one connection for everything, which does one thing at a time, and one that only reads.

SQLite has one writer anyway, and a queue here is fairer than the lock of its file.
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
SWITCH_RETRY_SECONDS = 0.02  # the pause between attempts to switch a file to the log

# With fewer results SQLite does well without statistics, which would soon be out of date.
MIN_RESULTS_FOR_STATISTICS = 20_000

INCREMENTAL = 2  # the mode in which free pages can be given back in pieces

SAMPLED_ROWS = 1000  # how many rows of each index are sampled for statistics


def sqlite_for_everything(url: sa.URL) -> AsyncEngine:
    """Returns the engine that brings a database up to date; it begins no transactions by itself."""
    engine = _sqlite_engine(url)
    sa.event.listen(engine.sync_engine, "connect", lambda adapted, _: adapted.run_async(_prepare_sqlite))
    return engine


def address_of(file: Path) -> str:
    """Returns an SQLite file as a URI, to which options can be added."""
    return file.absolute().as_uri()


def sqlite_for_reports(file: Path) -> AsyncEngine:
    """Returns an engine that only reads a file; its write-ahead log allows reads during writes."""
    read_only = {"mode": "ro", "uri": "true"}
    url = sa.URL.create("sqlite+aiosqlite", database=address_of(file), query=read_only)
    return _sqlite_engine(url).execution_options(durak_begin="BEGIN")


def read_in_thread(file: Path, work: Callable[[sa.Connection], T]) -> T:
    """Returns the result of `work` on a connection of this thread's own."""
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
    # The driver begins no transactions, as it would begin them too late. One that will write begins as a
    # writer: a reader that becomes one would fail if another was faster.
    if begin := connection.get_execution_options().get("durak_begin"):
        connection.exec_driver_sql(begin)


def gather_sqlite_statistics(connection: sa.Connection) -> None:
    """Gathers statistics about indexes from samples; in a small file they would mislead SQLite."""
    is_large = connection.exec_driver_sql(
        "SELECT 1 FROM result LIMIT 1 OFFSET ?", (MIN_RESULTS_FOR_STATISTICS,)
    ).first()
    if is_large is not None:
        connection.exec_driver_sql(f"PRAGMA analysis_limit={SAMPLED_ROWS}").close()
        connection.exec_driver_sql("ANALYZE").close()


def give_back_pages(pages: int, connection: sa.Connection) -> int:
    """Gives up to so many free pages of a file back to the disk, and returns their number.

    Only a file that was made with `auto_vacuum` gives any.
    """
    before = _count_free_pages(connection)
    # As a statement, it would give back a single page: each is a row, and one without columns.
    script = f"PRAGMA incremental_vacuum({pages})"
    driver: Any = connection.connection.dbapi_connection
    driver.run_async(lambda raw: raw.executescript(script))

    return before - _count_free_pages(connection)


def _count_free_pages(connection: sa.Connection) -> int:
    return int(connection.exec_driver_sql("PRAGMA freelist_count").scalar_one())


async def is_sqlite_sound(file: Path) -> bool:
    """Searches a file for damaged pages, in a thread and on a separate connection: it reads all of it."""
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
    """Makes SQLite patient, durable and strict; it writes ahead to a log."""
    await driver.execute_fetchall(f"PRAGMA busy_timeout={BUSY_MILLISECONDS}")
    await driver.execute_fetchall(f"PRAGMA auto_vacuum={INCREMENTAL}")  # of a file that has no tables yet
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
