"""Messages of cups are those of a feature, and whom a cup calls is decided before it is told."""

import sqlalchemy as sa
from alembic import op

revision = "0123"
down_revision = "0122"

SERVER = sa.table("server", sa.column("id"), sa.column("platform"))
CUP = sa.table(
    "cup",
    sa.column("id"),
    sa.column("server_id"),
    sa.column("message"),
    sa.column("is_pinned", sa.Boolean()),
    sa.column("announced"),
    sa.column("has_called", sa.Boolean()),
)
MESSAGE_COLUMNS = (
    "subject",
    "number",
    "part",
    "reader_platform",
    "reader",
    "server_id",
    "platform",
    "message",
    "digest",
    "key",
    "is_pinned",
)


def upgrade() -> None:
    """Apply the step; there is no way back but a backup."""
    public = sa.literal("")
    unknown = sa.literal("")
    shown = (
        sa.select(
            sa.literal("cup"),
            CUP.c.id,
            sa.literal("list"),
            public,
            public,
            CUP.c.server_id,
            SERVER.c.platform,
            CUP.c.message,
            unknown,
            sa.literal(""),
            CUP.c.is_pinned,
        )
        .join_from(CUP, SERVER, SERVER.c.id == CUP.c.server_id)
        .where(CUP.c.message != "")
    )
    messages = sa.table("feature_message", *map(sa.column, MESSAGE_COLUMNS))
    op.execute(sa.insert(messages).from_select(MESSAGE_COLUMNS, shown))

    with op.batch_alter_table("cup_entrant") as batch:
        batch.add_column(sa.Column("is_called", sa.Boolean(), nullable=False, server_default=sa.false()))

    with op.batch_alter_table("cup") as batch:
        batch.add_column(sa.Column("has_called", sa.Boolean(), nullable=False, server_default=sa.false()))
    op.execute(sa.update(CUP).where(CUP.c.announced != "").values(has_called=sa.true()))

    with op.batch_alter_table("cup", table_kwargs={"sqlite_autoincrement": True}) as batch:
        batch.drop_column("is_pinned")
        batch.drop_column("message")
        batch.drop_column("announced")
