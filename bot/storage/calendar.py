"""What is due on servers, and when."""

from collections.abc import Collection, Sequence

from sqlalchemy.orm import aliased
from sqlmodel import Session, col, delete, func, select, update

from adapters.port import RoomRef, ServerRef
from bot.model.calendar import Appointment
from bot.model.people import ServerChoices
from bot.storage.database import Database
from bot.storage.models import AppointmentRow, ServerRow
from bot.storage.people import choices_of, find, find_or_add


class CalendarStore:
    """The appointments of all servers: one of each kind `about` the same."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def put(self, appointments: Collection[Appointment], *, is_new: bool = False) -> None:
        """Note appointments, in the place of those about the same; `is_new`: only where there is none."""

        def write(session: Session) -> None:
            for each in appointments:
                here = find_or_add(session, ServerRow, each.server)
                known = session.get(AppointmentRow, (here.id, each.kind, each.about))
                if known is None or not is_new:
                    session.merge(_row(each, here.id))

        await self._database.write(write)

    async def drop(self, server: ServerRef, kinds: Collection[str], about: str | None = None) -> None:
        """Drop appointments of these kinds: all, or those about this."""

        def write(session: Session) -> None:
            here = find(session, ServerRow, server)
            of_kind = col(AppointmentRow.server_id) == (here and here.id), col(AppointmentRow.kind).in_(kinds)
            which = () if about is None else (col(AppointmentRow.about) == about,)
            session.exec(delete(AppointmentRow).where(*of_kind, *which))

        await self._database.write(write)

    async def due(self, now: float, most: int) -> list[Appointment]:
        """Return what is due, the longest due first; at most so many."""

        def read(session: Session) -> list[Appointment]:
            query = (
                select(AppointmentRow, ServerRow)
                .join(ServerRow)
                .where(AppointmentRow.at <= now)
                .order_by(col(AppointmentRow.at), col(AppointmentRow.server_id), col(AppointmentRow.kind))
            )
            return [_appointment(row, server) for row, server in session.exec(query.limit(most))]

        return await self._database.read(read)

    async def next_at(self) -> float | None:
        """Return when something is due first; None if nothing is noted."""
        first = select(func.min(AppointmentRow.at))
        return await self._database.read(lambda session: session.exec(first).one())

    async def take(self, appointment: Appointment, next_at: float | None) -> bool:
        """Take an appointment out, or move it to its next time; False if it is not as it was any more."""

        def write(session: Session) -> bool:
            here = find(session, ServerRow, appointment.server)
            key = (here and here.id, appointment.kind, appointment.about)
            row = session.get(AppointmentRow, key)
            if row is None or row.at != appointment.at:
                return False
            if next_at is None:
                session.delete(row)
            else:
                row.at = next_at
            return True

        return await self._database.write(write)

    async def servers_with_news(self) -> Sequence[tuple[ServerRef, ServerChoices]]:
        """Return the servers that ever asked for news, with what they chose."""

        def read(session: Session) -> Sequence[tuple[ServerRef, ServerChoices]]:
            rows = session.exec(select(ServerRow).where(ServerRow.home != ""))
            return [(ServerRef(row.platform, row.ref), choices_of(row)) for row in rows]

        return await self._database.read(read)


def rename_room(session: Session, before: ServerRow, after: ServerRow, old: str, new: str) -> None:
    """Let the appointments of a server whose room has a new id go over to it, or to another server."""
    if before is not after:
        taken = aliased(AppointmentRow)
        is_taken = (
            select(taken.kind)
            .where(
                taken.server_id == after.id,
                taken.kind == AppointmentRow.kind,
                taken.about == AppointmentRow.about,
            )
            .exists()
        )
        here = col(AppointmentRow.server_id) == before.id
        session.exec(delete(AppointmentRow).where(here, is_taken))
        session.exec(update(AppointmentRow).where(here).values(server_id=after.id))
    there = col(AppointmentRow.server_id) == after.id, col(AppointmentRow.room) == old
    session.exec(update(AppointmentRow).where(*there).values(room=new))
    if after.home == old:
        after.home = new


def _row(each: Appointment, server: int) -> AppointmentRow:
    room, topic = ("", "") if each.room is None else (each.room.id, each.room.topic)
    return AppointmentRow(
        server_id=server, kind=each.kind, about=each.about, at=each.at, room=room, topic=topic
    )


def _appointment(row: AppointmentRow, server: ServerRow) -> Appointment:
    ref = ServerRef(server.platform, server.ref)
    room = RoomRef(ref, row.room, row.topic) if row.room else None
    return Appointment(ref, row.kind, row.at, row.about, room)
