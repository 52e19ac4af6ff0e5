"""What people are called on each server: a name belongs to a server, and the same person may have others."""

from sqlalchemy import ColumnElement, func
from sqlmodel import col, delete, select
from sqlmodel.ext.asyncio.session import AsyncSession

from bot.storage.models import NicknameRow, PlayerRow
from bot.storage.writing import hand_on, put


def name_on(server: int | None) -> ColumnElement[str]:
    """Return what the person of a `PlayerRow` is called on a server: else by their newest name elsewhere."""
    own = (
        select(NicknameRow.name)
        .where(NicknameRow.player_id == PlayerRow.id, NicknameRow.server_id == server)
        .correlate(PlayerRow)
        .scalar_subquery()
    )
    return func.coalesce(own, col(PlayerRow.name))


async def call(session: AsyncSession, player: int, server: int, name: str) -> None:
    """Note what a person is called on a server."""
    await put(session, NicknameRow(player_id=player, server_id=server, name=name))


async def hand_nicknames_on(session: AsyncSession, before: int, after: int) -> None:
    """Let the names on a server go over to another server; who has one there keeps that."""
    await hand_on(session, NicknameRow, col(NicknameRow.player_id), before=before, after=after)


async def forget_nicknames(session: AsyncSession, player: int) -> None:
    """Forget what a person is called anywhere."""
    await session.exec(delete(NicknameRow).where(col(NicknameRow.player_id) == player))
