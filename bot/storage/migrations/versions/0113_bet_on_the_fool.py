"""The bets on the fool, and whether a server wants them."""

import sqlalchemy as sa
from alembic import op

revision = "0113"
down_revision = "0112"


def upgrade() -> None:
    """Apply the step; there is no way back but a backup."""
    number = sa.BigInteger().with_variant(sa.Integer(), "sqlite")
    op.create_table(
        "bet",
        sa.Column("table_id", number, nullable=False),
        sa.Column("game", sa.Integer(), nullable=False),
        sa.Column("player_id", number, nullable=False),
        sa.Column("seat", sa.Integer(), nullable=False),
        sa.ForeignKeyConstraint(["player_id"], ["player.id"], name="fk_bet_player_id"),
        sa.ForeignKeyConstraint(["table_id"], ["card_table.id"], name="fk_bet_table_id"),
        sa.PrimaryKeyConstraint("table_id", "game", "player_id", name="pk_bet"),
        sqlite_with_rowid=False,
    )
    op.create_index("ix_bet_player_id", "bet", ["player_id"])

    with op.batch_alter_table("server") as server:
        server.add_column(sa.Column("bets", sa.String(), nullable=False, server_default=""))
