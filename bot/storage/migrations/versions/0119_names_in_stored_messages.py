"""The page's stored messages name the texts of tables and puzzles as this version does.

They are rewritten in pieces, so that a large file needs little memory; only those with the former name are
read.
"""

from collections.abc import Mapping
from typing import Any

import sqlalchemy as sa
from alembic import op

revision = "0119"
down_revision = "0118"

PIECE = 500  # messages in memory at a time

FORMER_NAME = "told"
NAMES = {"board": "latest", "drawn": "text"}  # by the part of a message

MESSAGES = sa.table("message", sa.column("id", sa.BigInteger()), sa.column("content", sa.JSON()))
HAS_FORMER_NAME = sa.cast(MESSAGES.c.content, sa.Text()).like(f'%"{FORMER_NAME}"%')


def upgrade() -> None:
    """Apply the step; there is no way back but a backup."""
    connection = op.get_bind()
    rename = (
        sa.update(MESSAGES)
        .where(MESSAGES.c.id == sa.bindparam("number"))
        .values(content=sa.bindparam("renamed", type_=sa.JSON()))
    )
    last = 0
    while piece := connection.execute(_after(last)).all():
        rows = [{"number": number, "renamed": _renamed(content)} for number, content in piece]
        connection.execute(rename, rows)
        last = piece[-1].id


def _after(last: int) -> sa.Select[Any]:
    """Selects the next piece of messages."""
    columns = sa.select(MESSAGES.c.id, MESSAGES.c.content)
    return columns.where(MESSAGES.c.id > last, HAS_FORMER_NAME).order_by(MESSAGES.c.id).limit(PIECE)


def _renamed(content: Mapping[str, Any]) -> Mapping[str, Any]:
    """Returns the content of a message with the names of this version."""
    parts = dict(content)
    for part, name in NAMES.items():
        stored = parts.get(part)
        if isinstance(stored, dict) and FORMER_NAME in stored:
            rest = {key: value for key, value in stored.items() if key != FORMER_NAME}
            parts[part] = rest | {name: stored[FORMER_NAME]}

    return parts
