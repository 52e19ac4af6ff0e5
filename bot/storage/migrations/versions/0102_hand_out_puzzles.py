"""Records which puzzles were handed out to a single person, so that they are never posted."""

import sqlalchemy as sa
from alembic import op

revision = "0102"
down_revision = "0101"


def upgrade() -> None:
    """Applies the step; only a backup can undo it."""
    # It is unknown which of the old ones were handed out, so all of them count as seen.
    with op.batch_alter_table("puzzle") as puzzle:
        puzzle.add_column(sa.Column("handed_out", sa.Boolean(), nullable=False, server_default=sa.true()))
