"""Let SQLite keep rows by their primary key, where the key is a large part of them."""

from alembic import op

revision = "0018"
down_revision = "0017"


def upgrade() -> None:
    """Apply the step; there is no way back but a backup."""
    if op.get_bind().dialect.name != "sqlite":
        return
    for name in ("entry", "surface", "seat"):
        with op.batch_alter_table(name, recreate="always", table_kwargs={"sqlite_with_rowid": False}):
            pass
