"""The number of calls per second that each platform accepts."""

import sqlalchemy as sa
from alembic import op

revision = "0109"
down_revision = "0108"


def upgrade() -> None:
    """Applies the step; only a backup can undo it."""
    op.create_table(
        "call_rate",
        sa.Column("platform", sa.String(), primary_key=True),
        sa.Column("calls", sa.Integer(), nullable=False),
    )
