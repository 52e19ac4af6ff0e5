"""The rows behind refs, made when they are first needed, and names as a database can hold them."""

from collections.abc import Collection, Mapping

from sqlalchemy import ColumnElement, and_, tuple_
from sqlmodel import col, select
from sqlmodel.ext.asyncio.session import AsyncSession

from adapters.port import RoomRef, ServerRef, UserRef
from bot.storage.models import PlayerRow, ServerRow, TableRow
from bot.storage.writing import added


def storable(name: str) -> str:
    r"""Return a name without what no database takes: halves of characters, and NUL.

    >>> storable("Anna\ud83d B.\x00")
    'Anna? B.'
    """
    return name.encode("utf-8", "replace").decode("utf-8").replace("\x00", "")


async def server_id(session: AsyncSession, server: ServerRef) -> int | None:
    """Find a server's id; None when nothing ever happened there."""
    query = select(ServerRow.id).where(ServerRow.platform == server.platform, ServerRow.ref == server.id)
    return (await session.exec(query)).first()


async def server_id_made(session: AsyncSession, server: ServerRef) -> int:
    """Find a server's id, or give it one."""
    found = await server_id(session, server)
    if found is not None:
        return found
    await added(session, ServerRow(platform=server.platform, ref=server.id))
    made = await server_id(session, server)
    assert made is not None
    return made


async def stands_in(session: AsyncSession, room: RoomRef) -> ColumnElement[bool]:
    """What is true of the rows of a room's tables."""
    return and_(
        col(TableRow.server_id) == await server_id(session, room.server),
        col(TableRow.room) == room.id,
        col(TableRow.topic) == room.topic,
    )


async def player_ids_made(session: AsyncSession, users: Collection[UserRef]) -> Mapping[UserRef, int]:
    """Find people's ids, or give them some."""
    found = await _player_ids(session, users)
    if strangers := [user for user in users if user not in found]:
        for user in strangers:
            await added(session, PlayerRow(platform=user.platform, ref=user.id))
        found = await _player_ids(session, users)
    return found


async def _player_ids(session: AsyncSession, users: Collection[UserRef]) -> dict[UserRef, int]:
    keys = [(user.platform, user.id) for user in users]
    query = select(PlayerRow.id, PlayerRow.platform, PlayerRow.ref).where(
        tuple_(PlayerRow.platform, PlayerRow.ref).in_(keys)
    )
    return {UserRef(platform, ref): number for number, platform, ref in await session.exec(query)}


async def player_row(session: AsyncSession, user: UserRef) -> PlayerRow | None:
    """Find a person's row."""
    query = select(PlayerRow).where(PlayerRow.platform == user.platform, PlayerRow.ref == user.id)
    return (await session.exec(query)).first()


async def player_row_made(session: AsyncSession, user: UserRef) -> PlayerRow:
    """Find a person's row, or make one."""
    row = await player_row(session, user)
    if row is None:
        await added(session, PlayerRow(platform=user.platform, ref=user.id))
        row = await player_row(session, user)
        assert row is not None
    return row
