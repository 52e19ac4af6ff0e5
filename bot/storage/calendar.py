"""Stores the appointments of servers."""

from collections.abc import Collection, Mapping

from sqlmodel import Session, col, delete, select, update

from adapters.port import RoomRef, ServerRef
from bot.model.calendar import Appointment
from bot.model.server_choices import ServerChoices
from bot.storage.database import Store, reads, writes
from bot.storage.known import known_in
from bot.storage.models import AppointmentRow, ServerRow, add_missing, put
from bot.storage.numbers import id_of, number_of
from bot.storage.people import choices_where


class CalendarStore(Store):
    """The appointments of all servers; a server has at most one for each pair of kind and `about`."""

    @writes
    def put(self, session: Session, appointments: Collection[Appointment], *, is_new: bool = False) -> None:
        """Records appointments, replacing those with the same key, or with `is_new` keeping them."""
        for appointment in appointments:
            note_appointment(session, appointment, is_new=is_new)

    @writes
    def drop(
        self, session: Session, server: ServerRef, kinds: Collection[str], about: str | None = None
    ) -> None:
        """Drops a server's appointments of these kinds: all, or only those with this `about`."""
        here = col(AppointmentRow.server_id) == id_of(session, ServerRow, server)
        which = () if about is None else (col(AppointmentRow.about) == about,)
        session.exec(delete(AppointmentRow).where(here, col(AppointmentRow.kind).in_(kinds), *which))

    @reads
    def first(self, session: Session, most: int) -> list[Appointment]:
        """Returns at most `most` appointments, the earliest first."""
        query = (
            select(AppointmentRow, ServerRow)
            .join(ServerRow)
            .order_by(col(AppointmentRow.at), col(AppointmentRow.server_id), col(AppointmentRow.kind))
        )
        appointments = list[Appointment]()

        for row, server in session.exec(query.limit(most)):
            room = RoomRef(server.server_ref, row.room, row.topic) if row.room else None
            appointments.append(Appointment(server.server_ref, row.kind, row.at, row.about, room))

        return appointments

    @writes
    def take(self, session: Session, appointment: Appointment, next_at: float | None) -> bool:
        """Removes an appointment, or moves it to its next time; returns False if it has changed."""
        row = AppointmentRow
        this = (
            col(row.server_id) == id_of(session, ServerRow, appointment.server),
            col(row.kind) == appointment.kind,
            col(row.about) == appointment.about,
            col(row.at) == appointment.at,
        )
        change = delete(row).where(*this) if next_at is None else update(row).where(*this).values(at=next_at)
        return session.exec(change).rowcount > 0

    @writes
    def bring_forward(self, session: Session, kinds: Collection[str], *, to: float, until: float) -> None:
        """Makes appointments of these kinds due at `to`, if they are due later but not after `until`."""
        soon = col(AppointmentRow.at).between(to, until)
        session.exec(update(AppointmentRow).where(col(AppointmentRow.kind).in_(kinds), soon).values(at=to))

    @reads
    def servers_with_news(self, session: Session) -> Mapping[ServerRef, ServerChoices]:
        """Returns the servers that ever asked for news, with their choices."""
        return choices_where(session, ServerRow.home != "")


def note_appointment(session: Session, appointment: Appointment, *, is_new: bool = False) -> None:
    """Records an appointment, replacing the one with the same key, or with `is_new` keeping it."""
    room = appointment.room

    row = {
        "server_id": number_of(session, ServerRow, appointment.server),
        "kind": appointment.kind,
        "about": appointment.about,
        "at": appointment.at,
        "room": "" if room is None else room.id,
        "topic": "" if room is None else room.topic,
    }

    known_in(session).note_appointment()
    if is_new:
        add_missing(session.connection(), AppointmentRow, [row])
    else:
        put(session.connection(), AppointmentRow, row)
