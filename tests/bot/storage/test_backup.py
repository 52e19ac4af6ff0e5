"""Backups are complete while games are running, checked, and restored without losing the current file."""

import asyncio
import os
import shutil
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
from sqlalchemy import make_url

from bot.app import SCHEMA
from bot.storage import (
    BackupFailedError,
    Contents,
    Database,
    DatabaseUnusableError,
    TableStore,
    back_up,
    contents,
    restore,
)
from bot.storage.backup import why_unwritten
from bot.storage.migrations import newest_step
from tests.bot.storage.samples import open_table, opened

POSTGRESQL = "postgresql+asyncpg://durak@localhost/durak"


def file_of(url: str) -> Path:
    return Path(make_url(url).database or "")


async def test_a_backup_made_while_the_bot_runs_holds_everything(sqlite_url: str, tmp_path: Path) -> None:
    copy = tmp_path / "copy.db"
    async with opened(sqlite_url) as database:
        table = await open_table(database)
        found = await asyncio.to_thread(back_up, sqlite_url, copy)

    assert found == Contents(newest_step(), tables=1, games=0)
    assert [name for name in os.listdir(tmp_path) if "copy" in name] == ["copy.db"]
    async with opened(f"sqlite+aiosqlite:///{copy}") as database:
        assert await TableStore(database).get(table.id) == table


async def test_a_backup_follows_no_link_that_has_the_name_of_its_unfinished_file(
    sqlite_url: str, tmp_path: Path
) -> None:
    """Covers a folder where others can write, who could use a link to choose the file that is overwritten."""
    precious = tmp_path / "precious"
    precious.write_text("keep me")
    os.symlink(precious, tmp_path / "copy.db.unfinished")

    await asyncio.to_thread(back_up, sqlite_url, tmp_path / "copy.db")
    assert precious.read_text() == "keep me"
    assert not (tmp_path / "copy.db").is_symlink()
    assert (tmp_path / "copy.db").stat().st_mode & 0o777 == 0o600


async def test_a_plain_copy_is_no_backup(tmp_path: Path) -> None:
    """The README warns of this: the newest games may all still be in the log."""
    database = Database(f"sqlite+aiosqlite:///{tmp_path}/durak.db", SCHEMA)
    await database.open()
    shutil.copy(tmp_path / "durak.db", tmp_path / "plain.db")
    await database.close()
    with pytest.raises(BackupFailedError, match="a plain copy without its log"):
        restore(f"sqlite+aiosqlite:///{tmp_path}/durak.db", tmp_path / "plain.db")


async def test_a_backup_that_is_put_back_leaves_the_newer_database_beside_it(
    sqlite_url: str, tmp_path: Path
) -> None:
    copy = tmp_path / "copy.db"
    async with opened(sqlite_url) as database:
        table = await open_table(database)
        await asyncio.to_thread(back_up, sqlite_url, copy)
        await TableStore(database).save(table.close())
        newer = await open_table(database)

    kept = restore(sqlite_url, copy)
    assert kept is not None
    async with opened(sqlite_url) as database:
        assert await TableStore(database).get(table.id) == table
        assert await TableStore(database).get(newer.id) is None

    async with opened(f"sqlite+aiosqlite:///{kept}") as database:
        assert await TableStore(database).get(newer.id) == newer


async def test_nothing_is_restored_under_a_running_bot(sqlite_url: str, tmp_path: Path) -> None:
    copy = tmp_path / "copy.db"
    database = Database(sqlite_url, SCHEMA)
    await database.claim()
    await database.open()
    back_up(sqlite_url, copy)
    with pytest.raises(DatabaseUnusableError, match="end that one first"):
        restore(sqlite_url, copy)

    await database.close()
    restore(sqlite_url, copy)


@pytest.mark.parametrize("what", ["missing", "letter", "torn", "newer"])
async def test_what_is_no_sound_backup_is_not_put_back(sqlite_url: str, tmp_path: Path, what: str) -> None:
    file, before = tmp_path / "backup.db", file_of(sqlite_url).read_bytes()
    if what == "letter":
        file.write_text("Dear diary, " * 100)
    elif what != "missing":
        back_up(sqlite_url, file)

    if what == "torn":
        pages = bytearray(file.read_bytes())
        pages[4096:] = b"\xff" * (len(pages) - 4096)
        file.write_bytes(pages)

    if what == "newer":
        with closing(sqlite3.connect(file)) as connection:
            connection.execute("UPDATE alembic_version SET version_num = '9999'")
            connection.commit()

    with pytest.raises(BackupFailedError) as refused:
        restore(sqlite_url, file)

    assert str(file) in str(refused.value)
    assert file_of(sqlite_url).read_bytes() == before


