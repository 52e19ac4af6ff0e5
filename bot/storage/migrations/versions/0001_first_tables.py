"""First tables."""

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None


def upgrade() -> None:
    """Apply the step; there is no way back but a backup."""
    op.create_table(
        "guest",
        sa.Column("id", sa.String(), nullable=False),
        sa.Column("name", sa.String(), nullable=False),
        sa.Column("secret_hash", sa.String(), nullable=False),
        sa.Column("joined_at", sa.Float(), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_guest")),
        sa.UniqueConstraint("secret_hash", name=op.f("uq_guest_secret_hash")),
    )
    op.create_table(
        "message",
        sa.Column("id", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=False),
        sa.Column("room", sa.String(), nullable=False),
        sa.Column("guest_id", sa.String(), nullable=True),
        sa.Column("kind", sa.String(), nullable=False),
        sa.Column("content", sa.JSON(), nullable=False),
        sa.Column("posted_at", sa.Float(), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_message")),
        sqlite_autoincrement=True,
    )
    with op.batch_alter_table("message", schema=None) as batch_op:
        batch_op.create_index("ix_message_room_guest_id", ["room", "guest_id", "id"], unique=False)

    op.create_table(
        "player",
        sa.Column("id", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=False),
        sa.Column("platform", sa.String(), nullable=False),
        sa.Column("ref", sa.String(), nullable=False),
        sa.Column("name", sa.String(), nullable=False),
        sa.Column("locale", sa.String(), nullable=False),
        sa.Column("reachable", sa.Boolean(), nullable=True),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_player")),
        sa.UniqueConstraint("platform", "ref", name=op.f("uq_player_platform_ref")),
    )
    op.create_table(
        "server",
        sa.Column("id", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=False),
        sa.Column("platform", sa.String(), nullable=False),
        sa.Column("ref", sa.String(), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_server")),
        sa.UniqueConstraint("platform", "ref", name=op.f("uq_server_platform_ref")),
    )
    op.create_table(
        "card_table",
        sa.Column("id", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=False),
        sa.Column("server_id", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=False),
        sa.Column("room", sa.String(), nullable=False),
        sa.Column("topic", sa.String(), nullable=False),
        sa.Column("opener_id", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=False),
        sa.Column("preset", sa.String(), nullable=False),
        sa.Column("rules", sa.String(), nullable=False),
        sa.Column("seed", sa.String(), nullable=False),
        sa.Column("opened_at", sa.Float(), nullable=False),
        sa.Column("changed_at", sa.Float(), nullable=False),
        sa.Column("phase", sa.String(), nullable=False),
        sa.Column("game", sa.Integer(), nullable=False),
        sa.Column("auto_done", sa.Boolean(), nullable=False),
        sa.Column("clock", sa.Integer(), nullable=False),
        sa.Column("locale", sa.String(), nullable=False),
        sa.ForeignKeyConstraint(["opener_id"], ["player.id"], name=op.f("fk_card_table_opener_id")),
        sa.ForeignKeyConstraint(["server_id"], ["server.id"], name=op.f("fk_card_table_server_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_card_table")),
        sqlite_autoincrement=True,
    )
    with op.batch_alter_table("card_table", schema=None) as batch_op:
        batch_op.create_index("ix_card_table_phase", ["phase"], unique=False)
        batch_op.create_index(
            "uq_card_table_room_in_use",
            ["server_id", "room", "topic"],
            unique=True,
            sqlite_where=sa.text("phase IN ('lobby', 'playing')"),
            postgresql_where=sa.text("phase IN ('lobby', 'playing')"),
        )

    op.create_table(
        "entry",
        sa.Column("table_id", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=False),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.Column("game", sa.Integer(), nullable=False),
        sa.Column("seat", sa.Integer(), nullable=True),
        sa.Column("text", sa.String(), nullable=False),
        sa.Column("author", sa.String(), nullable=True),
        sa.Column("at", sa.Float(), nullable=False),
        sa.ForeignKeyConstraint(["table_id"], ["card_table.id"], name=op.f("fk_entry_table_id")),
        sa.PrimaryKeyConstraint("table_id", "version", name=op.f("pk_entry")),
    )
    op.create_table(
        "result",
        sa.Column("table_id", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=False),
        sa.Column("game", sa.Integer(), nullable=False),
        sa.Column("seat", sa.Integer(), nullable=False),
        sa.Column("server_id", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=False),
        sa.Column("player_id", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=True),
        sa.Column("players", sa.Integer(), nullable=False),
        sa.Column("people", sa.Integer(), nullable=False),
        sa.Column("losers", sa.Integer(), nullable=False),
        sa.Column("place", sa.Integer(), nullable=True),
        sa.Column("is_loser", sa.Boolean(), nullable=False),
        sa.Column("is_draw", sa.Boolean(), nullable=False),
        sa.Column("points", sa.Integer(), nullable=False),
        sa.Column("epaulettes", sa.Integer(), nullable=False),
        sa.Column("finished_at", sa.Float(), nullable=False),
        sa.ForeignKeyConstraint(["player_id"], ["player.id"], name=op.f("fk_result_player_id")),
        sa.ForeignKeyConstraint(["server_id"], ["server.id"], name=op.f("fk_result_server_id")),
        sa.ForeignKeyConstraint(["table_id"], ["card_table.id"], name=op.f("fk_result_table_id")),
        sa.PrimaryKeyConstraint("table_id", "game", "seat", name=op.f("pk_result")),
    )
    with op.batch_alter_table("result", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_result_player_id"), ["player_id"], unique=False)
        batch_op.create_index("ix_result_server_id_finished_at", ["server_id", "finished_at"], unique=False)

    op.create_table(
        "seat",
        sa.Column("table_id", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=False),
        sa.Column("of_game", sa.Integer(), nullable=False),
        sa.Column("seat", sa.Integer(), nullable=False),
        sa.Column("player_id", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=True),
        sa.Column("name", sa.String(), nullable=False),
        sa.ForeignKeyConstraint(["player_id"], ["player.id"], name=op.f("fk_seat_player_id")),
        sa.ForeignKeyConstraint(["table_id"], ["card_table.id"], name=op.f("fk_seat_table_id")),
        sa.PrimaryKeyConstraint("table_id", "of_game", "seat", name=op.f("pk_seat")),
    )
    with op.batch_alter_table("seat", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_seat_player_id"), ["player_id"], unique=False)

    op.create_table(
        "snapshot",
        sa.Column("table_id", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=False),
        sa.Column("text", sa.String(), nullable=False),
        sa.ForeignKeyConstraint(["table_id"], ["card_table.id"], name=op.f("fk_snapshot_table_id")),
        sa.PrimaryKeyConstraint("table_id", name=op.f("pk_snapshot")),
    )
    op.create_table(
        "surface",
        sa.Column("table_id", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=False),
        sa.Column("game", sa.Integer(), nullable=False),
        sa.Column("kind", sa.String(), nullable=False),
        sa.Column("reader_platform", sa.String(), nullable=False),
        sa.Column("reader", sa.String(), nullable=False),
        sa.Column("platform", sa.String(), nullable=False),
        sa.Column("message", sa.String(), nullable=False),
        sa.Column("digest", sa.String(), nullable=False),
        sa.ForeignKeyConstraint(["table_id"], ["card_table.id"], name=op.f("fk_surface_table_id")),
        sa.PrimaryKeyConstraint(
            "table_id", "game", "kind", "reader_platform", "reader", name=op.f("pk_surface")
        ),
    )
