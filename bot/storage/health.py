"""Watches a database while the bot runs: disks fill up, files are deleted, servers go away."""

import math
import sqlite3
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import sqlalchemy as sa
import structlog
from sqlalchemy.exc import DBAPIError

from bot.model.messages import AlreadyReportedError
from bot.storage.trouble import SQLITE_SAYS, explained, is_damage, name_of

log = structlog.get_logger()

DELETED = "was deleted while the bot ran: put the file back or restore a backup, and start the bot again"
REPLACED = "was replaced while the bot ran: start the bot again, and it goes on with what is there now"

# A full disk still accepts single writes while the log has room. So an outage that recurs within
# `RECURRENCE_SECONDS` is over only once nothing has failed for `STEADY_SECONDS`.
RECURRENCE_SECONDS = 60.0
STEADY_SECONDS = 10.0


class DatabaseUnreachableError(AlreadyReportedError):
    """The database can't be used at the moment; nothing was written. The log has the reason, once."""


class DatabaseDamagedError(DatabaseUnreachableError):
    """Pages of the database are damaged; their rows are lost until a backup is restored."""


class DatabaseHealth:
    """Logs when a database goes out of reach and when it is back; at most twice each if that alternates.

    Attributes:
        trouble: The reason why the database does not work, in a sentence; None while it works.
        is_damaged: Whether pages are damaged; only a search of the whole file proves that they aren't.
    """

    def __init__(self, url: sa.URL) -> None:
        self._url = url
        self._file: Path | None = None
        self._identity: tuple[int, int] | None = None
        self.trouble: str | None = None
        self.is_damaged = False
        self._failed_at = -math.inf
        self._recovered_at = -math.inf
        self._is_recurring = False

    def note_opening(self) -> None:
        """Records which file was opened, so that `check` notices if it is deleted or replaced.

        Anything written to such a file is lost when the bot stops.
        """
        file = Path(self._url.database or "")
        if self._url.get_backend_name() == "sqlite" and file.is_file():
            self._file = file
            self._identity = _identity(file)

    def check(self) -> None:
        """Checks that the path is still the file that was opened.

        Raises:
            DatabaseUnreachableError: It is not.
        """
        if self._file is None:
            return

        identity = _identity(self._file)
        if identity == self._identity:
            return

        fate = DELETED if identity is None else REPLACED
        why = f"{name_of(self._url)} {fate}."
        self._report(why)

        raise DatabaseUnreachableError(why)

    @contextmanager
    def watched(self) -> Iterator[None]:
        """Marks the database unreachable if the block fails because of the file or the server.

        Raises:
            DatabaseUnreachableError: The block failed for such a reason.
        """
        self.check()
        try:
            yield
        except Exception as error:
            if is_damage(error):
                self.is_damaged = True

            why = explained(error, self._url)
            if why is None and self.is_damaged and isinstance(error, DBAPIError):
                why = self.trouble

            if why is None:
                raise

            self._report(why)
            kind = DatabaseDamagedError if self.is_damaged else DatabaseUnreachableError
            raise kind(why) from error

    def note_write(self) -> None:
        """Records a successful write, which ends an outage unless pages are damaged or it keeps recurring."""
        if self.trouble is None or self.is_damaged:
            return

        now = time.monotonic()
        if self._is_recurring and now - self._failed_at < STEADY_SECONDS:
            return

        self.trouble = None
        self._recovered_at = now
        log.info("database_in_reach_again")

    def note_search(self, *, is_sound: bool) -> None:
        """Records the result of a search for damage."""
        self.is_damaged = not is_sound
        if is_sound:
            self.note_write()
        else:
            self._report(f"{name_of(self._url)} {SQLITE_SAYS[sqlite3.SQLITE_CORRUPT]}.")

    def _report(self, why: str) -> None:
        now = time.monotonic()
        if self.trouble is None:
            self._is_recurring = now - self._recovered_at < RECURRENCE_SECONDS
            log.error("database_out_of_reach", why=why)

        self._failed_at = now
        self.trouble = why


def _identity(file: Path) -> tuple[int, int] | None:
    """Returns a key that distinguishes a file from a later one of the same name; None if there is none."""
    try:
        status = file.stat()
    except OSError:
        return None
    return status.st_dev, status.st_ino
