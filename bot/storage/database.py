"""The database: opened once, brought up to date, and three ways to work with it: read, write and report.

Each of them runs a function of a session, in a transaction of its own, and gives what the function returns.
"""

import asyncio
import sqlite3
from asyncio import Future
from collections import deque
from collections.abc import Awaitable, Callable, Coroutine, Iterator, Mapping
from contextlib import contextmanager
from functools import partial, wraps
from pathlib import Path
from typing import Any, Concatenate, ParamSpec, TypeVar

import aiosqlite
import sqlalchemy as sa
import structlog
from sqlalchemy.dialects.sqlite.aiosqlite import AsyncAdapt_aiosqlite_connection
from sqlalchemy.exc import DataError, DBAPIError, IntegrityError, SQLAlchemyError
from sqlalchemy.ext.asyncio import AsyncEngine, create_async_engine
from sqlmodel import Session

from bot.model.messages import AlreadyReportedError
from bot.storage.claim import Claim
from bot.storage.migrations import step_of, upgrade, why_unknown
from bot.storage.tallies import count_what_was_not_counted
from bot.storage.trouble import SQLITE_SAYS, DatabaseUnusableError, explained, is_damage, name_of, read_url

T = TypeVar("T")

log = structlog.get_logger()

# Something to write that changes nothing.
NO_CHANGE = sa.text("UPDATE alembic_version SET version_num = version_num")

# PostgreSQL's number for the lock that is held while the tables are brought up to date.
UPGRADING = 0x6475_7261_6B01

MAINTENANCE_SECONDS = 24 * 60 * 60.0
CLOSE_SECONDS = 5.0  # how long closing waits for what is still being read
P = ParamSpec("P")
Own = TypeVar("Own", bound="Store")

Method = Callable[Concatenate[Own, Session, P], T]
Question = Callable[Concatenate[Own, P], Coroutine[Any, Any, T]]

# Reads or writes rows, and changes nothing else: it is run again where the first attempt was undone.
Work = Callable[[Session], T]

# Errors of the database in what one work writes; after any other, nothing can be written now.
OWN_FAULT = (IntegrityError, DataError)


