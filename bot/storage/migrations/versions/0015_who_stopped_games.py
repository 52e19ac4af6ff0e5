"""Who stopped games."""

import sqlalchemy as sa
from alembic import op

revision = "0015"
down_revision = "0014"


def upgrade() -> None:
    """Apply the step; there is no way back but a backup."""
    with op.batch_alter_table("card_table", schema=None) as batch_op:
        batch_op.add_column(sa.Column("stopped", sa.String(), nullable=False, server_default=""))
