"""Keys of messages."""

import sqlalchemy as sa
from alembic import op

revision = "0010"
down_revision = "0009"


def upgrade() -> None:
    """Apply the step; there is no way back but a backup."""
    with op.batch_alter_table("surface", schema=None) as batch_op:
        batch_op.add_column(sa.Column("key", sa.String(), nullable=False, server_default=""))

    with op.batch_alter_table("message", schema=None) as batch_op:
        batch_op.add_column(sa.Column("key", sa.String(), nullable=True))
        batch_op.create_index("ix_message_key", ["key"], unique=True)
