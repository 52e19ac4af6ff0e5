"""Idle tables."""

import sqlalchemy as sa
from alembic import op

revision = "0016"
down_revision = "0015"


def upgrade() -> None:
    """Apply the step; there is no way back but a backup."""
    op.create_table(
        "idle_table",
        sa.Column("table_id", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=False),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.Column("touched_at", sa.Float(), nullable=False),
        sa.Column("noted_at", sa.Float(), nullable=False),
        sa.Column("due_at", sa.Float(), nullable=True),
        sa.ForeignKeyConstraint(["table_id"], ["card_table.id"], name=op.f("fk_idle_table_table_id")),
        sa.PrimaryKeyConstraint("table_id", name=op.f("pk_idle_table")),
    )
