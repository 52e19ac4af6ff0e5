"""The tables of version 0.2.0; earlier versions had other steps, with smaller numbers."""

import sqlalchemy as sa
from alembic import op

revision = "0100"
down_revision = None

ID = sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def upgrade() -> None:
    """Apply the step; there is no way back but a backup."""
    op.create_table(
        "guest",
        sa.Column("id", sa.String(), primary_key=True),
        sa.Column("name", sa.String(), nullable=False),
        sa.Column("secret_hash", sa.String(), nullable=False, unique=True),
        sa.Column("joined_at", sa.Float(), nullable=False),
        sa.Column("seen_at", sa.Float(), nullable=False),
        sa.Column("is_owner", sa.Boolean(), nullable=False),
    )
    op.create_table(
        "message",
        sa.Column("id", ID, primary_key=True),
        sa.Column("room", sa.String(), nullable=False),
        sa.Column("guest_id", sa.String(), nullable=True),
        sa.Column("kind", sa.String(), nullable=False),
        sa.Column("content", sa.JSON(), nullable=False),
        sa.Column("posted_at", sa.Float(), nullable=False),
        sa.Column("key", sa.String(), nullable=True),
        sqlite_autoincrement=True,
    )
    op.create_index("ix_message_key", "message", ["key"], unique=True)
    op.create_index("ix_message_room_guest_id", "message", ["room", "guest_id", "id"])

    op.create_table(
        "player",
        sa.Column("id", ID, primary_key=True),
        sa.Column("platform", sa.String(), nullable=False),
        sa.Column("ref", sa.String(), nullable=False),
        sa.Column("name", sa.String(), nullable=False),
        sa.Column("locale", sa.String(), nullable=False),
        sa.Column("language", sa.String(), nullable=False),
        sa.Column("hand_order", sa.String(), nullable=False),
        sa.Column("reachable", sa.Boolean(), nullable=True),
        sa.Column("private_messages", sa.Boolean(), nullable=False),
        sa.UniqueConstraint("platform", "ref"),
    )
    op.create_table(
        "server",
        sa.Column("id", ID, primary_key=True),
        sa.Column("platform", sa.String(), nullable=False),
        sa.Column("ref", sa.String(), nullable=False),
        sa.Column("preset", sa.String(), nullable=False),
        sa.Column("locale", sa.String(), nullable=False),
        sa.Column("time_zone", sa.String(), nullable=False),
        sa.Column("view", sa.String(), nullable=False),
        sa.Column("style", sa.String(), nullable=False),
        sa.Column("teasing", sa.String(), nullable=False),
        sa.UniqueConstraint("platform", "ref"),
    )
    op.create_table(
        "card_table",
        sa.Column("id", ID, primary_key=True),
        sa.Column("server_id", ID, sa.ForeignKey("server.id"), nullable=False),
        sa.Column("room", sa.String(), nullable=False),
        sa.Column("topic", sa.String(), nullable=False),
        sa.Column("opener_id", ID, sa.ForeignKey("player.id"), nullable=False),
        sa.Column("preset", sa.String(), nullable=False),
        sa.Column("rules", sa.String(), nullable=False),
        sa.Column("house_rules", sa.String(), nullable=True),
        sa.Column("seed", sa.String(), nullable=False),
        sa.Column("opened_at", sa.Float(), nullable=False),
        sa.Column("changed_at", sa.Float(), nullable=False),
        sa.Column("shown_at", sa.Float(), nullable=True),
        sa.Column("due_at", sa.Float(), nullable=True),
        sa.Column("phase", sa.String(), nullable=False),
        sa.Column("game", sa.Integer(), nullable=False),
        sa.Column("auto_done", sa.Boolean(), nullable=False),
        sa.Column("clock", sa.Integer(), nullable=False),
        sa.Column("strength", sa.String(), nullable=False),
        sa.Column("is_paused", sa.Boolean(), nullable=False),
        sa.Column("hints", sa.Boolean(), nullable=False),
        sa.Column("stopped", sa.String(), nullable=False),
        sa.Column("locale", sa.String(), nullable=False),
        sqlite_autoincrement=True,
    )
    op.create_index("ix_card_table_phase", "card_table", ["phase"])
    op.create_index(
        "ix_card_table_stopped",
        "card_table",
        ["server_id", "changed_at"],
        sqlite_where=sa.text("stopped <> ''"),
        postgresql_where=sa.text("stopped <> ''"),
    )
    op.create_index(
        "uq_card_table_room_in_use",
        "card_table",
        ["server_id", "room", "topic"],
        unique=True,
        sqlite_where=sa.text("phase IN ('lobby', 'playing')"),
        postgresql_where=sa.text("phase IN ('lobby', 'playing')"),
    )

    op.create_table(
        "duel",
        sa.Column("server_id", ID, sa.ForeignKey("server.id"), primary_key=True),
        sa.Column("one_id", ID, sa.ForeignKey("player.id"), primary_key=True),
        sa.Column("other_id", ID, sa.ForeignKey("player.id"), primary_key=True),
        sa.Column("games", sa.Integer(), nullable=False),
        sa.Column("one_fools", sa.Integer(), nullable=False),
        sa.Column("other_fools", sa.Integer(), nullable=False),
        sa.Column("decided", sa.Integer(), nullable=False),
    )
    op.create_index("ix_duel_server_id_decided", "duel", ["server_id", "decided"])

    op.create_table(
        "message_file",
        sa.Column("message_id", ID, sa.ForeignKey("message.id", ondelete="CASCADE"), primary_key=True),
        sa.Column("digest", sa.String(), primary_key=True),
        sa.Column("content", sa.LargeBinary(), nullable=False),
    )
    op.create_table(
        "nickname",
        sa.Column("player_id", ID, sa.ForeignKey("player.id"), primary_key=True),
        sa.Column("server_id", ID, sa.ForeignKey("server.id"), primary_key=True),
        sa.Column("name", sa.String(), nullable=False),
    )
    op.create_table(
        "tally",
        sa.Column("server_id", ID, sa.ForeignKey("server.id"), primary_key=True),
        sa.Column("player_id", ID, sa.ForeignKey("player.id"), primary_key=True),
        sa.Column("games", sa.Integer(), nullable=False),
        sa.Column("fools", sa.Integer(), nullable=False),
        sa.Column("draws", sa.Integer(), nullable=False),
        sa.Column("first_out", sa.Integer(), nullable=False),
        sa.Column("expected", sa.Float(), nullable=False),
        sa.Column("epaulettes", sa.Integer(), nullable=False),
        sa.Column("points", sa.Integer(), nullable=False),
        sa.Column("strength", sa.Float(), nullable=False),
        sa.Column("doubt", sa.Float(), nullable=False),
    )
    op.create_table(
        "variation",
        sa.Column("server_id", ID, sa.ForeignKey("server.id"), primary_key=True),
        sa.Column("name", sa.String(), primary_key=True),
        sa.Column("rules", sa.String(), nullable=False),
    )
    op.create_table(
        "entry",
        sa.Column("table_id", ID, sa.ForeignKey("card_table.id"), primary_key=True),
        sa.Column("version", sa.Integer(), primary_key=True),
        sa.Column("game", sa.Integer(), nullable=False),
        sa.Column("seat", sa.Integer(), nullable=True),
        sa.Column("text", sa.String(), nullable=False),
        sa.Column("author", sa.String(), nullable=True),
        sa.Column("at", sa.Float(), nullable=False),
        sqlite_with_rowid=False,
    )
    op.create_table(
        "message_slot",
        sa.Column("table_id", ID, sa.ForeignKey("card_table.id"), primary_key=True),
        sa.Column("game", sa.Integer(), primary_key=True),
        sa.Column("kind", sa.String(), primary_key=True),
        sa.Column("reader_platform", sa.String(), primary_key=True),
        sa.Column("reader", sa.String(), primary_key=True),
        sa.Column("platform", sa.String(), nullable=False),
        sa.Column("message", sa.String(), nullable=False),
        sa.Column("digest", sa.String(), nullable=False),
        sa.Column("key", sa.String(), nullable=False),
        sqlite_with_rowid=False,
    )
    op.create_table(
        "result",
        sa.Column("table_id", ID, sa.ForeignKey("card_table.id"), primary_key=True),
        sa.Column("game", sa.Integer(), primary_key=True),
        sa.Column("seat", sa.Integer(), primary_key=True),
        sa.Column("server_id", ID, sa.ForeignKey("server.id"), nullable=False),
        sa.Column("player_id", ID, sa.ForeignKey("player.id"), nullable=True),
        sa.Column("players", sa.Integer(), nullable=False),
        sa.Column("people", sa.Integer(), nullable=False),
        sa.Column("losers", sa.Integer(), nullable=False),
        sa.Column("place", sa.Integer(), nullable=True),
        sa.Column("is_loser", sa.Boolean(), nullable=False),
        sa.Column("is_draw", sa.Boolean(), nullable=False),
        sa.Column("points", sa.Integer(), nullable=False),
        sa.Column("epaulettes", sa.Integer(), nullable=False),
        sa.Column("finished_at", sa.Float(), nullable=False),
        sa.Column("trump", sa.String(), nullable=False),
        sa.Column("bouts", sa.Integer(), nullable=False),
        sa.Column("seconds", sa.Float(), nullable=False),
        sa.Column("rating_change", sa.Float(), nullable=True),
    )
    op.create_index(
        "ix_result_first_seat",
        "result",
        ["server_id", "finished_at", "trump", "bouts", "seconds"],
        sqlite_where=sa.text("seat = 0 AND people >= 2"),
        postgresql_where=sa.text("seat = 0 AND people >= 2"),
    )
    op.create_index("ix_result_player_id_server_id", "result", ["player_id", "server_id"])
    op.create_index("ix_result_server_id_finished_at", "result", ["server_id", "finished_at"])

    op.create_table(
        "seat",
        sa.Column("table_id", ID, sa.ForeignKey("card_table.id"), primary_key=True),
        sa.Column("of_game", sa.Integer(), primary_key=True),
        sa.Column("seat", sa.Integer(), primary_key=True),
        sa.Column("player_id", ID, sa.ForeignKey("player.id"), nullable=True),
        sa.Column("name", sa.String(), nullable=False),
        sa.Column("joined", sa.String(), nullable=False),
        sa.Column("has_left", sa.Boolean(), nullable=False),
        sqlite_with_rowid=False,
    )
    op.create_index("ix_seat_player_id", "seat", ["player_id"])

    op.create_table(
        "snapshot",
        sa.Column("table_id", ID, sa.ForeignKey("card_table.id"), primary_key=True),
        sa.Column("text", sa.String(), nullable=False),
    )
