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
        sa.Column("server_id", ID, nullable=False),
        sa.Column("kind", sa.String(), nullable=False),
        sa.Column("about", sa.String(), nullable=False),
        sa.Column("at", sa.Float(), nullable=False),
        sa.Column("room", sa.String(), nullable=False),
        sa.Column("topic", sa.String(), nullable=False),
        sa.ForeignKeyConstraint(["server_id"], ["server.id"], name=op.f("fk_appointment_server_id_server")),
        sa.PrimaryKeyConstraint("server_id", "kind", "about", name=op.f("pk_appointment")),
    )
    op.create_index(op.f("ix_appointment_at"), "appointment", ["at"])
    op.create_table(
        "card_game",
        sa.Column("id", ID, nullable=False),
        sa.Column("server_id", ID, nullable=False),
        sa.Column("batch", ID, nullable=False),
        sa.Column("played_at", sa.Float(), nullable=False),
        sa.Column("entered_at", sa.Float(), nullable=False),
        sa.Column("entered_by", ID, nullable=False),
        sa.Column("players", sa.Integer(), nullable=False),
        sa.Column("counts", sa.Boolean(), nullable=False),
        sa.ForeignKeyConstraint(["server_id"], ["server.id"], name=op.f("fk_card_game_server_id_server")),
        sa.ForeignKeyConstraint(["entered_by"], ["player.id"], name=op.f("fk_card_game_entered_by_player")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_card_game")),
        sqlite_autoincrement=True,
    )
    op.create_index(op.f("ix_card_game_batch"), "card_game", ["batch"])
    op.create_index("ix_card_game_server_id_played_at", "card_game", ["server_id", "played_at"])
    op.create_table(
        "card_seat",
        sa.Column("card_game_id", ID, nullable=False),
        sa.Column("player_id", ID, nullable=False),
        sa.Column("is_fool", sa.Boolean(), nullable=False),
        sa.ForeignKeyConstraint(
            ["card_game_id"], ["card_game.id"], name=op.f("fk_card_seat_card_game_id_card_game")
        ),
        sa.ForeignKeyConstraint(["player_id"], ["player.id"], name=op.f("fk_card_seat_player_id_player")),
        sa.PrimaryKeyConstraint("card_game_id", "player_id", name=op.f("pk_card_seat")),
        sqlite_with_rowid=False,
    )
    op.create_index(op.f("ix_card_seat_player_id"), "card_seat", ["player_id"])
    op.create_table(
        "puzzle",
        sa.Column("id", ID, nullable=False),
        sa.Column("state", sa.String(), nullable=False),
        sa.Column("line", sa.String(), nullable=False),
        sa.Column("played_at", sa.Float(), nullable=False),
        sa.Column("day", sa.Integer(), nullable=True),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_puzzle")),
        sa.UniqueConstraint("state", name=op.f("uq_puzzle_state")),
        sa.UniqueConstraint("day", name=op.f("uq_puzzle_day")),
        sqlite_autoincrement=True,
    )
    op.create_table(
        "puzzle_answer",
        sa.Column("player_id", ID, nullable=False),
        sa.Column("puzzle_id", ID, nullable=False),
        sa.Column("at", sa.Float(), nullable=False),
        sa.Column("is_right", sa.Boolean(), nullable=False),
        sa.ForeignKeyConstraint(["player_id"], ["player.id"], name=op.f("fk_puzzle_answer_player_id_player")),
        sa.ForeignKeyConstraint(["puzzle_id"], ["puzzle.id"], name=op.f("fk_puzzle_answer_puzzle_id_puzzle")),
        sa.PrimaryKeyConstraint("player_id", "puzzle_id", name=op.f("pk_puzzle_answer")),
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
    op.create_index(op.f("ix_card_table_opener_id"), "card_table", ["opener_id"])
    op.create_table(
        "call",
        sa.Column("player_id", ID, nullable=False),
        sa.Column("server_id", ID, nullable=False),
        sa.Column("room", sa.String(), nullable=False),
        sa.Column("topic", sa.String(), nullable=False),
        sa.Column("until", sa.Float(), nullable=False),
        sa.Column("table_id", ID, nullable=False),
        sa.Column("game", sa.Integer(), nullable=False),
        sa.ForeignKeyConstraint(["player_id"], ["player.id"], name=op.f("fk_call_player_id_player")),
        sa.ForeignKeyConstraint(["server_id"], ["server.id"], name=op.f("fk_call_server_id_server")),
        sa.PrimaryKeyConstraint("player_id", "server_id", "room", "topic", name=op.f("pk_call")),
    )
    op.create_table(
        "badge",
        sa.Column("server_id", ID, nullable=False),
        sa.Column("badge", sa.String(), nullable=False),
        sa.Column("admin_id", ID, nullable=True),
        sa.Column("told", sa.String(), nullable=False),
        sa.ForeignKeyConstraint(["server_id"], ["server.id"], name=op.f("fk_badge_server_id_server")),
        sa.ForeignKeyConstraint(["admin_id"], ["player.id"], name=op.f("fk_badge_admin_id_player")),
        sa.PrimaryKeyConstraint("server_id", name=op.f("pk_badge")),
    )
    op.create_table(
        "wearer",
        sa.Column("server_id", ID, nullable=False),
        sa.Column("player_id", ID, nullable=False),
        sa.Column("mark", sa.String(), nullable=False),
        sa.Column("before", sa.String(), nullable=False),
        sa.Column("former", sa.String(), nullable=False),
        sa.Column("is_done", sa.Boolean(), nullable=False),
        sa.ForeignKeyConstraint(["server_id"], ["server.id"], name=op.f("fk_wearer_server_id_server")),
        sa.ForeignKeyConstraint(["player_id"], ["player.id"], name=op.f("fk_wearer_player_id_player")),
        sa.PrimaryKeyConstraint("server_id", "player_id", name=op.f("pk_wearer")),
    )
    op.create_table(
        "month_tally",
        sa.Column("server_id", ID, nullable=False),
        sa.Column("month", sa.Integer(), nullable=False),
        sa.Column("player_id", ID, nullable=False),
        sa.Column("games", sa.Integer(), nullable=False),
        sa.Column("fools", sa.Integer(), nullable=False),
        sa.Column("draws", sa.Integer(), nullable=False),
        sa.Column("first_out", sa.Integer(), nullable=False),
        sa.Column("expected", sa.Float(), nullable=False),
        sa.Column("epaulettes", sa.Integer(), nullable=False),
        sa.Column("points", sa.Integer(), nullable=False),
        sa.ForeignKeyConstraint(["server_id"], ["server.id"], name=op.f("fk_month_tally_server_id_server")),
        sa.ForeignKeyConstraint(["player_id"], ["player.id"], name=op.f("fk_month_tally_player_id_player")),
        sa.PrimaryKeyConstraint("server_id", "month", "player_id", name=op.f("pk_month_tally")),
        sqlite_with_rowid=False,
    )
    op.create_table(
        "month_games",
        sa.Column("server_id", ID, nullable=False),
        sa.Column("month", sa.Integer(), nullable=False),
        sa.Column("trump", sa.String(), nullable=False),
        sa.Column("games", sa.Integer(), nullable=False),
        sa.Column("bouts", sa.Integer(), nullable=False),
        sa.Column("seconds", sa.Float(), nullable=False),
        sa.ForeignKeyConstraint(["server_id"], ["server.id"], name=op.f("fk_month_games_server_id_server")),
        sa.PrimaryKeyConstraint("server_id", "month", "trump", name=op.f("pk_month_games")),
        sqlite_with_rowid=False,
    )
    op.create_table(
        "year_duel",
        sa.Column("server_id", ID, nullable=False),
        sa.Column("year", sa.Integer(), nullable=False),
        sa.Column("one_id", ID, nullable=False),
        sa.Column("other_id", ID, nullable=False),
        sa.Column("games", sa.Integer(), nullable=False),
        sa.Column("one_fools", sa.Integer(), nullable=False),
        sa.Column("other_fools", sa.Integer(), nullable=False),
        sa.Column("decided", sa.Integer(), nullable=False),
        sa.ForeignKeyConstraint(["server_id"], ["server.id"], name=op.f("fk_year_duel_server_id_server")),
        sa.ForeignKeyConstraint(["one_id"], ["player.id"], name=op.f("fk_year_duel_one_id_player")),
        sa.ForeignKeyConstraint(["other_id"], ["player.id"], name=op.f("fk_year_duel_other_id_player")),
        sa.PrimaryKeyConstraint("server_id", "year", "one_id", "other_id", name=op.f("pk_year_duel")),
        sqlite_with_rowid=False,
    )
    op.create_index("ix_year_duel_server_id_year_decided", "year_duel", ["server_id", "year", "decided"])
