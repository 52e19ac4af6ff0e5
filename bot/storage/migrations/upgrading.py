"""Brings a database up to date; what does so is loaded where there is something to do."""

from sqlalchemy import Connection

from bot.storage.migrations.steps import newest_step, step_of


def upgrade(connection: Connection, to: str | None = None) -> None:
    """Bring the tables behind a connection up to date (or to a step), inside its transaction."""
    wanted = to or newest_step()
    if step_of(connection) != wanted:
        from bot.storage.migrations.alembic_steps import apply  # noqa: PLC0415 - most starts need no Alembic

        apply(connection, wanted)
