"""Restores the counters of assigned ids, which an early step had lost on SQLite."""

from alembic import op

revision = "0120"
down_revision = "0119"


def upgrade() -> None:
    """Applies the step; only a backup can undo it."""
    if op.get_bind().dialect.name != "sqlite":
        return  # its sequences were not lost

    with op.batch_alter_table("card_table", recreate="always", table_kwargs={"sqlite_autoincrement": True}):
        pass
