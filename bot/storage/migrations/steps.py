"""Applies the steps, and writes new ones."""

from functools import cache
from pathlib import Path

from alembic import command
from alembic.config import Config
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import Connection, create_engine

HOME = Path(__file__).parent
"""Where the steps are."""


def upgrade(connection: Connection, to: str = "") -> None:
    """Bring the tables behind a connection to a step, or else to the newest, inside its transaction."""
    step = to or newest_step()
    if _step_of(connection) != step:  # alembic would read all steps anew to find out
        config = _config()
        config.attributes["connection"] = connection
        command.upgrade(config, step)


def newest_step() -> str:
    """Name the newest step that this version knows."""
    return known_steps()[0]


def newer_version(connection: Connection) -> str | None:
    """Name the step that a database stands at, if this version does not know it."""
    found = _step_of(connection)
    return None if found is None or found in known_steps() else found


def known_steps() -> tuple[str, ...]:
    """Name all steps that this version knows, the newest one first."""
    return _steps(tuple(sorted(HOME.glob("versions/*.py"))))


@cache
def _steps(_files: tuple[Path, ...]) -> tuple[str, ...]:
    """Read the steps in these files, which takes longer than everything else when a database is opened."""
    return tuple(step.revision for step in ScriptDirectory.from_config(_config()).walk_revisions())


def _step_of(connection: Connection) -> str | None:
    return MigrationContext.configure(connection).get_current_revision()


def add_step(message: str) -> None:
    """Write a step that leads from the newest one to the models."""
    with create_engine("sqlite://").begin() as connection:
        config = _config()
        config.attributes["connection"] = connection
        command.upgrade(config, "head")
        command.revision(config, message, autogenerate=True, rev_id=f"{len(known_steps()) + 1:04}")


def _config() -> Config:
    config = Config()
    config.set_main_option("script_location", str(HOME).replace("%", "%%"))
    config.set_main_option("path_separator", "os")
    config.set_main_option("file_template", "%%(rev)s_%%(slug)s")
    return config
