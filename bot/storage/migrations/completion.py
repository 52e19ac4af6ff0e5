"""The operations for running a step again on a database that had an early form of the step."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import sqlalchemy as sa
from alembic import op


class Additions:
    """The operations of a step, which do nothing if they were made before.

    Statements about rows are executed only while a column that the step drops still exists.
    """

    def __init__(self, connection: sa.Connection) -> None:
        self._connection = connection

    def create_table(self, name: str, *columns: Any, **options: Any) -> None:
        """Creates a table if it is missing."""
        if not self._inspect().has_table(name):
            op.create_table(name, *columns, **options)

    def create_index(self, name: str, table: str, *columns: Any, **options: Any) -> None:
        """Creates an index if it is missing."""
        if name not in {index["name"] for index in self._inspect().get_indexes(table)}:
            op.create_index(name, table, *columns, **options)

    def add_column(self, table: str, column: sa.Column[Any]) -> None:
        """Adds a column if it is missing."""
        if not self._has(table, column.name):
            op.add_column(table, column)

    def execute(self, statement: str) -> None:
        """Executes a statement if people still have the column `private_messages`."""
        if self._has("player", "private_messages"):
            op.execute(statement)

    def drop_column(self, table: str, column: str) -> None:
        """Drops a column if it still exists."""
        if self._has(table, column):
            op.drop_column(table, column)

    @contextmanager
    def batch_alter_table(self, table: str) -> Iterator["Batch"]:
        """Yields the same operations for the columns of one table."""
        yield Batch(self, table)

    def _has(self, table: str, column: str) -> bool:
        return column in {existing["name"] for existing in self._inspect().get_columns(table)}

    def _inspect(self) -> sa.Inspector:
        return sa.inspect(self._connection)


class Batch:
    """The operations on one table."""

    def __init__(self, additions: Additions, table: str) -> None:
        self._additions = additions
        self._table = table

    def add_column(self, column: sa.Column[Any]) -> None:
        """Adds a column if it is missing."""
        self._additions.add_column(self._table, column)
