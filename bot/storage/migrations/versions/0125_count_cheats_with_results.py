"""Count cheats with results."""

import sqlalchemy as sa
from alembic import op

revision = "0125"
down_revision = "0124"


def upgrade() -> None:
    """Apply the step; there is no way back but a backup."""
    with op.batch_alter_table("result", schema=None) as batch_op:
        batch_op.add_column(sa.Column("cheats_unseen", sa.Integer(), nullable=True))
        batch_op.add_column(sa.Column("cheats_caught", sa.Integer(), nullable=True))
        batch_op.add_column(sa.Column("catches", sa.Integer(), nullable=True))
        batch_op.add_column(sa.Column("ghosts", sa.Integer(), nullable=True))
