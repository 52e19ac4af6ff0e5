"""Whether a database can be used while the bot runs: disks fill up, files are deleted, servers go away."""

import sqlite3
from pathlib import Path

import structlog
from sqlalchemy import URL
from sqlalchemy.exc import DBAPIError, IntegrityError

from bot.model.messages import AlreadyReportedError
from bot.storage.trouble import SQLITE_SAYS, explained, is_damage, name_of

log = structlog.get_logger()

DELETED = "was deleted while the bot ran: put the file back or restore a backup, and start the bot again"
REPLACED = "was replaced while the bot ran: start the bot again, and it goes on with what is there now"


SUSPICIOUS = 3
"""Unexplained errors after which a file is searched for damage."""


class DatabaseUnreachableError(AlreadyReportedError):
    """The database cannot be used at the moment; nothing was written. The log says why, once."""


class DatabaseDamagedError(DatabaseUnreachableError):
    """Pages of the database are damaged, so what was asked for cannot be had before a backup is restored."""


class Reach:
    """Tells the log once when a database gets out of reach, and once when it is back.

    Attributes:
        trouble: What keeps the database from working, in a sentence; None while it works.
        is_damaged: Whether pages are damaged; only a search of the whole file says that they are not.
        is_doubtful: Whether such a search would say something new.
    """

    def __init__(self, url: URL) -> None:
        self._url = url
        self._file: Path | None = None
        self._identity: tuple[int, int] | None = None
        self._unexplained = 0
        self.trouble: str | None = None
        self.is_damaged = False
        self.is_doubtful = False

    def opened(self) -> None:
        """Remember which file was opened: who writes to a deleted one loses everything at the end."""
        file = Path(self._url.database or "")
        if self._url.get_backend_name() == "sqlite" and file.is_file():
            self._file, self._identity = file, _identity(file)

    def check(self) -> None:
        """See that the file is still the one that was opened.

        Raises:
            DatabaseUnreachableError: It is not.
        """
        if self._file is None or (found := _identity(self._file)) == self._identity:
            return
        why = f"{name_of(self._url)} {DELETED if found is None else REPLACED}."
        self._note(why)
        raise DatabaseUnreachableError(why)

    def failed(self, error: Exception) -> DatabaseUnreachableError | None:
        """Record an error; None when it does not say that the database is out of reach."""
        if is_damage(error):
            self.is_doubtful = self.is_doubtful or not self.is_damaged
            self.is_damaged = True
        why = explained(error, self._url)
        if why is None and isinstance(error, DBAPIError) and not isinstance(error, IntegrityError):
            self._unexplained += 1
            self.is_doubtful = self.is_doubtful or self._unexplained % SUSPICIOUS == 0
            why = self.trouble if self.is_damaged else None
        if why is None:
            return None
        self._note(why)
        return (DatabaseDamagedError if self.is_damaged else DatabaseUnreachableError)(why)

    def written(self) -> None:
        """Record a successful write: all is well, unless other pages are damaged."""
        if self.trouble is not None and not self.is_damaged:
            self.trouble = None
            log.info("database_in_reach_again")

    def searched(self, *, is_sound: bool) -> None:
        """Record what a search for damage has found."""
        self.is_doubtful, self.is_damaged = False, not is_sound
        if is_sound:
            self.written()
        else:
            self._note(f"{name_of(self._url)} {SQLITE_SAYS[sqlite3.SQLITE_CORRUPT]}.")

    def _note(self, why: str) -> None:
        if self.trouble is None:
            log.error("database_out_of_reach", why=why)
        self.trouble = why


def _identity(file: Path) -> tuple[int, int] | None:
    """Return what tells a file from another one of the same name; None when there is none."""
    try:
        found = file.stat()
    except OSError:
        return None
    return found.st_dev, found.st_ino
