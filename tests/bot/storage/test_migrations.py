"""The steps lead from every earlier database to the current models."""

import asyncio
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import Connection, create_engine, text
from sqlalchemy.exc import DBAPIError
from sqlmodel import select

from bot.app import SCHEMA
from bot.storage import Database, TableStore, migrations
from bot.storage.migrations import add_step, known_steps, upgrade
from bot.storage.models import ServerRow
from tests.bot.databases import PostgresqlServer, pragma, rows
from tests.bot.storage.samples import open_table, opened

pytestmark = pytest.mark.slow

STEP = '''"""A step of a test."""

import sqlalchemy as sa
from alembic import op

revision = "9999"
down_revision = "{before}"


def upgrade() -> None:
    """Rebuilds a table that other rows refer to, where that is how tables change."""
    recreate = "always" if op.get_bind().dialect.name == "sqlite" else "auto"
    with op.batch_alter_table("card_table", recreate=recreate) as table:
        table.add_column(sa.Column("mood", sa.String(), nullable=False, server_default="calm"))
    {more}
'''


async def run(database: Database, work: Callable[[Connection], Any]) -> Any:
    return await database.read(lambda session: work(session.connection()))


def head() -> str:
    (newest,) = ScriptDirectory(str(migrations.HOME)).get_heads()
    return newest


async def test_the_steps_lead_to_the_models(database: Database) -> None:
    def differences(connection: Connection) -> list[object]:
        return list(compare_metadata(MigrationContext.configure(connection), SCHEMA.models))

    assert await run(database, differences) == []


async def test_there_are_numbers_for_more_rows_than_32_bits_can_name(database: Database) -> None:
    highest = 2**33
    await database.write(lambda session: session.add(ServerRow(id=highest, platform="web", ref="last")))
    servers = await rows(database, select(ServerRow).where(ServerRow.id == highest))
    assert [row.ref for row in servers] == ["last"]


async def test_the_steps_and_the_models_make_the_same_indexes_and_kinds_of_tables(sqlite_url: str) -> None:
    query = text("SELECT name, sql FROM sqlite_master WHERE type = 'index' AND sql IS NOT NULL ORDER BY name")
    counted = text(
        "SELECT name, 'AUTOINCREMENT' FROM sqlite_master WHERE sql LIKE '%AUTOINCREMENT%' ORDER BY name"
    )
    by_key = text("SELECT name, 'WITHOUT ROWID' FROM pragma_table_list WHERE wr ORDER BY name")

    def plain(connection: Connection) -> list[tuple[str, str]]:
        found = [
            *connection.execute(query),
            *connection.execute(counted),
            *connection.execute(by_key),
        ]
        return [(name, " ".join(sql.split())) for name, sql in found]

    engine = create_engine("sqlite://")
    with engine.begin() as connection:
        SCHEMA.models.create_all(connection)
        async with opened(sqlite_url) as database:
            assert await run(database, plain) == plain(connection)

    engine.dispose()


def test_the_steps_are_one_line_from_the_first_to_the_newest() -> None:
    script = ScriptDirectory(str(migrations.HOME))
    assert len(script.get_bases()) == len(script.get_heads()) == 1
    assert all(not step.is_merge_point and not step.is_branch_point for step in script.walk_revisions())


def test_the_names_of_the_files_say_which_steps_there_are() -> None:
    steps = [step.revision for step in ScriptDirectory(str(migrations.HOME)).walk_revisions()]
    assert known_steps() == sorted(steps)


@pytest.mark.parametrize(
    "older", [step.revision for step in ScriptDirectory(str(migrations.HOME)).walk_revisions()]
)
async def test_a_database_of_any_older_version_is_brought_up_to_date(tmp_path: Path, older: str) -> None:
    path = tmp_path / "old.db"
    engine = create_engine(f"sqlite:///{path}")
    with engine.begin() as connection:
        upgrade(connection, to=older)

    engine.dispose()
    async with opened(f"sqlite+aiosqlite:///{path}") as database:
        assert await run(database, _revision) == head()
        await open_table(database)


def _revision(connection: Connection) -> str | None:
    return MigrationContext.configure(connection).get_current_revision()


async def test_a_step_may_make_a_table_anew_that_rows_name(sqlite_url: str, next_version: Path) -> None:
    async with opened(sqlite_url) as database:
        table = await open_table(database)
        before = await run(database, _revision)

    (next_version / "versions" / "9999_test.py").write_text(STEP.format(before=before, more=""))
    async with opened(sqlite_url) as database:
        assert await run(database, _revision) == "9999"
        assert await TableStore(database).get(table.id) == table
        assert await pragma(database, "foreign_keys") == 1
        assert await pragma(database, "foreign_key_check") is None


async def test_a_step_that_fails_leaves_the_database_as_it_was(database_url: str, next_version: Path) -> None:
    async with opened(database_url) as database:
        table = await open_table(database)
        before = await run(database, _revision)

    broken = next_version / "versions" / "9999_test.py"
    broken.write_text(STEP.format(before=before, more='op.execute("SELECT nonsense")'))
    with pytest.raises(DBAPIError):
        async with opened(database_url):
            pass

    broken.unlink()
    async with opened(database_url) as database:
        assert await run(database, _revision) == before
        assert await TableStore(database).get(table.id) == table


def test_the_next_step_is_written_from_the_models(
    next_version: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    before = set((next_version / "versions").glob("*.py"))
    newest = head()
    add_step("add nothing to nobody", SCHEMA)
    capsys.readouterr()
    (written,) = set((next_version / "versions").glob("*.py")) - before
    assert written.name == f"{int(newest) + 1:04}_add_nothing_to_nobody.py"
    assert f'down_revision = "{newest}"' in written.read_text()
    engine = create_engine("sqlite://")
    with engine.begin() as connection:
        upgrade(connection)
        assert _revision(connection) == head() != newest

    engine.dispose()


def test_a_step_makes_indexes_of_some_rows_the_same_everywhere(
    next_version: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    next_step = next_version / "versions" / "9999_test.py"
    next_step.write_text(STEP.format(before=head(), more='op.drop_index("ix_result_first_seat")'))
    add_step("keep it again", SCHEMA)
    capsys.readouterr()
    (written,) = (next_version / "versions").glob("*_keep_it_again.py")
    found = re.findall(r"(sqlite|postgresql)_where=(sa\.text\(.*?\))", written.read_text())
    assert {kind for kind, _ in found} == {"sqlite", "postgresql"}
    assert len({where for _, where in found}) == 1


async def test_those_who_start_at_once_on_an_empty_server_wait_for_one_another(
    postgresql_server: PostgresqlServer,
) -> None:
    with postgresql_server.bare_database() as url:
        databases = [Database(url, SCHEMA) for _ in range(3)]
        await asyncio.gather(*[database.open() for database in databases])
        for database in databases:
            assert await run(database, _revision) == head()
            await database.close()
