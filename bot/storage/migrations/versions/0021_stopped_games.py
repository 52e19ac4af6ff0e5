"""Find the games that were stopped without reading all tables."""

import sqlalchemy as sa
from alembic import op

revision = "0021"
down_revision = "0020"

STOPPED = "stopped <> ''"


def upgrade() -> None:
    """Apply the step; there is no way back but a backup."""
    op.create_index(
        "ix_card_table_stopped",
        "card_table",
        ["server_id", "changed_at"],
        sqlite_where=sa.text(STOPPED),
        postgresql_where=sa.text(STOPPED),
    )
