"""Tables keep count of the numbers that were given out, which an early step had lost on SQLite."""

from alembic import op

revision = "0120"
down_revision = "0119"


def upgrade() -> None:
    """Apply the step; there is no way back but a backup."""
    if op.get_bind().dialect.name != "sqlite":
        return  # its sequences keep count

    with op.batch_alter_table("card_table", recreate="always", table_kwargs={"sqlite_autoincrement": True}):
        pass
