"""A picture from the chat."""

import sqlalchemy as sa
from alembic import op

revision = "0127"
down_revision = "0126"


def upgrade() -> None:
    """Apply the step; there is no way back but a backup."""
    with op.batch_alter_table("player", schema=None) as batch_op:
        batch_op.add_column(
            sa.Column("shows_portrait", sa.Boolean(), server_default=sa.text("(true)"), nullable=False)
        )
