"""An SQLite file, or one in memory: a connection in a thread of its own, which does one thing at a time.

SQLite has one writer anyway, and a queue here is fairer than the lock of its file. What has begun goes on to
its end, also when who asked for it is cancelled, so no transaction stays open.
"""

import asyncio
import sqlite3
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, TypeVar

from sqlalchemy import URL, Connection, Engine, create_engine, event, text

from bot.storage.trouble import sqlite_error

CLOSE_SECONDS = 5.0
"""How long closing waits for a statement that is under way."""

BUSY_MILLISECONDS = 10_000
"""How long SQLite waits for another process that writes."""

SWITCH_SECONDS = 0.02
"""The pause before another attempt to switch a file that another process is switching."""

READING, WRITING = "BEGIN", "BEGIN IMMEDIATE"
"""How a transaction begins; a reader that becomes a writer later would fail if another process was faster."""

DRIVER: dict[str, Any] = {"isolation_level": None}
"""Lets the driver begin no transactions, as it would begin them too late."""

T = TypeVar("T")


class SqliteThread:
    """Works with an engine in a thread."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine
        self._thread = ThreadPoolExecutor(1, "sqlite")

    async def run(self, work: Callable[[Connection], T], begin: str | None = None) -> T:
        """Return what `work` makes of the connection.

        Its transaction begins as `begin` says. It is committed if it is for writing and `work` does not fail;
        without `begin` there is none.
        """
        return await asyncio.get_running_loop().run_in_executor(self._thread, self._work, work, begin)

    def _work(self, work: Callable[[Connection], T], begin: str | None) -> T:
        with self._engine.connect() as connection:
            if begin is not None:
                connection.exec_driver_sql(begin)
            result = work(connection)
            if begin == WRITING:
                connection.commit()
        return result

    async def close(self) -> None:
        """Close the connection; a statement that hangs is not waited for."""
        closing = asyncio.get_running_loop().run_in_executor(self._thread, self._engine.dispose)
        await asyncio.wait([closing], timeout=CLOSE_SECONDS)
        self._thread.shutdown(wait=False)
        self._thread = ThreadPoolExecutor(1, "sqlite")  # for another `run`


def for_everything(url: URL) -> SqliteThread:
    """Return the thread that reads and writes a database."""
    engine = create_engine(url, connect_args=DRIVER, hide_parameters=True)
    event.listen(engine, "connect", _prepare)
    return SqliteThread(engine)


def for_reports(file: Path) -> SqliteThread:
    """Return a thread that only reads a file; the log of the file lets it be read during writes."""
    read_only = URL.create("sqlite", database=file.absolute().as_uri(), query={"mode": "ro", "uri": "true"})
    return SqliteThread(create_engine(read_only, connect_args=DRIVER, hide_parameters=True))


def scrub(connection: Connection) -> None:
    """Empty the log."""
    connection.exec_driver_sql("PRAGMA wal_checkpoint(TRUNCATE)").all()


def check(connection: Connection) -> None:
    """Look for damaged pages in a file before anybody plays on it."""
    if not is_sound(connection):
        raise sqlite_error(sqlite3.SQLITE_CORRUPT, "damaged pages")


def is_sound(connection: Connection) -> bool:
    """Search a file for damaged pages."""
    return connection.execute(text("PRAGMA quick_check(1)")).scalar() == "ok"


def free_to_rebuild(work: Callable[[Connection], None]) -> Callable[[Connection], None]:
    """Let work make tables anew in its transaction, which foreign keys would forbid where there are rows."""

    def freely(connection: Connection) -> None:
        connection.exec_driver_sql("PRAGMA foreign_keys=OFF")  # a transaction would ignore it
        try:
            connection.exec_driver_sql(WRITING)
            work(connection)
            connection.commit()
        finally:
            connection.rollback()
            connection.exec_driver_sql("PRAGMA foreign_keys=ON")

    return freely


def _prepare(connection: sqlite3.Connection, _: object) -> None:
    """Make SQLite patient, durable and strict."""
    connection.execute(f"PRAGMA busy_timeout={BUSY_MILLISECONDS}")
    _write_ahead(connection)
    connection.execute("PRAGMA synchronous=FULL")
    connection.execute("PRAGMA secure_delete=ON")  # what is deleted is overwritten: `scrub` says when
    connection.execute("PRAGMA foreign_keys=ON")


def _write_ahead(connection: sqlite3.Connection) -> None:
    """Switch to write-ahead logging. SQLite does not wait here: two who switch a new file collide."""
    until = time.monotonic() + BUSY_MILLISECONDS / 1000
    while True:
        try:
            connection.execute("PRAGMA journal_mode=WAL")
        except sqlite3.OperationalError as error:
            if error.sqlite_errorcode != sqlite3.SQLITE_BUSY or time.monotonic() > until:
                raise
            time.sleep(SWITCH_SECONDS)
        else:
            return
