"""Moves everything from an SQLite file into an empty PostgreSQL database, and compares both row by row.

Rows are copied in the order of their keys, each batch in its own transaction. A move that was interrupted
can therefore be resumed: it skips the rows that are copied already.
"""

import json
from collections.abc import Iterable, Mapping, Sequence
from hashlib import sha256
from pathlib import Path
from typing import Any

import sqlalchemy as sa
from sqlalchemy.exc import DBAPIError
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine

from bot.storage.database import Database
from bot.storage.postgresql import postgresql_engine
from bot.storage.progress import Progress, silent
from bot.storage.schema import Schema
from bot.storage.trouble import DatabaseUnusableError, name_of
from bot.storage.upgrade import UNFINISHED_MOVE

BATCH_ROWS = 2_000
NOT_EMPTY = "holds rows already: move into a database without any"
AGAIN = "empty that database, and move again"


async def move(source: str, target: str, schema: Schema, progress: Progress = silent) -> int:
    """Copies every row, and returns their number; both databases are claimed by this process meanwhile.

    Raises:
        DatabaseUnusableError: One of them can't be used, the target has its own rows, or they differ.
    """
    old = Database(source, schema)
    new = Database(target, schema)
    if old.file is None or not old.file.is_file():
        raise DatabaseUnusableError(f"{name_of(old.url)} is no SQLite file that is there: name one.")
    if new.url.get_backend_name() != "postgresql":
        raise DatabaseUnusableError(f"{name_of(new.url)} is no PostgreSQL database: name one.")

    try:
        for database in (old, new):
            await database.claim()
            await database.open()

        await old.examine()  # a table outside the schema would be left behind

        engine = postgresql_engine(new.url)
        try:
            return await _Move(old.file, engine, name_of(new.url), schema.tables, progress).run()
        finally:
            await engine.dispose()
    finally:
        await new.close()
        await old.close()


class _Move:
    def __init__(
        self, file: Path, engine: AsyncEngine, target: str, tables: Sequence[sa.Table], progress: Progress
    ) -> None:
        self._file = sa.create_engine(f"sqlite:///{file}", hide_parameters=True)
        self._engine = engine
        self._target = target
        self._progress = progress
        self._tables = tables

    async def run(self) -> int:
        """Copies all rows, compares them, and continues the numbering; returns the number of rows."""
        with self._file.connect() as source:
            await self._begin()

            total = sum(_count(source, table) for table in self._tables)
            done = 0
            for table in self._tables:
                done = await self._copy(source, table, done, total)

            compared = 0
            for table in self._tables:
                compared += await self._compare(source, table)
                self._progress("rows compared", compared, total)

            await self._end(source)

        self._file.dispose()
        return total

    async def _begin(self) -> None:
        """Marks the target as an unfinished copy; it has to be empty if it isn't marked yet.

        Raises:
            DatabaseUnusableError: It isn't empty.
        """
        async with self._engine.begin() as target:
            if await target.run_sync(lambda connection: sa.inspect(connection).has_table(UNFINISHED_MOVE)):
                return

            for table in self._tables:
                if await target.scalar(sa.select(sa.exists().select_from(table))):
                    raise DatabaseUnusableError(f"{self._target} {NOT_EMPTY}.")

            await target.execute(sa.text(f"CREATE TABLE {UNFINISHED_MOVE} (begun TIMESTAMPTZ DEFAULT now())"))

    async def _copy(self, source: sa.Connection, table: sa.Table, done: int, total: int) -> int:
        """Copies the missing rows of a table; returns how many rows of all tables are copied by then."""
        async with self._engine.connect() as target:
            there = await target.scalar(sa.select(sa.func.count()).select_from(table)) or 0

        done += there
        rows = source.execute(sa.select(table).order_by(*table.primary_key).offset(there))
        for batch in rows.mappings().partitions(BATCH_ROWS):
            await self._insert(table, [dict(row) for row in batch])
            done += len(batch)
            self._progress("rows copied", done, total)

        return done

    async def _insert(self, table: sa.Table, rows: Sequence[Mapping[str, Any]]) -> None:
        try:
            async with self._engine.begin() as target:
                await target.execute(table.insert(), rows)
        except DBAPIError as error:
            why = str(error.orig).splitlines()[0]
            raise DatabaseUnusableError(f"{self._target} takes no rows of {table.name}: {why}.") from error

    async def _compare(self, source: sa.Connection, table: sa.Table) -> int:
        """Compares the number and the digest of a table's rows, and returns the number.

        Raises:
            DatabaseUnusableError: They differ.
        """
        query = sa.select(table).order_by(*_by_bytes(table))
        here = Digest()
        here.add(source.execute(sa.select(table).order_by(*table.primary_key)))

        there = Digest()
        async with self._engine.connect() as target:
            rows = await target.stream(query)
            async for batch in rows.partitions(BATCH_ROWS):
                there.add(batch)

        if (here.rows, here.hexdigest) != (there.rows, there.hexdigest):
            raise DatabaseUnusableError(f"{self._target} has other rows of {table.name} by now: {AGAIN}.")

        return here.rows

    async def _end(self, source: sa.Connection) -> None:
        """Continues the numbering of rows after the old ones, and removes the mark."""
        numbered = source.execute(sa.text("SELECT name, seq FROM sqlite_sequence")).all()
        last = {row.name: row.seq for row in numbered}
        async with self._engine.begin() as target:
            for table in self._tables:
                if "id" in table.c and isinstance(table.c.id.type, sa.BigInteger):
                    newest = source.scalar(sa.select(sa.func.max(table.c.id))) or 0
                    await _number_from(target, table, max(newest, last.get(table.name, 0)))

            await target.execute(sa.text(f"DROP TABLE {UNFINISHED_MOVE}"))


class Digest:
    """The number of rows, and a digest of all their values, equal for equal rows on every database."""

    def __init__(self) -> None:
        self._digest = sha256()
        self.rows = 0

    def add(self, rows: Iterable[Sequence[Any]]) -> None:
        """Adds rows, which must come in the order of their keys."""
        for row in rows:
            values = [
                json.dumps(value, sort_keys=True) if isinstance(value, dict) else value for value in row
            ]
            self._digest.update(repr(values).encode())
            self.rows += 1

    @property
    def hexdigest(self) -> str:
        """The digest of all rows so far."""
        return self._digest.hexdigest()


def _count(connection: sa.Connection, table: sa.Table) -> int:
    return connection.scalar(sa.select(sa.func.count()).select_from(table)) or 0


def _by_bytes(table: sa.Table) -> list[sa.ColumnElement[Any]]:
    """Returns the columns of the primary key, to sort in PostgreSQL as SQLite does: text by its bytes."""
    return [
        column.collate("C") if isinstance(column.type, sa.String) else column for column in table.primary_key
    ]


async def _number_from(target: AsyncConnection, table: sa.Table, last: int) -> None:
    """Continues the numbering of a table's rows after `last`."""
    if last:
        sequence = sa.func.pg_get_serial_sequence(table.name, "id")
        await target.execute(sa.select(sa.func.setval(sequence, last)))
