"""The messages that ask the fools of real-card games."""

import sqlalchemy as sa
from alembic import op

revision = "0114"
down_revision = "0113"


def upgrade() -> None:
    """Apply the step; there is no way back but a backup."""
    number = sa.BigInteger().with_variant(sa.Integer(), "sqlite")
    op.create_table(
        "card_notice",
        sa.Column("batch", number, nullable=False),
        sa.Column("player_id", number, nullable=False),
        sa.Column("server_id", number, nullable=False),
        sa.Column("room", sa.String(), nullable=False),
        sa.Column("topic", sa.String(), nullable=False),
        sa.Column("message", sa.String(), nullable=False),
        sa.Column("is_private", sa.Boolean(), nullable=False),
        sa.ForeignKeyConstraint(["player_id"], ["player.id"], name="fk_card_notice_player_id"),
        sa.ForeignKeyConstraint(["server_id"], ["server.id"], name="fk_card_notice_server_id"),
        sa.PrimaryKeyConstraint("batch", "player_id", name="pk_card_notice"),
        sqlite_with_rowid=False,
    )
    op.create_index("ix_card_notice_player_id", "card_notice", ["player_id"])
