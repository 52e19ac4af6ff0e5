"""Whether a database can be used while the bot runs: disks fill up, files are deleted, servers go away."""

from pathlib import Path

import structlog
from sqlalchemy import URL

from bot.model.messages import AlreadyReportedError
from bot.storage.trouble import explained, name_of

log = structlog.get_logger()

DELETED = "was deleted while the bot ran: put the file back or restore a backup, and start the bot again"
REPLACED = "was replaced while the bot ran: start the bot again, and it goes on with what is there now"


class DatabaseUnreachableError(AlreadyReportedError):
    """The database cannot be used at the moment; nothing was written. The log says why, once."""


class Reach:
    """Tells the log once when a database gets out of reach, and once when it is back."""

    def __init__(self, url: URL) -> None:
        self._url = url
        self._file: Path | None = None
        self._identity: tuple[int, int] | None = None
        self.trouble: str | None = None

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
        """Take note of an error; None when it does not say that the database is out of reach."""
        why = explained(error, self._url)
        if why is None:
            return None
        self._note(why)
        return DatabaseUnreachableError(why)

    def written(self) -> None:
        """Take note that something was written: all is well."""
        if self.trouble is not None:
            self.trouble = None
            log.info("database_in_reach_again")

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