class Database:
    """Where everything is kept. SQLite by default, PostgreSQL by its URL."""

    def __init__(self, url: str) -> None:
        """Take the URL of a database, as SQLAlchemy reads it; the driver may be left out.

        Its errors are logged, so they name no parameters: those hold hands and seeds.

        Raises:
            DatabaseUnusableError: The URL names no database, or one whose driver is not installed.
        """
        self.url = read_url(url)
        self._reach = Reach(self.url)
        self._asked = dict[Future[Any], Work[Any]]()
        self._writer: asyncio.Task[None] | None = None
        self._working = set[asyncio.Task[Any]]()
        if self._is_sqlite:
            self._engine = sqlite_for_everything(self.url)
            self._writing = self._engine.execution_options(durak_begin="BEGIN IMMEDIATE")
            self._reading = self._engine.execution_options(durak_begin="BEGIN")
            self._reports = self._reading if self.file is None else sqlite_for_reports(self.file)
        else:
            self._engine = create_async_engine(self.url, pool_pre_ping=True, hide_parameters=True)
            self._writing = self._engine
            self._reading = self._engine.execution_options(isolation_level="REPEATABLE READ")
            self._reports = self._reading
        self._claim = Claim(self.file, None if self._is_sqlite else self._engine)

    @property
    def _is_sqlite(self) -> bool:
        return self.url.get_backend_name() == "sqlite"

    @property
    def file(self) -> Path | None:
        """Where everything is kept; None in memory, and on a server."""
        name = self.url.database if self._is_sqlite else None
        return Path(name) if name and name != ":memory:" else None

    async def open(self) -> None:
        """Connect, and bring the tables up to date.

        Raises:
            DatabaseUnusableError: It cannot be opened or read, or was made by another version.
        """
        with self._usable():
            await self._run_to_end(self._engine, self._bring_up_to_date)
            self._reach.opened()

    def _bring_up_to_date(self, connection: sa.Connection) -> None:
        if self._is_sqlite:  # so that tables with rows can be rebuilt; a transaction would ignore it
            connection.exec_driver_sql("PRAGMA foreign_keys=OFF")
        try:
            if self._is_sqlite:
                connection.exec_driver_sql("BEGIN IMMEDIATE")
            else:  # others may start at the same moment
                connection.execute(sa.select(sa.func.pg_advisory_xact_lock(UPGRADING)))
            if (step := step_of(connection)) and (why := why_unknown(step)):
                raise DatabaseUnusableError(f"{name_of(self.url)} {why}")
            upgrade(connection)
            with Session(connection) as session:
                count_what_was_not_counted(session)
                session.commit()
            connection.execute(NO_CHANGE)  # a file that may only be read is found out here, not by people
            connection.commit()
        finally:
            connection.rollback()
            if self._is_sqlite:
                connection.exec_driver_sql("PRAGMA foreign_keys=ON")

    async def claim(self) -> None:
        """Keep the database to this process until it is closed.

        Raises:
            DatabaseUnusableError: Another process has it, or it cannot be opened.
        """
        with self._usable():
            await self._claim.take()

    async def keep_claim(self) -> None:
        """Keep the claim on the database until cancelled.

        Raises:
            DatabaseUnusableError: A server had forgotten us, and another process has it by now.
        """
        await self._claim.keep()

    async def close(self) -> None:
        """Close all connections, once everything that was asked for is written.

        Of what is only read, a statement that hangs is not waited for.
        """
        await self._settle()
        if self._working:
            await asyncio.wait(self._working, timeout=CLOSE_SECONDS)
        if not self._is_sqlite:
            await self._claim.release()  # its connection is the engine's
        await self._engine.dispose()
        await self._reports.dispose()
        if self._is_sqlite:
            await self._claim.release()  # last, as `claim_file` says

    async def is_healthy(self) -> bool:
        """Whether the database answers, and can be written to if it lately could not."""
        try:
            self._reach.check()
            if self._reach.is_doubtful:
                await self.search_for_damage()
            if self._reach.is_damaged:
                return False
            if self._reach.trouble is not None:
                await self.write(lambda session: session.connection().execute(NO_CHANGE).close())
            await self._read(
                self._reading, lambda session: session.connection().execute(sa.text("SELECT 1")).close()
            )
        except (SQLAlchemyError, OSError, DatabaseUnreachableError):
            return False
        return True

    @property
    def is_damaged(self) -> bool:
        """Whether pages of an SQLite file are damaged, as far as was found out."""
        return self._reach.is_damaged

    async def maintain(self) -> None:
        """Search for damage once, and gather statistics for queries now and daily, until cancelled."""
        tasks = [self._gather_statistics, self.search_for_damage]
        while True:
            for task in tasks:
                try:
                    await task()
                except Exception:
                    log.exception("maintenance_failed")
            await asyncio.sleep(MAINTENANCE_SECONDS)
            tasks = [self._gather_statistics]

    async def _gather_statistics(self) -> None:
        if self._is_sqlite:  # a server does so by itself
            with self._reach.watched():
                await self._run_to_end(self._engine, gather_sqlite_statistics)

    async def search_for_damage(self) -> None:
        """Read a whole file in search of damaged pages, while others go on reading and writing.

        It is to be called once after a start, and takes minutes for millions of games.
        """
        if self.file is not None:
            self._reach.searched(is_sound=await is_sqlite_sound(self.file))

    async def scrub(self) -> None:
        """Leave nothing in SQLite's files of what was deleted or overwritten before.

        The file itself is overwritten at once, but its log keeps older pages until it is emptied. PostgreSQL
        does the like by itself, in its own time.
        """
        await self._settle()
        if self._is_sqlite:
            empty = "PRAGMA wal_checkpoint(TRUNCATE)"
            await self._run_to_end(self._engine, lambda connection: connection.exec_driver_sql(empty).all())

    async def read(self, work: Work[T]) -> T:
        """Return what `work` reads, after all that was to be written so far; what it changes is not kept.

        Raises:
            DatabaseUnreachableError: The disk, the file or the server is not there for us at the moment.
        """
        await self._settle()
        return await self._read(self._reading, work)

    async def write(self, work: Work[T]) -> T:
        """Return what `work` returns once everything that it has changed is on disk.

        It shares its transaction with what others ask for at the same moment, or while another transaction is
        under way: a disk takes its time for each. All that it changes is kept, or nothing; where it cannot be
        written, only its caller hears of it, and a caller who is cancelled does not know.

        Raises:
            IntegrityError: A row has a key that is taken, or names one that is not there.
            DatabaseUnreachableError: The disk, the file or the server is not there for us at the moment.
        """
        with self._reach.watched():
            written: Future[T] = asyncio.get_running_loop().create_future()
            self._asked[written] = work
            if self._writer is None:
                self._writer = asyncio.create_task(self._write())
            result = await asyncio.shield(written)
            self._reach.written()
        return result

    async def report(self, work: Work[T]) -> T:
        """Return what `work` finds out, which may take its time: others go on reading and writing.

        Raises:
            DatabaseUnreachableError: The disk, the file or the server is not there for us at the moment.
        """
        return await self._read(self._reports, work)

    async def report_aside(self, work: Work[T]) -> T:
        """Return what `work` finds out in a thread and on a connection of its own: it may compute for long.

        Raises:
            DatabaseUnreachableError: The disk, the file or the server is not there for us at the moment.
        """
        if self._is_sqlite and self.file is None:
            return await self.report(work)  # a database in memory is that of one connection
        with self._reach.watched():
            if self.file is not None:
                return await asyncio.to_thread(read_in_thread, self.file, partial(_reading, work))
            return await asyncio.to_thread(asyncio.run, self._report_in_thread(partial(_reading, work)))

    async def _report_in_thread(self, work: Callable[[sa.Connection], T]) -> T:
        """Report on a server, by the event loop of this thread."""
        engine = create_async_engine(self.url, poolclass=sa.NullPool, hide_parameters=True)
        return await self._run(engine.execution_options(isolation_level="REPEATABLE READ"), work)

    async def _read(self, engine: AsyncEngine, work: Work[T]) -> T:
        with self._reach.watched():
            return await self._run_to_end(engine, partial(_reading, work))

    async def _settle(self) -> None:
        """Wait until all that was to be written so far is on disk, or was refused."""
        if self._asked:
            await asyncio.wait(set(self._asked))

    async def _write(self) -> None:
        """Write until no more is asked for; it begins with the loop's next turn, as others may still come."""
        try:
            while self._asked:
                asked = self._asked.copy()
                await self._write_together(asked)
                for written in asked:
                    del self._asked[written]
        finally:
            self._writer = None

    async def _write_together(self, asked: Mapping[Future[Any], Work[Any]]) -> None:
        def together(connection: sa.Connection) -> list[Any]:
            results = []
            with Session(connection, expire_on_commit=False) as session:
                for work in asked.values():
                    results.append(work(session))
                    session.flush()
                session.commit()
            return results

        try:
            results = await self._run(self._writing, together)
        except Exception as error:
            is_shared = isinstance(error, DBAPIError | OSError) and not isinstance(error, OWN_FAULT)
            if len(asked) > 1 and not is_shared:
                for written, work in asked.items():
                    await self._write_together({written: work})
            else:
                for written in asked:
                    written.set_exception(error)
        else:
            for written, result in zip(asked, results, strict=True):
                written.set_result(result)

    async def _run(self, engine: AsyncEngine, work: Callable[[sa.Connection], T]) -> T:
        async with engine.connect() as connection:
            return await connection.run_sync(work)

    async def _run_to_end(self, engine: AsyncEngine, work: Callable[[sa.Connection], T]) -> T:
        """Run `work` on a connection, to its end even if the caller is cancelled."""
        running = asyncio.create_task(self._run(engine, work))
        self._working.add(running)
        running.add_done_callback(self._working.discard)
        return await asyncio.shield(running)

    @contextmanager
    def _usable(self) -> Iterator[None]:
        try:
            yield
        except Exception as error:
            if (why := explained(error, self.url)) is not None:
                raise DatabaseUnusableError(why) from error
            raise


