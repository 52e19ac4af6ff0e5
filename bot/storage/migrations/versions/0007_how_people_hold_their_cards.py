"""How people hold their cards."""

import sqlalchemy as sa
from alembic import op

revision = "0007"
down_revision = "0006"


def upgrade() -> None:
    """Apply the step; there is no way back but a backup."""
    with op.batch_alter_table("player", schema=None) as batch_op:
        batch_op.add_column(sa.Column("hand_order", sa.String(), nullable=False, server_default=""))
