"""Hand out puzzles: which ones somebody has had alone, so that they are posted on no day."""

import sqlalchemy as sa
from alembic import op

revision = "0102"
down_revision = "0101"


def upgrade() -> None:
    """Apply the step; there is no way back but a backup."""
    # Nobody knows which of the old ones were handed out, so none of them is a secret.
    with op.batch_alter_table("puzzle") as puzzle:
        puzzle.add_column(sa.Column("handed_out", sa.Boolean(), nullable=False, server_default=sa.true()))
