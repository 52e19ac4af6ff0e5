"""Who may be called: when people were called last, by whom seats are kept, and whom a call mentions."""

import sqlalchemy as sa
from alembic import op

revision = "0106"
down_revision = "0105"

ID = sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def upgrade() -> None:
    """Apply the step; there is no way back but a backup."""
    op.create_table(
        "ring",
        sa.Column("player_id", ID, sa.ForeignKey("player.id"), primary_key=True),
        sa.Column("server_id", ID, sa.ForeignKey("server.id"), primary_key=True),
        sa.Column("rang_at", sa.Float(), nullable=False),
        sa.Column("about", sa.String(), nullable=False),
        sa.Column("is_muted", sa.Boolean(), nullable=False),
    )
    with op.batch_alter_table("call") as call:
        call.add_column(sa.Column("is_promised", sa.Boolean(), nullable=False, server_default=sa.true()))
    with op.batch_alter_table("seat") as seat:
        seat.add_column(sa.Column("inviter_id", ID, sa.ForeignKey("player.id", name="fk_seat_inviter_id")))
        seat.add_column(sa.Column("is_called", sa.Boolean()))
    op.execute("UPDATE message_slot SET kind = 'invitation' WHERE kind = 'reminder'")
