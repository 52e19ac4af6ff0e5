"""The rows behind refs, made when they are first needed, and names as a database can hold them."""

from typing import Any

import sqlalchemy
from sqlalchemy import ColumnElement, String, UpdateBase, and_, bindparam, exists, literal
from sqlalchemy.sql.schema import ScalarElementColumnDefault
from sqlmodel import col, select
from sqlmodel.ext.asyncio.session import AsyncSession

from adapters.port import RoomRef, ServerRef, UserRef
from bot.storage.models import PlayerRow, ServerRow, TableRow, table_of
from bot.storage.prepared import Prepared, Step, execute
from bot.storage.writing import Insert


def storable(name: str) -> str:
    r"""Return a name without what no database takes: halves of characters, and NUL.

    >>> storable("Anna\ud83d B.\x00")
    'Anna? B.'
    """
    return name.encode("utf-8", "replace").decode("utf-8").replace("\x00", "")


class Identity:
    """Finds the rows of people, or of servers, in prepared statements."""

    def __init__(self, model: type[PlayerRow] | type[ServerRow], name: str) -> None:
        """Let parameters begin with `name`."""
        self._model = model
        self._name = name
        self._platform = bindparam(f"{name}_platform", type_=String())
        self._ref = bindparam(f"{name}_ref", type_=String())
        self.is_it = and_(col(model.platform) == self._platform, col(model.ref) == self._ref)
        """What is true of the row."""
        self.id = sqlalchemy.select(col(model.id)).where(self.is_it).correlate(None).scalar_subquery()
        self._add = Prepared(self._adding)

    def values(self, ref: UserRef | ServerRef | None) -> dict[str, str | None]:
        """Return the parameters that name a person or server; of None there is no row."""
        platform, it = (None, None) if ref is None else (ref.platform, ref.id)
        return {f"{self._name}_platform": platform, f"{self._name}_ref": it}

    def on_record(self, ref: UserRef | ServerRef) -> Step:
        """Return the step that adds a row, unless there is one."""
        return self._add, self.values(ref)

    def _adding(self, insert: Insert) -> UpdateBase:
        row: dict[str, ColumnElement[Any]] = {"platform": self._platform, "ref": self._ref}
        for column in table_of(self._model).columns:
            if isinstance(column.default, ScalarElementColumnDefault):
                row[column.name] = literal(column.default.arg, column.type)
        unknown = sqlalchemy.select(*row.values()).where(~exists().where(self.is_it))
        return insert(self._model).from_select(list(row), unknown).on_conflict_do_nothing()


PLAYER, SERVER = Identity(PlayerRow, "player"), Identity(ServerRow, "server")

STANDS_IN = and_(
    col(TableRow.server_id) == SERVER.id,
    col(TableRow.room) == bindparam("in_room"),
    col(TableRow.topic) == bindparam("in_topic"),
)
"""What is true of the rows of a room's tables."""


def in_room(room: RoomRef) -> dict[str, str | None]:
    """Return the parameters that name a room."""
    return SERVER.values(room.server) | {"in_room": room.id, "in_topic": room.topic}


async def server_id(session: AsyncSession, server: ServerRef) -> int | None:
    """Find a server's id; None when nothing ever happened there."""
    query = select(ServerRow.id).where(ServerRow.platform == server.platform, ServerRow.ref == server.id)
    return (await session.exec(query)).first()


async def server_id_made(session: AsyncSession, server: ServerRef) -> int:
    """Find a server's id, or give it one."""
    await execute(session, SERVER.on_record(server))
    made = await server_id(session, server)
    assert made is not None
    return made


async def player_row(session: AsyncSession, user: UserRef) -> PlayerRow | None:
    """Find a person's row."""
    query = select(PlayerRow).where(PlayerRow.platform == user.platform, PlayerRow.ref == user.id)
    return (await session.exec(query)).first()
