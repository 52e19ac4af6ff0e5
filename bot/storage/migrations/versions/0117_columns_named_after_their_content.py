"""Columns named after their content: a trouble reported, a phase announced, the time of a notice."""

from alembic import op

revision = "0117"
down_revision = "0116"


def upgrade() -> None:
    """Apply the step; there is no way back but a backup."""
    op.execute("ALTER TABLE badge RENAME COLUMN told TO reported")
    op.execute("ALTER TABLE cup RENAME COLUMN told TO announced")
    op.execute("ALTER TABLE card_seat RENAME COLUMN told_at TO notified_at")
