"""Keeps a database to one process: of two bots on one, each would act on what it remembers."""

import asyncio
from contextlib import suppress
from pathlib import Path

import structlog
from filelock import FileLock, Timeout
from sqlalchemy import RowMapping, func, select, text
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine

from bot.storage.trouble import DatabaseUnusableError, name_of

log = structlog.get_logger()

LOOK_SECONDS = 5.0
"""Seconds between two looks whether PostgreSQL still knows of the claim."""

LONGEST_ANSWER = 5.0
"""Seconds after which a server that does not answer is out of reach."""

PLAYING = 0x6475_7261_6B02
"""PostgreSQL's number for the lock that a running bot holds."""

OWN_SESSION = text("SELECT pid, backend_start AS began FROM pg_stat_activity WHERE pid = pg_backend_pid()")

END_SESSION = text(
    "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE pid = :pid AND backend_start = :began"
)
"""Ends one session and no later one with its number; without an answer if there is no such session."""

IN_USE = (
    "is in use by another process of this bot: end that one first, or give this one a database of its own."
)


def lock_beside(file: Path) -> Path:
    """Return the file whose lock says that a bot runs on a database file; it may stay behind."""
    return file.with_name(f"{file.name}.lock")


def claim_file(file: Path) -> FileLock:
    """Lock a database file until the lock is released, or the process ends in whatever way.

    Raises:
        DatabaseUnusableError: Another process has it.
    """
    if not file.parent.is_dir():  # the lock would make it
        raise FileNotFoundError(file.parent)
    lock = FileLock(lock_beside(file), thread_local=False)
    try:
        lock.acquire(timeout=0)
    except Timeout:
        raise DatabaseUnusableError(f"The database {file} {IN_USE}") from None
    return lock


class Claim:
    """A running bot's hold on a database; one in memory is nobody else's anyway."""

    def __init__(self, engine: AsyncEngine) -> None:
        self._engine = engine
        self._file_lock: FileLock | None = None
        self._connection: AsyncConnection | None = None
        self._session: RowMapping | None = None

    async def take(self) -> None:
        """Keep the database to this process.

        Raises:
            DatabaseUnusableError: Another process has it.
        """
        if self._engine.dialect.name == "sqlite":
            file = self._engine.url.database
            if file and file != ":memory:":
                self._file_lock = claim_file(Path(file))
        else:
            await self._take_on_server()

    async def keep(self) -> None:
        """See until cancelled that a server still knows of the claim, and take it anew when it does not.

        A server forgets it when it restarts, or when the connection breaks that holds the claim.

        Raises:
            DatabaseUnusableError: Another process has it by now.
        """
        while self._session is not None:
            await asyncio.sleep(LOOK_SECONDS)
            if not await self._is_held():
                await self._take_again()

    async def release(self) -> None:
        """Let others have the database."""
        if self._file_lock is not None:
            self._file_lock.release()
        if self._connection is not None:
            await self._connection.close()

    async def _take_on_server(self) -> None:
        connection = await self._engine.connect()
        try:
            # It is to stay open, without a transaction.
            await connection.execution_options(isolation_level="AUTOCOMMIT")
            if not (await connection.execute(select(func.pg_try_advisory_lock(PLAYING)))).scalar():
                raise DatabaseUnusableError(f"{name_of(self._engine.url)} {IN_USE}")
            self._session = (await connection.execute(OWN_SESSION)).mappings().one()
            self._connection = connection
        finally:
            if self._connection is not connection:
                await connection.close()

    async def _is_held(self) -> bool:
        if self._connection is None:
            return False
        try:
            async with asyncio.timeout(LONGEST_ANSWER):
                await self._connection.execute(select(1))
        except Exception as error:  # whatever it is, the claim is gone with the connection
            log.warning("claim_lost", error=type(error).__name__)
            connection, self._connection = self._connection, None
            with suppress(Exception):
                await connection.invalidate()
            return False
        return True

    async def _take_again(self) -> None:
        try:
            async with asyncio.timeout(LONGEST_ANSWER):
                if not await self._is_ended():
                    return
                await self._take_on_server()
        except DatabaseUnusableError:
            raise
        except Exception as error:  # the server cannot be reached yet
            log.debug("claim_not_taken", error=type(error).__name__)
        else:
            log.info("claim_taken_again")

    async def _is_ended(self) -> bool:
        """Whether the server has ended the session that we lost; if not, it is told to."""
        async with self._engine.connect() as connection:
            return (await connection.execute(END_SESSION, dict(self._session or {}))).first() is None
