"""Claims a database for one process: two bots on the same one would each act on their own memory."""

import asyncio
import os
import sys
from collections.abc import Callable
from contextlib import ExitStack, suppress
from pathlib import Path

import sqlalchemy as sa
import structlog
from filelock import FileLock, Timeout
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine

from bot.storage.postgresql import refuse_pooler
from bot.storage.trouble import DatabaseUnusableError, name_of

if sys.platform == "linux":
    import fcntl

log = structlog.get_logger()

BESIDE = ("", "-wal", "-shm")  # the endings of the files of one SQLite database
OWNER_ONLY = 0o600  # the mode of every file that holds hands, names or links
CHECK_SECONDS = 5.0  # between two checks of the claim on PostgreSQL
RETRY_SECONDS = 0.5  # between two attempts to take a lost claim again
ANSWER_TIMEOUT = 5.0  # seconds; a server without an answer is out of reach
PLAYING = 0x6475_7261_6B02  # PostgreSQL's number for the lock that a running bot holds
OWN_SESSION = sa.text("SELECT pid, backend_start AS began FROM pg_stat_activity WHERE pid = pg_backend_pid()")

# Ends exactly one session, and no later one with the same pid; returns no row if it is gone.
END_SESSION = sa.text(
    "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE pid = :pid AND backend_start = :began"
)

IN_USE = (
    "is in use by another process of this bot: end that one first, or give this one a database of its own."
)


LOST = (
    "cannot be used until this bot has it to itself again: its server dropped the claim, and another process "
    "may have taken it"
)


def claim_file(file: Path, *, make: bool = False) -> ExitStack:
    """Locks a database file until the stack is closed, or the process ends.

    The lock file beside the database works on every system, even before the database exists. But it could be
    deleted, and a database can have several names, so on Linux the database itself is also locked. Release
    that lock after closing SQLite's connections: closing a file drops all of SQLite's locks on it in this
    process.

    Args:
        file: The database, by any of its names.
        make: Create the file if it is missing, and make it and its log accessible to the owner only.

    Raises:
        DatabaseUnusableError: Another process has it.
    """
    place = file.resolve()
    if not place.parent.is_dir():  # the lock would create it
        raise FileNotFoundError(place.parent)

    with ExitStack() as locks:
        beside = FileLock(place.with_name(f"{place.name}.lock"), thread_local=False)
        try:
            beside.acquire(timeout=0)
            locks.callback(beside.release)
            if make:
                os.close(os.open(place, os.O_RDONLY | os.O_CREAT, OWNER_ONLY))
                keep_private(place)

            if place.exists():
                _lock_itself(place, locks)
        except (Timeout, BlockingIOError):
            raise DatabaseUnusableError(f"The database {file} {IN_USE}", is_passing=True) from None

        return locks.pop_all()


def keep_private(database: Path) -> None:
    """Makes a database and its log accessible to their owner only, unless they belong to another user."""
    for end in BESIDE:
        with suppress(OSError):
            database.with_name(database.name + end).chmod(OWNER_ONLY)


def _lock_itself(file: Path, locks: ExitStack) -> None:
    if sys.platform != "linux":  # elsewhere such a lock would also keep SQLite out
        return

    descriptor = os.open(file, os.O_RDONLY)
    locks.callback(os.close, descriptor)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        raise
    except OSError as error:  # the file system has no such locks
        log.debug("file_not_locked", error=type(error).__name__)


class Claim:
    """A running bot's claim on a database; one in memory needs none."""

    def __init__(self, file: Path | None, server: AsyncEngine | None) -> None:
        """Claims an SQLite file, or the database of a server."""
        self._path = file
        self._server = server
        self._file: ExitStack | None = None
        self._connection: AsyncConnection | None = None
        self._driver: object | None = None
        self._session: sa.RowMapping | None = None
        self._dropped = asyncio.Event()  # set while the server has dropped the claim
        self.suspend: Callable[[bool], None] = lambda _: None

    async def take(self) -> None:
        """Claims the database for this process.

        Raises:
            DatabaseUnusableError: Another process has it.
        """
        if self._path is not None:
            self._file = claim_file(self._path, make=True)
        if self._server is not None:
            await self._take_on_server(self._server)

    def check(self) -> None:
        """Refuses work while another process may have the database.

        Raises:
            DatabaseUnusableError: The claim is lost.
        """
        if self._dropped.is_set() and self._server is not None:
            raise DatabaseUnusableError(f"{name_of(self._server.url)} {LOST}.", is_passing=True)

    async def keep(self) -> None:
        """Holds the claim on a server until cancelled, and takes it again as soon as it is lost.

        A server drops the claim when it restarts, or when the connection that holds it breaks. Until the bot
        has the claim again it writes and sends nothing, as another process may be at work.

        Raises:
            DatabaseUnusableError: Another process has it by now.
        """
        if self._server is None:
            await asyncio.Event().wait()
            return

        while True:
            with suppress(TimeoutError):
                async with asyncio.timeout(CHECK_SECONDS):
                    await self._dropped.wait()

            if await self._is_held():
                continue

            self._drop()
            await self._take_again(self._server)
            if self._connection is None:
                await asyncio.sleep(RETRY_SECONDS)

    async def release(self) -> None:
        """Releases the database for other processes."""
        if self._file is not None:
            self._file.close()
        self._driver = None
        if self._connection is not None:
            await self._connection.close()

    async def _take_on_server(self, server: AsyncEngine) -> None:
        connection = await server.connect()
        try:
            # The connection stays open, without a transaction.
            await connection.execution_options(isolation_level="AUTOCOMMIT")
            if not (await connection.execute(sa.select(sa.func.pg_try_advisory_lock(PLAYING)))).scalar():
                raise DatabaseUnusableError(f"{name_of(server.url)} {IN_USE}", is_passing=True)

            self._session = (await connection.execute(OWN_SESSION)).mappings().one()
            await refuse_pooler(server, self._session["pid"])

            driver = (await connection.get_raw_connection()).driver_connection
            if driver is not None:
                driver.add_termination_listener(self._note_end)

            self._driver = driver
            self._connection = connection
            self._dropped.clear()
            self.suspend(False)
        finally:
            if self._connection is not connection:
                await connection.close()

    def _note_end(self, driver: object) -> None:
        """Stops all work at once when the connection that holds the claim ends, unless the bot closed it."""
        if driver is self._driver:
            self._drop()

    def _drop(self) -> None:
        if not self._dropped.is_set():
            self._dropped.set()
            self.suspend(True)

    async def _is_held(self) -> bool:
        if self._connection is None:
            return False

        try:
            async with asyncio.timeout(ANSWER_TIMEOUT):
                await self._connection.execute(sa.select(1))
        except Exception as error:  # after any error, the claim is lost with the connection
            log.warning("claim_lost", error=type(error).__name__)
            connection = self._connection
            self._connection = None
            with suppress(Exception):
                await connection.invalidate()

            return False

        return True

    async def _take_again(self, server: AsyncEngine) -> None:
        try:
            async with asyncio.timeout(ANSWER_TIMEOUT):
                async with server.connect() as connection:
                    ending = await connection.execute(END_SESSION, dict(self._session or {}))
                    if ending.first() is not None:
                        return  # the session that we lost was alive; it has been terminated

                await self._take_on_server(server)
        except DatabaseUnusableError:
            raise
        except Exception as error:  # the server cannot be reached yet
            log.debug("claim_not_taken", error=type(error).__name__)
        else:
            log.info("claim_taken_again")
