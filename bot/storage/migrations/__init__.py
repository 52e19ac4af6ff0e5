"""Migrations of the database, one step for each change, applied at every start.

`python -m bot.storage.migrations "add what to what"` writes the next step from the difference between the
models and the steps so far; read it before you commit it.
"""

from pathlib import Path
from typing import TYPE_CHECKING

from sqlalchemy import Connection, create_engine, inspect, text

if TYPE_CHECKING:
    from alembic.config import Config

HOME = Path(__file__).parent  # where the steps are
STANDS_AT = text("SELECT version_num FROM alembic_version")


def known_steps() -> list[str]:
    """Lists all steps of this version, the oldest first; the names of their files begin so."""
    return sorted(file.name.partition("_")[0] for file in (HOME / "versions").glob("[0-9]*.py"))


def newest_step() -> str:
    """Names the newest step of this version."""
    return known_steps()[-1]


def why_unknown(step: str) -> str | None:
    """Returns the reason why this version can't use a database at a step; None if it can."""
    known = known_steps()
    if step in known:
        return None

    if step < known[0]:
        return (
            "was made by a version before 0.2.0, whose tables this one cannot read: go on with that version, "
            "or let DURAK_DATABASE_URL name a new database."
        )

    return (
        f"was made by a newer version: {step}; this one knows {known[-1]}, so install that version again, or "
        "restore an older backup."
    )


def step_of(connection: Connection) -> str | None:
    """Returns the step a database is at; None: it is new."""
    if not inspect(connection).has_table("alembic_version"):
        return None
    found: str | None = connection.execute(STANDS_AT).scalar()
    return found


def upgrade(connection: Connection, to: str | None = None) -> None:
    """Brings the tables behind a connection up to date (or to a step), inside its transaction."""
    wanted = to or newest_step()
    if step_of(connection) != wanted:
        from alembic import command  # noqa: PLC0415 - most starts need no Alembic

        command.upgrade(_config(connection), wanted)


def add_step(message: str) -> None:
    """Writes a step that leads from the newest one to the models."""
    from alembic import command  # noqa: PLC0415 - as above

    with create_engine("sqlite://").begin() as connection:
        upgrade(connection)
        number = int(newest_step()) + 1
        command.revision(_config(connection), message, autogenerate=True, rev_id=f"{number:04}")


def _config(connection: Connection) -> "Config":
    from alembic.config import Config  # noqa: PLC0415 - as above

    config = Config(attributes={"connection": connection})
    config.set_main_option("script_location", str(HOME).replace("%", "%%"))
    config.set_main_option("path_separator", "os")
    config.set_main_option("file_template", "%%(rev)s_%%(slug)s")
    return config
