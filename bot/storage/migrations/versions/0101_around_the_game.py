"""What happens around the game: what servers choose of it, and what is due when."""

import sqlalchemy as sa
from alembic import op

revision = "0101"
down_revision = "0100"

ID = sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def upgrade() -> None:
    """Apply the step; there is no way back but a backup."""
    with op.batch_alter_table("server") as server:
        chosen = ("quiet", "worn", "week", "titles", "puzzle", "cards", "pins", "pins_by")
        for name in (*chosen, "home", "home_topic", "home_by", "home_closed"):
            server.add_column(sa.Column(name, sa.String(), nullable=False, server_default=""))
    with op.batch_alter_table("player") as player:
        player.add_column(sa.Column("calling", sa.String(), nullable=False, server_default=""))
        for name in ("company", "one_tap"):
            player.add_column(sa.Column(name, sa.Boolean(), nullable=False, server_default=sa.false()))
        player.add_column(sa.Column("wears_mark", sa.Boolean(), nullable=False, server_default=sa.true()))
    with op.batch_alter_table("result") as result:
        result.add_column(sa.Column("strength", sa.String(), nullable=False, server_default=""))
        result.add_column(sa.Column("most_held", sa.Integer(), nullable=False, server_default="0"))
    op.execute("UPDATE player SET calling = 'never' WHERE NOT private_messages")
    op.drop_column("player", "private_messages")
    op.create_table(
        "appointment",
        sa.Column("server_id", ID, sa.ForeignKey("server.id"), primary_key=True),
        sa.Column("kind", sa.String(), primary_key=True),
        sa.Column("about", sa.String(), primary_key=True),
        sa.Column("at", sa.Float(), nullable=False),
        sa.Column("room", sa.String(), nullable=False),
        sa.Column("topic", sa.String(), nullable=False),
    )
    op.create_index("ix_appointment_at", "appointment", ["at"])
    op.create_table(
        "card_game",
        sa.Column("id", ID, primary_key=True),
        sa.Column("server_id", ID, sa.ForeignKey("server.id"), nullable=False),
        sa.Column("batch", ID, nullable=False),
        sa.Column("played_at", sa.Float(), nullable=False),
        sa.Column("entered_at", sa.Float(), nullable=False),
        sa.Column("entered_by", ID, sa.ForeignKey("player.id"), nullable=False),
        sa.Column("players", sa.Integer(), nullable=False),
        sa.Column("counts", sa.Boolean(), nullable=False),
        sqlite_autoincrement=True,
    )
    op.create_index("ix_card_game_batch", "card_game", ["batch"])
    op.create_index("ix_card_game_server_id_played_at", "card_game", ["server_id", "played_at"])
    op.create_table(
        "card_seat",
        sa.Column("card_game_id", ID, sa.ForeignKey("card_game.id"), primary_key=True),
        sa.Column("player_id", ID, sa.ForeignKey("player.id"), primary_key=True),
        sa.Column("is_fool", sa.Boolean(), nullable=False),
        sqlite_with_rowid=False,
    )
    op.create_index("ix_card_seat_player_id", "card_seat", ["player_id"])
    op.create_table(
        "puzzle",
        sa.Column("id", ID, primary_key=True),
        sa.Column("state", sa.String(), nullable=False, unique=True),
        sa.Column("line", sa.String(), nullable=False),
        sa.Column("played_at", sa.Float(), nullable=False),
        sa.Column("day", sa.Integer(), nullable=True, unique=True),
        sqlite_autoincrement=True,
    )
    op.create_table(
        "puzzle_answer",
        sa.Column("player_id", ID, sa.ForeignKey("player.id"), primary_key=True),
        sa.Column("puzzle_id", ID, sa.ForeignKey("puzzle.id"), primary_key=True),
        sa.Column("at", sa.Float(), nullable=False),
        sa.Column("is_right", sa.Boolean(), nullable=False),
        sqlite_with_rowid=False,
    )
    op.add_column(
        "message_slot", sa.Column("is_pinned", sa.Boolean(), nullable=False, server_default=sa.false())
    )
    op.add_column("card_table", sa.Column("starts_at", sa.Float(), nullable=True))
    with op.batch_alter_table("card_table") as table:
        table.add_column(sa.Column("has_called", sa.Boolean(), nullable=False, server_default=sa.false()))
    with op.batch_alter_table("seat") as seat:
        seat.add_column(sa.Column("kept_until", sa.Float(), nullable=False, server_default="0"))
    op.create_index("ix_card_table_room", "card_table", ["server_id", "room", "topic"])
    op.create_index("ix_card_table_opener_id", "card_table", ["opener_id"])
    op.create_table(
        "call",
        sa.Column("player_id", ID, sa.ForeignKey("player.id"), primary_key=True),
        sa.Column("server_id", ID, sa.ForeignKey("server.id"), primary_key=True),
        sa.Column("room", sa.String(), primary_key=True),
        sa.Column("topic", sa.String(), primary_key=True),
        sa.Column("until", sa.Float(), nullable=False),
        sa.Column("table_id", ID, nullable=False),
        sa.Column("game", sa.Integer(), nullable=False),
    )
    op.create_table(
        "badge",
        sa.Column("server_id", ID, sa.ForeignKey("server.id"), primary_key=True),
        sa.Column("badge", sa.String(), nullable=False),
        sa.Column("admin_id", ID, sa.ForeignKey("player.id"), nullable=True),
        sa.Column("told", sa.String(), nullable=False),
    )
    op.create_table(
        "wearer",
        sa.Column("server_id", ID, sa.ForeignKey("server.id"), primary_key=True),
        sa.Column("player_id", ID, sa.ForeignKey("player.id"), primary_key=True),
        sa.Column("mark", sa.String(), nullable=False),
        sa.Column("before", sa.String(), nullable=False),
        sa.Column("former", sa.String(), nullable=False),
        sa.Column("is_done", sa.Boolean(), nullable=False),
    )
    op.create_table(
        "month_tally",
        sa.Column("server_id", ID, sa.ForeignKey("server.id"), primary_key=True),
        sa.Column("month", sa.Integer(), primary_key=True),
        sa.Column("player_id", ID, sa.ForeignKey("player.id"), primary_key=True),
        sa.Column("games", sa.Integer(), nullable=False),
        sa.Column("fools", sa.Integer(), nullable=False),
        sa.Column("draws", sa.Integer(), nullable=False),
        sa.Column("first_out", sa.Integer(), nullable=False),
        sa.Column("expected", sa.Float(), nullable=False),
        sa.Column("epaulettes", sa.Integer(), nullable=False),
        sa.Column("points", sa.Integer(), nullable=False),
        sqlite_with_rowid=False,
    )
    op.create_table(
        "month_games",
        sa.Column("server_id", ID, sa.ForeignKey("server.id"), primary_key=True),
        sa.Column("month", sa.Integer(), primary_key=True),
        sa.Column("trump", sa.String(), primary_key=True),
        sa.Column("games", sa.Integer(), nullable=False),
        sa.Column("bouts", sa.Integer(), nullable=False),
        sa.Column("seconds", sa.Float(), nullable=False),
        sqlite_with_rowid=False,
    )
    op.create_table(
        "year_duel",
        sa.Column("server_id", ID, sa.ForeignKey("server.id"), primary_key=True),
        sa.Column("year", sa.Integer(), primary_key=True),
        sa.Column("one_id", ID, sa.ForeignKey("player.id"), primary_key=True),
        sa.Column("other_id", ID, sa.ForeignKey("player.id"), primary_key=True),
        sa.Column("games", sa.Integer(), nullable=False),
        sa.Column("one_fools", sa.Integer(), nullable=False),
        sa.Column("other_fools", sa.Integer(), nullable=False),
        sa.Column("decided", sa.Integer(), nullable=False),
        sqlite_with_rowid=False,
    )
    op.create_index("ix_year_duel_server_id_year_decided", "year_duel", ["server_id", "year", "decided"])
