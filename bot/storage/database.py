"""The database: opened once, brought up to date, one session for each piece of work."""

import asyncio
from collections.abc import AsyncIterator, Callable, Iterator, Mapping, Sequence
from contextlib import AbstractAsyncContextManager, asynccontextmanager, contextmanager
from pathlib import Path
from typing import Any, TypeVar

from sqlalchemy import Connection, event, func, select, text
from sqlalchemy.exc import SQLAlchemyError
from sqlalchemy.ext.asyncio import AsyncEngine, create_async_engine
from sqlmodel.ext.asyncio.session import AsyncSession

from bot.storage.claim import Claim
from bot.storage.group_commit import GroupCommit
from bot.storage.migrations import newer_version, newest_step, upgrade
from bot.storage.prepared import Done, Prepared, Rows, Step, execute
from bot.storage.reach import DatabaseUnreachableError, Reach
from bot.storage.sqlite_connection import READS, SqliteConnection, check, free_to_rebuild, sound
from bot.storage.sqlite_reports import SqliteReports
from bot.storage.tallies import count_what_was_not_counted
from bot.storage.trouble import DatabaseUnusableError, explained, is_damage, name_of, read_url

NO_CHANGE = "UPDATE alembic_version SET version_num = version_num"
"""Something to write that changes nothing."""

UPGRADING = 0x6475_7261_6B01
"""PostgreSQL's number for the lock that whoever brings the tables up to date holds meanwhile."""

T = TypeVar("T")


