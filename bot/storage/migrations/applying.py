"""Applies the steps of a folder with Alembic, and compares the tables with the models."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import sqlalchemy as sa
from alembic import command, op
from alembic.autogenerate import compare_metadata
from alembic.config import Config
from alembic.migration import MigrationContext
from alembic.operations import Operations
from alembic.script import ScriptDirectory

from bot.storage.migrations.completion import Additions
from bot.storage.models import Base


def apply(home: Path, connection: sa.Connection, step: str, on_step: Callable[[], None]) -> None:
    """Applies the steps up to `step`, and calls `on_step` after each."""
    command.upgrade(config_of(home, connection, Base.metadata, on_step), step)


def config_of(
    home: Path, connection: sa.Connection, models: sa.MetaData, on_step: Callable[[], None] = lambda: None
) -> Config:
    """Returns Alembic's configuration for a folder of steps, a connection and the models."""
    config = Config(attributes={"connection": connection, "models": models, "on_step": on_step})
    config.set_main_option("script_location", str(home).replace("%", "%%"))
    config.set_main_option("path_separator", "os")
    config.set_main_option("file_template", "%%(rev)s_%%(slug)s")
    return config


def complete(home: Path, connection: sa.Connection, name: str) -> None:
    """Adds the missing tables, columns and indexes of a step."""
    step = ScriptDirectory(str(home)).get_revision(name)
    assert step is not None

    options = {"target_metadata": Base.metadata}  # has the naming convention for constraints
    with Operations.context(MigrationContext.configure(connection, opts=options)):
        vars(step.module)["op"] = Additions(connection)
        try:
            step.module.upgrade()
        finally:
            vars(step.module)["op"] = op


def differences(connection: sa.Connection, models: sa.MetaData) -> list[str]:
    """Returns the names of the parts in which the tables of a database differ from the models."""
    operations = compare_metadata(MigrationContext.configure(connection), models)
    return sorted({_describe(difference) for difference in operations})


def _describe(difference: Any) -> str:
    """Returns a difference between tables and models in words, such as `no column server.quiet`."""
    if isinstance(difference, list):  # changes of one column
        _, _, table, column, *_ = difference[0]
        return f"another column {table}.{column}"

    kind, *_, subject = difference
    verb, _, noun = kind.partition("_")
    table = getattr(subject, "table", None)
    name = subject.name if table is None else f"{table.name}.{subject.name}"
    return f"{'no' if verb == 'add' else 'an unknown'} {noun} {name}"