def _reading(work: Work[T], connection: sa.Connection) -> T:
    with Session(connection) as session:
        return work(session)


# --- Stores: what is asked of a database, each question a method with a session ---


class Store:
    """Queries about one kind of rows: methods that one of the decorators below gives a session."""

    def __init__(self, database: Database) -> None:
        self.database = database


def reads(method: Method[Own, P, T]) -> Question[Own, P, T]:
    """Run a method of a store by `Database.read`."""
    return _run("read", method)


def writes(method: Method[Own, P, T]) -> Question[Own, P, T]:
    """Run a method of a store by `Database.write`; like all such work it may be run again."""
    return _run("write", method)


def reports(method: Method[Own, P, T]) -> Question[Own, P, T]:
    """Run a method of a store by `Database.report`."""
    return _run("report", method)


def _run(way: str, method: Method[Own, P, T]) -> Question[Own, P, T]:
    @wraps(method)
    async def ask(store: Own, /, *args: P.args, **kwargs: P.kwargs) -> T:
        result: T = await getattr(store.database, way)(
            lambda session: method(store, session, *args, **kwargs)
        )
        return result

    return ask


# --- Whether a database can be used while the bot runs: disks fill up, files are deleted, servers go away ---


DELETED = "was deleted while the bot ran: put the file back or restore a backup, and start the bot again"
REPLACED = "was replaced while the bot ran: start the bot again, and it goes on with what is there now"


