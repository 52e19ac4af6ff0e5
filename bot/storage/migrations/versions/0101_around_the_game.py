"""What happens around the game: what servers choose of it, and what is due when."""

import sqlalchemy as sa
from alembic import op

revision = "0101"
down_revision = "0100"

ID = sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def upgrade() -> None:
    """Apply the step; there is no way back but a backup."""
    with op.batch_alter_table("server") as server:
        for name in ("quiet", "worn", "week", "puzzle", "home", "home_topic"):
            server.add_column(sa.Column(name, sa.String(), nullable=False, server_default=""))
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
