"""Statements that are executed again and again: the SQL for them is made once."""

import sqlite3
from collections.abc import Callable, Mapping, Sequence
from functools import cached_property
from typing import Any

import aiosqlite
from sqlalchemy import UpdateBase
from sqlalchemy.dialects import sqlite
from sqlalchemy.exc import DBAPIError
from sqlmodel import inspect
from sqlmodel.ext.asyncio.session import AsyncSession

from bot.storage.models import Base
from bot.storage.writing import Insert, insert_on, replacing

Step = tuple["Prepared", Mapping[str, Any]]
"""A statement, and a value for each of its parameters, by name."""


class Prepared:
    """A statement that writes, made for each kind of database when it is first needed there."""

    def __init__(self, make: Callable[[Insert], UpdateBase]) -> None:
        """Let it be made; `make` is given what begins a statement that adds rows."""
        self._make = make
        self._statements: dict[str, UpdateBase] = {}

    def on(self, dialect: str) -> UpdateBase:
        """Return the statement for a kind of database."""
        if dialect not in self._statements:
            self._statements[dialect] = self._make(insert_on(dialect))
        return self._statements[dialect]

    def sql(self, values: Mapping[str, Any]) -> tuple[str, list[Any]]:
        """Return SQLite's SQL, and the values in its order, as its driver takes them."""
        return self._for_sqlite.sql, self._for_sqlite.ordered(values)

    @cached_property
    def _for_sqlite(self) -> "_ForSqlite":
        return _ForSqlite(self.on("sqlite"))


class _ForSqlite:
    """What SQLite's driver is told of a statement."""

    def __init__(self, statement: UpdateBase) -> None:
        dialect = sqlite.dialect()
        compiled = statement.compile(dialect=dialect)
        self.sql = str(compiled)
        self._order = compiled.positiontup or []
        self._constants = {name: value for name, value in compiled.params.items() if value is not None}
        found = {name: compiled.binds[name].type.bind_processor(dialect) for name in self._order}
        self._converters = {name: convert for name, convert in found.items() if convert is not None}

    def ordered(self, values: Mapping[str, Any]) -> list[Any]:
        given = {**self._constants, **values}
        for name, convert in self._converters.items():
            given[name] = convert(given[name])
        return [given[name] for name in self._order]


def addition(model: type[Base]) -> Prepared:
    """Return the statement that adds a row, from the values of all its columns."""
    return Prepared(lambda insert: insert(model))


def replacement(model: type[Base]) -> Prepared:
    """Return the statement that writes a row in the place of the one that has its primary key, or adds it."""
    return Prepared(lambda insert: replacing(insert(model), model, inspect(model).columns.keys()))


async def execute(session: AsyncSession, *steps: Step) -> list[int]:
    """Execute steps in the transaction of a session; gives how many rows each wrote."""
    connection = await session.connection()
    done = [await connection.execute(each.on(connection.dialect.name), values) for each, values in steps]
    return [result.rowcount for result in done]


async def in_one_visit(driver: aiosqlite.Connection, steps: Sequence[Step]) -> list[int]:
    """Execute steps in one transaction of SQLite, for which its thread is visited once."""
    ready = [prepared.sql(values) for prepared, values in steps]
    try:
        visit = driver._execute(_transaction, driver._conn, ready)  # type: ignore[no-untyped-call]  # noqa: SLF001 - there is no other way in
        counts: list[int] = await visit
    except sqlite3.Error as error:
        raise DBAPIError.instance(None, None, error, sqlite3.Error, hide_parameters=True) from error
    return counts


def _transaction(connection: sqlite3.Connection, ready: Sequence[tuple[str, list[Any]]]) -> list[int]:
    connection.execute("BEGIN IMMEDIATE")
    try:
        counts = [connection.execute(sql, values).rowcount for sql, values in ready]
        connection.execute("COMMIT")
    except BaseException:
        connection.rollback()
        raise
    return counts
