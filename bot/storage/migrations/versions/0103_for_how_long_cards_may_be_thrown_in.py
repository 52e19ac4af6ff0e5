"""For how long cards may be thrown in."""

import sqlalchemy as sa
from alembic import op

revision = "0103"
down_revision = "0102"


def upgrade() -> None:
    """Apply the step; there is no way back but a backup."""
    with op.batch_alter_table("card_table") as table:
        table.add_column(sa.Column("throw_in_seconds", sa.Integer(), nullable=True))
