"""The numbers of people and servers: the ids of their rows, which never change while the row is theirs."""

from collections.abc import Collection
from typing import TypeVar

import sqlalchemy as sa
from cachetools import LRUCache
from sqlmodel import Session, col, select

from adapters.port import ServerRef, UserRef
from bot.cache import LIMITS
from bot.storage.models import NicknameRow, PlayerRow, ServerRow, put
from bot.storage.names import Meeting, Newcomers, rename, storable

Known = TypeVar("Known", PlayerRow, ServerRow)
Ref = UserRef | ServerRef

_IN_SESSION = "numbers"  # the key in a session's `info`


class Numbers:
    """The numbers that are known to be on disk, 0 without a row: only a committed write changes one."""

    def __init__(self) -> None:
        self.on_disk = LRUCache[Ref, int](LIMITS.known)
        self.newcomers = Newcomers()

    def begin(self) -> "SessionNumbers":
        """Returns the numbers for a session."""
        return SessionNumbers(self)

    def clear(self) -> None:
        """Drops them all: another process may have written."""
        self.on_disk.clear()


class SessionNumbers:
    """The numbers as one session knows them: those on disk, and what it has found or written itself."""

    def __init__(self, numbers: Numbers) -> None:
        self._numbers = numbers
        self._own = dict[Ref, int]()
        self._recorded = list[Meeting]()

    @property
    def info(self) -> dict[str, object]:
        """The `info` of the session."""
        return {_IN_SESSION: self}

    def get(self, ref: Ref) -> int | None:
        """Returns a number, 0 where there is no row; None if it has to be looked up."""
        return self._own[ref] if ref in self._own else self._numbers.on_disk.get(ref)

    def note(self, ref: Ref, number: int) -> None:
        """Notes a number, or 0 where there is no row."""
        self._own[ref] = number

    @property
    def newcomers(self) -> Newcomers:
        """The people who were met while they had no row."""
        return self._numbers.newcomers

    def record(self, meeting: Meeting) -> None:
        """Notes the row that was written of a newcomer."""
        self._recorded.append(meeting)

    def publish(self) -> None:
        """Passes the numbers on to later sessions, after the commit of a write."""
        self._numbers.on_disk.update(self._own)
        for meeting in self._recorded:
            self.newcomers.record(meeting)


def _numbers(session: Session) -> SessionNumbers:
    """Returns the numbers of a session; one that was opened without them begins with none."""
    if _IN_SESSION not in session.info:
        session.info.update(Numbers().begin().info)

    numbers: SessionNumbers = session.info[_IN_SESSION]
    return numbers


def id_of(session: Session, model: type[Known], ref: Ref) -> int:
    """Returns the id of a person's or a server's row; where there is none 0, which no row has."""
    numbers = _numbers(session)
    number = numbers.get(ref)
    if number is None:
        is_theirs = model.platform == ref.platform, model.ref == ref.id
        number = session.exec(select(model.id).where(*is_theirs)).first() or 0
        numbers.note(ref, number)

    return number


def find(session: Session, model: type[Known], ref: Ref) -> Known | None:
    """Returns the row of a person or a server; None if there is none."""
    numbers = _numbers(session)
    number = numbers.get(ref)
    if number is not None:
        return session.get(model, number) if number else None

    row = session.exec(select(model).where(model.platform == ref.platform, model.ref == ref.id)).first()
    numbers.note(ref, 0 if row is None else row.id)
    return row


def find_or_add(session: Session, model: type[Known], ref: Ref) -> Known:
    """Returns the row of a person or a server, a new one if there is none."""
    row = find(session, model, ref)
    if row is not None:
        return row

    numbers = _numbers(session)
    meeting = numbers.newcomers.met(ref) if isinstance(ref, UserRef) else None
    row = model(platform=ref.platform, ref=ref.id)
    if meeting is not None and isinstance(row, PlayerRow):
        rename(session, row, meeting.user)

    session.add(row)
    session.flush()
    numbers.note(ref, row.id)
    if meeting is not None:
        is_named_here = name_on_server(session, row.id, meeting)
        numbers.record(meeting if is_named_here else meeting.elsewhere())

    return row


def name_on_server(session: Session, player: int, meeting: Meeting) -> bool:
    """Stores a person's name on a server; False where no game was played yet."""
    here = 0 if meeting.server is None else id_of(session, ServerRow, meeting.server)
    if here:
        row = {"player_id": player, "server_id": here, "name": storable(meeting.user.name)}
        put(session.connection(), NicknameRow, row)

    return bool(here)


def newcomers(session: Session) -> Newcomers:
    """Returns the people who were met while they had no row."""
    return _numbers(session).newcomers


def number_of(session: Session, model: type[Known], ref: Ref) -> int:
    """Returns the id of a person's or a server's row, of a new one if there is none."""
    return id_of(session, model, ref) or find_or_add(session, model, ref).id


def look_up(session: Session, users: Collection[UserRef]) -> None:
    """Looks up the numbers of people at once, for those who ask for them next."""
    numbers = _numbers(session)
    unknown = [user for user in users if numbers.get(user) is None]
    if not unknown:
        return

    for user in unknown:
        numbers.note(user, 0)

    is_one = sa.tuple_(col(PlayerRow.platform), col(PlayerRow.ref)).in_(
        [(user.platform, user.id) for user in unknown]
    )
    for platform, ref, number in session.exec(
        select(PlayerRow.platform, PlayerRow.ref, PlayerRow.id).where(is_one)
    ):
        numbers.note(UserRef(platform, ref), number)


def forget_number(session: Session, ref: Ref) -> None:
    """Notes that the row of a person or a server is no longer theirs."""
    numbers = _numbers(session)
    numbers.note(ref, 0)
    if isinstance(ref, UserRef):
        numbers.newcomers.forget(ref)
