"""Every difference between the tables of a database and the models is named."""

from collections.abc import Iterator

import pytest
from sqlalchemy import text
from sqlmodel import Session

from bot.app import SCHEMA, schema_with
from bot.features import FEATURES, bets
from bot.storage import Database, DatabaseUnusableError
from bot.storage.migrations import differences
from bot.storage.models import Base
from tests.bot.storage.samples import opened

WITHOUT_CALLS = "ALTER TABLE call_rate DROP COLUMN calls"

CHANGES = {
    "ALTER TABLE server ADD COLUMN mood VARCHAR": ["an unknown column server.mood"],
    "ALTER TABLE server DROP COLUMN style": ["no column server.style"],
    "CREATE TABLE mood (id INTEGER)": ["an unknown table mood"],
    "DROP TABLE bet": ["no index bet.ix_bet_player_id", "no table bet"],
    "DROP INDEX ix_seat_player_id": ["no index seat.ix_seat_player_id"],
    "CREATE INDEX mood ON seat (name)": ["an unknown index seat.mood"],
    f"{WITHOUT_CALLS}; ALTER TABLE call_rate ADD COLUMN calls INTEGER": ["another column call_rate.calls"],
    f"{WITHOUT_CALLS}; ALTER TABLE call_rate ADD COLUMN calls FLOAT NOT NULL DEFAULT 0": [
        "another column call_rate.calls"
    ],
}


@pytest.mark.parametrize("change", CHANGES)
async def test_each_kind_of_difference_is_named(database: Database, change: str) -> None:
    def differing(session: Session) -> list[str]:
        for statement in change.split("; "):
            session.connection().execute(text(statement))
        return differences(session.connection(), SCHEMA)

    assert await database.read(differing) == CHANGES[change]  # and nothing is kept
    await database.examine()


async def test_a_database_that_differs_is_refused_by_name(sqlite_url: str) -> None:
    async with opened(sqlite_url) as database:
        await database.write(lambda session: session.connection().execute(text("DROP TABLE bet")).close())
        with pytest.raises(
            DatabaseUnusableError, match=r"does not have the tables of step \d+: .*no table bet\."
        ):
            await database.examine()


async def test_a_database_with_a_table_that_no_schema_names_is_refused(sqlite_url: str) -> None:
    without_bets = schema_with([feature for feature in FEATURES if feature is not bets.FEATURE])
    database = Database(sqlite_url, without_bets)
    await database.open()

    with pytest.raises(DatabaseUnusableError, match=r"has tables that this version does not know: bet\. Use"):
        await database.examine()

    await database.close()


def test_the_schema_names_every_table_of_the_models() -> None:
    of_the_bot = {table for module, table in _tables_of(Base) if module.startswith("bot.")}
    assert {table.name for table in SCHEMA.tables} == of_the_bot


def _tables_of(model: type[Base]) -> Iterator[tuple[str, str]]:
    """Yields the modules and tables of all models below one."""
    for below in model.__subclasses__():
        if "__tablename__" in vars(below):
            yield below.__module__, str(below.__tablename__)
        yield from _tables_of(below)
