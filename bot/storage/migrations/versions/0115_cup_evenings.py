"""Cup evenings: their people, and the tables of their rounds."""

import sqlalchemy as sa
from alembic import op

revision = "0115"
down_revision = "0114"

ID = sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def upgrade() -> None:
    """Apply the step; there is no way back but a backup."""
    op.create_table(
        "cup",
        sa.Column("id", ID, primary_key=True),
        sa.Column("server_id", ID, sa.ForeignKey("server.id"), nullable=False),
        sa.Column("room", sa.String(), nullable=False),
        sa.Column("topic", sa.String(), nullable=False),
        sa.Column("opener_id", ID, sa.ForeignKey("player.id"), nullable=False),
        sa.Column("preset", sa.String(), nullable=False),
        sa.Column("rules", sa.String(), nullable=False),
        sa.Column("house_rules", sa.String(), nullable=True),
        sa.Column("seed", sa.String(), nullable=False),
        sa.Column("salt", sa.String(), nullable=False),
        sa.Column("locale", sa.String(), nullable=False),
        sa.Column("starts_at", sa.Float(), nullable=False),
        sa.Column("phase", sa.String(), nullable=False),
        sa.Column("round", sa.Integer(), nullable=False),
        sa.Column("round_began_at", sa.Float(), nullable=False),
        sa.Column("ended_at", sa.Float(), nullable=True),
        sa.Column("winner_id", ID, sa.ForeignKey("player.id"), nullable=True),
        sa.Column("fool_id", ID, sa.ForeignKey("player.id"), nullable=True),
        sa.Column("message", sa.String(), nullable=False),
        sa.Column("is_pinned", sa.Boolean(), nullable=False),
        sa.Column("told", sa.String(), nullable=False),
        sqlite_autoincrement=True,
    )
    op.create_index("ix_cup_phase", "cup", ["phase"])
    op.create_index("ix_cup_server_id_ended_at", "cup", ["server_id", "ended_at"])

    op.create_table(
        "cup_entrant",
        sa.Column("cup_id", ID, sa.ForeignKey("cup.id"), primary_key=True),
        sa.Column("number", sa.Integer(), primary_key=True),
        sa.Column("player_id", ID, sa.ForeignKey("player.id"), nullable=False),
        sa.Column("name", sa.String(), nullable=False),
        sa.Column("joined", sa.String(), nullable=False),
        sa.Column("place", sa.Integer(), nullable=True),
        sa.Column("has_left", sa.Boolean(), nullable=False),
        sqlite_with_rowid=False,
    )
    op.create_index("ix_cup_entrant_player_id", "cup_entrant", ["player_id"])

    op.add_column("card_table", sa.Column("cup_id", ID, nullable=True))
    op.add_column("card_table", sa.Column("cup_round", sa.Integer(), nullable=False, server_default="0"))
    op.create_index("ix_card_table_cup_id", "card_table", ["cup_id"])

    # A room has one table at most, beside those of a cup.
    rooms_own = sa.text("phase IN ('lobby', 'playing') AND cup_id IS NULL")
    op.drop_index("uq_card_table_room_in_use", "card_table")
    op.create_index(
        "uq_card_table_room_in_use",
        "card_table",
        ["server_id", "room", "topic"],
        unique=True,
        sqlite_where=rooms_own,
        postgresql_where=rooms_own,
    )

    with op.batch_alter_table("server") as server:
        server.add_column(sa.Column("cups", sa.String(), nullable=False, server_default=""))
