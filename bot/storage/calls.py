"""Who wants to be called when a game gathers."""

from sqlmodel import Session, col, delete, func, select, update

from adapters.port import RoomRef, User, UserRef
from bot.storage.database import Database
from bot.storage.models import CallRow, PlayerRow, ServerRow
from bot.storage.people import find, find_or_add, storable


class CallStore:
    """The calls that people asked for: one of a person for each room."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def ask(self, user: User, room: RoomRef, until: float, table_id: int, game: int) -> None:
        """Note that a person wants to be called to a room by the next game that is not this one."""

        def write(session: Session) -> None:
            person, here = (
                find_or_add(session, PlayerRow, user.ref),
                find_or_add(session, ServerRow, room.server),
            )
            person.name = person.name or storable(user.name)
            session.merge(
                CallRow(
                    player_id=person.id,
                    server_id=here.id,
                    room=room.id,
                    topic=room.topic,
                    until=until,
                    table_id=table_id,
                    game=game,
                )
            )

        await self._database.write(write)

    async def drop(self, user: UserRef, room: RoomRef) -> bool:
        """Call a person to a room no more; False if they were not to be called."""

        def write(session: Session) -> bool:
            person, here = find(session, PlayerRow, user), find(session, ServerRow, room.server)
            key = (person and person.id, here and here.id, room.id, room.topic)
            row = session.get(CallRow, key) if person is not None and here is not None else None
            if row is not None:
                session.delete(row)
            return row is not None

        return await self._database.write(write)

    async def waiting(self, room: RoomRef, table_id: int, game: int, now: float) -> list[UserRef]:
        """Return who wants to be called to a room by this game; those who have waited too long do not."""

        def read(session: Session) -> list[UserRef]:
            here = find(session, ServerRow, room.server)
            query = (
                select(PlayerRow.platform, PlayerRow.ref)
                .join(CallRow, col(CallRow.player_id) == PlayerRow.id)
                .where(
                    CallRow.server_id == (here and here.id),
                    CallRow.room == room.id,
                    CallRow.topic == room.topic,
                    CallRow.until >= now,
                    (col(CallRow.table_id) != table_id) | (col(CallRow.game) != game),
                )
            )
            return [UserRef(platform, ref) for platform, ref in session.exec(query)]

        return await self._database.read(read)

    async def number(self, now: float) -> int:
        """Forget those who have waited too long; return how many others wait."""

        def write(session: Session) -> int:
            session.exec(delete(CallRow).where(col(CallRow.until) < now))
            return session.exec(select(func.count()).select_from(CallRow)).one()

        return await self._database.write(write)


def rename_room(session: Session, before: ServerRow, after: ServerRow, old: str, new: str) -> None:
    """Let the calls of a server whose room has a new id go over to it, or to another server."""
    if before is not after:
        session.exec(delete(CallRow).where(col(CallRow.server_id) == after.id))
        here = col(CallRow.server_id) == before.id
        session.exec(update(CallRow).where(here).values(server_id=after.id))
    there = col(CallRow.server_id) == after.id, col(CallRow.room) == old
    session.exec(update(CallRow).where(*there).values(room=new))
