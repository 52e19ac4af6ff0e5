"""Makes backups of an SQLite file while the bot runs, and restores them while it does not.

Copying the file is not enough, because the newest games are still in the write-ahead log beside it.
"""

import os
import shutil
import sqlite3
from collections.abc import Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from zlib import crc32

import sqlalchemy as sa

from bot.storage.claim import BESIDE, OWNER_ONLY, claim_file
from bot.storage.migrations import why_unknown
from bot.storage.progress import Progress, silent
from bot.storage.trouble import explained, read_url

PAGES = 2_000  # how many pages are copied between two reports
BUSY_TIMEOUT = 10.0  # seconds to wait for a bot that is writing


class BackupFailedError(Exception):
    """Nothing was changed; the message is one sentence for the owner."""


@dataclass(frozen=True, slots=True)
class Contents:
    """The content of a database: its step, and the numbers of tables opened and of games finished."""

    step: str
    tables: int
    games: int


def back_up(url: str, copy: Path, progress: Progress = silent) -> Contents:
    """Copies the database to a new file, as it is at this moment, and checks the copy by opening it.

    Raises:
        BackupFailedError: There is no such database, the copy cannot be written, or is not sound.
    """
    source = _file_of(url, "pg_dump")
    if not source.is_file():
        raise BackupFailedError(f"There is no database {source}: DURAK_DATABASE_URL says where it is.")
    if copy.exists():
        raise BackupFailedError(f"{copy} is there already: name a file that is not.")
    if not copy.parent.is_dir():
        raise BackupFailedError(f"There is no folder {copy.parent}: make it, or name another file.")

    unfinished = copy.with_name(f"{copy.name}.unfinished")
    try:
        make_anew(unfinished)
        with closing(_connect(source)) as bot, closing(sqlite3.connect(unfinished)) as backup:
            bot.backup(backup, pages=PAGES, progress=partial(_note_pages, progress))
            backup.execute("PRAGMA journal_mode=DELETE")  # all in one file

        summary = contents(unfinished)
        _seal(unfinished)
        unfinished.rename(copy)
    except (sqlite3.Error, OSError) as error:
        why = why_unwritten(error, source)
        raise BackupFailedError(f"{copy} could not be written: {why}") from error
    finally:
        unfinished.unlink(missing_ok=True)

    return summary


def make_anew(file: Path) -> None:
    """Creates an empty file that only its owner can read, replacing any file or link of that name."""
    file.unlink(missing_ok=True)
    os.close(os.open(file, os.O_CREAT | os.O_EXCL | os.O_WRONLY, OWNER_ONLY))


def why_unwritten(error: sqlite3.Error | OSError, source: Path) -> str:
    """Returns the reason why a copy of a database could not be written.

    If a disk is full, it is that of the copy.
    """
    if getattr(error, "sqlite_errorcode", None) == sqlite3.SQLITE_FULL:
        return "its disk is full, so make room there."
    return explained(error, sa.URL.create("sqlite", database=str(source))) or f"{error}."


def restore(url: str, backup: Path) -> Path | None:
    """Replaces the database by a backup; returns where the previous one is kept, if there was one.

    Ids that the previous one assigned are not reused, as buttons still in the chats contain them.

    Raises:
        BackupFailedError: The file is not a sound backup of this version or an older one, or copying fails.
        DatabaseUnusableError: The bot runs.
    """
    file = _file_of(url, "pg_restore")
    database = file.resolve() if file.is_symlink() else file  # a link stays one
    if not database.parent.is_dir():
        raise BackupFailedError(
            f"There is no folder {database.parent}: make it, or correct DURAK_DATABASE_URL."
        )

    lock = claim_file(file)
    fresh = database.with_name(f"{database.name}.unfinished")
    try:
        contents(backup)
        make_anew(fresh)
        shutil.copyfile(backup, fresh)
        _write_seal(fresh, UNSEALED)
        _skip_numbers(fresh, _numbers_given(database))
        old_file = _put_aside(database)
        os.replace(fresh, database)  # atomically
    except OSError as error:
        raise BackupFailedError(f"{backup} could not be put in place: {error.strerror}.") from error
    except sqlite3.Error as error:
        raise BackupFailedError(f"{backup} could not be put in place: {error}.") from error
    finally:
        fresh.unlink(missing_ok=True)
        lock.close()

    return old_file


NEWEST_NUMBERS = "SELECT name, seq FROM sqlite_sequence"
RAISE_NUMBER = "UPDATE sqlite_sequence SET seq = max(seq, :newest) WHERE name = :name"
FIRST_NUMBER = (
    "INSERT INTO sqlite_sequence SELECT name, :newest FROM sqlite_master"
    " WHERE name = :name AND sql LIKE '%AUTOINCREMENT%' AND name NOT IN (SELECT name FROM sqlite_sequence)"
)


