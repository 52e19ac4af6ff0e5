"""What games were like."""

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"


def upgrade() -> None:
    """Apply the step; there is no way back but a backup."""
    with op.batch_alter_table("result", schema=None) as batch_op:
        batch_op.add_column(sa.Column("trump", sa.String(), nullable=False, server_default=""))
        batch_op.add_column(sa.Column("bouts", sa.Integer(), nullable=False, server_default="0"))
        batch_op.add_column(sa.Column("seconds", sa.Float(), nullable=False, server_default="0"))
