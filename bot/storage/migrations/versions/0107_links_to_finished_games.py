"""Links to finished games, once an earlier one was withdrawn."""

import sqlalchemy as sa
from alembic import op

revision = "0107"
down_revision = "0106"

ID = sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def upgrade() -> None:
    """Apply the step; there is no way back but a backup."""
    op.create_table(
        "replay_link",
        sa.Column("table_id", ID, sa.ForeignKey("card_table.id"), primary_key=True),
        sa.Column("game", sa.Integer(), primary_key=True),
        sa.Column("secret", sa.String(), nullable=False),
        sqlite_with_rowid=False,
    )
