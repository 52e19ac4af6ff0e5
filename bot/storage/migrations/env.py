"""Alembic's entry point; the caller passes the connection."""

from typing import Literal

from alembic import context
from sqlalchemy import MetaData
from sqlmodel.sql.sqltypes import AutoString


def render_item(_: str, item: object, __: object) -> str | Literal[False]:
    """Renders text columns of models as `sa.String`, so that steps do not import SQLModel."""
    return "sa.String()" if isinstance(item, AutoString) else False


def known_everywhere(models: MetaData) -> MetaData:
    """Makes partial indexes partial on PostgreSQL as well.

    The models have only SQLite's condition, as one for PostgreSQL would load its dialect.
    """
    for table in models.tables.values():
        for index in table.indexes:
            if (where := index.dialect_kwargs.get("sqlite_where")) is not None:
                index.dialect_kwargs["postgresql_where"] = where
    return models


context.configure(
    connection=context.config.attributes["connection"],
    target_metadata=known_everywhere(context.config.attributes["models"]),
    render_item=render_item,
    on_version_apply=lambda **_: context.config.attributes["on_step"](),
    render_as_batch=True,  # SQLite changes a table by rebuilding it
)
with context.begin_transaction():
    context.run_migrations()
