"""Colours of pictures."""

import sqlalchemy as sa
from alembic import op

revision = "0009"
down_revision = "0008"


def upgrade() -> None:
    """Apply the step; there is no way back but a backup."""
    with op.batch_alter_table("server", schema=None) as batch_op:
        batch_op.add_column(sa.Column("style", sa.String(), nullable=False, server_default=""))
