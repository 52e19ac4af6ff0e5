"""Applies the steps, and writes new ones."""

from pathlib import Path

from alembic import command
from alembic.config import Config
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import Connection, create_engine

HOME = Path(__file__).parent
"""Where the steps are."""


def upgrade(connection: Connection, to: str = "head") -> None:
    """Bring the tables behind a connection up to date, inside its transaction."""
    config = _config()
    config.attributes["connection"] = connection
    command.upgrade(config, to)


def newest_step() -> str:
    """Name the newest step that this version knows."""
    return ScriptDirectory.from_config(_config()).get_current_head() or ""


def newer_version(connection: Connection) -> str | None:
    """Name the step that a database stands at, if this version does not know it."""
    found = MigrationContext.configure(connection).get_current_revision()
    return None if found is None or found in known_steps() else found


def known_steps() -> set[str]:
    """Name all steps that this version knows."""
    return {step.revision for step in ScriptDirectory.from_config(_config()).walk_revisions()}


def add_step(message: str) -> None:
    """Write a step that leads from the newest one to the models."""
    with create_engine("sqlite://").begin() as connection:
        config = _config()
        config.attributes["connection"] = connection
        command.upgrade(config, "head")
        number = len(list(ScriptDirectory.from_config(config).walk_revisions())) + 1
        command.revision(config, message, autogenerate=True, rev_id=f"{number:04}")


def _config() -> Config:
    config = Config()
    config.set_main_option("script_location", str(HOME).replace("%", "%%"))
    config.set_main_option("path_separator", "os")
    config.set_main_option("file_template", "%%(rev)s_%%(slug)s")
    return config
