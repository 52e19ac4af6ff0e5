"""Which message shows which surface."""

from sqlmodel import col, select
from sqlmodel.ext.asyncio.session import AsyncSession

from adapters.port import MessageRef, UserRef
from bot.model.message_slots import Kind, Posting, Shown, Surface
from bot.model.players import FORGOTTEN
from bot.storage.database import Database
from bot.storage.identities import player_row
from bot.storage.models import ServerRow, SurfaceRow, TableRow
from bot.storage.writing import put


class Surfaces:
    """What was shown where, so that a restart edits messages instead of posting them again."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def load(self, table_id: int) -> dict[Surface, Shown | Posting]:
        """Give everything a table is shown on, or was about to be."""
        async with self._database.session() as session:
            rows = await session.exec(select(SurfaceRow).where(SurfaceRow.table_id == table_id))
            return {_surface(row): _found(row) for row in rows}

    async def save(self, surface: Surface, found: Shown | Posting) -> None:
        """Remember what shows a surface, or is about to; nothing where its reader or room was forgotten."""
        table_id, game, kind, reader_platform, reader = _key(surface)
        shown = found.ref if isinstance(found, Shown) else MessageRef("", "")
        row = SurfaceRow(
            table_id=table_id,
            game=game,
            kind=kind,
            reader_platform=reader_platform,
            reader=reader,
            platform=shown.platform,
            message=shown.opaque,
            digest=found.digest,
            key=found.key if isinstance(found, Posting) else "",
        )
        async with self._database.session() as session:
            if not await _is_forgotten(session, surface):
                await put(session, row)
                await session.commit()

    async def drop(self, surface: Surface) -> None:
        """Forget a surface that is shown no more."""
        async with self._database.session() as session:
            row = await session.get(SurfaceRow, _key(surface))
            if row is not None:
                await session.delete(row)
                await session.commit()


async def _is_forgotten(session: AsyncSession, surface: Surface) -> bool:
    """Whether a message arrived for somebody of whom nothing may be written down any more."""
    if surface.user is not None:
        return await player_row(session, surface.user) is None
    query = (
        select(ServerRow.platform)
        .join(TableRow, col(TableRow.server_id) == col(ServerRow.id))
        .where(TableRow.id == surface.table_id)
    )
    return (await session.exec(query)).first() == FORGOTTEN


def _key(surface: Surface) -> tuple[int, int, str, str, str]:
    """Give a surface's primary key; a public surface has no reader."""
    platform, reader = ("", "") if surface.user is None else (surface.user.platform, surface.user.id)
    return surface.table_id, surface.game, surface.kind.value, platform, reader


def _surface(row: SurfaceRow) -> Surface:
    user = UserRef(row.reader_platform, row.reader) if row.reader_platform else None
    return Surface(row.table_id, row.game, Kind(row.kind), user)


def _found(row: SurfaceRow) -> Shown | Posting:
    if row.key:
        return Posting(row.key, row.digest)
    return Shown(MessageRef(row.platform, row.message), row.digest)
