"""A problem with a database is one sentence that names it, its cause and what to do."""

import asyncio
import sqlite3
import sys
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest
from sqlalchemy import make_url, text

from bot.app import SCHEMA
from bot.storage import Database, DatabaseUnusableError
from bot.storage.migrations import newest_step
from bot.storage.sqlite import BUSY_MILLISECONDS
from bot.storage.trouble import unusable
from tests.bot.databases import PostgresqlServer
from tests.bot.storage.samples import open_table, opened
from tests.bot.storage.test_claim import Cable

NEWER = "UPDATE alembic_version SET version_num = '9999'"


async def refusal(url: str) -> str:
    """Returns the reason for the owner why a bot cannot start on this database."""
    try:
        database = Database(url, SCHEMA)
    except DatabaseUnusableError as error:
        said = str(error)
        assert "DURAK_DATABASE_URL" in said
    else:
        try:
            await database.claim()
            await database.open()
        except DatabaseUnusableError as error:
            said = str(error)
        else:
            pytest.fail("it can be used")
        finally:
            await database.close()

        assert said.startswith("The database ")

    assert said.endswith(".")
    assert "\n" not in said
    return said


def is_a_letter(file: Path) -> None:
    file.write_text("Dear diary, " * 100)


def is_torn(file: Path) -> None:
    pages = bytearray(file.read_bytes())
    for page in range(4096, len(pages), 4096):
        pages[page : page + 200] = b"\xff" * 200
    file.write_bytes(pages)


def is_a_folder(file: Path) -> None:
    file.unlink()
    file.mkdir()


def is_newer(file: Path) -> None:
    with closing(sqlite3.connect(file)) as connection:
        connection.execute(NEWER)
        connection.commit()


def is_older(file: Path) -> None:
    with closing(sqlite3.connect(file)) as connection:
        connection.execute("UPDATE alembic_version SET version_num = '0015'")
        connection.commit()


@pytest.mark.parametrize(
    ("happens", "cause", "remedy"),
    [
        (is_older, "made by an early version, at step 0015", "git checkout"),
        (is_a_letter, "is no SQLite database", "move it away"),
        (is_torn, "is damaged", "restore a backup"),
        (is_a_folder, "is a folder", "DURAK_DATABASE_URL"),
        (
            is_newer,
            f"made by a newer version: 9999; this one knows {newest_step()}",
            "install that version",
        ),
    ],
)
async def test_a_file_that_cannot_be_used_says_why(
    sqlite_url: str, happens: Callable[[Path], None], cause: str, remedy: str
) -> None:
    file = make_url(sqlite_url).database or ""
    happens(Path(file))
    said = await refusal(sqlite_url)
    assert file in said
    assert cause in said
    assert remedy in said


async def test_a_folder_that_is_not_there_is_named(tmp_path: Path) -> None:
    said = await refusal(f"sqlite+aiosqlite:///{tmp_path}/nowhere/durak.db")
    assert f"no folder {tmp_path}/nowhere: make it" in said


async def test_a_file_that_may_only_be_read_says_so(sqlite_url: str) -> None:
    database = Database(f"sqlite+aiosqlite:///file:{make_url(sqlite_url).database}?mode=ro&uri=true", SCHEMA)
    with pytest.raises(DatabaseUnusableError, match="cannot be written to"):
        await database.open()
    await database.close()


