"""Owners, and guests who went."""

import time

import sqlalchemy as sa
from alembic import op

revision = "0012"
down_revision = "0011"


def upgrade() -> None:
    """Apply the step; there is no way back but a backup."""
    with op.batch_alter_table("guest", schema=None) as batch_op:
        batch_op.add_column(sa.Column("seen_at", sa.Float(), nullable=False, server_default="0"))
        batch_op.add_column(sa.Column("is_owner", sa.Boolean(), nullable=False, server_default=sa.false()))

    # Nobody noted when guests were last there: their absence counts from now.
    guest = sa.table("guest", sa.column("seen_at", sa.Float()))
    op.get_bind().execute(sa.update(guest).values(seen_at=time.time()))
