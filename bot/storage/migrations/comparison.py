"""Compares the tables of a database with the models; without Alembic, which no start should have to load."""

from collections.abc import Collection, Sequence
from typing import Any

import sqlalchemy as sa
from sqlalchemy.engine.interfaces import ReflectedColumn, ReflectedIndex

from bot.storage.models import Base

OF_ALEMBIC = "alembic_version"


def differences(connection: sa.Connection) -> list[str]:
    """Names the tables, columns and indexes behind a connection that differ from the models."""
    inspector = sa.inspect(connection)
    wanted = Base.metadata.tables
    there = set(inspector.get_table_names()) - {OF_ALEMBIC}
    found = _by_name("table", there, wanted)

    shared = sorted(there & wanted.keys())
    columns = inspector.get_multi_columns(filter_names=shared)
    indexes = inspector.get_multi_indexes(filter_names=shared)
    for name in shared:
        found += _of_columns(name, columns[None, name])
        found += _of_indexes(name, indexes[None, name])

    return sorted(found)


def _of_columns(name: str, reflected: Sequence[ReflectedColumn]) -> list[str]:
    """Names the columns of a table that differ."""
    there = {column["name"]: column for column in reflected}
    wanted = Base.metadata.tables[name].columns
    changed = [
        f"another column {name}.{column.name}"
        for column in wanted
        if column.name in there and not _is_same(there[column.name], column)
    ]
    return changed + _by_name("column", there, wanted.keys(), f"{name}.")


def _of_indexes(name: str, reflected: Sequence[ReflectedIndex]) -> list[str]:
    """Names the indexes of a table that differ; PostgreSQL lists those of constraints as well."""
    there = {index["name"] or "" for index in reflected if not index.get("duplicates_constraint")}
    wanted = {str(index.name) for index in Base.metadata.tables[name].indexes}
    return _by_name("index", there, wanted, f"{name}.")


def _by_name(noun: str, there: Collection[str], wanted: Collection[str], table: str = "") -> list[str]:
    """Names the parts of a kind that are missing, and those that are unknown, after their `table`."""
    missing = [f"no {noun} {table}{name}" for name in wanted if name not in there]
    unknown = [f"an unknown {noun} {table}{name}" for name in there if name not in wanted]
    return missing + unknown


def _is_same(there: ReflectedColumn, wanted: sa.Column[Any]) -> bool:
    """Whether a column holds values of the same kind; each database has its own names for types."""
    kind = wanted.type
    if isinstance(kind, sa.TypeDecorator):
        kind = kind.impl_instance

    is_same_kind = there["type"].python_type is kind.python_type
    return is_same_kind and there["nullable"] == wanted.nullable
