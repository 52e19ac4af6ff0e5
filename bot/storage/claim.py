"""Keeps a database to one process: of two bots on one, each would act on what it remembers."""

from contextlib import AsyncExitStack
from pathlib import Path

from filelock import FileLock, Timeout
from sqlalchemy import func, select
from sqlalchemy.ext.asyncio import AsyncEngine

from bot.storage.trouble import DatabaseUnusableError, name_of

PLAYING = 0x6475_7261_6B02
"""PostgreSQL's number for the lock that a running bot holds."""

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


async def claim(engine: AsyncEngine, stack: AsyncExitStack) -> None:
    """Keep a database to this process until `stack` ends; one in memory is nobody else's anyway.

    Raises:
        DatabaseUnusableError: Another process has it.
    """
    if engine.dialect.name == "sqlite":
        file = engine.url.database
        if file and file != ":memory:":
            stack.callback(claim_file(Path(file)).release)
        return
    connection = await stack.enter_async_context(engine.connect())
    await connection.execution_options(
        isolation_level="AUTOCOMMIT"
    )  # it is to stay open, without a transaction
    if not (await connection.execute(select(func.pg_try_advisory_lock(PLAYING)))).scalar():
        raise DatabaseUnusableError(f"{name_of(engine.url)} {IN_USE}")
