"""The calls a second that platforms take."""

import sqlalchemy as sa
from alembic import op

revision = "0109"
down_revision = "0108"


def upgrade() -> None:
    """Apply the step; there is no way back but a backup."""
    op.create_table(
        "call_rate",
        sa.Column("platform", sa.String(), primary_key=True),
        sa.Column("calls", sa.Integer(), nullable=False),
    )
