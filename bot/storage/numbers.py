"""Finds the numbers of people and servers: the ids of their rows, which never change once assigned."""

from collections.abc import Collection
from typing import TypeVar

import sqlalchemy as sa
from sqlmodel import Session, col, select

from adapters.port import UserRef
from bot.storage.known import Ref, known_in
from bot.storage.models import NicknameRow, PlayerRow, ServerRow, put
from bot.storage.names import Meeting, Newcomers, rename, storable

RowOf = TypeVar("RowOf", PlayerRow, ServerRow)


def id_of(session: Session, model: type[RowOf], ref: Ref) -> int:
    """Returns the id of a person's or a server's row; 0 if there is none."""
    known = known_in(session)
    number = known.number(ref)
    if number is None:
        is_theirs = model.platform == ref.platform, model.ref == ref.id
        number = session.exec(select(model.id).where(*is_theirs)).first() or 0
        known.note_number(ref, number)

    return number


def find(session: Session, model: type[RowOf], ref: Ref) -> RowOf | None:
    """Returns the row of a person or a server; None if there is none."""
    known = known_in(session)
    number = known.number(ref)
    if number is not None:
        return session.get(model, number) if number else None

    row = session.exec(select(model).where(model.platform == ref.platform, model.ref == ref.id)).first()
    known.note_number(ref, 0 if row is None else row.id)
    return row


def find_or_add(session: Session, model: type[RowOf], ref: Ref) -> RowOf:
    """Returns the row of a person or a server, adding one if there is none."""
    row = find(session, model, ref)
    if row is not None:
        return row

    known = known_in(session)
    meeting = known.newcomers.met(ref) if isinstance(ref, UserRef) else None
    row = model(platform=ref.platform, ref=ref.id)
    if meeting is not None and isinstance(row, PlayerRow):
        rename(session, row, meeting.user)

    session.add(row)
    session.flush()
    known.note_number(ref, row.id)
    if meeting is not None:
        is_named_here = name_on_server(session, row.id, meeting)
        known.note_record(meeting if is_named_here else meeting.elsewhere())

    return row


def name_on_server(session: Session, player: int, meeting: Meeting) -> bool:
    """Stores a person's name on a server; returns False if the server has no row yet."""
    here = 0 if meeting.server is None else id_of(session, ServerRow, meeting.server)
    if here:
        row = {"player_id": player, "server_id": here, "name": storable(meeting.user.name)}
        put(session.connection(), NicknameRow, row)

    return bool(here)


def newcomers(session: Session) -> Newcomers:
    """Returns the people who were met while they had no row."""
    return known_in(session).newcomers


def number_of(session: Session, model: type[RowOf], ref: Ref) -> int:
    """Returns the id of a person's or a server's row, adding one if there is none."""
    return id_of(session, model, ref) or find_or_add(session, model, ref).id


def look_up(session: Session, users: Collection[UserRef]) -> None:
    """Caches the ids of several people with one query, for the calls of `id_of` that follow."""
    known = known_in(session)
    unknown = [user for user in users if known.number(user) is None]
    if not unknown:
        return

    for user in unknown:
        known.note_number(user, 0)

    is_one = sa.tuple_(col(PlayerRow.platform), col(PlayerRow.ref)).in_(
        [(user.platform, user.id) for user in unknown]
    )
    for platform, ref, number in session.exec(
        select(PlayerRow.platform, PlayerRow.ref, PlayerRow.id).where(is_one)
    ):
        known.note_number(UserRef(platform, ref), number)


def forget_number(session: Session, ref: Ref) -> None:
    """Caches that a person or a server has no row, and forgets how a person was met."""
    known = known_in(session)
    known.note_number(ref, 0)
    if isinstance(ref, UserRef):
        known.newcomers.forget(ref)
