"""Choices of servers and people."""

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"


def upgrade() -> None:
    """Apply the step; there is no way back but a backup."""
    with op.batch_alter_table("player", schema=None) as batch_op:
        batch_op.add_column(sa.Column("language", sa.String(), nullable=False, server_default=""))

    with op.batch_alter_table("server", schema=None) as batch_op:
        batch_op.add_column(sa.Column("locale", sa.String(), nullable=False, server_default=""))
        batch_op.add_column(sa.Column("time_zone", sa.String(), nullable=False, server_default=""))
        batch_op.add_column(sa.Column("view", sa.String(), nullable=False, server_default=""))
