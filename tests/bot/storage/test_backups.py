"""A folder of backups: seven days and four weeks, each one sound."""

import asyncio
import subprocess
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from sqlalchemy import make_url

from bot.process.daily_backups import is_due
from bot.storage import BackupFailedError, contents
from bot.storage.backups import STAMP, back_up_into, made_at, newest_at, superfluous
from tests.bot.databases import PostgresqlServer
from tests.bot.storage.samples import opened

NOW = datetime(2026, 11, 26, 4, tzinfo=UTC)  # a Thursday


def backup(at: datetime) -> Path:
    return Path(f"/backups/durak-{at:{STAMP}}.db")


def test_the_newest_of_seven_days_and_of_four_weeks_are_kept() -> None:
    daily = [backup(NOW - timedelta(days=days)) for days in range(60)]
    again = backup(NOW + timedelta(hours=2))
    gone = superfluous([*daily, again])
    kept = sorted(made_at(file).strftime("%m-%d %H") for file in {*daily, again}.difference(gone))  # type: ignore[union-attr]
    days = ["11-20 04", "11-21 04", "11-22 04", "11-23 04", "11-24 04", "11-25 04", "11-26 06"]
    assert kept == ["11-08 04", "11-15 04", *days]


def test_other_files_in_the_folder_are_left_alone() -> None:
    others = [Path("/backups") / name for name in ("durak.db", "letter.txt", "durak-99999999-000000.db")]
    assert superfluous([*others, backup(NOW)], days=0, weeks=0) == [backup(NOW)]


def test_a_backup_is_sound_and_leaves_no_more_than_is_kept(sqlite_url: str, tmp_path: Path) -> None:
    folder = tmp_path / "new" / "backups"
    made = back_up_into(sqlite_url, folder)
    assert contents(made).games == 0
    assert [file.name for file in folder.iterdir()] == [made.name]
    assert newest_at(folder) == made_at(made)
    assert newest_at(tmp_path / "nowhere") is None


def test_a_backup_that_fails_removes_no_older_one(tmp_path: Path) -> None:
    older = tmp_path / backup(NOW - timedelta(days=90)).name
    older.touch()
    with pytest.raises(BackupFailedError, match="no database"):
        back_up_into(f"sqlite+aiosqlite:///{tmp_path}/none.db", tmp_path)
    assert older.exists()


@pytest.mark.parametrize(
    ("newest", "due"),
    [(None, True), (NOW - timedelta(minutes=1), True), (NOW, False), (NOW + timedelta(hours=5), False)],
)
def test_one_backup_is_due_each_night(newest: datetime | None, due: bool) -> None:
    assert is_due(newest, NOW + timedelta(hours=6)) is due


async def test_postgresql_is_dumped_and_the_dump_can_be_put_back(
    postgresql_server: PostgresqlServer, tmp_path: Path
) -> None:
    with postgresql_server.bare_database() as url, postgresql_server.bare_database() as other:
        async with opened(url):
            pass

        made = back_up_into(url, tmp_path)
        assert made.suffix == ".dump"
        target = make_url(other)
        host = str(target.host or target.query["host"])
        command = [
            "pg_restore",
            f"--host={host}",
            f"--username={target.username}",
            f"--dbname={target.database}",
        ]
        await asyncio.to_thread(subprocess.run, [*command, str(made)], check=True)
        async with opened(other) as database:
            await database.examine()
