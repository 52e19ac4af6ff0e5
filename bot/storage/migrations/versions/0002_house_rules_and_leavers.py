"""House rules and leavers."""

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"


def upgrade() -> None:
    """Apply the step; there is no way back but a backup."""
    op.create_table(
        "variation",
        sa.Column("server_id", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=False),
        sa.Column("name", sa.String(), nullable=False),
        sa.Column("rules", sa.String(), nullable=False),
        sa.ForeignKeyConstraint(["server_id"], ["server.id"], name=op.f("fk_variation_server_id")),
        sa.PrimaryKeyConstraint("server_id", "name", name=op.f("pk_variation")),
    )
    with op.batch_alter_table("card_table", schema=None) as batch_op:
        batch_op.add_column(sa.Column("house_rules", sa.String(), nullable=True))

    with op.batch_alter_table("seat", schema=None) as batch_op:
        batch_op.add_column(sa.Column("joined", sa.String(), nullable=False, server_default=""))
        batch_op.add_column(sa.Column("has_left", sa.Boolean(), nullable=False, server_default=sa.false()))

    with op.batch_alter_table("server", schema=None) as batch_op:
        batch_op.add_column(sa.Column("preset", sa.String(), nullable=False, server_default=""))
