"""Where alembic begins: the connection comes from whoever asked."""

from typing import Literal

from alembic import context
from sqlmodel.sql.sqltypes import AutoString

from bot.storage.models import Base


def render_item(_: str, item: object, __: object) -> str | Literal[False]:
    """Write a model's text columns as the plain type, so that a step needs no model."""
    return "sa.String()" if isinstance(item, AutoString) else False


context.configure(
    connection=context.config.attributes["connection"],
    target_metadata=Base.metadata,
    render_item=render_item,
    render_as_batch=True,  # SQLite changes a table by making it anew
)
with context.begin_transaction():
    context.run_migrations()