class Database:
    """Where everything is kept. SQLite by default, PostgreSQL by its URL."""

    def __init__(self, url: str) -> None:
        """Name the database: an SQLAlchemy URL; what it says of a driver may be missing for PostgreSQL.

        Its errors are logged, so they name no parameters: those hold hands and seeds.

        Raises:
            DatabaseUnusableError: The URL names no database, or one whose driver is not installed.
        """
        self.url = read_url(url)
        self._reach = Reach(self.url)
        self._closing: set[asyncio.Future[None]] = set()
        self._sqlite = SqliteConnection(url) if url.startswith("sqlite") else None
        self._reports = None if self.file is None else SqliteReports(self.file)
        self._engine = (
            create_async_engine(self.url, pool_pre_ping=True, hide_parameters=True)
            if self._sqlite is None
            else self._sqlite.engine
        )
        self._claim = Claim(self._engine)
        self._reading_engine = self._engine.execution_options(**{READS: True})
        self._group_commit = GroupCommit(self._transaction if self._sqlite is None else self._sqlite.write)

    @property
    def file(self) -> Path | None:
        """Where everything is kept; None in memory, and on a server."""
        name = self.url.database if self._sqlite is not None else None
        return Path(name) if name and name != ":memory:" else None

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
            await self._claim.take()
        except Exception as error:
            if (why := explained(error, self.url)) is not None:
                raise DatabaseUnusableError(why) from error
            raise

    async def keep_claim(self) -> None:
        """See to it that the database stays with this process, until cancelled.

        Raises:
            DatabaseUnusableError: A server had forgotten us, and another process has it by now.
        """
        await self._claim.keep()

    async def _open(self) -> None:
        async with (
            self._engine.connect() as connection,
            free_to_rebuild(connection),
            connection.begin(),
        ):
            if connection.dialect.name == "postgresql":  # others may start at the same moment
                await connection.execute(select(func.pg_advisory_xact_lock(UPGRADING)))
            else:
                await check(connection)
            if newer := await connection.run_sync(newer_version):
                raise DatabaseUnusableError(
                    f"{name_of(self.url)} was made by a newer version: {newer}; this one knows "
                    f"{newest_step()}, so install that version again, or restore an older backup."
                )
            await connection.run_sync(upgrade)
            await connection.run_sync(count_what_was_not_counted)
            # A file that may only be read is found out here, not by people.
            await connection.execute(text(NO_CHANGE))

    async def close(self) -> None:
        """Let go of all connections.

        Somebody may have been cancelled in the middle of a statement. Its worker thread finishes it, closes
        the file and reports to this loop, which therefore waits for it.
        """
        await self._group_commit.settle()
        if self._closing:
            await asyncio.wait(list(self._closing))
        if self._sqlite is None:
            await self._claim.release()  # its connection is the engine's
            await self._engine.dispose()
        else:
            await self._engine.dispose()
            await self._sqlite.end()
            await self._claim.release()  # last, as `claim_file` says

    async def is_healthy(self) -> bool:
        """Whether the database answers, and can be written to if it lately could not."""
        try:
            self._reach.check()
            if self._reach.is_doubtful:
                self._reach.searched(is_sound=await self._is_sound())
            if self._reach.is_damaged:
                return False
            if self._reach.trouble is not None:
                await self._try_to_write()
            async with self._engine.connect() as connection:
                reading = await connection.execution_options(**{READS: True})
                await reading.execute(text("SELECT 1"))
        except (SQLAlchemyError, OSError, DatabaseUnreachableError):
            return False
        return True

    @property
    def is_damaged(self) -> bool:
        """Whether pages of an SQLite file are damaged; `is_healthy` searches it after errors."""
        return self._reach.is_damaged

    async def _is_sound(self) -> bool:
        """Search a file for damaged pages, beside everybody who plays."""
        try:
            return self._reports is None or await self._reports.ask(sound)
        except SQLAlchemyError as error:
            return not is_damage(error)

    async def _try_to_write(self) -> None:
        async with self.session() as session:
            await (await session.connection()).execute(text(NO_CHANGE))
            await session.commit()

    async def scrub(self) -> None:
        """Leave nothing in SQLite's files of what was deleted or overwritten before.

        The file itself is overwritten at once, but its log keeps older pages until it is emptied. PostgreSQL
        does the like by itself, in its own time.
        """
        if self._sqlite is not None:
            await self._sqlite.scrub()

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

    async def report(self, work: Callable[[Connection], T]) -> T:
        """Return what `work` makes of a long question, while everybody else goes on: nothing is written.

        With an SQLite file it runs in a thread of its own, so it may also take its time to count.

        Raises:
            DatabaseUnreachableError: The disk, the file or the server is not there for us at the moment.
        """
        with self._within_reach():
            if self._reports is not None:
                return await self._reports.ask(work)
            async with self._reading_engine.connect() as connection:
                return await connection.run_sync(work)

    async def rows(self, question: Prepared, values: Mapping[str, Any]) -> Rows:
        """Return what a prepared question finds; SQLite's thread is asked once.

        Raises:
            DatabaseUnreachableError: The disk, the file or the server is not there for us at the moment.
        """
        with self._within_reach():
            if self._sqlite is not None:
                return (await self._sqlite.read((question, values))).rows
            async with self._reading_engine.connect() as connection:
                return (await connection.execute(question.on(connection.dialect.name), values)).all()

    async def write(self, *steps: Step) -> list[Done]:
        """Execute prepared statements, all of them or none.

        What others write at the same moment shares the transaction, and SQLite's thread is asked once for
        all of it. Whoever is cancelled meanwhile leaves no transaction open; what was asked may have been
        done.

        Raises:
            IntegrityError: A row has a key that is taken, or names one that is not there.
            DatabaseUnreachableError: The disk, the file or the server is not there for us at the moment.
        """
        with self._within_reach():
            done = await self._group_commit.write(*steps)
            self._reach.written()
        return done

    async def settle(self) -> None:
        """Wait until all that was to be written so far is on disk, or was refused."""
        await self._group_commit.settle()

    async def _transaction(self, steps: Sequence[Step]) -> list[Done]:
        async with self.session() as session:
            done = await execute(session, *steps)
            await session.commit()
        return done

    @asynccontextmanager
    async def _session(self, engine: AsyncEngine) -> AsyncIterator[AsyncSession]:
        with self._within_reach():
            session = AsyncSession(engine, expire_on_commit=False)
            if self._reach.trouble is not None:
                event.listen(session.sync_session, "after_commit", lambda _: self._reach.written())
            try:
                yield session
            finally:
                closing = asyncio.ensure_future(session.close())
                self._closing.add(closing)
                closing.add_done_callback(self._closing.discard)
                await asyncio.shield(closing)

    @contextmanager
    def _within_reach(self) -> Iterator[None]:
        self._reach.check()
        try:
            yield
        except Exception as error:
            if (out_of_reach := self._reach.failed(error)) is None:
                raise
            raise out_of_reach from error
