"""Choices about features are rows, and no longer columns of their server."""

import sqlalchemy as sa
from alembic import op

revision = "0121"
down_revision = "0120"

NAMES = ("teasing", "week", "titles", "turning", "bets", "puzzle", "cards", "cups")  # of columns, now of rows
CHOICES = sa.table("server_choice", sa.column("server_id"), sa.column("name"), sa.column("value"))


def upgrade() -> None:
    """Apply the step; there is no way back but a backup."""
    op.create_table(
        "server_choice",
        sa.Column("server_id", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=False),
        sa.Column("name", sa.String(), nullable=False),
        sa.Column("value", sa.String(), nullable=False),
        sa.ForeignKeyConstraint(["server_id"], ["server.id"], name=op.f("fk_server_choice_server_id")),
        sa.PrimaryKeyConstraint("server_id", "name", name=op.f("pk_server_choice")),
    )

    for name in NAMES:
        server = sa.table("server", sa.column("id"), sa.column(name))
        chosen = sa.select(server.c.id, sa.literal(name), server.c[name]).where(server.c[name] != "")
        op.execute(sa.insert(CHOICES).from_select(["server_id", "name", "value"], chosen))

    with op.batch_alter_table("server") as batch:
        for name in NAMES:
            batch.drop_column(name)
