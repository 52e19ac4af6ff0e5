"""The end of a server's newest week, and the handles of people."""

import sqlalchemy as sa
from alembic import op

revision = "0104"
down_revision = "0103"


def upgrade() -> None:
    """Applies the step; only a backup can undo it."""
    op.add_column("player", sa.Column("handle", sa.String(), nullable=False, server_default=""))
    op.create_index("ix_player_handle", "player", ["handle"])
    op.add_column("server", sa.Column("week_until", sa.Float(), nullable=True))
