"""Adds backups to a folder, and keeps the newest of each of the last days and weeks."""

import os
import re
import shutil
import subprocess
from collections.abc import Callable, Hashable, Iterable
from datetime import UTC, datetime
from pathlib import Path

import sqlalchemy as sa

from bot.storage.backup import BackupFailedError, back_up, make_anew
from bot.storage.trouble import TLS_FILES, read_url

DAYS = 7  # how many days' newest backups are kept
WEEKS = 4  # how many weeks' newest backups are kept

STAMP = "%Y%m%d-%H%M%S"
NAME = re.compile(r"durak-(\d{8}-\d{6})\.(?:db|dump)")

NO_PG_DUMP = "`pg_dump` is not installed here: install PostgreSQL's client programs, of the server's version."


def back_up_into(url: str, folder: Path, keep: int = DAYS) -> Path:
    """Makes a backup in a folder and checks it; then removes the backups that need not be kept.

    Args:
        url: The database.
        folder: The folder, which is made if it's missing.
        keep: The number of days of which the newest backup is kept, besides weekly ones.

    Raises:
        BackupFailedError: The backup can't be made or isn't sound; nothing was removed.
    """
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    except OSError as error:
        raise BackupFailedError(f"The folder {folder} can't be made: {error.strerror}.") from error

    address = read_url(url)
    is_file = address.get_backend_name() == "sqlite"
    now = datetime.now(UTC)
    backup = folder / f"durak-{now:{STAMP}}.{'db' if is_file else 'dump'}"
    if is_file:
        back_up(url, backup)
    else:
        _dump(address, backup)

    for file in superfluous(folder.iterdir(), keep):
        file.unlink(missing_ok=True)

    return backup


def superfluous(files: Iterable[Path], days: int = DAYS, weeks: int = WEEKS) -> list[Path]:
    """Returns the backups that need not be kept; files with other names are left alone."""
    dates = {file: at for file in files if (at := made_at(file)) is not None}
    newest_first = sorted(dates, key=lambda file: dates[file], reverse=True)
    retained = {
        *_newest_of(newest_first, lambda file: dates[file].date(), days),
        *_newest_of(newest_first, lambda file: dates[file].isocalendar()[:2], weeks),
    }
    return [file for file in newest_first if file not in retained]


def made_at(file: Path) -> datetime | None:
    """Returns when a backup was made, by its name; None for other files."""
    match = NAME.fullmatch(file.name)
    if match is None:
        return None

    try:
        return datetime.strptime(match[1], STAMP).replace(tzinfo=UTC)
    except ValueError:
        return None


def newest_at(folder: Path) -> datetime | None:
    """Returns when the newest backup of a folder was made; None if there is none."""
    if not folder.is_dir():
        return None
    return max(filter(None, map(made_at, folder.iterdir())), default=None)


def _newest_of(newest_first: Iterable[Path], period: Callable[[Path], Hashable], number: int) -> list[Path]:
    """Returns the newest backup of each of the last `number` periods that have one."""
    files = dict[Hashable, Path]()
    for file in newest_first:
        files.setdefault(period(file), file)
    return list(files.values())[:number]


def _dump(url: sa.URL, file: Path) -> None:
    """Copies a PostgreSQL database with `pg_dump`, and checks that `pg_restore` can read the copy."""
    programs = [shutil.which(name) for name in ("pg_dump", "pg_restore")]
    if None in programs:
        raise BackupFailedError(NO_PG_DUMP)

    pg_dump, pg_restore = map(str, programs)

    unfinished = file.with_name(f"{file.name}.unfinished")
    try:
        make_anew(unfinished)
        _run([pg_dump, "--format=custom", f"--file={unfinished}", f"--dbname={url.database}"], url)
        _run([pg_restore, "--list", str(unfinished)], url)
        unfinished.rename(file)
    except OSError as error:
        raise BackupFailedError(f"{file} could not be written: {error.strerror}.") from error
    finally:
        unfinished.unlink(missing_ok=True)


def _run(command: list[str], url: sa.URL) -> None:
    """Runs a program of PostgreSQL; passes the address in the environment, which other users can't read."""
    host = url.host or url.query.get("host")
    variables = {
        "PGHOST": host,
        "PGPORT": url.port,
        "PGUSER": url.username,
        "PGPASSWORD": url.password,
        "PGSSLMODE": url.query.get("ssl"),
        **{f"PG{name.upper()}": url.query.get(name) for name in TLS_FILES},
    }
    environment = {name: str(value) for name, value in variables.items() if value is not None}

    ran = subprocess.run(  # noqa: S603 - our own words, and those of the owner's settings
        command, env=os.environ | environment, capture_output=True, text=True, check=False
    )

    if ran.returncode:
        last = (ran.stderr.strip() or "no reason was given").splitlines()[-1]
        raise BackupFailedError(f"`{Path(command[0]).name}` failed: {last}.")
