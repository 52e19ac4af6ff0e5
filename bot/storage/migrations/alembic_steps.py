"""Applies the steps, and writes new ones."""

from alembic import command
from alembic.config import Config
from sqlalchemy import Connection, create_engine

from bot.storage.migrations import steps


def apply(connection: Connection, to: str) -> None:
    """Bring the tables behind a connection to a step, inside its transaction."""
    config = _config()
    config.attributes["connection"] = connection
    command.upgrade(config, to)


def add_step(message: str) -> None:
    """Write a step that leads from the newest one to the models."""
    with create_engine("sqlite://").begin() as connection:
        apply(connection, steps.newest_step())
        config = _config()
        config.attributes["connection"] = connection
        number = len(steps.known_steps()) + 1
        command.revision(config, message, autogenerate=True, rev_id=f"{number:04}")


def _config() -> Config:
    config = Config()
    config.set_main_option("script_location", str(steps.HOME).replace("%", "%%"))
    config.set_main_option("path_separator", "os")
    config.set_main_option("file_template", "%%(rev)s_%%(slug)s")
    return config
