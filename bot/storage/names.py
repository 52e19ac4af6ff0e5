"""Stores people's names, and keeps those of newcomers, who have no row yet, in memory.

Nothing is stored about a person who only presses a button. Newcomers are kept in memory for a while, so that
a row added later has their name, handle and language from the beginning.
"""

from dataclasses import dataclass, replace

from cachetools import LRUCache
from sqlmodel import Session, col, update

from adapters.port import ServerRef, User, UserRef
from bot.cache import LIMITS
from bot.storage.models import PlayerRow


def storable(name: str) -> str:
    r"""Returns a name without the characters that no database accepts: surrogates and NUL.

    >>> storable("Anna\ud83d B.\x00")
    'Anna? B.'
    """
    return name.encode("utf-8", "replace").decode("utf-8").replace("\x00", "")


def rename(session: Session, row: PlayerRow, user: User) -> None:
    """Stores a person's newest name, handle and language; a handle may have been somebody else's before."""
    row.name = storable(user.name)
    row.locale = user.locale
    if row.handle == user.handle:
        return

    row.handle = user.handle
    if user.handle:
        others = col(PlayerRow.platform) == row.platform, col(PlayerRow.handle) == user.handle
        session.exec(update(PlayerRow).where(*others, col(PlayerRow.ref) != row.ref).values(handle=""))


@dataclass(frozen=True, slots=True)
class Meeting:
    """A person as they were met, and the server where they were met; None in private."""

    user: User
    server: ServerRef | None

    def elsewhere(self) -> "Meeting":
        """Returns the meeting without its server, for a name that was not stored there."""
        return replace(self, server=None)


class Newcomers:
    """The people who were met while they had no row, and the meetings their rows were written from since."""

    def __init__(self) -> None:
        self._met = LRUCache[UserRef, Meeting](LIMITS.known)
        self._recorded = LRUCache[UserRef, Meeting](LIMITS.known)

    def meet(self, meeting: Meeting) -> None:
        """Remembers a person who has no row."""
        self._met[meeting.user.ref] = meeting

    def met(self, user: UserRef) -> Meeting | None:
        """Returns the last meeting of a person without a row."""
        return self._met.get(user)

    def record(self, meeting: Meeting) -> None:
        """Notes that a newcomer's row was written from this meeting."""
        self._met.pop(meeting.user.ref, None)
        self._recorded[meeting.user.ref] = meeting

    def take_record(self, meeting: Meeting) -> bool:
        """Returns whether a newcomer's row was written from this meeting, and drops that note."""
        if self._recorded.get(meeting.user.ref) != meeting:
            return False

        del self._recorded[meeting.user.ref]
        return True

    def forget(self, user: UserRef) -> None:
        """Drops a person."""
        self._met.pop(user, None)
        self._recorded.pop(user, None)
