"""Whether the results on a server name the move that decided the game."""

import sqlalchemy as sa
from alembic import op

revision = "0111"
down_revision = "0110"


def upgrade() -> None:
    """Apply the step; there is no way back but a backup."""
    with op.batch_alter_table("server") as server:
        server.add_column(sa.Column("turning", sa.String(), nullable=False, server_default=""))
