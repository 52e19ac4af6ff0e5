"""Let results say what a game changed in people's ratings."""

import sqlalchemy as sa
from alembic import op

revision = "0019"
down_revision = "0018"


def upgrade() -> None:
    """Apply the step; there is no way back but a backup."""
    op.add_column("result", sa.Column("rating_change", sa.Float(), nullable=True))
