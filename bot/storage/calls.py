"""Who wants to be called when a game gathers."""

from collections.abc import Collection

from sqlmodel import Session, col, delete, func, select, update

from adapters.port import RoomRef, User, UserRef
from bot.model.people import Calling
from bot.storage.database import Database
from bot.storage.models import CallRow, PlayerRow, ResultRow, ServerRow, TableRow
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
            session.merge(_row(person, here, room, until, table_id=table_id, game=game))

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

    async def company(self, room: RoomRef, seated: Collection[UserRef]) -> list[UserRef]:
        """Return who of the newest game of a room that counts may be called to the next one.

        That is who agreed to it, and is not `seated` already.
        """

        def read(session: Session) -> list[UserRef]:
            here = find(session, ServerRow, room.server)
            newest = session.exec(
                select(ResultRow.table_id, ResultRow.game)
                .join(TableRow, col(TableRow.id) == ResultRow.table_id)
                .where(
                    ResultRow.server_id == (here and here.id),
                    ResultRow.people >= 2,
                    TableRow.room == room.id,
                    TableRow.topic == room.topic,
                )
                .order_by(col(ResultRow.finished_at).desc())
            ).first()
            if newest is None:
                return []
            query = (
                select(PlayerRow.platform, PlayerRow.ref)
                .join(ResultRow, col(ResultRow.player_id) == PlayerRow.id)
                .where(ResultRow.table_id == newest[0], ResultRow.game == newest[1])
                .where(PlayerRow.company, PlayerRow.calling != Calling.NEVER.value)
            )
            found = [UserRef(platform, ref) for platform, ref in session.exec(query)]
            return [user for user in found if user not in seated]

        return await self._database.read(read)

    async def call(self, users: Collection[UserRef], room: RoomRef, until: float) -> None:
        """Note that people are to be called to whatever game gathers in a room now."""

        def write(session: Session) -> None:
            here = find_or_add(session, ServerRow, room.server)
            for user in users:
                person = find(session, PlayerRow, user)
                if person is not None:
                    session.merge(_row(person, here, room, until))

        await self._database.write(write)

    async def number(self, now: float) -> int:
        """Forget those who have waited too long; return how many others wait."""

        def write(session: Session) -> int:
            session.exec(delete(CallRow).where(col(CallRow.until) < now))
            return session.exec(select(func.count()).select_from(CallRow)).one()

        return await self._database.write(write)


def _row(
    person: PlayerRow, here: ServerRow, room: RoomRef, until: float, *, table_id: int = 0, game: int = 0
) -> CallRow:
    return CallRow(
        player_id=person.id,
        server_id=here.id,
        room=room.id,
        topic=room.topic,
        until=until,
        table_id=table_id,
        game=game,
    )


def rename_room(session: Session, before: ServerRow, after: ServerRow, old: str, new: str) -> None:
    """Let the calls of a server whose room has a new id go over to it, or to another server."""
    if before is not after:
        session.exec(delete(CallRow).where(col(CallRow.server_id) == after.id))
        here = col(CallRow.server_id) == before.id
        session.exec(update(CallRow).where(here).values(server_id=after.id))
    there = col(CallRow.server_id) == after.id, col(CallRow.room) == old
    session.exec(update(CallRow).where(*there).values(room=new))
