"""The operations of a step that is run again on a database that went through an early form of it."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import sqlalchemy as sa
from alembic import op


class Additions:
    """The operations of a step, of which those that were made before do nothing.

    Its statements about rows are run only where a column that it drops is still there.
    """

    def __init__(self, connection: sa.Connection) -> None:
        self._connection = connection

    def create_table(self, name: str, *columns: Any, **options: Any) -> None:
        """Makes a table that is missing."""
        if not self._inspect().has_table(name):
            op.create_table(name, *columns, **options)

    def create_index(self, name: str, table: str, *columns: Any, **options: Any) -> None:
        """Makes an index that is missing."""
        if name not in {index["name"] for index in self._inspect().get_indexes(table)}:
            op.create_index(name, table, *columns, **options)

    def add_column(self, table: str, column: sa.Column[Any]) -> None:
        """Adds a column that is missing."""
        if not self._has(table, column.name):
            op.add_column(table, column)

    def execute(self, statement: str) -> None:
        """Changes the people of a database that has the column of their private messages."""
        if self._has("player", "private_messages"):
            op.execute(statement)

    def drop_column(self, table: str, column: str) -> None:
        """Drops a column that is still there."""
        if self._has(table, column):
            op.drop_column(table, column)

    @contextmanager
    def batch_alter_table(self, table: str) -> Iterator["Batch"]:
        """Lends the same for the columns of one table."""
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
        """Adds a column that is missing."""
        self._additions.add_column(self._table, column)
