"""The time for throwing in cards."""

import sqlalchemy as sa
from alembic import op

revision = "0103"
down_revision = "0102"


def upgrade() -> None:
    """Applies the step; only a backup can undo it."""
    with op.batch_alter_table("card_table") as table:
        table.add_column(sa.Column("throw_in_seconds", sa.Integer(), nullable=True))
