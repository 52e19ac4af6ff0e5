"""An index to find the games that ended after a time, on all servers."""

import sqlalchemy as sa
from alembic import op

revision = "0110"
down_revision = "0109"

FIRST_SEAT = sa.text("seat = 0")


def upgrade() -> None:
    """Apply the step; there is no way back but a backup."""
    op.create_index(
        "ix_result_ended",
        "result",
        ["finished_at"],
        sqlite_where=FIRST_SEAT,
        postgresql_where=FIRST_SEAT,
    )
