"""Whether a person's picture from the chat is shown."""

import sqlalchemy as sa
from alembic import op

revision = "0127"
down_revision = "0126"


def upgrade() -> None:
    """Applies the step; only a backup can undo it."""
    with op.batch_alter_table("player", schema=None) as batch_op:
        batch_op.add_column(
            sa.Column("shows_portrait", sa.Boolean(), server_default=sa.text("(true)"), nullable=False)
        )
