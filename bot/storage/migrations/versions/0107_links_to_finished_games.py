"""New links to finished games whose earlier link was withdrawn."""

import sqlalchemy as sa
from alembic import op

revision = "0107"
down_revision = "0106"

ID = sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def upgrade() -> None:
    """Applies the step; only a backup can undo it."""
    op.create_table(
        "replay_link",
        sa.Column("table_id", ID, sa.ForeignKey("card_table.id"), primary_key=True),
        sa.Column("game", sa.Integer(), primary_key=True),
        sa.Column("secret", sa.String(), nullable=False),
        sqlite_with_rowid=False,
    )
