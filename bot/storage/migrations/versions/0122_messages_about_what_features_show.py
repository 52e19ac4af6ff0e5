"""Messages about what features show."""

import sqlalchemy as sa
from alembic import op

revision = "0122"
down_revision = "0121"


def upgrade() -> None:
    """Apply the step; there is no way back but a backup."""
    op.create_table(
        "outdated",
        sa.Column("subject", sa.String(), nullable=False),
        sa.Column("number", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=False),
        sa.Column("changes", sa.Integer(), nullable=False),
        sa.PrimaryKeyConstraint("subject", "number", name=op.f("pk_outdated")),
        sqlite_with_rowid=False,
    )
    op.create_table(
        "feature_message",
        sa.Column("subject", sa.String(), nullable=False),
        sa.Column("number", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=False),
        sa.Column("part", sa.String(), nullable=False),
        sa.Column("reader_platform", sa.String(), nullable=False),
        sa.Column("reader", sa.String(), nullable=False),
        sa.Column("server_id", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=False),
        sa.Column("platform", sa.String(), nullable=False),
        sa.Column("message", sa.String(), nullable=False),
        sa.Column("digest", sa.String(), nullable=False),
        sa.Column("key", sa.String(), nullable=False),
        sa.Column("is_pinned", sa.Boolean(), nullable=False),
        sa.ForeignKeyConstraint(["server_id"], ["server.id"], name=op.f("fk_feature_message_server_id")),
        sa.PrimaryKeyConstraint(
            "subject", "number", "part", "reader_platform", "reader", name=op.f("pk_feature_message")
        ),
        sqlite_with_rowid=False,
    )
