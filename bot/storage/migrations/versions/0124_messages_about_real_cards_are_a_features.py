"""Messages about real cards are those of a feature, and each entry has the room that shows it."""

import sqlalchemy as sa
from alembic import op

revision = "0124"
down_revision = "0123"

ID = sa.BigInteger().with_variant(sa.Integer(), "sqlite")

SERVER = sa.table("server", sa.column("id"), sa.column("platform"))
PLAYER = sa.table("player", sa.column("id"), sa.column("platform"), sa.column("ref"))
GAME = sa.table("card_game", sa.column("id"), sa.column("batch"), sa.column("server_id"))
POST = sa.table("card_post", *map(sa.column, ("batch", "server_id", "room", "topic", "message")))
NOTICE = sa.table(
    "card_notice",
    *map(sa.column, ("batch", "player_id", "server_id", "room", "topic", "message")),
    sa.column("is_private", sa.Boolean()),
)
ENTRY_COLUMNS = ("batch", "server_id", "room", "topic")
ENTRY = sa.table("card_entry", *map(sa.column, ENTRY_COLUMNS))
MESSAGE_COLUMNS = (
    "subject",
    "number",
    "part",
    "reader_platform",
    "reader",
    "server_id",
    "platform",
    "message",
    "digest",
    "key",
    "is_pinned",
)
MESSAGE = sa.table("feature_message", *map(sa.column, MESSAGE_COLUMNS))
SUBJECT = sa.literal("card_games")
UNKNOWN = sa.literal("")
NO_KEY = sa.literal("")


def upgrade() -> None:
    """Apply the step; there is no way back but a backup."""
    op.create_table(
        "card_entry",
        sa.Column("batch", ID, nullable=False),
        sa.Column("server_id", ID, nullable=False),
        sa.Column("room", sa.String(), nullable=False),
        sa.Column("topic", sa.String(), nullable=False),
        sa.Column("locale", sa.String(), nullable=False, server_default=""),
        sa.Column("taken_back_by", ID, nullable=True),
        sa.ForeignKeyConstraint(["server_id"], ["server.id"], name=op.f("fk_card_entry_server_id")),
        sa.ForeignKeyConstraint(["taken_back_by"], ["player.id"], name=op.f("fk_card_entry_taken_back_by")),
        sa.PrimaryKeyConstraint("batch", name=op.f("pk_card_entry")),
        sqlite_with_rowid=False,
    )

    _put_entries(sa.select(*(POST.c[name] for name in ENTRY_COLUMNS)))
    asked = sa.select(NOTICE.c.batch, *(sa.func.min(NOTICE.c[name]) for name in ENTRY_COLUMNS[1:]))
    _put_entries(asked.where(_has_no_entry(NOTICE.c.batch)).group_by(NOTICE.c.batch))
    unposted = sa.select(GAME.c.batch, GAME.c.server_id, sa.literal(""), sa.literal(""))
    _put_entries(unposted.where(GAME.c.id == GAME.c.batch, _has_no_entry(GAME.c.batch)))

    nobody = sa.literal("")
    posts = sa.select(
        SUBJECT,
        POST.c.batch,
        sa.literal("entry"),
        nobody,
        nobody,
        POST.c.server_id,
        SERVER.c.platform,
        POST.c.message,
        UNKNOWN,
        NO_KEY,
        sa.false(),
    ).join_from(POST, SERVER, SERVER.c.id == POST.c.server_id)
    op.execute(sa.insert(MESSAGE).from_select(MESSAGE_COLUMNS, posts))

    questions = (
        sa.select(
            SUBJECT,
            NOTICE.c.batch,
            sa.case((NOTICE.c.is_private, "question"), else_="room_question"),
            PLAYER.c.platform,
            PLAYER.c.ref,
            NOTICE.c.server_id,
            SERVER.c.platform,
            NOTICE.c.message,
            UNKNOWN,
            NO_KEY,
            sa.false(),
        )
        .join_from(NOTICE, SERVER, SERVER.c.id == NOTICE.c.server_id)
        .join(PLAYER, PLAYER.c.id == NOTICE.c.player_id)
    )
    op.execute(sa.insert(MESSAGE).from_select(MESSAGE_COLUMNS, questions))

    op.drop_table("card_post")
    op.drop_table("card_notice")


def _put_entries(rows: sa.Select[tuple[int, int, str, str]]) -> None:
    op.execute(sa.insert(ENTRY).from_select(ENTRY_COLUMNS, rows))


def _has_no_entry(batch: sa.ColumnElement[int]) -> sa.ColumnElement[bool]:
    return batch.not_in(sa.select(ENTRY.c.batch))
