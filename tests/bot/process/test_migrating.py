"""A start that upgrades an older database copies it first, and logs the upgrade and its progress."""

import asyncio
import sqlite3
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, closing
from functools import partial
from pathlib import Path

import pytest
from aiohttp.test_utils import TestClient, TestServer
from sqlalchemy import create_engine
from sqlalchemy.ext.asyncio import create_async_engine
from structlog.testing import capture_logs

from bot.app import SCHEMA
from bot.process.exits import CannotStartError
from bot.process.migrating import migrating_app, open_database
from bot.process.progress import Display, bar
from bot.storage import Database, DatabaseUnusableError, restore
from bot.storage.migrations import newest_step, upgrade
from tests.bot.databases import PostgresqlServer
from tests.bot.storage.samples import opened


def older(path: Path, step: str = "0106") -> str:
    engine = create_engine(f"sqlite:///{path}")
    with engine.begin() as connection:
        upgrade(connection, to=step)
    engine.dispose()
    return f"sqlite+aiosqlite:///{path}"


def copies(folder: Path) -> list[Path]:
    return list(folder.glob("durak-before-*.db"))


def step_of(path: Path) -> str:
    with closing(sqlite3.connect(path)) as connection:
        (step,) = connection.execute("SELECT version_num FROM alembic_version").fetchone()
    return str(step)


async def open_and_close(url: str, *, has_agreed: bool = False) -> None:
    database = Database(url, SCHEMA)
    try:
        await open_database(database, has_agreed=has_agreed)
    finally:
        await database.close()


async def test_an_older_database_is_copied_before_its_first_step(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "durak.db"
    url = older(file)
    with capture_logs() as lines:
        await open_and_close(url)

    (copy,) = copies(tmp_path)
    assert (step_of(file), step_of(copy)) == (newest_step(), "0106")

    text = capsys.readouterr().out
    assert text.startswith("The database is brought up to date: step")
    assert f"`durak-bot restore {copy}` takes the upgrade back" in text

    progress = [(line["of"], line["done"], line["total"]) for line in lines if line["event"] == "progress"]
    assert progress[0][0] == "pages copied"
    assert ("steps made", 0, len(progress)) != progress[-1]
    assert progress[-1][1] == progress[-1][2] > 0

    restore(url, copy)
    assert step_of(file) == "0106"


async def test_a_new_database_and_one_of_today_are_opened_without_a_word(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for _ in range(2):
        await open_and_close(f"sqlite+aiosqlite:///{tmp_path}/durak.db")
    assert capsys.readouterr().out == ""
    assert copies(tmp_path) == []


async def test_no_step_is_made_where_no_copy_can_be(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "durak.db"
    url = older(file)
    monkeypatch.setattr("bot.process.migrating.copy_of", lambda *_: tmp_path / "nowhere" / "copy.db")
    with pytest.raises(CannotStartError, match=r"No copy could be made .*: There is no folder"):
        await open_and_close(url)

    assert step_of(file) == "0106"


async def test_an_upgrade_to_tables_that_differ_is_refused_in_a_sentence(tmp_path: Path) -> None:
    url = older(tmp_path / "durak.db")
    with closing(sqlite3.connect(tmp_path / "durak.db")) as connection:
        connection.execute("DROP INDEX ix_seat_player_id")
        connection.execute("ALTER TABLE server ADD COLUMN diary VARCHAR")

    with pytest.raises(DatabaseUnusableError) as refused:
        await open_and_close(url)

    assert "does not have the tables of step" in str(refused.value)
    assert "an unknown column server.diary, no index seat.ix_seat_player_id" in str(refused.value)
    assert len(copies(tmp_path)) == 1


async def test_a_start_without_an_upgrade_compares_no_columns(tmp_path: Path) -> None:
    url = f"sqlite+aiosqlite:///{tmp_path}/durak.db"
    async with opened(url):
        pass

    with closing(sqlite3.connect(tmp_path / "durak.db")) as connection:
        connection.execute("ALTER TABLE server ADD COLUMN diary VARCHAR")

    await open_and_close(url)


async def test_a_database_with_a_table_of_somebody_else_is_refused_in_a_sentence(tmp_path: Path) -> None:
    url = f"sqlite+aiosqlite:///{tmp_path}/durak.db"
    async with opened(url):
        pass

    with closing(sqlite3.connect(tmp_path / "durak.db")) as connection:
        connection.execute("CREATE TABLE diary (page INTEGER)")

    with pytest.raises(DatabaseUnusableError, match="has tables that this version does not know: diary"):
        await open_and_close(url)


async def test_postgresql_is_changed_only_with_its_owners_consent(
    postgresql_server: PostgresqlServer,
) -> None:
    with postgresql_server.bare_database() as url:
        engine = create_async_engine(url)
        async with engine.begin() as connection:
            await connection.run_sync(partial(upgrade, to="0106"))

        await engine.dispose()

        with pytest.raises(CannotStartError, match=r"steps? 0107, .*`pg_dump`.*`durak-bot --yes`"):
            await open_and_close(url)

        await open_and_close(url, has_agreed=True)


async def test_health_is_answered_while_the_database_is_brought_up_to_date(tmp_path: Path) -> None:
    answers = list[tuple[int, str]]()

    @asynccontextmanager
    async def listening() -> AsyncIterator[None]:
        async with TestClient(TestServer(migrating_app())) as http:
            yield
            for path in ("/healthz", "/readyz", "/"):
                answer = await http.get(path)
                answers.append((answer.status, await answer.text()))

    database = Database(older(tmp_path / "durak.db"), SCHEMA)
    await open_database(database, listening=listening())
    await database.close()

    assert answers == [
        (200, "migrating\n"),
        (503, "not ready: migrating\n"),
        (503, "not ready: migrating\n"),
    ]


async def test_long_work_is_told_again_while_nothing_is_done(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("bot.process.progress.LINE_SECONDS", 0.01)
    display = Display()
    with capture_logs() as lines:
        async with display.repeating():
            display("games counted", 0, 300_000)
            await asyncio.sleep(0.1)

    assert len(lines) > 2
    assert {(line["of"], line["done"], line["total"]) for line in lines} == {("games counted", 0, 300_000)}


def test_a_bar_is_filled_as_far_as_the_work_is_done() -> None:
    assert bar(1, 3) == "[##########....................]"
    assert bar(3, 3) == bar(0, 0) == "[##############################]"