SUSPICIOUS = 3  # unexplained errors after which a file is searched for damage


class DatabaseUnreachableError(AlreadyReportedError):
    """The database cannot be used at the moment; nothing was written. The log says why, once."""


class DatabaseDamagedError(DatabaseUnreachableError):
    """Pages of the database are damaged, so what was asked for cannot be had before a backup is restored."""


class Reach:
    """Tells the log once when a database gets out of reach, and once when it is back.

    Attributes:
        trouble: What keeps the database from working, in a sentence; None while it works.
        is_damaged: Whether pages are damaged; only a search of the whole file says that they are not.
        is_doubtful: Whether such a search would say something new.
    """

    def __init__(self, url: sa.URL) -> None:
        self._url = url
        self._file: Path | None = None
        self._identity: tuple[int, int] | None = None
        self._unexplained = 0
        self.trouble: str | None = None
        self.is_damaged = False
        self.is_doubtful = False

    def opened(self) -> None:
        """Remember which file was opened: who writes to a deleted one loses everything at the end."""
        file = Path(self._url.database or "")
        if self._url.get_backend_name() == "sqlite" and file.is_file():
            self._file, self._identity = file, _identity(file)

    def check(self) -> None:
        """See that the file is still the one that was opened.

        Raises:
            DatabaseUnreachableError: It is not.
        """
        if self._file is None or (found := _identity(self._file)) == self._identity:
            return
        why = f"{name_of(self._url)} {DELETED if found is None else REPLACED}."
        self._note(why)
        raise DatabaseUnreachableError(why)

    @contextmanager
    def watched(self) -> Iterator[None]:
        """Check the file, and say of an error in what is done with it whether the database is out of reach.

        Raises:
            DatabaseUnreachableError: It is.
        """
        self.check()
        try:
            yield
        except Exception as error:
            if is_damage(error):
                self.is_doubtful = self.is_doubtful or not self.is_damaged
                self.is_damaged = True
            why = explained(error, self._url)
            if why is None and isinstance(error, DBAPIError) and not isinstance(error, IntegrityError):
                self._unexplained += 1
                self.is_doubtful = self.is_doubtful or self._unexplained % SUSPICIOUS == 0
                why = self.trouble if self.is_damaged else None
            if why is None:
                raise
            self._note(why)
            raise (DatabaseDamagedError if self.is_damaged else DatabaseUnreachableError)(why) from error

    def written(self) -> None:
        """Record a successful write: all is well, unless other pages are damaged."""
        if self.trouble is not None and not self.is_damaged:
            self.trouble = None
            log.info("database_in_reach_again")

    def searched(self, *, is_sound: bool) -> None:
        """Record what a search for damage has found."""
        self.is_doubtful, self.is_damaged = False, not is_sound
        if is_sound:
            self.written()
        else:
            self._note(f"{name_of(self._url)} {SQLITE_SAYS[sqlite3.SQLITE_CORRUPT]}.")

    def _note(self, why: str) -> None:
        if self.trouble is None:
            log.error("database_out_of_reach", why=why)
        self.trouble = why


def _identity(file: Path) -> tuple[int, int] | None:
    """Return what tells a file from another one of the same name; None when there is none."""
    try:
        found = file.stat()
    except OSError:
        return None
    return found.st_dev, found.st_ino


# --- An SQLite file, or one in memory: one connection for all, which does one thing at a time, as SQLite
#     has one writer anyway, and a queue here is fairer than the lock of its file ---


BUSY_MILLISECONDS = 10_000  # how long SQLite waits for another process that writes
SWITCH_SECONDS = 0.02  # the pause before another attempt to switch a file that another process is switching

