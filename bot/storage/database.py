"""Opens and upgrades the database, and runs work on it: `read`, `write` and `report`.

Each calls a function with a session inside a transaction, and returns the function's result.
"""

import asyncio
from asyncio import Future
from collections.abc import Callable, Coroutine, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial, wraps
from itertools import groupby
from pathlib import Path
from types import MethodType
from typing import Any, Concatenate, Generic, ParamSpec, TypeVar

import sqlalchemy as sa
import structlog
from sqlalchemy.exc import DataError, DBAPIError, IntegrityError, SQLAlchemyError
from sqlalchemy.ext.asyncio import AsyncEngine
from sqlmodel import Session

from bot.storage.claim import Claim
from bot.storage.ended import Consequences
from bot.storage.health import DatabaseHealth, DatabaseUnreachableError
from bot.storage.known import GameKey, Known
from bot.storage.names import Newcomers
from bot.storage.postgresql import postgresql_engine
from bot.storage.progress import Progress, silent
from bot.storage.schema import Schema
from bot.storage.shares import share_sentence
from bot.storage.sqlite import (
    gather_sqlite_statistics,
    give_back_pages,
    is_sqlite_sound,
    read_in_thread,
    sqlite_for_everything,
    sqlite_for_reports,
)
from bot.storage.tallies import Uncounted, batches, count_servers
from bot.storage.trouble import DatabaseUnusableError, read_url, unusable
from bot.storage.upgrade import GAMES_COUNTED, Upgrade, check_tables, examine, find_upgrade, make_steps

T = TypeVar("T")
Item = TypeVar("Item")

log = structlog.get_logger()

# A write that changes nothing, to find out whether the database can be written to.
NO_CHANGE = sa.text("UPDATE alembic_version SET version_num = version_num")

# The key of PostgreSQL's advisory lock during an upgrade.
UPGRADING = 0x6475_7261_6B01

CLOSE_SECONDS = 5.0  # how long `close` waits for running reads
P = ParamSpec("P")
Own = TypeVar("Own", bound="Store")

Method = Callable[Concatenate[Own, Session, P], T]
Question = Callable[Concatenate[Own, P], Coroutine[Any, Any, T]]

# Reads or writes rows without other effects, as it runs again if its transaction was rolled back.
Work = Callable[[Session], T]


@dataclass(frozen=True, slots=True)
class Share(Generic[Item, T]):
    """One caller's item of a batch: the writes of one moment with the same `do` are executed together.

    `do` takes all items in order, and returns one result for each.
    """

    do: Callable[[Session, Sequence[Item]], Sequence[T]]
    item: Item

    def __call__(self, session: Session) -> T:
        """Runs `do` for this caller's item only."""
        [result] = self.do(session, [self.item])
        return result


# Errors caused by a single piece of work; after any other database error, nothing can be written now.
OWN_FAULT = (IntegrityError, DataError)


