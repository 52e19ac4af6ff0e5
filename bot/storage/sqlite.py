"""An SQLite file, or one in memory: one connection for all, which does one thing at a time.

SQLite has one writer anyway, and a queue here is fairer than the lock of its file.
"""

import asyncio
import sqlite3
from collections import deque
from collections.abc import Awaitable, Callable, Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from sqlalchemy import (
    URL,
    AdaptedConnection,
    AsyncAdaptedQueuePool,
    Connection,
    NullPool,
    create_engine,
    event,
)
from sqlalchemy.dialects.sqlite.aiosqlite import AsyncAdapt_aiosqlite_connection
from sqlalchemy.ext.asyncio import AsyncEngine, create_async_engine

from bot.storage.trouble import is_damage

if TYPE_CHECKING:
    import aiosqlite

T = TypeVar("T")

BUSY_MILLISECONDS = 10_000
"""How long SQLite waits for another process that writes."""

SWITCH_SECONDS = 0.02
"""The pause before another attempt to switch a file that another process is switching."""

SMALL = 20_000
"""With no more results than that, SQLite does well without statistics, which would soon be out of date."""

SAMPLES = 1000
"""So many rows of each index are looked at for statistics."""

BEGIN = "durak_begin"
"""An execution option: how a transaction begins. The driver begins none, as it would begin them too late."""


def for_everything(url: URL) -> AsyncEngine:
    """Return the engine that brings a database up to date; it begins no transactions by itself."""
    engine = _engine(url)
    event.listen(engine.sync_engine, "connect", _on_connect)
    return engine


def reading(engine: AsyncEngine) -> AsyncEngine:
    """Let an engine begin transactions that write nothing."""
    return engine.execution_options(**{BEGIN: "BEGIN"})


def writing(engine: AsyncEngine) -> AsyncEngine:
    """Let an engine begin at once as a writer: a reader that becomes one would fail if another was faster."""
    return engine.execution_options(**{BEGIN: "BEGIN IMMEDIATE"})


def for_reports(file: Path) -> AsyncEngine:
    """Return an engine that only reads a file; the log of the file lets it be read during writes."""
    read_only = {"mode": "ro", "uri": "true"}
    return reading(
        _engine(URL.create("sqlite+aiosqlite", database=file.absolute().as_uri(), query=read_only))
    )


def read_in_thread(file: Path, work: Callable[[Connection], T]) -> T:
    """Return what `work` reads on a connection of this thread's own."""
    query = {"mode": "ro", "uri": "true"}
    url = URL.create("sqlite", database=file.absolute().as_uri(), query=query)
    with create_engine(url, poolclass=NullPool, hide_parameters=True).connect() as connection:
        connection.exec_driver_sql("BEGIN")
        return work(connection)


class OneVisitCursor:
    """A cursor that visits the thread of SQLite for its statement and its rows alone.

    SQLAlchemy's own also visits it to be made and to be closed, and visits are most of what a press costs.
    """

    arraysize = 1
    rowcount = -1
    lastrowid: int | None = None
    description: Any = None

    def __init__(self, connection: AdaptedConnection) -> None:
        self._connection = connection
        self._rows = deque[Any]()

    def execute(self, statement: str, parameters: Any = ()) -> None:
        """Execute a statement, and fetch its rows."""
        self._connection.run_async(lambda driver: self._visit(driver.execute(statement, parameters)))

    def executemany(self, statement: str, parameters: Any) -> None:
        """Execute a statement with each of these parameters."""
        self._connection.run_async(lambda driver: self._visit(driver.executemany(statement, parameters)))

    async def _visit(self, executed: "Awaitable[aiosqlite.Cursor]") -> None:
        cursor = await executed
        self.description, self.rowcount, self.lastrowid = (
            cursor.description,
            cursor.rowcount,
            cursor.lastrowid,
        )
        if cursor.description:
            self._rows.extend(await cursor.fetchall())

    def fetchone(self) -> Any:
        """Return the next row; None after the last one."""
        return self._rows.popleft() if self._rows else None

    def fetchmany(self, size: int = arraysize) -> list[Any]:
        """Return at most `size` rows."""
        return [self._rows.popleft() for _ in range(min(size, len(self._rows)))]

    def fetchall(self) -> list[Any]:
        """Return all rows that are left."""
        return self.fetchmany(len(self._rows))

    def close(self) -> None:
        """Forget the rows."""
        self._rows.clear()


