"""Inspects a database without changing or claiming it, also while the bot runs."""

import os
import sqlite3
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import sqlalchemy as sa

from bot.storage.claim import BESIDE
from bot.storage.migrations import newest_step, step_of, why_unknown
from bot.storage.postgresql import PID, postgresql_engine, refuse_pooler
from bot.storage.schema import Schema
from bot.storage.shares import share_sentence
from bot.storage.sqlite import is_sqlite_sound, read_in_thread
from bot.storage.trouble import SQLITE_SAYS, DatabaseUnusableError, name_of, read_url, unusable
from bot.storage.upgrade import examine


@dataclass(frozen=True, slots=True)
class Inspection:
    """The state of a database that can be used.

    Attributes:
        name: The database, without its password.
        file: The file of an SQLite database.
        step: The step of its tables; None: they will be made at the first start.
        size: Its size in bytes, with its log.
        warning: A sentence on a danger; empty if there is none.
    """

    name: str
    file: Path | None
    step: str | None
    size: int
    warning: str = ""


async def inspect(address: str, schema: Schema) -> Inspection:
    """Returns the state of a database; searches all of an SQLite file for damage.

    Raises:
        DatabaseUnusableError: It cannot be reached, read or written, is damaged, or has other tables.
    """
    url = read_url(address)
    try:
        if url.get_backend_name() == "sqlite":
            return await _of_file(url, schema)
        return await _of_server(url, schema)
    except Exception as error:
        problem = unusable(error, url)
        if problem is None:
            raise
        raise DatabaseUnusableError(str(problem), is_passing=problem.is_passing) from error


async def _of_file(url: sa.URL, schema: Schema) -> Inspection:
    file = Path(url.database or "")
    _check_rights(file, url)
    warning = share_sentence(file) or ""
    files = _files(file)
    if file not in files:
        return Inspection(name_of(url), file, None, 0, warning)
    if not await is_sqlite_sound(file):
        raise DatabaseUnusableError(f"{name_of(url)} {SQLITE_SAYS[sqlite3.SQLITE_CORRUPT]}.")

    step = read_in_thread(file, partial(_step, url, schema))
    size = sum(file.stat().st_size for file in files)
    return Inspection(name_of(url), file, step, size, warning)


def _check_rights(file: Path, url: sa.URL) -> None:
    if not file.parent.is_dir():
        raise FileNotFoundError(file.parent)

    paths = [file.parent, file] if file.exists() else [file.parent]
    if not all(os.access(path, os.W_OK) for path in paths):
        raise DatabaseUnusableError(f"{name_of(url)} {SQLITE_SAYS[sqlite3.SQLITE_READONLY]}.")


async def _of_server(url: sa.URL, schema: Schema) -> Inspection:
    engine = postgresql_engine(url, poolclass=sa.NullPool)
    async with engine.connect() as connection:
        pid = (await connection.execute(PID)).scalar_one()
        await connection.rollback()  # a pooler assigns a session for one transaction
        await refuse_pooler(engine, pid)
        step = await connection.run_sync(partial(_step, url, schema))
        size = (await connection.execute(sa.text("SELECT pg_database_size(current_database())"))).scalar_one()

    return Inspection(name_of(url), None, step, int(size))


def _step(url: sa.URL, schema: Schema, connection: sa.Connection) -> str | None:
    """Returns the step of the tables; None if there are none.

    Raises:
        DatabaseUnusableError: The tables are of another version, or differ from the models.
    """
    step = step_of(connection)
    if step is None:
        return None
    if (why := why_unknown(step)) is not None:
        raise DatabaseUnusableError(f"{name_of(url)} {why}")

    if step == newest_step():
        examine(url, schema, connection)

    return step


def _files(file: Path) -> list[Path]:
    """Returns the existing files of an SQLite database."""
    files = [file.with_name(file.name + end) for end in BESIDE]
    return [file for file in files if file.exists()]
