"""The numbers of people and servers: the ids of their rows, which never change while the row is theirs."""

from collections.abc import Collection
from typing import TypeVar

import sqlalchemy as sa
from cachetools import LRUCache
from sqlmodel import Session, col, select

from adapters.port import ServerRef, UserRef
from bot.cache import LIMITS
from bot.storage.models import PlayerRow, ServerRow

Known = TypeVar("Known", PlayerRow, ServerRow)
Ref = UserRef | ServerRef

_IN_SESSION = "numbers"  # the key in a session's `info`


class Numbers:
    """The numbers that are known to be on disk: only a committed write adds or removes one."""

    def __init__(self) -> None:
        self.on_disk = LRUCache[Ref, int](LIMITS.known)

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
        self._own = dict[Ref, int]()  # 0: there is no row

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

    def publish(self) -> None:
        """Passes the numbers on to later sessions, after the commit of a write."""
        for ref, number in self._own.items():
            if number:
                self._numbers.on_disk[ref] = number
            else:
                self._numbers.on_disk.pop(ref, None)


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
    if row is None:
        row = model(platform=ref.platform, ref=ref.id)
        session.add(row)
        session.flush()
        _numbers(session).note(ref, row.id)

    return row


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
    _numbers(session).note(ref, 0)
