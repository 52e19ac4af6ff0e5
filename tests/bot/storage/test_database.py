"""The database: durable, strict, shared between processes, and healthy or not."""

import asyncio
from pathlib import Path

import pytest
from sqlalchemy import text
from sqlalchemy.exc import IntegrityError

from bot.model.people import Profile, ServerChoices
from bot.storage import (
    Database,
    IdleTableStore,
    MessageSlotStore,
    PlayerStore,
    PrivacyStore,
    RecordStore,
    ServerStore,
    SqlGuestStore,
    SqlJournal,
    StandingsStore,
    TableStore,
    VariationStore,
)
from bot.storage.models import PlayerRow, SeatRow
from tests.bot.databases import PostgresqlServer
from tests.bot.storage.samples import ANNA, ROOM, SERVER, open_table, opened


async def test_the_storage_is_tested_on_postgresql_too(postgresql_server: PostgresqlServer) -> None:
    with postgresql_server.empty_database() as url:
        async with opened(url) as database:
            assert await database.is_healthy()


@pytest.mark.parametrize(
    ("pragma", "value"),
    [("journal_mode", "wal"), ("synchronous", 2), ("foreign_keys", 1), ("busy_timeout", 10_000)],
)
async def test_sqlite_is_durable_strict_and_patient(sqlite_url: str, pragma: str, value: object) -> None:
    async with opened(sqlite_url) as database, database.session() as session:
        connection = await session.connection()
        assert (await connection.execute(text(f"PRAGMA {pragma}"))).scalar() == value


async def test_a_row_that_names_nobody_is_refused(database: Database) -> None:
    async with database.session() as session:
        session.add(SeatRow(table_id=99, of_game=1, seat=0, player_id=None, name=""))
        with pytest.raises(IntegrityError):
            await session.commit()


async def test_what_is_not_committed_did_not_happen(database: Database) -> None:
    async with database.session() as session:
        session.add(PlayerRow(platform="telegram", ref="1"))
        await session.flush()
        player = await session.get_one(PlayerRow, 1)
        assert player.ref == "1"
    async with database.session() as session:
        assert await session.get(PlayerRow, 1) is None


async def test_work_that_was_cancelled_did_not_happen_and_holds_nobody_up(database: Database) -> None:
    begun = asyncio.Event()

    async def work() -> None:
        async with database.session() as session:
            session.add(PlayerRow(platform="telegram", ref="1"))
            await session.flush()
            begun.set()
            await asyncio.Event().wait()

    async with asyncio.TaskGroup() as tasks:
        task = tasks.create_task(work())
        await begun.wait()
        task.cancel()
    async with database.session() as session:
        assert await session.get(PlayerRow, 1) is None
    await open_table(database)


async def test_work_cancelled_at_any_moment_holds_nobody_up(
    sqlite_url: str, caplog: pytest.LogCaptureFixture
) -> None:
    database = Database(sqlite_url)
    await database.open()

    async def work(number: int) -> None:
        async with database.session() as session:
            session.add(PlayerRow(platform="telegram", ref=str(number)))
            await session.flush()
            await session.get(PlayerRow, 1)
            await session.commit()

    remembered = []
    for number in range(0, 300, 2):
        cancelled, other = asyncio.ensure_future(work(number)), asyncio.ensure_future(work(number + 1))
        await asyncio.sleep(number / 40_000)
        cancelled.cancel()
        async with asyncio.timeout(8):  # shorter than SQLite waits for a lock that nobody gives back
            await asyncio.wait([cancelled, other])
        assert other.exception() is None
        remembered.append(cancelled)  # with the traceback, which knows the statement
    await database.close()
    assert not caplog.records


async def test_what_one_process_commits_the_other_sees(database_url: str) -> None:
    async with opened(database_url) as mine, opened(database_url) as theirs:
        table = await open_table(mine)
        assert await TableStore(theirs).in_room(ROOM) == table


async def test_two_processes_may_open_a_new_file_at_once(tmp_path: Path) -> None:
    url = f"sqlite+aiosqlite:///{tmp_path / 'new.db'}"
    databases = [Database(url) for _ in range(3)]
    await asyncio.gather(*[database.open() for database in databases])
    await open_table(databases[0], opener=ANNA)
    for database in databases:
        assert await TableStore(database).in_room(ROOM) is not None
        await database.close()


async def test_those_who_open_a_new_file_wait_for_one_another(tmp_path: Path) -> None:
    for number in range(60):  # without waiting, one in ten would fail
        url = f"sqlite+aiosqlite:///{tmp_path / f'{number}.db'}"
        databases = [Database(url) for _ in range(3)]
        assert all(await asyncio.gather(*[database.is_healthy() for database in databases]))
        for database in databases:
            await database.close()


async def test_a_file_opened_again_is_as_it_was(tmp_path: Path) -> None:
    url = f"sqlite+aiosqlite:///{tmp_path / 'a 100% strange näme.db'}"
    async with opened(url) as database:
        table = await open_table(database)
    async with opened(url) as database:
        assert await TableStore(database).get(table.id) == table


async def test_a_database_that_answers_is_healthy(database: Database) -> None:
    assert await database.is_healthy()


async def test_a_file_that_another_process_writes_is_healthy(database_url: str) -> None:
    async with opened(database_url) as mine, opened(database_url) as theirs, theirs.session() as session:
        await session.connection()  # takes the lock for writing
        async with asyncio.timeout(5):  # half of what a writer would wait
            assert await mine.is_healthy()


async def test_what_is_only_read_waits_for_no_other_process(database_url: str) -> None:
    async with opened(database_url) as mine, opened(database_url) as theirs:
        table = await open_table(mine)
        tables, people, records = TableStore(mine), PlayerStore(mine), RecordStore(mine)
        standings, pages = StandingsStore(mine), SqlGuestStore(mine)
        async with theirs.session() as session:
            await session.connection()  # takes the lock for writing
            async with asyncio.timeout(5):  # half of what a writer would wait
                assert await tables.get(table.id) == await tables.in_room(ROOM) == table
                assert await tables.about(ANNA.ref, None) == [table.id]
                assert [each.id for each in await IdleTableStore(mine).unfinished()] == [table.id]
                assert await tables.of_player(ANNA.ref) == []
                assert await SqlJournal(mine).newest_game(table.id) is None
                assert await MessageSlotStore(mine).load(table.id) == {}
                assert await people.profile(ANNA.ref) == Profile()
                assert await ServerStore(mine).choices(SERVER) == ServerChoices()
                assert await VariationStore(mine).variations(SERVER) == {}
                assert await records.newest(ROOM) is None
                assert await records.newest_of(ANNA.ref, near=ROOM) is None
                assert await standings.leaderboard(SERVER) == []
                assert await standings.ratings(SERVER) == {}
                assert (await standings.summary(SERVER)).games == 0
                assert await standings.stats(SERVER, ANNA.ref) is None
                assert (await PrivacyStore(mine).everything_about(ANNA.ref, None))["tables opened"]
                assert await pages.guest("nobody") is None
                assert await pages.message(1) is None
                assert await pages.file(1, "") is None
                assert await pages.guests() == []
                assert await pages.messages(0, 9) == await pages.history("", None, 9) == []


async def test_a_database_that_cannot_be_reached_is_not(tmp_path: Path) -> None:
    database = Database(f"sqlite+aiosqlite:///{tmp_path / 'nowhere' / 'durak.db'}")
    assert not await database.is_healthy()
    await database.close()