def _numbers_given(database: Path) -> Sequence[Mapping[str, str | int]]:
    """Returns the newest id of each table that reuses none; nothing if the database can't be read."""
    if not database.exists():
        return ()

    try:
        with closing(_connect(database)) as connection:
            return [{"name": name, "newest": newest} for name, newest in connection.execute(NEWEST_NUMBERS)]
    except sqlite3.Error:
        return ()


def _skip_numbers(database: Path, numbers: Sequence[Mapping[str, str | int]]) -> None:
    """Makes a database assign ids only after these."""
    with closing(_connect(database)) as connection, connection:
        connection.executemany(FIRST_NUMBER, numbers)
        connection.executemany(RAISE_NUMBER, numbers)


def contents(file: Path) -> Contents:
    """Checks a backup, and returns what it contains.

    Raises:
        BackupFailedError: It is not a sound database of this version or an older one.
    """
    if not file.is_file():
        raise BackupFailedError(f"There is no file {file}.")

    try:
        with closing(_connect(file)) as connection:
            if connection.execute("PRAGMA integrity_check(1)").fetchone() != ("ok",):
                raise BackupFailedError(f"{file} is damaged: take another backup.")

            (step,) = connection.execute("SELECT version_num FROM alembic_version").fetchone()
            (tables,) = connection.execute("SELECT count(*) FROM card_table").fetchone()
            (games,) = connection.execute("SELECT count(*) FROM result WHERE seat = 0").fetchone()
    except (sqlite3.Error, TypeError) as error:
        raise BackupFailedError(
            f"{file} holds no games of this bot: it is another file, or a plain copy without its log."
        ) from error

    if (why := why_unknown(step)) is not None:
        raise BackupFailedError(f"{file} {why}")
    if not _is_as_sealed(file):
        raise BackupFailedError(f"{file} is damaged, as some of its bytes were changed: take another backup.")

    return Contents(step, tables, games)


def _note_pages(progress: Progress, _: int, remaining: int, total: int) -> None:
    progress("pages copied", total - remaining, total)


def _file_of(url: str, instead: str) -> Path:
    address = read_url(url)
    if address.get_backend_name() != "sqlite":
        raise BackupFailedError(
            f"DURAK_DATABASE_URL names a PostgreSQL database: use `{instead}` for that one."
        )

    return Path(address.database or "")


# SQLite has no checksums, so a changed byte in a row goes unnoticed. A backup keeps the checksum of all its
# other bytes in the four of its header that are left to applications (`PRAGMA application_id`).
SEAL_OFFSET = 68
SEAL_SIZE = 4
UNSEALED = 0
CHUNK_BYTES = 2**20


def _seal(file: Path) -> None:
    """Writes the checksum of a backup into it."""
    _write_seal(file, UNSEALED)
    _write_seal(file, _checksum(file))


def _is_as_sealed(file: Path) -> bool:
    """Returns whether a backup matches its seal; True if it has none."""
    with file.open("rb") as stream:
        stream.seek(SEAL_OFFSET)
        seal = int.from_bytes(stream.read(SEAL_SIZE))
    return seal in {UNSEALED, _checksum(file)}


def _write_seal(file: Path, seal: int) -> None:
    with file.open("r+b") as stream:
        stream.seek(SEAL_OFFSET)
        stream.write(seal.to_bytes(SEAL_SIZE))
        stream.flush()
        os.fsync(stream.fileno())


def _checksum(file: Path) -> int:
    """Returns a checksum of all bytes but the seal; never `UNSEALED`."""
    with file.open("rb") as stream:
        checksum = crc32(stream.read(SEAL_OFFSET))
        stream.seek(SEAL_OFFSET + SEAL_SIZE)
        while chunk := stream.read(CHUNK_BYTES):
            checksum = crc32(chunk, checksum)

    return checksum or 1


def _connect(file: Path) -> sqlite3.Connection:
    """Opens an existing file."""
    return sqlite3.connect(f"{file.absolute().as_uri()}?mode=rw", uri=True, timeout=BUSY_TIMEOUT)


def _put_aside(database: Path) -> Path | None:
    """Renames a database and its log in their folder; returns the new name, None if there is none."""
    if not database.exists():
        return None

    now = datetime.now(UTC)
    old_file = database.with_name(f"{database.stem}-before-{now:%Y%m%d-%H%M%S}{database.suffix}")
    for end in BESIDE:
        file = database.with_name(database.name + end)
        if file.exists():
            file.rename(old_file.with_name(old_file.name + end))

    return old_file
