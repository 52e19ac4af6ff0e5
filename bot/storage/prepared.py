"""Rows that are written again and again: the SQL for them is made once."""

import sqlite3
from collections.abc import Mapping, Sequence
from typing import Any

import aiosqlite
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.exc import DBAPIError
from sqlmodel import inspect
from sqlmodel.ext.asyncio.session import AsyncSession

from bot.storage.models import Base
from bot.storage.writing import replacing

Step = tuple["Prepared", Mapping[str, Any]]
"""A statement, and the values of all columns of the row that it writes."""


class Prepared:
    """A statement that writes a row of a model whose columns hold plain numbers and texts."""

    def __init__(self, model: type[Base], *, replaces: bool = False) -> None:
        """Make it; if it `replaces`, it takes the place of the row with the same primary key."""
        columns = inspect(model).columns.keys()
        self._statements: dict[str, sqlite.Insert | postgresql.Insert] = {}
        for dialect in (sqlite, postgresql):
            statement: sqlite.Insert | postgresql.Insert = dialect.insert(model)
            self._statements[dialect.dialect.name] = (
                replacing(statement, model, columns) if replaces else statement
            )
        compiled = self.on("sqlite").compile(dialect=sqlite.dialect())
        self._sql, self._order = str(compiled), compiled.positiontup or []

    def on(self, dialect: str) -> sqlite.Insert | postgresql.Insert:
        """Return the statement for a kind of database."""
        return self._statements[dialect]

    def sql(self, values: Mapping[str, Any]) -> tuple[str, list[Any]]:
        """Return SQLite's SQL, and the values in its order."""
        return self._sql, [values[name] for name in self._order]


async def execute(session: AsyncSession, *steps: Step) -> None:
    """Execute steps in the transaction of a session."""
    connection = await session.connection()
    for prepared, values in steps:
        await connection.execute(prepared.on(connection.dialect.name), values)


async def in_one_visit(driver: aiosqlite.Connection, steps: Sequence[Step]) -> None:
    """Execute steps in one transaction of SQLite, for which its thread is visited once."""
    ready = [prepared.sql(values) for prepared, values in steps]
    try:
        visit = driver._execute(_transaction, driver._conn, ready)  # type: ignore[no-untyped-call]  # noqa: SLF001 - there is no other way in
        await visit
    except sqlite3.Error as error:
        raise DBAPIError.instance(None, None, error, sqlite3.Error, hide_parameters=True) from error


def _transaction(connection: sqlite3.Connection, ready: Sequence[tuple[str, list[Any]]]) -> None:
    connection.execute("BEGIN IMMEDIATE")
    try:
        for sql, values in ready:
            connection.execute(sql, values)
        connection.execute("COMMIT")
    except BaseException:
        connection.rollback()
        raise
