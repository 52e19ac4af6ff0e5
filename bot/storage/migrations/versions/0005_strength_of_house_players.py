"""Strength of house players."""

import sqlalchemy as sa
from alembic import op

revision = "0005"
down_revision = "0004"


def upgrade() -> None:
    """Apply the step; there is no way back but a backup."""
    with op.batch_alter_table("card_table", schema=None) as batch_op:
        batch_op.add_column(sa.Column("strength", sa.String(), nullable=False, server_default="regular"))
