"""What is counted on whenever a game ends; the games so far are counted when the database is opened."""

import sqlalchemy as sa
from alembic import op

revision = "0017"
down_revision = "0016"

GAME = "seat = 0 AND people >= 2"
ID = sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def upgrade() -> None:
    """Apply the step; there is no way back but a backup."""
    op.create_table(
        "tally",
        sa.Column("server_id", ID, nullable=False),
        sa.Column("player_id", ID, nullable=False),
        *(sa.Column(name, sa.Integer(), nullable=False) for name in ("games", "fools", "draws", "first_out")),
        sa.Column("expected", sa.Float(), nullable=False),
        *(sa.Column(name, sa.Integer(), nullable=False) for name in ("epaulettes", "points")),
        *(sa.Column(name, sa.Float(), nullable=False) for name in ("strength", "doubt")),
        sa.ForeignKeyConstraint(["server_id"], ["server.id"], name=op.f("fk_tally_server_id")),
        sa.ForeignKeyConstraint(["player_id"], ["player.id"], name=op.f("fk_tally_player_id")),
        sa.PrimaryKeyConstraint("server_id", "player_id", name=op.f("pk_tally")),
    )
    op.create_table(
        "duel",
        *(sa.Column(name, ID, nullable=False) for name in ("server_id", "one_id", "other_id")),
        *(
            sa.Column(name, sa.Integer(), nullable=False)
            for name in ("games", "one_fools", "other_fools", "decided")
        ),
        sa.ForeignKeyConstraint(["server_id"], ["server.id"], name=op.f("fk_duel_server_id")),
        sa.ForeignKeyConstraint(["one_id"], ["player.id"], name=op.f("fk_duel_one_id")),
        sa.ForeignKeyConstraint(["other_id"], ["player.id"], name=op.f("fk_duel_other_id")),
        sa.PrimaryKeyConstraint("server_id", "one_id", "other_id", name=op.f("pk_duel")),
    )
    op.create_index("ix_duel_server_id_decided", "duel", ["server_id", "decided"])
    op.drop_index("ix_result_player_id", "result")
    op.create_index("ix_result_player_id_server_id", "result", ["player_id", "server_id"])
    op.create_index(
        "ix_result_first_seat",
        "result",
        ["server_id", "finished_at", "trump", "bouts", "seconds"],
        sqlite_where=sa.text(GAME),
        postgresql_where=sa.text(GAME),
    )
