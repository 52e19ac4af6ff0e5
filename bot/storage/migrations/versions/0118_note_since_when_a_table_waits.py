"""Since when a table waits for people, so that a restart takes no time from them."""

import sqlalchemy as sa
from alembic import op

revision = "0118"
down_revision = "0117"


def upgrade() -> None:
    """Apply the step; there is no way back but a backup."""
    op.add_column("card_table", sa.Column("waits_since", sa.Float(), nullable=True))
