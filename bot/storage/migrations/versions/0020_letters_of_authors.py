"""Let a letter say who made a move."""

import sqlalchemy as sa
from alembic import op

revision = "0020"
down_revision = "0019"


def upgrade() -> None:
    """Apply the step; there is no way back but a backup."""
    op.execute(sa.text("UPDATE entry SET author = substr(author, 1, 1)"))