# With no more results than that, SQLite does well without statistics, which would soon be out of date.
SMALL = 20_000

SAMPLES = 1000  # how many rows of each index are sampled for statistics


def sqlite_for_everything(url: sa.URL) -> AsyncEngine:
    """Return the engine that brings a database up to date; it begins no transactions by itself."""
    engine = _sqlite_engine(url)
    sa.event.listen(engine.sync_engine, "connect", lambda adapted, _: adapted.run_async(_prepare_sqlite))
    return engine


def address_of(file: Path) -> str:
    """Return an SQLite file as a URI, to which options can be added."""
    return file.absolute().as_uri()


def sqlite_for_reports(file: Path) -> AsyncEngine:
    """Return an engine that only reads a file; the log of the file lets it be read during writes."""
    read_only = {"mode": "ro", "uri": "true"}
    url = sa.URL.create("sqlite+aiosqlite", database=address_of(file), query=read_only)
    return _sqlite_engine(url).execution_options(durak_begin="BEGIN")


def read_in_thread(file: Path, work: Callable[[sa.Connection], T]) -> T:
    """Return what `work` reads on a connection of this thread's own."""
    query = {"mode": "ro", "uri": "true"}
    url = sa.URL.create("sqlite", database=address_of(file), query=query)
    with sa.create_engine(url, poolclass=sa.NullPool, hide_parameters=True).connect() as connection:
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

    def __init__(self, connection: sa.AdaptedConnection) -> None:
        self._connection = connection
        self._rows = deque[Any]()

    def execute(self, statement: str, parameters: Any = ()) -> None:
        """Execute a statement, and fetch its rows."""
        self._connection.run_async(lambda driver: self._visit(driver.execute(statement, parameters)))

    def executemany(self, statement: str, parameters: Any) -> None:
        """Execute a statement with each of these parameters."""
        self._connection.run_async(lambda driver: self._visit(driver.executemany(statement, parameters)))

    async def _visit(self, executed: Awaitable[aiosqlite.Cursor]) -> None:
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


def _connect_sqlite(dialect: Any, _: object, arguments: Any, options: Any) -> OneVisitConnection:
    connection = dialect.connect(*arguments, **options)
    return OneVisitConnection(connection.dbapi, connection.driver_connection)


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
    sa.event.listen(engine.sync_engine, "do_connect", _connect_sqlite)
    sa.event.listen(engine.sync_engine, "begin", _on_begin)
    return engine


def _on_begin(connection: sa.Connection) -> None:
    # The driver begins no transactions, as it would begin them too late. One that will write begins as a
    # writer: a reader that becomes one would fail if another was faster.
    if begin := connection.get_execution_options().get("durak_begin"):
        connection.exec_driver_sql(begin)


def gather_sqlite_statistics(connection: sa.Connection) -> None:
    """Tell SQLite how selective its indexes are, from samples; of a small file that would mislead it."""
    is_large = connection.exec_driver_sql("SELECT 1 FROM result LIMIT 1 OFFSET ?", (SMALL,)).first()
    if is_large is not None:
        connection.exec_driver_sql(f"PRAGMA analysis_limit={SAMPLES}").close()
        connection.exec_driver_sql("ANALYZE").close()


async def is_sqlite_sound(file: Path) -> bool:
    """Search a file for damaged pages, in a thread and on a connection of its own: that reads all of it."""
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
    """Make SQLite patient, durable and strict; it writes ahead to a log."""
    await driver.execute_fetchall(f"PRAGMA busy_timeout={BUSY_MILLISECONDS}")
    async with asyncio.timeout(BUSY_MILLISECONDS / 1000):
        while True:
            try:
                await driver.execute_fetchall("PRAGMA journal_mode=WAL")
                break
            except sqlite3.OperationalError as error:
                # SQLite does not wait here: two who switch a new file collide.
                if error.sqlite_errorcode != sqlite3.SQLITE_BUSY:
                    raise
                await asyncio.sleep(SWITCH_SECONDS)
    await driver.execute_fetchall("PRAGMA synchronous=FULL")
    await driver.execute_fetchall("PRAGMA secure_delete=ON")  # what is deleted is overwritten: see `scrub`
    await driver.execute_fetchall("PRAGMA foreign_keys=ON")
