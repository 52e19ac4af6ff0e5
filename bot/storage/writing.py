"""Ways to write a row that two may write at the same moment."""

from collections.abc import Callable, Collection, Mapping
from importlib import import_module
from typing import TYPE_CHECKING, Any, TypeAlias

from sqlalchemy import BindParameter, SQLColumnExpression, bindparam, delete, inspect, select, update
from sqlmodel import col
from sqlmodel.ext.asyncio.session import AsyncSession

from bot.storage.models import Base, NicknameRow, VariationRow, table_of

if TYPE_CHECKING:
    from sqlalchemy.dialects import postgresql, sqlite

Upsert: TypeAlias = "sqlite.Insert | postgresql.Insert"
"""A statement that adds rows, and says what happens when one is there already."""

Insert = Callable[[type[Base]], Upsert]
"""Begins such a statement for a model."""


def insert_on(dialect: str) -> Insert:
    """Return what begins it on a kind of database; of those that nobody uses here nothing is loaded."""
    insert: Insert = import_module(f"sqlalchemy.dialects.{dialect}").insert
    return insert


def new_values(model: type[Base], *columns: str) -> dict[str, BindParameter[Any]]:
    """Return parameters for columns of a statement, by their names; `as_new` gives them their values."""
    types = table_of(model).columns
    return {name: bindparam(f"new_{name}", type_=types[name].type) for name in columns}


def as_new(values: Mapping[str, object]) -> dict[str, object]:
    """Return the values of a statement's `new_values`, from those of the columns."""
    return {f"new_{name}": value for name, value in values.items()}


async def added(session: AsyncSession, row: Base) -> bool:
    """Add a row, unless one with the same key is there already; give whether it was added."""
    statement = _insert(session, row).on_conflict_do_nothing()
    return (await (await session.connection()).execute(statement)).rowcount == 1


def replacing(statement: Upsert, model: type[Base], columns: Collection[str]) -> Upsert:
    """Let a statement write these columns of a row that is there already."""
    keys = [column.name for column in inspect(model).primary_key]
    others = {name: statement.excluded[name] for name in columns if name not in keys}
    return statement.on_conflict_do_update(index_elements=keys, set_=others)


async def hand_on(
    session: AsyncSession,
    model: type[NicknameRow] | type[VariationRow],
    key: SQLColumnExpression[Any],
    *,
    before: int,
    after: int,
) -> None:
    """Let the rows of a server go over to another server, which keeps its own where both have the key."""
    taken = select(key).where(col(model.server_id) == after).scalar_subquery()
    await session.exec(delete(model).where(col(model.server_id) == before, key.in_(taken)))
    await session.exec(update(model).where(col(model.server_id) == before).values(server_id=after))


def _insert(session: AsyncSession, row: Base) -> Upsert:
    insert = insert_on(session.get_bind().dialect.name)
    return insert(type(row)).values(**_values(row))


def _values(row: Base) -> Mapping[str, Any]:
    """Return a row's values; an id that the database has to give is left out."""
    found = {column.name: getattr(row, column.name) for column in table_of(type(row)).columns}
    return {name: value for name, value in found.items() if name != "id" or value is not None}