async def test_a_file_that_another_process_holds_says_so(
    sqlite_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert BUSY_MILLISECONDS == 10_000
    monkeypatch.setattr("bot.storage.sqlite.BUSY_MILLISECONDS", 50)
    with closing(sqlite3.connect(make_url(sqlite_url).database or "")) as another:
        another.execute("BEGIN EXCLUSIVE")
        assert "is locked by another process" in await refusal(sqlite_url)


async def test_a_database_belongs_to_one_process_until_it_ends(database_url: str) -> None:
    first, second = Database(database_url, SCHEMA), Database(database_url, SCHEMA)
    await first.claim()
    await first.open()
    with pytest.raises(DatabaseUnusableError, match="is in use by another process of this bot"):
        await second.claim()

    await open_table(first)
    await first.close()
    await second.claim()
    await second.close()


async def test_a_database_in_memory_is_nobody_elses() -> None:
    for _ in range(2):
        database = Database("sqlite+aiosqlite://", SCHEMA)
        await database.claim()


async def test_a_postgresql_of_a_newer_version_says_so(postgresql_server: PostgresqlServer) -> None:
    with postgresql_server.bare_database() as url:
        async with opened(url) as database:
            await database.write(lambda session: session.connection().execute(text(NEWER)).close())
        assert "was made by a newer version: 9999" in await refusal(url)


async def test_a_postgresql_that_cannot_be_used_says_why(postgresql_server: PostgresqlServer) -> None:
    url = postgresql_server.url
    said = await refusal(url.set(database="nobody_made_this").render_as_string(hide_password=False))
    assert "does not exist" in said
    stranger = url.set(username="stranger", password="hush", database="postgres")
    said = await refusal(stranger.render_as_string(hide_password=False))
    assert "does not accept this user or password" in said
    assert "hush" not in said


async def test_a_postgresql_that_is_not_there_says_so() -> None:
    said = await refusal("postgresql+asyncpg://durak:hush@127.0.0.1:9/durak")
    assert "The database durak at 127.0.0.1:9 cannot be reached" in said
    assert "hush" not in said


@pytest.mark.parametrize(
    ("url", "sentence"),
    [
        ("postgresql+asyncpg://durak:hush@127.0.0.1:99999/durak", "names port 99999"),
        ("postgresql://durak:hush@127.0.0.1:0/durak", "names port 0"),
        ("postgresql://durak:hush@127.0.0.1:abc/durak", "should be like"),
        ("sqlite+aiosqlite://durak.db", "should be like"),
        ("postgresql://durak:h@sh/hush@127.0.0.1:9/durak", "write %40 there"),
        ("postgresql://durak:h@hush@127.0.0.1:9/durak", "write %40 there"),
        ("postgresql://durak:hush:h@sh@127.0.0.1/durak", "write %40 there"),
        ("postgresql://durak:hush@127.0.0.1:9/durak?sslmode=maybe", "may be disable, allow, prefer, require"),
        ("postgresql://durak:hush@127.0.0.1:9/durak?application_name=durak", "leave that out"),
        (
            "postgres://durak:hush@127.0.0.1:9/durak?sslmode=require&channel_binding=require",
            "cannot be reached",
        ),
    ],
)
async def test_an_address_that_cannot_be_right_says_what_to_correct(url: str, sentence: str) -> None:
    said = await refusal(url)
    assert sentence in said
    assert "hush" not in said


async def test_a_driver_that_is_not_installed_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "asyncpg", None)  # as if it were not installed
    assert "pip install '.[postgresql]'" in await refusal("postgresql://durak@127.0.0.1:9/durak")


async def test_an_address_as_hosts_give_it_is_understood(postgresql_server: PostgresqlServer) -> None:
    with postgresql_server.bare_database() as url:
        async with Cable(url) as cable:
            address = make_url(cable.url).set(drivername="postgres")
            async with opened(address.render_as_string(hide_password=False)) as database:
                assert await database.is_healthy()

            required = address.set(query={"sslmode": "require", "channel_binding": "require"})
            said = await refusal(required.render_as_string(hide_password=False))
            assert "does not encrypt connections: leave `sslmode` out" in said


async def test_a_port_where_something_else_listens_says_so() -> None:
    async def answer(_: asyncio.StreamReader, other: asyncio.StreamWriter) -> None:
        other.write(b"SSH-2.0-OpenSSH")
        other.close()

    async with await asyncio.start_server(answer, "127.0.0.1", 0) as server:
        port = server.sockets[0].getsockname()[1]
        said = await refusal(f"postgresql://durak@127.0.0.1:{port}/durak")

    assert "does not answer as PostgreSQL does: correct the host and the port" in said


@pytest.mark.parametrize(
    ("error", "is_passing"),
    [
        (ConnectionRefusedError(), True),
        (DatabaseUnusableError("in use", is_passing=True), True),
        (DatabaseUnusableError("made by a newer version"), False),
    ],
)
def test_only_what_passes_is_worth_another_start(error: Exception, is_passing: bool) -> None:
    found = unusable(error, make_url("postgresql+asyncpg://durak@127.0.0.1/durak"))
    assert found is not None
    assert found.is_passing is is_passing


def test_a_full_disk_is_named_also_where_the_index_of_the_log_finds_no_room() -> None:
    error = sqlite3.OperationalError("disk I/O error")
    error.sqlite_errorcode = sqlite3.SQLITE_IOERR_SHMSIZE
    found = unusable(error, make_url("sqlite:///durak.db"))
    assert found is not None
    assert found.is_passing
    assert str(found) == "The database durak.db cannot grow, as its disk is full: make room there."
