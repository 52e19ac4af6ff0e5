"""Answers to real-card games: who confirms one, which fools were told, and where it is shown."""

import sqlalchemy as sa
from alembic import op

revision = "0105"
down_revision = "0104"

ID = sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def upgrade() -> None:
    """Apply the step; there is no way back but a backup."""
    # Not in a batch: SQLite would write the tables anew, and give out the numbers of old buttons again.
    op.add_column("card_game", sa.Column("is_file", sa.Boolean(), nullable=False, server_default=sa.false()))
    op.add_column("card_game", sa.Column("month_first_at", sa.Float(), nullable=True))
    op.add_column("card_seat", sa.Column("confirms", sa.Boolean(), nullable=False, server_default=sa.false()))
    op.add_column("card_seat", sa.Column("told_at", sa.Float(), nullable=True))
    with op.batch_alter_table(
        "puzzle", recreate="auto", table_kwargs={"sqlite_autoincrement": True}
    ) as puzzle:
        puzzle.alter_column("handed_out", server_default=None)

    op.create_table(
        "card_post",
        sa.Column("batch", ID, primary_key=True),
        sa.Column("server_id", ID, sa.ForeignKey("server.id"), nullable=False),
        sa.Column("room", sa.String(), nullable=False),
        sa.Column("topic", sa.String(), nullable=False),
        sa.Column("message", sa.String(), nullable=False),
        sqlite_with_rowid=False,
    )

    # Several games that were entered together came from a file, and nobody is told of old ones now.
    op.execute(
        "UPDATE card_game SET is_file = true WHERE batch IN "
        "(SELECT batch FROM card_game GROUP BY batch HAVING count(*) > 1)"
    )
    op.execute(
        "UPDATE card_seat SET told_at = "
        "(SELECT entered_at FROM card_game WHERE card_game.id = card_seat.card_game_id) WHERE is_fool"
    )
