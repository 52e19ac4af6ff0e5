"""Every step can be applied to a database in which each table has rows."""

from functools import partial
from pathlib import Path

import pytest
from sqlalchemy import Connection
from sqlalchemy.exc import DBAPIError
from sqlmodel import Session

from bot.app import SCHEMA
from bot.storage import Database
from bot.storage.migrations import newest_step, upgrade
from tests.bot.storage.full_tables import fill, is_empty, tables_of
from tests.bot.storage.seal import new_steps, newest_sealed
from tests.bot.storage.step_trial import make_step, run, try_steps

pytestmark = pytest.mark.slow

TABLES = sorted(SCHEMA.models.tables)

STEP = '''"""A step of a test."""

import sqlalchemy as sa
from alembic import op

revision = "9999"
down_revision = "{before}"


def upgrade() -> None:
    """Adds a column."""
    op.add_column("{table}", sa.Column("mood", sa.String(), nullable=False{default}))
'''


async def test_new_steps_are_taken_by_a_database_with_rows_in_each_table(bare_url: str) -> None:
    await try_steps(bare_url, newest_sealed(), new_steps())


async def test_every_table_has_rows_for_them(database: Database) -> None:
    """A table that the trial left empty would let every step pass."""

    def tables(session: Session) -> tuple[list[str], list[str]]:
        connection = session.connection()
        fill(connection)
        found = tables_of(connection)
        return sorted(table.name for table in found), [
            each.name for each in found if is_empty(connection, each)
        ]

    assert await database.read(tables) == (TABLES, [])


@pytest.mark.parametrize("default", ["", ', server_default=""'], ids=["no default", "default"])
async def test_a_column_that_may_not_be_empty_needs_a_default_in_every_table(
    bare_url: str, next_version: Path, default: str
) -> None:
    newest = newest_step()
    await run(bare_url, partial(make_step, step=newest))

    refusing = []
    for table in TABLES:
        step = next_version / "versions" / f"9999_{table}.py"
        step.write_text(STEP.format(before=newest, table=table, default=default))
        try:
            await run(bare_url, _made_and_taken_back)
        except DBAPIError:
            refusing.append(table)
        step.unlink()

    assert refusing == ([] if default else TABLES)


def _made_and_taken_back(connection: Connection) -> None:
    upgrade(connection, to="9999")
    connection.rollback()
