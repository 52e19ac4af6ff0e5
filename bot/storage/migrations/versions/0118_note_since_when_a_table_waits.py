"""Since when a table waits for people, so that a restart takes no time from them."""

import sqlalchemy as sa
from alembic import op

revision = "0118"
down_revision = "0117"


def upgrade() -> None:
    """Applies the step; only a backup can undo it."""
    op.add_column("card_table", sa.Column("waits_since", sa.Float(), nullable=True))
