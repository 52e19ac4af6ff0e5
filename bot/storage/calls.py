"""Who wants to be called when a game gathers."""

from collections.abc import Collection

from sqlmodel import Session, col, delete, func, select

from adapters.port import RoomRef, User, UserRef
from bot.model.people import Calling
from bot.model.results import LEAST_PEOPLE
from bot.storage.database import Store, reads, writes
from bot.storage.models import CallRow, PlayerRow, ResultRow, ServerRow, TableRow
from bot.storage.people import find, find_or_add, id_of, on_record


class CallStore(Store):
    """The calls that people asked for: one of a person for each room."""

    @writes
    def ask(
        self, session: Session, user: User, room: RoomRef, until: float, *, table_id: int, game: int
    ) -> None:
        """Call a person to a room by the next game that is not this one."""
        session.merge(_row(session, on_record(session, user), room, until, table_id=table_id, game=game))

    @writes
    def drop(self, session: Session, user: UserRef, room: RoomRef) -> bool:
        """Call a person to a room no more; False if they were not to be called."""
        person, here = id_of(session, PlayerRow, user), id_of(session, ServerRow, room.server)
        row = session.get(CallRow, (person, here, room.id, room.topic))
        if row is not None:
            session.delete(row)
        return row is not None

    @reads
    def waiting(self, session: Session, room: RoomRef, table_id: int, game: int, now: float) -> list[UserRef]:
        """Return who wants to be called to a room by this game; those who have waited too long do not."""
        here = CallRow.server_id == id_of(session, ServerRow, room.server), CallRow.room == room.id
        is_other = (col(CallRow.table_id) != table_id) | (col(CallRow.game) != game)
        query = select(PlayerRow).join(CallRow).where(*here, CallRow.topic == room.topic)
        return [row.user_ref for row in session.exec(query.where(CallRow.until >= now, is_other))]

    @reads
    def company(self, session: Session, room: RoomRef, seated: Collection[UserRef]) -> list[UserRef]:
        """Return the players of a room's last game that counts who may be called to the next one.

        That is who agreed to it, and is not `seated` already.
        """
        here = ResultRow.server_id == id_of(session, ServerRow, room.server), TableRow.room == room.id
        newest = session.exec(
            select(ResultRow.table_id, ResultRow.game)
            .join(TableRow, col(TableRow.id) == ResultRow.table_id)
            .where(*here, TableRow.topic == room.topic, ResultRow.people >= LEAST_PEOPLE)
            .order_by(col(ResultRow.finished_at).desc())
        ).first()
        if newest is None:
            return []
        query = (
            select(PlayerRow)
            .join(ResultRow, col(ResultRow.player_id) == PlayerRow.id)
            .where(ResultRow.table_id == newest[0], ResultRow.game == newest[1])
            .where(PlayerRow.company, PlayerRow.calling != Calling.NEVER.value)
        )
        return [row.user_ref for row in session.exec(query) if row.user_ref not in seated]

    @writes
    def call(self, session: Session, users: Collection[UserRef], room: RoomRef, until: float) -> None:
        """Call people to the next game that gathers in a room."""
        for user in users:
            if (person := find(session, PlayerRow, user)) is not None:
                session.merge(_row(session, person, room, until))

    @writes
    def number(self, session: Session, now: float) -> int:
        """Forget those who have waited too long; return how many others wait."""
        session.exec(delete(CallRow).where(col(CallRow.until) < now))
        return session.exec(select(func.count()).select_from(CallRow)).one()


def _row(
    session: Session, person: PlayerRow, room: RoomRef, until: float, *, table_id: int = 0, game: int = 0
) -> CallRow:
    return CallRow(
        player_id=person.id,
        server_id=find_or_add(session, ServerRow, room.server).id,
        room=room.id,
        topic=room.topic,
        until=until,
        table_id=table_id,
        game=game,
    )