class Database:
    """The database of the bot: SQLite by default, PostgreSQL by its URL."""

    def __init__(self, url: str, schema: Schema) -> None:
        """Takes an SQLAlchemy URL, in which the driver may be left out, and the schema of the tables.

        Errors name no parameters, because errors are logged, and parameters contain hands and seeds.

        Raises:
            DatabaseUnusableError: The URL names no database, or one whose driver is not installed.
        """
        self.url = read_url(url)
        self.schema = schema
        self._health = DatabaseHealth(self.url)
        self._known = Known()
        self._asked = dict[Future[Any], Work[Any]]()
        self._writer: asyncio.Task[None] | None = None
        self._working = set[asyncio.Task[Any]]()

        if self._is_sqlite:
            self._engine = sqlite_for_everything(self.url)
            self._writing = self._engine.execution_options(durak_begin="BEGIN IMMEDIATE")
            self._read_only = self._engine.execution_options(durak_begin="BEGIN")
            self._reports = self._read_only if self.file is None else sqlite_for_reports(self.file)
        else:
            self._engine = postgresql_engine(self.url, pool_pre_ping=True)
            self._writing = self._engine
            self._read_only = self._engine.execution_options(isolation_level="REPEATABLE READ")
            self._reports = self._read_only

        server = None if self._is_sqlite else self._engine
        self._claim = Claim(self.file, server)

    @property
    def _is_sqlite(self) -> bool:
        return self.url.get_backend_name() == "sqlite"

    @property
    def file(self) -> Path | None:
        """The file of an SQLite database; None for one in memory or on a server."""
        name = self.url.database if self._is_sqlite else None
        return Path(name) if name and name != ":memory:" else None

    async def due(self) -> Upgrade:
        """Returns the work that `open` will do before the database can be used.

        Raises:
            DatabaseUnusableError: It cannot be opened or read, or was made by another version.
        """
        with self._usable():
            return await self._run_to_end(self._read_only, partial(find_upgrade, self.url))

    async def open(self, progress: Progress = silent) -> None:
        """Connects, upgrades the tables, and counts the games of servers without tallies.

        Raises:
            DatabaseUnusableError: It cannot be opened or read, or was made by another version.
        """
        with self._usable():
            upgrade = await self._run_to_end(self._engine, partial(self._bring_up_to_date, progress))
            await self._count(upgrade.servers, progress)
            self._health.note_opening()

    async def check_tables(self) -> None:
        """Checks that the database has no unknown tables, and that no move into it is unfinished.

        Raises:
            DatabaseUnusableError: It has unknown tables, or only a part of the moved rows.
        """
        with self._usable():
            await self._run_to_end(self._read_only, partial(check_tables, self.url, self.schema))

    async def examine(self) -> None:
        """Compares the tables with those of this version, column by column.

        Raises:
            DatabaseUnusableError: They differ.
        """
        with self._usable():
            await self._run_to_end(self._read_only, partial(examine, self.url, self.schema))

    def _bring_up_to_date(self, progress: Progress, connection: sa.Connection) -> Upgrade:
        if self._is_sqlite:  # needed to rebuild tables with rows; ignored inside a transaction
            connection.exec_driver_sql("PRAGMA foreign_keys=OFF")

        try:
            if self._is_sqlite:
                connection.exec_driver_sql("BEGIN IMMEDIATE")
            else:  # others may start at the same moment
                connection.execute(sa.select(sa.func.pg_advisory_xact_lock(UPGRADING)))

            upgrade = find_upgrade(self.url, connection)
            if upgrade.steps:
                make_steps(upgrade.steps, progress, connection)
                upgrade = find_upgrade(self.url, connection)

            if self._is_sqlite and connection.exec_driver_sql("PRAGMA application_id").scalar():
                connection.exec_driver_sql("PRAGMA application_id=0").close()  # no longer a backup

            connection.execute(NO_CHANGE)  # fails now if the file is read-only, not at the first press
            connection.commit()
        finally:
            connection.rollback()
            if self._is_sqlite:
                connection.exec_driver_sql("PRAGMA foreign_keys=ON")

        return upgrade

    async def _count(self, servers: Sequence[Uncounted], progress: Progress) -> None:
        """Counts the games of servers that were not counted, each batch in its own transaction."""
        total = sum(server.games for server in servers)
        done = 0

        for batch in batches(servers):
            progress(GAMES_COUNTED, done, total)
            numbers = [server.server for server in batch]
            await self.write(partial(count_servers, servers=numbers))
            done += sum(server.games for server in batch)

        if servers:
            progress(GAMES_COUNTED, done, total)

    async def claim(self) -> None:
        """Claims the database for this process until it is closed.

        Raises:
            DatabaseUnusableError: Another process has it, or it cannot be opened.
        """
        with self._usable():
            await self._claim.take()
        if self.file is not None and (why := share_sentence(self.file)) is not None:
            log.warning("database_on_a_share", why=why)

    async def keep_claim(self) -> None:
        """Holds the claim on the database until cancelled, renewing it if a server drops it.

        Raises:
            DatabaseUnusableError: A server dropped the claim, and another process holds it now.
        """
        await self._claim.keep()

    def on_claim_lost(self, suspend: Callable[[bool], None]) -> None:
        """Calls `suspend` with True when a server drops the claim, and with False once it is taken again."""

        def on_claim(is_lost: bool) -> None:
            self._known.clear()
            suspend(is_lost)

        self._claim.suspend = on_claim

    async def close(self) -> None:
        """Closes all connections once every pending write is on disk.

        Running reads get `CLOSE_SECONDS` to finish.
        """
        await self._settle()
        if self._working:
            await asyncio.wait(self._working, timeout=CLOSE_SECONDS)

        if not self._is_sqlite:
            await self._claim.release()  # first, as its connection is the engine's

        await self._engine.dispose()
        await self._reports.dispose()
        if self._is_sqlite:
            await self._claim.release()  # last, see `claim_file`

    async def is_healthy(self) -> bool:
        """Returns whether the database answers and, after a failure, can be written to again."""
        try:
            self._health.check()
            if self._health.is_damaged:
                return False

            if self._health.trouble is not None:
                await self.write(lambda session: session.connection().execute(NO_CHANGE).close())

            await self._read(self._read_only, _ping)
        except (SQLAlchemyError, OSError, DatabaseUnreachableError):
            return False

        return self._health.trouble is None

    @property
    def newcomers(self) -> Newcomers:
        """The people who were met while they had no row."""
        return self._known.newcomers

    @property
    def on_appointment(self) -> list[Callable[[], None]]:
        """Called after each commit that has added or changed appointments."""
        return self._known.on_appointment

    @property
    def on_result(self) -> list[Callable[[GameKey, Consequences], None]]:
        """Called after each commit with the results of a game, and with what that game changed."""
        return self._known.on_result

    @property
    def is_up(self) -> bool:
        """Whether the database is in reach, and no damage is known."""
        return self._health.trouble is None and not self._health.is_damaged

    @property
    def is_damaged(self) -> bool:
        """Whether damaged pages of an SQLite file have been found."""
        return self._health.is_damaged

    async def gather_statistics(self) -> None:
        """Updates the statistics of SQLite's query planner, which go out of date as the data grows."""
        if self._is_sqlite:  # PostgreSQL does so by itself
            with self._health.watched():
                await self._run_to_end(self._engine, gather_sqlite_statistics)

    async def search_for_damage(self) -> None:
        """Checks a whole SQLite file for damaged pages, without blocking reads and writes.

        Takes minutes for millions of games; call it once after a start.
        """
        if self.file is not None:
            self._health.note_search(is_sound=await is_sqlite_sound(self.file))

    async def scrub(self) -> None:
        """Removes deleted and overwritten rows from SQLite's files for good.

        The file is overwritten at once, but the log keeps older pages until it is truncated. PostgreSQL
        removes such rows by itself, some time later.
        """
        await self._settle()
        if self._is_sqlite:
            empty = "PRAGMA wal_checkpoint(TRUNCATE)"
            await self._run_to_end(self._engine, lambda connection: connection.exec_driver_sql(empty).all())

    async def shrink(self, pages: int) -> int:
        """Releases up to `pages` free pages of an SQLite file to the disk.

        Returns:
            How many pages were released; 0 for PostgreSQL, and for a file made by an early version.
        """
        if not self._is_sqlite:
            return 0

        await self._settle()
        with self._health.watched():
            return await self._run_to_end(self._engine, partial(give_back_pages, pages))

    async def read(self, work: Work[T]) -> T:
        """Runs `work` after all earlier writes, and returns its result; its own changes are not kept.

        Raises:
            DatabaseUnreachableError: The disk, the file or the server is unavailable at the moment.
        """
        await self._settle()
        return await self._read(self._read_only, work)

    async def write(self, work: Work[T]) -> T:
        """Runs `work`, and returns its result once all its changes are on disk.

        Writes that arrive at the same moment, or during another transaction, share a transaction, as each
        one waits for the disk. All changes of `work` are kept, or none. An error of `work` reaches only its
        own caller; a cancelled caller can't know the result.

        Raises:
            IntegrityError: A row has a key that is taken, or refers to a row that does not exist.
            DatabaseUnreachableError: The disk, the file or the server is unavailable at the moment.
        """
        with self._health.watched():
            self._claim.check()
            future: Future[T] = asyncio.get_running_loop().create_future()
            self._asked[future] = work
            if self._writer is None:
                self._writer = asyncio.create_task(self._write())

            result = await asyncio.shield(future)
            self._health.note_write()

        return result

    async def report(self, work: Work[T]) -> T:
        """Runs a slow `work` without blocking reads and writes, and returns its result.

        Raises:
            DatabaseUnreachableError: The disk, the file or the server is unavailable at the moment.
        """
        return await self._read(self._reports, work)

    async def report_aside(self, work: Work[T]) -> T:
        """Runs `work`, which may take long, in a thread on a separate connection, and returns its result.

        Raises:
            DatabaseUnreachableError: The disk, the file or the server is unavailable at the moment.
        """
        if self._is_sqlite and self.file is None:
            return await self.report(work)  # only its own connection sees a database in memory

        in_thread = partial(_read_only, work, Known())
        with self._health.watched():
            if self.file is not None:
                return await asyncio.to_thread(read_in_thread, self.file, in_thread)
            return await asyncio.to_thread(asyncio.run, self._report_in_thread(in_thread))

    async def _report_in_thread(self, work: Callable[[sa.Connection], T]) -> T:
        """Runs `work` on a server, in this thread's event loop."""
        engine = postgresql_engine(self.url, poolclass=sa.NullPool)
        return await self._run(engine.execution_options(isolation_level="REPEATABLE READ"), work)

    async def _read(self, engine: AsyncEngine, work: Work[T]) -> T:
        with self._health.watched():
            return await self._run_to_end(engine, partial(_read_only, work, self._known))

    async def _settle(self) -> None:
        """Waits until all pending writes are on disk or have failed."""
        if self._asked:
            await asyncio.wait(set(self._asked))

    async def _write(self) -> None:
        """Writes batches until the queue is empty, each a turn of the event loop later, to let it grow.

        For instance, the messages that show one change to several people are recorded within one turn.
        """
        try:
            while self._asked:
                await asyncio.sleep(0)
                batch = self._asked.copy()
                await self._write_together(batch)
                for future in batch:
                    del self._asked[future]
        except asyncio.CancelledError:
            self._end_waits()
            raise

        finally:
            self._writer = None

    def _end_waits(self) -> None:
        """Cancels the waits for pending work, as nobody will write it."""
        for future in self._asked:
            future.cancel()

        self._asked.clear()

    async def _write_together(self, batch: Mapping[Future[Any], Work[Any]]) -> None:
        def together(connection: sa.Connection) -> list[Any]:
            results = list[Any]()
            known = self._known.begin()
            with Session(connection, expire_on_commit=False, info=known.info) as session:
                for works in _in_runs(batch.values()):
                    results += _do(works, session)
                    session.flush()
                session.commit()
                known.publish()

            return results

        try:
            results = await self._run(self._writing, together)
        except Exception as error:
            self._known.clear()  # the commit may have succeeded nevertheless
            is_shared = isinstance(error, DBAPIError | OSError) and not isinstance(error, OWN_FAULT)
            if len(batch) > 1 and not is_shared:
                for future, work in batch.items():
                    await self._write_together({future: work})
            else:
                for future in batch:
                    future.set_exception(error)
        else:
            for future, result in zip(batch, results, strict=True):
                future.set_result(result)

    async def _run(self, engine: AsyncEngine, work: Callable[[sa.Connection], T]) -> T:
        async with engine.connect() as connection:
            return await connection.run_sync(work)

    async def _run_to_end(self, engine: AsyncEngine, work: Callable[[sa.Connection], T]) -> T:
        """Runs `work` on a connection, to its end even if the caller is cancelled."""
        running = asyncio.create_task(self._run(engine, work))
        self._working.add(running)
        running.add_done_callback(self._working.discard)
        return await asyncio.shield(running)

    @contextmanager
    def _usable(self) -> Iterator[None]:
        try:
            yield
        except Exception as error:
            if (problem := unusable(error, self.url)) is not None:
                raise DatabaseUnusableError(str(problem), is_passing=problem.is_passing) from error
            raise