async def test_a_backup_overwrites_nothing(sqlite_url: str, tmp_path: Path) -> None:
    back_up(sqlite_url, tmp_path / "copy.db")
    with pytest.raises(BackupFailedError, match="is there already"):
        back_up(sqlite_url, tmp_path / "copy.db")

    with pytest.raises(BackupFailedError, match="no folder"):
        back_up(sqlite_url, tmp_path / "nowhere" / "copy.db")

    with pytest.raises(BackupFailedError, match="no database"):
        back_up(f"sqlite+aiosqlite:///{tmp_path}/none.db", tmp_path / "other.db")


def test_a_full_disk_is_that_of_the_copy_and_not_of_the_database() -> None:
    with closing(sqlite3.connect(":memory:")) as full:
        full.execute("PRAGMA max_page_count=1")
        with pytest.raises(sqlite3.OperationalError) as found:
            full.execute("CREATE TABLE game (number INTEGER)")

    assert why_unwritten(found.value, Path("durak.db")) == "its disk is full, so make room there."


async def test_postgresql_has_tools_of_its_own(tmp_path: Path) -> None:
    with pytest.raises(BackupFailedError, match="use `pg_dump`"):
        back_up(POSTGRESQL, tmp_path / "copy.db")
    with pytest.raises(BackupFailedError, match="use `pg_restore`"):
        restore(POSTGRESQL, tmp_path / "copy.db")


async def test_what_a_backup_holds_can_be_asked(sqlite_url: str, tmp_path: Path) -> None:
    found = back_up(sqlite_url, tmp_path / "copy.db")
    assert contents(tmp_path / "copy.db") == found


async def test_a_backup_with_a_changed_byte_anywhere_is_not_called_sound(
    sqlite_url: str, tmp_path: Path
) -> None:
    copy = tmp_path / "copy.db"
    async with opened(sqlite_url) as database:
        await open_table(database)
        await asyncio.to_thread(back_up, sqlite_url, copy)

    whole = copy.read_bytes()
    for place in range(100, len(whole), len(whole) // 50):
        changed = bytearray(whole)
        changed[place] ^= 1
        copy.write_bytes(changed)
        with pytest.raises(BackupFailedError):
            contents(copy)

    copy.write_bytes(whole)
    assert contents(copy).tables == 1


async def test_a_database_that_was_a_backup_can_be_restored_after_it_was_played_on(
    sqlite_url: str, tmp_path: Path
) -> None:
    copy = tmp_path / "copy.db"
    async with opened(sqlite_url) as database:
        await asyncio.to_thread(back_up, sqlite_url, copy)

    for played_on in (copy, file_of(sqlite_url)):
        async with opened(f"sqlite:///{played_on}") as database:
            await open_table(database)
        assert contents(played_on).tables == 1
        restore(sqlite_url, copy)


async def test_no_number_of_a_table_is_given_out_again_after_a_restore(
    sqlite_url: str, tmp_path: Path
) -> None:
    copy = tmp_path / "copy.db"
    async with opened(sqlite_url) as database:
        await asyncio.to_thread(back_up, sqlite_url, copy)
        lost = await open_table(database)

    restore(sqlite_url, copy)
    async with opened(sqlite_url) as database:
        assert (await open_table(database)).id == lost.id + 1


async def test_a_backup_takes_the_place_of_a_database_that_cannot_be_read(
    sqlite_url: str, tmp_path: Path
) -> None:
    copy = tmp_path / "copy.db"
    async with opened(sqlite_url) as database:
        table = await open_table(database)
        await asyncio.to_thread(back_up, sqlite_url, copy)

    file_of(sqlite_url).write_bytes(b"torn" * 1000)
    restore(sqlite_url, copy)
    async with opened(sqlite_url) as database:
        assert await TableStore(database).get(table.id) == table
