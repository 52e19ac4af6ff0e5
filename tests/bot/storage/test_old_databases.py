"""Databases that the steps alone can't upgrade are upgraded all the same, or refused with a reason."""

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
from sqlalchemy import create_engine
from sqlmodel import select

from bot.app import SCHEMA
from bot.storage import Database, DatabaseUnusableError
from bot.storage.migrations import differences, upgrade
from bot.storage.models import PlayerRow, TallyRow
from tests.bot.databases import rows
from tests.bot.storage.samples import open_table, opened

pytestmark = pytest.mark.slow

_, *FORMS = Path(__file__).with_name("early_steps.sql").read_text().split("-- form ")

SILENT = (
    "INSERT INTO player (platform, ref, name, locale, language, hand_order, private_messages) "
    "VALUES ('web', '1', 'Anna', '', '', '', 0)"
)

# The differences between the last step of version 0.1.0 and the tables of 0.2.0.
BACK_TO_0023 = """
    ALTER TABLE message_slot RENAME TO surface;
    ALTER TABLE card_table DROP COLUMN shown_at;
    ALTER TABLE card_table DROP COLUMN due_at;
    CREATE TABLE idle_table (table_id INTEGER NOT NULL PRIMARY KEY REFERENCES card_table (id),
        version INTEGER NOT NULL, touched_at FLOAT NOT NULL, noted_at FLOAT NOT NULL, due_at FLOAT);
    UPDATE alembic_version SET version_num = '0023';
"""
BACK_TO_0022 = (
    "ALTER TABLE player DROP COLUMN private_messages; UPDATE alembic_version SET version_num = '0022';"
)
BACK_TO_0021 = "ALTER TABLE server DROP COLUMN teasing; UPDATE alembic_version SET version_num = '0021';"
PLAYED = """
    INSERT INTO server (id, platform, ref, preset, locale, time_zone, view, style, teasing)
        VALUES (1, 'web', 'here', '', '', '', '', '', '');
    INSERT INTO player (id, platform, ref, name, locale, language, hand_order, private_messages)
        VALUES (1, 'web', '1', 'Anna', '', '', '', 1), (2, 'web', '2', 'Boris', '', '', '', 1);
    INSERT INTO tally VALUES (1, 1, 9, 4, 0, 5, 4.5, 0, 0, 26.0, 7.0);
    INSERT INTO tally VALUES (1, 2, 9, 5, 0, 4, 4.5, 0, 0, 24.0, 7.0);
"""


def made(path: Path, step: str, *scripts: str) -> None:
    """Makes a database that went through the steps up to one, and then through some SQL."""
    engine = create_engine(f"sqlite:///{path}")
    with engine.begin() as connection:
        upgrade(connection, to=step)

    engine.dispose()
    with closing(sqlite3.connect(path)) as connection:
        for script in scripts:
            connection.executescript(script)


async def differing(database: Database) -> list[str]:
    return await database.read(lambda session: differences(session.connection(), SCHEMA))


@pytest.mark.parametrize("number", range(1, len(FORMS) + 1))
async def test_a_database_of_any_form_of_step_0101_gets_the_tables_of_today(
    tmp_path: Path, number: int
) -> None:
    path = tmp_path / "early.db"
    at = "UPDATE alembic_version SET version_num = '0101'"
    made(path, "0100", SILENT, *(form.partition("\n")[2] for form in FORMS[:number]), at)

    async with opened(f"sqlite+aiosqlite:///{path}") as database:
        assert await differing(database) == []
        assert [player.calling for player in await rows(database, select(PlayerRow))] == ["never"]
        await open_table(database)


async def test_a_database_that_went_on_from_an_early_form_gets_what_it_lacks(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "early.db"
    at = "UPDATE alembic_version SET version_num = '0101'"
    made(path, "0100", SILENT, *(form.partition("\n")[2] for form in FORMS[:5]), at)
    engine = create_engine(f"sqlite:///{path}")
    with engine.begin() as connection, monkeypatch.context() as earlier:
        earlier.setattr("bot.storage.migrations.COMPLETE", "0101")
        upgrade(connection, to="0106")
        assert "no column player.calling" in differences(connection, SCHEMA)

    engine.dispose()

    async with opened(f"sqlite+aiosqlite:///{path}") as database:
        assert await differing(database) == []
        assert [player.calling for player in await rows(database, select(PlayerRow))] == ["never"]


@pytest.mark.parametrize("step", ["0023", "0022", "0021"])
async def test_the_results_of_version_0_1_0_are_brought_over(tmp_path: Path, step: str) -> None:
    path = tmp_path / "old.db"
    back = {"0023": 1, "0022": 2, "0021": 3}[step]
    made(path, "0100", PLAYED, *(BACK_TO_0023, BACK_TO_0022, BACK_TO_0021)[:back])

    async with opened(f"sqlite+aiosqlite:///{path}") as database:
        assert await differing(database) == []
        tallies = await rows(database, select(TallyRow))
        assert [(each.games, each.fools, each.strength) for each in tallies] == [(9, 4, 26.0), (9, 5, 24.0)]
        await open_table(database)


async def test_what_is_older_still_is_refused_with_the_version_that_helps(tmp_path: Path) -> None:
    path = tmp_path / "oldest.db"
    made(path, "0100", "UPDATE alembic_version SET version_num = '0015'")
    with pytest.raises(DatabaseUnusableError, match=r"at step 0015: .*`git checkout 822d826385a9`"):
        async with opened(f"sqlite+aiosqlite:///{path}"):
            pass