def _in_runs(works: Iterable[Work[Any]]) -> Iterator[Sequence[Work[Any]]]:
    """Yields the works in order, grouping consecutive ones that can be done at once."""
    for _, run in groupby(works, key=lambda work: work.do if isinstance(work, Share) else work):
        yield list(run)


def _do(works: Sequence[Work[Any]], session: Session) -> Sequence[Any]:
    shares = [work for work in works if isinstance(work, Share)]
    if shares:
        return shares[0].do(session, [share.item for share in shares])
    return [work(session) for work in works]


def _ping(session: Session) -> None:
    session.connection().execute(sa.text("SELECT 1")).close()


def _read_only(work: Work[T], known: Known, connection: sa.Connection) -> T:
    with Session(connection, info=known.begin().info) as session:
        return work(session)


# --- Stores: queries as methods with a session ---


class Store:
    """Holds queries about one kind of rows, as methods that get a session from the decorators below."""

    def __init__(self, database: Database) -> None:
        self.database = database


def reads(method: Method[Own, P, T]) -> Question[Own, P, T]:
    """Runs a store's method with `Database.read`."""
    return _run("read", method)


def writes(method: Method[Own, P, T]) -> Question[Own, P, T]:
    """Runs a store's method with `Database.write`; it may run more than once."""
    return _run("write", method)


def reports(method: Method[Own, P, T]) -> Question[Own, P, T]:
    """Runs a store's method with `Database.report`."""
    return _run("report", method)


def _run(way: str, method: Method[Own, P, T]) -> Question[Own, P, T]:
    @wraps(method)
    async def ask(store: Own, /, *args: P.args, **kwargs: P.kwargs) -> T:
        result: T = await getattr(store.database, way)(
            lambda session: method(store, session, *args, **kwargs)
        )
        return result

    return ask


def writes_together(
    method: Callable[[Own, Session, Sequence[Item]], Sequence[T]],
) -> Callable[[Own, Item], Coroutine[Any, Any, T]]:
    """Runs a store's method with `Database.write`, once for all items written at the same moment."""

    @wraps(method)
    async def ask(store: Own, item: Item, /) -> T:
        return await store.database.write(Share(MethodType(method, store), item))

    return ask
