"""Teasing."""

import sqlalchemy as sa
from alembic import op

revision = "0022"
down_revision = "0021"


def upgrade() -> None:
    """Apply the step; there is no way back but a backup."""
    with op.batch_alter_table("server", schema=None) as batch_op:
        batch_op.add_column(sa.Column("teasing", sa.String(), nullable=False, server_default=""))
