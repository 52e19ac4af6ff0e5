"""Writes a step from the difference between the models and the tables.

A database with rows has to be able to apply it. So a new column that may not be empty gets its model's
default as a server default, for the existing rows. If no default helps, the step is refused.
"""

import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import sqlalchemy as sa
from alembic import command
from alembic.operations import ops
from alembic.runtime.migration import MigrationContext

from bot.storage import migrations
from bot.storage.migrations import StepRefusedError
from bot.storage.migrations.applying import config_of

BY_HAND = "Write this step by hand"
STYLE = Path(__file__).parents[3] / "pyproject.toml"


def add_step(message: str, models: sa.MetaData) -> Path:
    """Writes a step that leads from the newest one to the models, and returns its file.

    Raises:
        StepRefusedError: A database with rows could not apply it.
    """
    number = int(migrations.newest_step()) + 1
    engine = sa.create_engine("sqlite://")
    with engine.begin() as connection:
        migrations.upgrade(connection)
        step: Any = command.revision(
            config_of(migrations.HOME, connection, models),
            message,
            autogenerate=True,
            rev_id=f"{number:04}",
            process_revision_directives=_prepare,
        )

    engine.dispose()
    file = Path(step.path)
    _format(file)
    return file


def _prepare(_: MigrationContext, __: object, scripts: list[ops.MigrationScript]) -> None:
    """Gives the new columns of a step their defaults.

    Raises:
        StepRefusedError: A database with rows could not apply it.
    """
    refusals = []
    for script in scripts:
        assert script.upgrade_ops is not None
        for operation in _operations(script.upgrade_ops):
            try:
                _suit_rows(operation)
            except StepRefusedError as refusal:
                refusals.append(str(refusal))

    if refusals:
        raise StepRefusedError("\n".join(refusals))


def _operations(container: ops.OpContainer) -> Iterator[ops.MigrateOperation]:
    """Yields the operations of a step, including those that are grouped by table."""
    for operation in container.ops:
        if isinstance(operation, ops.OpContainer):
            yield from _operations(operation)
        else:
            yield operation


def _suit_rows(operation: ops.MigrateOperation) -> None:
    """Changes an operation so that it can be applied to a table with rows.

    Raises:
        StepRefusedError: It can't be done.
    """
    if isinstance(operation, ops.AddColumnOp):
        _give_default(f"{operation.table_name}.{operation.column.name}", operation.column)

    if isinstance(operation, ops.AlterColumnOp) and operation.modify_nullable is False:
        raise StepRefusedError(
            f"{operation.table_name}.{operation.column_name} would become NOT NULL, but rows may have no "
            f"value there. {BY_HAND}: fill those rows with an UPDATE first."
        )


def _give_default(where: str, column: sa.Column[Any]) -> None:
    """Adds the model's default to a new column that may not be NULL, for the rows that exist.

    Raises:
        StepRefusedError: The model has no default, or the column is a part of the key.
    """
    if column.primary_key:
        raise StepRefusedError(
            f"{where} would change the key of a table that may have rows. {BY_HAND}: rebuild the table."
        )
    if column.nullable or column.server_default is not None:
        return

    default = column.default
    if not isinstance(default, sa.ColumnDefault) or not default.is_scalar:
        raise StepRefusedError(
            f"{where} would be NOT NULL without a default: a database with rows in {column.table.name} could "
            "not be opened after the upgrade. Give the field a default in its model, or allow None."
        )

    column.server_default = sa.DefaultClause(_in_sql(default.arg, where))


def _in_sql(default: object, where: str) -> str | sa.TextClause:
    """Returns a default in a form that SQLite and PostgreSQL both accept.

    Raises:
        StepRefusedError: There is none.
    """
    match default:
        case bool():
            return sa.text(str(default).lower())
        case str() | int() | float():
            return str(default)
        case dict() | list():
            return json.dumps(default)
        case _:
            raise StepRefusedError(f"{where} has a default that SQL has no word for: {default!r}. {BY_HAND}.")


def _format(file: Path) -> None:
    """Removes the comments of Alembic, and formats a step like all other code."""
    lines = file.read_text(encoding="utf-8").splitlines(keepends=True)
    code = [line for line in lines if not line.strip().startswith("# ###")]
    file.write_text("".join(code), encoding="utf-8")

    for job in (["check", "--fix", "--exit-zero"], ["format"]):
        words: list[str | Path] = [sys.executable, "-m", "ruff", *job, "--quiet", "--config", STYLE, file]
        subprocess.run(words, check=True)  # noqa: S603 - our own words, and a file of ours
