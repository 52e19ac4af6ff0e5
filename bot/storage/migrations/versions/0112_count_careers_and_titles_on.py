"""Careers in the rows of tallies, titles, and the rules by which a game was played, beside its results.

Without tallies, all games are counted again at the start, careers and titles among them.
"""

import sqlalchemy as sa
from alembic import op

revision = "0112"
down_revision = "0111"

ID = sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def upgrade() -> None:
    """Apply the step; there is no way back but a backup."""
    op.create_table(
        "title",
        sa.Column("server_id", ID, sa.ForeignKey("server.id"), primary_key=True),
        sa.Column("player_id", ID, sa.ForeignKey("player.id"), primary_key=True),
        sa.Column("title", sa.String(), primary_key=True),
        sa.Column("table_id", ID, sa.ForeignKey("card_table.id"), nullable=False),
        sa.Column("game", sa.Integer(), nullable=False),
        sqlite_with_rowid=False,
    )
    op.create_index("ix_title_table_id_game", "title", ["table_id", "game"])

    with op.batch_alter_table("result") as result:
        result.add_column(sa.Column("preset", sa.String(), nullable=True))
        result.add_column(sa.Column("level", sa.Integer(), nullable=False, server_default="0"))
        result.drop_index("ix_result_player_id_server_id")
        result.create_index(
            "ix_result_player_id_server_id_finished_at", ["player_id", "server_id", "finished_at"]
        )

    op.execute("DELETE FROM tally WHERE server_id IN (SELECT server_id FROM result)")
    with op.batch_alter_table("tally") as tally:
        for name in ("form", "presets_lost"):
            tally.add_column(sa.Column(name, sa.String(), nullable=False, server_default=""))
        for name in ("fool_streak", "safe_streak", "longest_safe_streak", "houses_beaten"):
            tally.add_column(sa.Column(name, sa.Integer(), nullable=False, server_default="0"))
