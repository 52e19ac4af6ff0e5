"""Everything moves from a file to PostgreSQL, even after an interruption; anything less is a failure."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from sqlmodel import insert, select

from bot.app import SCHEMA
from bot.process.migrating import open_database
from bot.storage import Database, DatabaseUnusableError, TableStore
from bot.storage.models import MessageRow, ServerRow
from bot.storage.move import BATCH_ROWS, move
from tests.bot.databases import PostgresqlServer, rows
from tests.bot.storage.samples import open_table, opened, playing

pytestmark = pytest.mark.slow  # it moves thousands of rows

SERVERS = 2 * BATCH_ROWS + 100


@pytest.fixture
def target(postgresql_server: PostgresqlServer) -> Iterator[str]:
    with postgresql_server.bare_database() as url:
        yield url


@pytest.fixture
async def source(sqlite_url: str) -> str:
    servers = [
        {"platform": "web", "ref": f"{number}ä" if number % 2 else f"Z{number}"} for number in range(SERVERS)
    ]

    async with opened(sqlite_url) as database:
        await playing(database)
        content = {"text": "Дурак ♠", "nested": {"b": 1, "a": None}}
        message = MessageRow(room="r", guest_id=None, kind="text", content=content, posted_at=0.1)
        await database.write(lambda session: session.add(message))
        await database.write(lambda session: session.connection().execute(insert(ServerRow), servers).close())

    return sqlite_url


async def test_all_rows_arrive_and_new_ones_get_new_numbers(source: str, target: str) -> None:
    reports = list[tuple[str, int, int]]()
    moved = await move(source, target, SCHEMA, lambda *report: reports.append(report))
    assert moved > SERVERS
    assert {unit for unit, *_ in reports} == {"rows copied", "rows compared"}
    assert reports[-1] == ("rows compared", moved, moved)

    async with opened(source) as old, opened(target) as new:
        before = await rows(old, select(ServerRow).order_by(ServerRow.id))  # type: ignore[arg-type]
        after = await rows(new, select(ServerRow).order_by(ServerRow.id))  # type: ignore[arg-type]
        assert [row.model_dump() for row in before] == [row.model_dump() for row in after]
        assert await TableStore(new).get(1) == await TableStore(old).get(1)
        opened_now = await TableStore(new).get(1)
        assert opened_now is not None
        await TableStore(new).save(opened_now.close())
        assert (await open_table(new)).id == 2
        await new.examine()


async def test_a_move_is_taken_up_where_it_was_interrupted(source: str, target: str) -> None:
    def interrupt(unit: str, done: int, total: int) -> None:
        if done > BATCH_ROWS:
            raise RuntimeError

    with pytest.raises(RuntimeError):
        await move(source, target, SCHEMA, interrupt)

    database = Database(target, SCHEMA)
    with pytest.raises(DatabaseUnusableError, match="`durak-bot move` again"):
        await open_database(database)

    await database.close()

    reports = list[tuple[str, int, int]]()
    moved = await move(source, target, SCHEMA, lambda *report: reports.append(report))
    assert reports[0][1] > BATCH_ROWS
    assert reports[-1] == ("rows compared", moved, moved)


async def test_a_database_with_rows_of_its_own_is_left_alone(source: str, target: str) -> None:
    async with opened(target) as database:
        await open_table(database)
    with pytest.raises(DatabaseUnusableError, match="holds rows already"):
        await move(source, target, SCHEMA)


async def test_rows_that_differ_are_no_success(source: str, target: str) -> None:
    def interrupt(unit: str, done: int, total: int) -> None:
        if unit == "rows compared":
            raise RuntimeError

    with pytest.raises(RuntimeError):
        await move(source, target, SCHEMA, interrupt)

    async with opened(source) as database:
        await database.write(
            lambda session: (
                session.connection().exec_driver_sql("UPDATE server SET preset = 'x' WHERE id = 7").close()
            )
        )

    with pytest.raises(DatabaseUnusableError, match="has other rows of server"):
        await move(source, target, SCHEMA)


async def test_a_move_goes_one_way(source: str, tmp_path: Path) -> None:
    with pytest.raises(DatabaseUnusableError, match="no PostgreSQL database"):
        await move(source, f"sqlite+aiosqlite:///{tmp_path}/other.db", SCHEMA)
    with pytest.raises(DatabaseUnusableError, match="no SQLite file that is there"):
        await move(f"sqlite+aiosqlite:///{tmp_path}/none.db", "postgresql://durak@localhost/durak", SCHEMA)


async def test_a_table_that_no_schema_names_is_not_left_behind(source: str, target: str) -> None:
    async with opened(source) as database:
        await database.write(
            lambda session: session.connection().exec_driver_sql("CREATE TABLE mood (id INTEGER)").close()
        )

    with pytest.raises(DatabaseUnusableError, match="has tables that this version does not know: mood"):
        await move(source, target, SCHEMA)
