"""Note the newest week and handles."""

import sqlalchemy as sa
from alembic import op

revision = "0104"
down_revision = "0103"


def upgrade() -> None:
    """Apply the step; there is no way back but a backup."""
    op.add_column("player", sa.Column("handle", sa.String(), nullable=False, server_default=""))
    op.create_index("ix_player_handle", "player", ["handle"])
    op.add_column("server", sa.Column("week_until", sa.Float(), nullable=True))
