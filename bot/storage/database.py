"""The database: opened once, brought up to date, and three ways to work with it: read, write and report.

Each of them runs a function of a session, in its own transaction, and passes its result on.
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
from bot.storage.health import DatabaseHealth, DatabaseUnreachableError
from bot.storage.known import Known
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

# Something to write that changes nothing.
NO_CHANGE = sa.text("UPDATE alembic_version SET version_num = version_num")

# PostgreSQL's number for the lock that is held while the tables are brought up to date.
UPGRADING = 0x6475_7261_6B01

CLOSE_SECONDS = 5.0  # the time that reads get to finish at the end
P = ParamSpec("P")
Own = TypeVar("Own", bound="Store")

Method = Callable[Concatenate[Own, Session, P], T]
Question = Callable[Concatenate[Own, P], Coroutine[Any, Any, T]]

# Reads or writes rows, and changes nothing else: it is run again where the first attempt was undone.
Work = Callable[[Session], T]


@dataclass(frozen=True, slots=True)
class Share(Generic[Item, T]):
    """One caller's share in a piece of work that is done at once for all who ask for it at the same moment.

    `do` takes the items of all of them, in their order, and returns a result for each.
    """

    do: Callable[[Session, Sequence[Item]], Sequence[T]]
    item: Item

    def __call__(self, session: Session) -> T:
        """Does the work for this caller alone."""
        [result] = self.do(session, [self.item])
        return result


# Errors that concern one piece of work alone; after any other, nothing can be written now.
OWN_FAULT = (IntegrityError, DataError)


class Database:
    """The database of the bot: SQLite by default, PostgreSQL by its URL."""

    def __init__(self, url: str, schema: Schema) -> None:
        """Takes the URL of a database, as SQLAlchemy reads it, and its tables; the driver may be left out.

        Its errors are logged, so they name no parameters: those hold hands and seeds.

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
        """The file of an SQLite database; None in memory, and on a server."""
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
        """Connects, and brings the tables up to date; counting is taken up again where it was interrupted.

        Raises:
            DatabaseUnusableError: It cannot be opened or read, or was made by another version.
        """
        with self._usable():
            upgrade = await self._run_to_end(self._engine, partial(self._bring_up_to_date, progress))
            await self._count(upgrade.servers, progress)
            self._health.note_opening()

    async def check_tables(self) -> None:
        """Checks that there are no tables but ours, with all their rows.

        Raises:
            DatabaseUnusableError: There are others, or rows are still to be moved there.
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
        if self._is_sqlite:  # so that tables with rows can be rebuilt; a transaction would ignore it
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
                connection.exec_driver_sql("PRAGMA application_id=0").close()  # it is a backup no longer

            connection.execute(NO_CHANGE)  # a file that may only be read is found out here, not by people
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
        """Keeps the database to this process until it is closed.

        Raises:
            DatabaseUnusableError: Another process has it, or it cannot be opened.
        """
        with self._usable():
            await self._claim.take()
        if self.file is not None and (why := share_sentence(self.file)) is not None:
            log.warning("database_on_a_share", why=why)

    async def keep_claim(self) -> None:
        """Keeps the claim on the database until cancelled.

        Raises:
            DatabaseUnusableError: A server had forgotten us, and another process has it by now.
        """
        await self._claim.keep()

    def on_claim_lost(self, suspend: Callable[[bool], None]) -> None:
        """Calls `suspend` with True when a server drops the claim, and with False once it is taken again."""

        def on_claim(is_lost: bool) -> None:
            self._known.clear()
            suspend(is_lost)

        self._claim.suspend = on_claim

    async def close(self) -> None:
        """Closes all connections, once every pending write is on disk.

        A read that hangs isn't waited for.
        """
        await self._settle()
        if self._working:
            await asyncio.wait(self._working, timeout=CLOSE_SECONDS)

        if not self._is_sqlite:
            await self._claim.release()  # its connection is the engine's

        await self._engine.dispose()
        await self._reports.dispose()
        if self._is_sqlite:
            await self._claim.release()  # last, see `claim_file`

    async def is_healthy(self) -> bool:
        """Returns whether the database answers, and can be written to if it lately could not."""
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
        """The people who were met while nothing was on record about them."""
        return self._known.newcomers

    @property
    def on_appointment(self) -> list[Callable[[], None]]:
        """Called after each commit that has added or changed appointments."""
        return self._known.on_appointment

    @property
    def is_up(self) -> bool:
        """Whether the last attempts to use it succeeded, and no damage is known."""
        return self._health.trouble is None and not self._health.is_damaged

    @property
    def is_damaged(self) -> bool:
        """Whether pages of an SQLite file are damaged, as far as was found out."""
        return self._health.is_damaged

    async def gather_statistics(self) -> None:
        """Gathers the statistics by which queries are planned; they grow old with the data."""
        if self._is_sqlite:  # a server does so by itself
            with self._health.watched():
                await self._run_to_end(self._engine, gather_sqlite_statistics)

    async def search_for_damage(self) -> None:
        """Checks a whole file for damaged pages, while others keep reading and writing.

        It is to be called once after a start, and takes minutes for millions of games.
        """
        if self.file is not None:
            self._health.note_search(is_sound=await is_sqlite_sound(self.file))

    async def scrub(self) -> None:
        """Removes deleted and overwritten rows from SQLite's files for good.

        The file itself is overwritten at once, but its log keeps older pages until it is emptied. PostgreSQL
        does the like by itself, in its own time.
        """
        await self._settle()
        if self._is_sqlite:
            empty = "PRAGMA wal_checkpoint(TRUNCATE)"
            await self._run_to_end(self._engine, lambda connection: connection.exec_driver_sql(empty).all())

    async def shrink(self, pages: int) -> int:
        """Gives up to so many free pages of an SQLite file back to the disk.

        Returns:
            The number of those pages; 0 for a file that was made by an earlier version, and for a server.
        """
        if not self._is_sqlite:
            return 0

        await self._settle()
        with self._health.watched():
            return await self._run_to_end(self._engine, partial(give_back_pages, pages))

    async def read(self, work: Work[T]) -> T:
        """Returns the result of `work`, after all earlier writes; its own changes are not kept.

        Raises:
            DatabaseUnreachableError: The disk, the file or the server is not there for us at the moment.
        """
        await self._settle()
        return await self._read(self._read_only, work)

    async def write(self, work: Work[T]) -> T:
        """Returns the result of `work` once all its changes are on disk.

        It shares its transaction with the writes of the same moment, and with those that arrive while another
        transaction is under way: a disk takes its time for each. All its changes are kept, or none; a failure
        reaches its own caller only, and a cancelled caller can't know the result.

        Raises:
            IntegrityError: A row has a key that is taken, or names one that is not there.
            DatabaseUnreachableError: The disk, the file or the server is not there for us at the moment.
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
        """Returns the result of a slow `work`, while others keep reading and writing.

        Raises:
            DatabaseUnreachableError: The disk, the file or the server is not there for us at the moment.
        """
        return await self._read(self._reports, work)

    async def report_aside(self, work: Work[T]) -> T:
        """Returns the result of `work` in a thread and on a separate connection, as it may take long.

        Raises:
            DatabaseUnreachableError: The disk, the file or the server is not there for us at the moment.
        """
        if self._is_sqlite and self.file is None:
            return await self.report(work)  # a database in memory is that of one connection

        in_thread = partial(_read_only, work, Known())
        with self._health.watched():
            if self.file is not None:
                return await asyncio.to_thread(read_in_thread, self.file, in_thread)
            return await asyncio.to_thread(asyncio.run, self._report_in_thread(in_thread))

    async def _report_in_thread(self, work: Callable[[sa.Connection], T]) -> T:
        """Reports on a server, by the event loop of this thread."""
        engine = postgresql_engine(self.url, poolclass=sa.NullPool)
        return await self._run(engine.execution_options(isolation_level="REPEATABLE READ"), work)

    async def _read(self, engine: AsyncEngine, work: Work[T]) -> T:
        with self._health.watched():
            return await self._run_to_end(engine, partial(_read_only, work, self._known))

    async def _settle(self) -> None:
        """Waits until all pending writes are on disk, or were refused."""
        if self._asked:
            await asyncio.wait(set(self._asked))

    async def _write(self) -> None:
        """Writes until the queue is empty, always a turn of the loop later, as others may still come.

        What one change shows to several people is noted for each of them within such a turn.
        """
        try:
            while self._asked:
                await asyncio.sleep(0)
                batch = self._asked.copy()
                await self._write_together(batch)
                for future in batch:
                    del self._asked[future]
        finally:
            self._writer = None

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
            self._known.clear()  # a commit may have arrived all the same
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
    """Yields the works in their order, those that follow one another and can be done at once together."""
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
    """Queries about one kind of rows: methods that one of the decorators below gives a session."""

    def __init__(self, database: Database) -> None:
        self.database = database


def reads(method: Method[Own, P, T]) -> Question[Own, P, T]:
    """Runs a method of a store by `Database.read`."""
    return _run("read", method)


def writes(method: Method[Own, P, T]) -> Question[Own, P, T]:
    """Runs a method of a store by `Database.write`; like all such work it may be run again."""
    return _run("write", method)


def reports(method: Method[Own, P, T]) -> Question[Own, P, T]:
    """Runs a method of a store by `Database.report`."""
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
    """Runs a method of a store by `Database.write`, once for all items of the same moment."""

    @wraps(method)
    async def ask(store: Own, item: Item, /) -> T:
        return await store.database.write(Share(MethodType(method, store), item))

    return ask
