"""The database: durable, strict, shared between processes, and healthy or not."""

import asyncio
from pathlib import Path

import pytest
from sqlalchemy.exc import IntegrityError
from sqlmodel import Session, delete, select

from adapters.web import NoSuchGuestError
from bot.app import SCHEMA
from bot.model.profile import Profile
from bot.model.server_choices import ServerChoices
from bot.storage import (
    Database,
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
from bot.storage.models import PlayerRow, SeatRow, ServerRow
from tests.bot import databases
from tests.bot.databases import PostgresqlServer, pragma
from tests.bot.storage.samples import ANNA, ROOM, SERVER, open_table, opened, unpacked


async def test_the_storage_is_tested_on_postgresql_too(postgresql_server: PostgresqlServer) -> None:
    with postgresql_server.empty_database() as url:
        async with opened(url) as database:
            assert await database.is_healthy()


@pytest.mark.parametrize(
    ("pragma", "value"),
    [("journal_mode", "wal"), ("synchronous", 2), ("foreign_keys", 1), ("busy_timeout", 10_000)],
)
async def test_sqlite_is_durable_strict_and_patient(sqlite_url: str, pragma: str, value: object) -> None:
    async with opened(sqlite_url) as database:
        assert await databases.pragma(database, pragma) == value


async def test_a_row_that_names_nobody_is_refused(database: Database) -> None:
    row = SeatRow(table_id=99, of_game=1, seat=0, player_id=None, name="")
    with pytest.raises(IntegrityError):
        await database.write(lambda session: session.add(row))


async def test_work_that_fails_did_not_happen(database: Database) -> None:
    def work(session: Session) -> None:
        session.add(PlayerRow(platform="telegram", ref="1"))
        session.flush()
        assert session.get_one(PlayerRow, 1).ref == "1"
        raise NoSuchGuestError

    with pytest.raises(NoSuchGuestError):
        await database.write(work)

    assert await databases.rows(database, select(PlayerRow)) == []


async def test_what_is_only_read_changes_nothing(database: Database) -> None:
    await database.read(lambda session: session.add(PlayerRow(platform="telegram", ref="1")))
    assert await databases.rows(database, select(PlayerRow)) == []


async def test_a_read_whose_caller_is_cancelled_goes_on_to_its_end_so_that_no_connection_is_lost(
    database: Database,
) -> None:
    began, ended = asyncio.Event(), asyncio.Event()

    def work(session: Session) -> None:
        began.set()
        for _ in range(3):
            session.exec(select(PlayerRow.id)).all()
        ended.set()

    reading = asyncio.ensure_future(database.read(work))
    await began.wait()
    reading.cancel()
    with pytest.raises(asyncio.CancelledError):
        await reading

    async with asyncio.timeout(10):
        await ended.wait()


async def test_work_cancelled_at_any_moment_is_done_or_not_and_holds_nobody_up(
    database_url: str, caplog: pytest.LogCaptureFixture
) -> None:
    database = Database(database_url, SCHEMA)
    await database.open()

    async def work(number: int) -> None:
        def write(session: Session) -> None:
            session.add(PlayerRow(platform="telegram", ref=f"{number}"))
            session.flush()
            session.add(PlayerRow(platform="telegram", ref=f"also {number}"))

        await database.write(write)
        await databases.rows(database, select(PlayerRow))

    for number in range(0, 200, 2):
        cancelled, other = asyncio.ensure_future(work(number)), asyncio.ensure_future(work(number + 1))
        await asyncio.sleep(number / 40_000)
        cancelled.cancel()
        async with asyncio.timeout(8):  # shorter than SQLite waits for a lock that no one gives back
            await asyncio.wait([cancelled, other])

        assert other.exception() is None

    written = {row.ref for row in await databases.rows(database, select(PlayerRow))}
    assert {str(number) for number in range(1, 200, 2)} <= written
    assert all((ref in written) == (f"also {ref}" in written) for ref in map(str, range(200)))
    await database.close()
    assert not caplog.records


async def test_what_one_process_commits_the_other_sees(database_url: str) -> None:
    async with opened(database_url) as mine, opened(database_url) as theirs:
        table = await open_table(mine)
        assert await TableStore(theirs).in_room(ROOM) == table


async def test_two_processes_may_open_a_new_file_at_once(tmp_path: Path) -> None:
    url = f"sqlite+aiosqlite:///{tmp_path / 'new.db'}"
    three = [Database(url, SCHEMA) for _ in range(3)]
    await asyncio.gather(*[database.open() for database in three])
    await open_table(three[0], opener=ANNA)
    for database in three:
        assert await TableStore(database).in_room(ROOM) is not None
        await database.close()


async def test_those_who_open_a_new_file_wait_for_one_another(tmp_path: Path) -> None:
    for number in range(60):  # without waiting, one in ten would fail
        url = f"sqlite+aiosqlite:///{tmp_path / f'{number}.db'}"
        three = [Database(url, SCHEMA) for _ in range(3)]
        assert all(await asyncio.gather(*[database.is_healthy() for database in three]))
        for database in three:
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
    async with opened(database_url) as mine, opened(database_url) as theirs, databases.held(theirs):
        async with asyncio.timeout(5):  # half of what a writer would wait
            assert await mine.is_healthy()


async def test_what_is_only_read_waits_for_no_other_process(database_url: str) -> None:
    async with opened(database_url) as mine, opened(database_url) as theirs:
        table = await open_table(mine)
        tables, people, records = TableStore(mine), PlayerStore(mine), RecordStore(mine)
        standings, pages = StandingsStore(mine), SqlGuestStore(mine)
        async with databases.held(theirs):
            async with asyncio.timeout(5):  # half of what a writer would wait
                assert await tables.get(table.id) == await tables.in_room(ROOM) == table
                assert await tables.about(ANNA.ref, None) == [table.id]
                assert [each.id for each in await tables.unfinished()] == [table.id]
                assert await tables.of_player(ANNA.ref) == []
                assert await SqlJournal(mine).newest_game(table.id) is None
                assert await MessageSlotStore(mine).load(table.subject) == {}
                assert await people.profile(ANNA.ref) == Profile()
                assert await ServerStore(mine).choices(SERVER) == ServerChoices()
                assert await VariationStore(mine).variations(SERVER) == {}
                assert await records.newest(ROOM) is None
                assert await records.newest_of(ANNA.ref, near=ROOM) is None
                assert await standings.ranking(SERVER) == []
                assert await standings.ratings(SERVER) == {}
                assert (await standings.summary(SERVER)).games == 0
                assert await standings.stats(SERVER, ANNA.ref) is None
                parts = await PrivacyStore(mine).everything_about(ANNA.ref, None, 1_000_000)
                assert unpacked(parts)["tables opened"]
                assert await pages.guest("nobody") is None
                assert await pages.message(1) is None
                assert await pages.file(1, "") is None
                assert await pages.guests() == []
                assert await pages.messages(0, 9) == await pages.history("", None, 9) == []


async def test_a_database_that_cannot_be_reached_is_not(tmp_path: Path) -> None:
    database = Database(f"sqlite+aiosqlite:///{tmp_path / 'nowhere' / 'durak.db'}", SCHEMA)
    assert not await database.is_healthy()
    await database.close()


async def test_free_pages_go_back_to_the_disk_in_pieces(sqlite_url: str) -> None:
    async with opened(sqlite_url) as database:
        await database.write(lambda session: session.add_all(_many_servers()))
        await database.write(lambda session: session.exec(delete(ServerRow)).close())
        free = await pragma(database, "freelist_count")
        assert isinstance(free, int)
        assert await database.shrink(5) == 5
        assert await pragma(database, "freelist_count") == free - 5
        assert await database.shrink(1_000) == free - 5
        assert await pragma(database, "freelist_count") == 0


def _many_servers() -> list[ServerRow]:
    return [ServerRow(platform="web", ref=f"{number} {'x' * 1_000}") for number in range(100)]
