"""Statements that are executed again and again: the SQL for them is made once."""

import sqlite3
from collections.abc import Callable, Mapping, Sequence
from functools import cached_property
from typing import Any, NamedTuple

import aiosqlite
from sqlalchemy.dialects import sqlite
from sqlalchemy.engine.result import IteratorResult, SimpleResultMetaData
from sqlalchemy.exc import DBAPIError
from sqlalchemy.sql.selectable import ExecutableReturnsRows
from sqlmodel import inspect
from sqlmodel.ext.asyncio.session import AsyncSession

from bot.storage.models import Base
from bot.storage.writing import Insert, insert_on, replacing

Step = tuple["Prepared", Mapping[str, Any]]
"""A statement, and a value for each of its parameters, by name."""


Rows = Sequence[Any]
"""Rows of an answer; each knows its columns by name."""


class Done(NamedTuple):
    """How many rows a step wrote or found, and those that it gives."""

    number: int
    rows: Rows = ()


class Prepared:
    """A statement, made for each kind of database when it is first needed there."""

    def __init__(self, make: Callable[[Insert], ExecutableReturnsRows]) -> None:
        """Let it be made; `make` is given what begins a statement that adds rows."""
        self._make = make
        self._statements: dict[str, ExecutableReturnsRows] = {}

    def on(self, dialect: str) -> ExecutableReturnsRows:
        """Return the statement for a kind of database."""
        if dialect not in self._statements:
            self._statements[dialect] = self._make(insert_on(dialect))
        return self._statements[dialect]

    @cached_property
    def for_sqlite(self) -> "_ForSqlite":
        """What SQLite's driver is told of it."""
        return _ForSqlite(self.on("sqlite"))


class _ForSqlite:
    """A statement in SQLite's SQL, with values as its driver takes and gives them."""

    def __init__(self, statement: ExecutableReturnsRows) -> None:
        dialect = sqlite.dialect()
        compiled = statement.compile(dialect=dialect)
        self.sql = str(compiled)
        self._order = compiled.positiontup or []
        self._constants = {name: value for name, value in compiled.params.items() if value is not None}
        found = {name: compiled.binds[name].type.bind_processor(dialect) for name in self._order}
        self._converters = {name: convert for name, convert in found.items() if convert is not None}
        given = {
            column.key: column.type.result_processor(dialect, None) for column in statement.exported_columns
        }
        self._columns = SimpleResultMetaData(list(given))
        self._readers = [(place, read) for place, read in enumerate(given.values()) if read is not None]

    def ordered(self, values: Mapping[str, Any]) -> list[Any]:
        """Return the values of all parameters, in the order of the SQL."""
        given = {**self._constants, **values}
        for name, convert in self._converters.items():
            given[name] = convert(given[name])
        return [given[name] for name in self._order]

    def rows(self, found: Sequence[Sequence[Any]]) -> Rows:
        """Return the rows that the driver has found, by the names of their columns."""
        if self._readers:
            found = [self._read(list(row)) for row in found]
        return IteratorResult(self._columns, iter(found)).all()

    def _read(self, row: list[Any]) -> list[Any]:
        for place, read in self._readers:
            row[place] = read(row[place])
        return row


def addition(model: type[Base]) -> Prepared:
    """Return the statement that adds a row, from the values of all its columns."""
    return Prepared(lambda insert: insert(model))


def replacement(model: type[Base]) -> Prepared:
    """Return the statement that writes a row in the place of the one that has its primary key, or adds it."""
    return Prepared(lambda insert: replacing(insert(model), model, inspect(model).columns.keys()))


async def execute(session: AsyncSession, *steps: Step) -> list[Done]:
    """Execute steps in the transaction of a session."""
    connection = await session.connection()
    results = [await connection.execute(each.on(connection.dialect.name), values) for each, values in steps]
    return [
        Done(len(rows := each.all()), rows) if each.returns_rows else Done(each.rowcount) for each in results
    ]


async def write_in_one_visit(driver: aiosqlite.Connection, steps: Sequence[Step]) -> list[Done]:
    """Execute steps in one transaction of SQLite, for which its thread is visited once."""
    return await _visit(driver, _transaction, steps)


async def read_in_one_visit(driver: aiosqlite.Connection, step: Step) -> Done:
    """Execute a step that reads; a single one sees one moment, so it needs no transaction."""
    (done,) = await _visit(driver, _one_by_one, [step])
    return done


_Ready = Sequence[tuple[str, list[Any]]]
_Found = list[tuple[int, list[Any]]]


async def _visit(
    driver: aiosqlite.Connection, work: Callable[[sqlite3.Connection, _Ready], _Found], steps: Sequence[Step]
) -> list[Done]:
    ready = [(each.for_sqlite.sql, each.for_sqlite.ordered(values)) for each, values in steps]
    try:
        visit = driver._execute(work, driver._conn, ready)  # type: ignore[no-untyped-call]  # noqa: SLF001 - there is no other way in
        found: _Found = await visit
    except sqlite3.Error as error:
        raise DBAPIError.instance(None, None, error, sqlite3.Error, hide_parameters=True) from error
    return [
        Done(count, each.for_sqlite.rows(rows) if rows else ())
        for (each, _), (count, rows) in zip(steps, found, strict=True)
    ]


def _transaction(connection: sqlite3.Connection, ready: _Ready) -> _Found:
    connection.execute("BEGIN IMMEDIATE")
    try:
        done = _one_by_one(connection, ready)
        connection.execute("COMMIT")
    except BaseException:
        connection.rollback()
        raise
    return done


def _one_by_one(connection: sqlite3.Connection, ready: _Ready) -> _Found:
    return [_executed(connection.execute(sql, values)) for sql, values in ready]


def _executed(cursor: sqlite3.Cursor) -> tuple[int, list[Any]]:
    """Return how many rows were written or found, and the latter: all, as SQLite goes on until then."""
    found = cursor.fetchall()
    return (cursor.rowcount if cursor.description is None else len(found)), found
