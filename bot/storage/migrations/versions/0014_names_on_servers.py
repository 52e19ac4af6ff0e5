"""What people are called on each server; so far everybody had one name."""

import sqlalchemy as sa
from alembic import op

revision = "0014"
down_revision = "0013"

ID = sa.BigInteger().with_variant(sa.Integer(), "sqlite")
PLAYER = sa.table("player", sa.column("id", ID), sa.column("name", sa.String()))
RESULT = sa.table("result", sa.column("player_id", ID), sa.column("server_id", ID))


def upgrade() -> None:
    """Apply the step; there is no way back but a backup."""
    nickname = op.create_table(
        "nickname",
        sa.Column("player_id", ID, nullable=False),
        sa.Column("server_id", ID, nullable=False),
        sa.Column("name", sa.String(), nullable=False),
        sa.ForeignKeyConstraint(["player_id"], ["player.id"], name=op.f("fk_nickname_player_id")),
        sa.ForeignKeyConstraint(["server_id"], ["server.id"], name=op.f("fk_nickname_server_id")),
        sa.PrimaryKeyConstraint("player_id", "server_id", name=op.f("pk_nickname")),
    )
    names = (
        sa.select(PLAYER.c.id, RESULT.c.server_id, PLAYER.c.name)
        .join(RESULT, RESULT.c.player_id == PLAYER.c.id)
        .where(PLAYER.c.name != "")
        .distinct()
    )
    op.get_bind().execute(sa.insert(nickname).from_select(["player_id", "server_id", "name"], names))
