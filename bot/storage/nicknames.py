"""What people are called on each server: a name belongs to a server, and the same person may have others."""

import sqlalchemy
from sqlalchemy import ColumnElement, UpdateBase, func
from sqlmodel import col, delete, select
from sqlmodel.ext.asyncio.session import AsyncSession

from bot.storage.identities import PLAYER, SERVER
from bot.storage.models import NicknameRow, PlayerRow, ServerRow
from bot.storage.prepared import Prepared
from bot.storage.writing import Insert, hand_on, new_values, replacing


def name_on(server: int | None) -> ColumnElement[str]:
    """Return what the person of a `PlayerRow` is called on a server: else by their newest name elsewhere."""
    own = (
        select(NicknameRow.name)
        .where(NicknameRow.player_id == PlayerRow.id, NicknameRow.server_id == server)
        .correlate(PlayerRow)
        .scalar_subquery()
    )
    return func.coalesce(own, col(PlayerRow.name))


def _call(insert: Insert) -> UpdateBase:
    """Note what a person is called on a server, if both are on record."""
    (name,) = new_values(NicknameRow, "name").values()
    both = sqlalchemy.join(PlayerRow, ServerRow, SERVER.is_it)
    rows = sqlalchemy.select(col(PlayerRow.id), col(ServerRow.id), name).select_from(both)
    called = insert(NicknameRow).from_select(["player_id", "server_id", "name"], rows.where(PLAYER.is_it))
    return replacing(called, NicknameRow, ["name"])


CALL = Prepared(_call)


async def hand_nicknames_on(session: AsyncSession, before: int, after: int) -> None:
    """Let the names on a server go over to another server; who has one there keeps that."""
    await hand_on(session, NicknameRow, col(NicknameRow.player_id), before=before, after=after)


async def forget_nicknames(session: AsyncSession, player: int) -> None:
    """Forget what a person is called anywhere."""
    await session.exec(delete(NicknameRow).where(col(NicknameRow.player_id) == player))
