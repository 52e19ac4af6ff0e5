"""Fills every table of a database: its tables are read from itself, so it may be at any step."""

from typing import Any

import sqlalchemy as sa

STEP = "alembic_version"  # the table that names it


def tables_of(connection: sa.Connection) -> list[sa.Table]:
    """Reads the tables of a database, those that others refer to first."""
    found = sa.MetaData()
    found.reflect(connection)
    return [table for table in found.sorted_tables if table.name != STEP]


def fill(connection: sa.Connection) -> None:
    """Adds two rows to each empty table: one with all values, and one with as few as possible."""
    for table in tables_of(connection):
        if is_empty(connection, table):
            for number in (1, 2):
                row = {column.name: _value(connection, column, number) for column in table.columns}
                connection.execute(table.insert(), row)


def is_empty(connection: sa.Connection, table: sa.Table) -> bool:
    return not connection.scalar(sa.select(sa.exists().select_from(table)))


def _value(connection: sa.Connection, column: sa.Column[Any], number: int) -> Any:
    """Returns a value for a column, different in each row; a foreign key is that of a row that exists."""
    if column.nullable and number == 2:
        return None

    for key in column.foreign_keys:
        named = sa.select(key.column).order_by(key.column).offset(number - 1).limit(1)
        return connection.execute(named).scalar_one()

    match column.type:
        case sa.Boolean():
            return number == 1
        case sa.Integer() | sa.Float():
            return number
        case sa.LargeBinary():
            return bytes([number])
        case sa.JSON():
            return {"number": number}
        case _:
            return f"{column.name} {number}"
