"""Migrations of the database, one step for each change, applied at every start.

`python -m bot step "add what to what"` writes the next step from the difference between the models and the
steps so far; read it before you commit it.
"""

from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from types import ModuleType

from sqlalchemy import Connection, inspect, text

from bot.storage.migrations.before import BEFORE_THE_FIRST, LAST_OF_0_1_0, lead_to_first_step
from bot.storage.schema import Schema

HOME = Path(__file__).parent  # where the steps are
EARLY = "0101"  # the step that was changed after databases had gone through it
COMPLETE = "0108"  # the first step at which no database lacks a part of it
STANDS_AT = text("SELECT version_num FROM alembic_version")


class StepRefusedError(Exception):
    """A database with rows could not apply the step; the sentence names table and column, and the remedy."""


def known_steps() -> list[str]:
    """Returns all steps of this version, the oldest first, from the names of their files."""
    return sorted(file.name.partition("_")[0] for file in (HOME / "versions").glob("[0-9]*.py"))


def newest_step() -> str:
    """Returns the newest step of this version."""
    return known_steps()[-1]


def why_unknown(step: str) -> str | None:
    """Returns the reason why this version can't use a database at a step; None if it can."""
    steps = known_steps()
    if step in steps or step in BEFORE_THE_FIRST:
        return None

    if step < steps[0]:
        return (
            f"was made by an early version, at step {step}: start it once with the last one of its kind "
            f"(`git checkout {LAST_OF_0_1_0}`), and this one goes on from there."
        )

    return (
        f"was made by a newer version: {step}; this one knows {steps[-1]}, so install that version again, or "
        "restore an older backup."
    )


def step_of(connection: Connection) -> str | None:
    """Returns the current step of a database; None for a new one."""
    if not inspect(connection).has_table("alembic_version"):
        return None
    step: str | None = connection.execute(STANDS_AT).scalar()
    return step


def steps_after(step: str | None) -> list[str]:
    """Returns the steps that a database at a step still needs, the oldest first."""
    return [later for later in known_steps() if step is None or later > step]


def upgrade(
    connection: Connection, to: str | None = None, on_step: Callable[[], None] = lambda: None
) -> None:
    """Upgrades the tables of a database to the newest step, or to `to`, inside the connection's transaction.

    Calls `on_step` after each step.
    """
    target = to or newest_step()
    step = step_of(connection)
    if step == target:
        return

    if step is not None and step in BEFORE_THE_FIRST:
        lead_to_first_step(connection, step, known_steps()[0])
    elif step is not None and EARLY <= step < COMPLETE:
        _with_alembic().complete(HOME, connection, EARLY)

    _with_alembic().apply(HOME, connection, target, on_step)


def differences(connection: Connection, schema: Schema) -> list[str]:
    """Returns the names of the parts in which the tables of a database differ from a schema."""
    names: list[str] = _with_alembic().differences(connection, schema.models)
    return names


def add_step(message: str, schema: Schema) -> Path:
    """Writes a step that leads from the newest one to a schema, and returns its file.

    Raises:
        StepRefusedError: A database with rows could not apply it.
    """
    file: Path = _with_alembic("writing").add_step(message, schema.models)
    return file


def _with_alembic(part: str = "applying") -> ModuleType:
    """Imports a module that needs Alembic, which most starts do without."""
    return import_module(f"{__name__}.{part}")
