"""Find results with cheating."""

import sqlalchemy as sa
from alembic import op

revision = "0126"
down_revision = "0125"


def upgrade() -> None:
    """Apply the step; there is no way back but a backup."""
    with op.batch_alter_table("result", schema=None) as batch_op:
        batch_op.create_index(
            "ix_result_cheating",
            ["server_id", "player_id", "finished_at"],
            unique=False,
            sqlite_where=sa.text("cheats_unseen IS NOT NULL"),
            postgresql_where=sa.text("cheats_unseen IS NOT NULL"),
        )
