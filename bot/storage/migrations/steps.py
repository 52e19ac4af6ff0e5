"""Which steps there are, and where a database stands."""

from pathlib import Path

from sqlalchemy import Connection, inspect, text

HOME = Path(__file__).parent
"""Where the steps are."""

STANDS_AT = text("SELECT version_num FROM alembic_version")


def newest_step() -> str:
    """Name the newest step that this version knows."""
    return max(known_steps())


def newer_version(connection: Connection) -> str | None:
    """Name the step that a database stands at, if this version does not know it."""
    found = step_of(connection)
    return None if found is None or found in known_steps() else found


def known_steps() -> set[str]:
    """Name all steps that this version knows, by what the names of their files begin with."""
    return {file.name.partition("_")[0] for file in (HOME / "versions").glob("[0-9]*.py")}


def step_of(connection: Connection) -> str | None:
    """Name the step that a database stands at; None: it is new."""
    if not inspect(connection).has_table("alembic_version"):
        return None
    found: str | None = connection.execute(STANDS_AT).scalar()
    return found