class OneVisitConnection(AsyncAdapt_aiosqlite_connection):
    """A connection with such cursors, but where rows are wanted one by one."""

    __slots__ = ()

    def cursor(self, server_side: bool = False) -> Any:
        """Return a cursor."""
        return super().cursor(server_side) if server_side else OneVisitCursor(self)


def _connect(dialect: Any, _: object, arguments: Any, options: Any) -> OneVisitConnection:
    connection = dialect.connect(*arguments, **options)
    return OneVisitConnection(connection.dbapi, connection.driver_connection)


def _engine(url: URL) -> AsyncEngine:
    engine = create_async_engine(
        url,
        connect_args={"isolation_level": None},
        poolclass=AsyncAdaptedQueuePool,
        pool_size=1,
        max_overflow=0,
        pool_timeout=None,  # waiting for a connection is not an error
        pool_reset_on_return=None,  # every transaction is ended by its owner
        hide_parameters=True,
    )
    event.listen(engine.sync_engine, "do_connect", _connect)
    event.listen(engine.sync_engine, "begin", _on_begin)
    return engine


def _on_begin(connection: Connection) -> None:
    if begin := connection.get_execution_options().get(BEGIN):
        connection.exec_driver_sql(begin)


def scrub(connection: Connection) -> None:
    """Empty the log."""
    connection.exec_driver_sql("PRAGMA wal_checkpoint(TRUNCATE)").all()


def gather_statistics(connection: Connection) -> None:
    """Tell SQLite how selective its indexes are, from samples; of a small file that would mislead it."""
    is_large = connection.exec_driver_sql("SELECT 1 FROM result LIMIT 1 OFFSET ?", (SMALL,)).first()
    if is_large is not None:
        connection.exec_driver_sql(f"PRAGMA analysis_limit={SAMPLES}").close()
        connection.exec_driver_sql("ANALYZE").close()


async def is_sound(file: Path) -> bool:
    """Search a file for damaged pages, in a thread and on a connection of its own: that reads all of it."""
    opened = list[sqlite3.Connection]()
    search = asyncio.ensure_future(asyncio.to_thread(_quick_check, file, opened))
    try:
        return await asyncio.shield(search)
    except asyncio.CancelledError:
        for connection in opened:
            with suppress(sqlite3.ProgrammingError):  # it has ended already
                connection.interrupt()
        await asyncio.wait({search})
        raise
    except sqlite3.DatabaseError as error:
        if is_damage(error):
            return False
        raise


def _quick_check(file: Path, opened: list[sqlite3.Connection]) -> bool:
    place = f"{file.absolute().as_uri()}?mode=ro"
    with closing(sqlite3.connect(place, uri=True, check_same_thread=False)) as connection:
        opened.append(connection)
        return bool(connection.execute("PRAGMA quick_check(1)").fetchone() == ("ok",))


@contextmanager
def free_to_rebuild(connection: Connection) -> Iterator[None]:
    """Let tables be rebuilt in a transaction, which foreign keys would forbid where there are rows."""
    connection.exec_driver_sql("PRAGMA foreign_keys=OFF")  # a transaction would ignore it
    try:
        connection.exec_driver_sql("BEGIN IMMEDIATE")
        yield
        connection.commit()
    finally:
        connection.rollback()
        connection.exec_driver_sql("PRAGMA foreign_keys=ON")


def _on_connect(connection: AdaptedConnection, _: object) -> None:
    connection.run_async(_prepare)


async def _prepare(driver: "aiosqlite.Connection") -> None:
    """Make SQLite patient, durable and strict."""
    await driver.execute_fetchall(f"PRAGMA busy_timeout={BUSY_MILLISECONDS}")
    await _write_ahead(driver)
    await driver.execute_fetchall("PRAGMA synchronous=FULL")
    await driver.execute_fetchall("PRAGMA secure_delete=ON")  # what is deleted is overwritten: see `scrub`
    await driver.execute_fetchall("PRAGMA foreign_keys=ON")


async def _write_ahead(driver: "aiosqlite.Connection") -> None:
    """Switch to write-ahead logging. SQLite does not wait here: two who switch a new file collide."""
    async with asyncio.timeout(BUSY_MILLISECONDS / 1000):
        while True:
            try:
                await driver.execute_fetchall("PRAGMA journal_mode=WAL")
            except sqlite3.OperationalError as error:
                if error.sqlite_errorcode != sqlite3.SQLITE_BUSY:
                    raise
                await asyncio.sleep(SWITCH_SECONDS)
            else:
                return
