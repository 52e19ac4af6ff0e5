"""A database that goes out of reach while the bot runs is logged once, noticed everywhere, and recovers."""

import asyncio
import os
import shutil
from pathlib import Path

import pytest
from sqlalchemy import make_url, text
from structlog.testing import capture_logs

from bot.app import SCHEMA
from bot.process.jobs import Job
from bot.storage import (
    Database,
    DatabaseDamagedError,
    DatabaseUnreachableError,
    PlayerStore,
    SqlJournal,
    health,
)
from engine.runtime import Entry
from tests.bot.databases import PostgresqlServer, pragma
from tests.bot.storage.samples import ANNA, BORIS, OPENING, ROOM, open_table, opened
from tests.bot.storage.test_rooms_moved import finish_a_game


async def test_a_full_disk_is_told_once_and_over_when_there_is_room_again(sqlite_url: str) -> None:
    async with opened(sqlite_url) as database:
        table, journal = await open_table(database), SqlJournal(database)
        entry = Entry(table.id, 1, 1, None, OPENING.to_text(), None, at=100.0)
        full = await pragma(database, "page_count")
        with capture_logs() as logs:
            await pragma(database, f"max_page_count={full}")
            for _ in range(3):
                with pytest.raises(DatabaseUnreachableError):
                    await journal.append(entry, snapshot="x" * 100_000, outcome=None)

            assert [line["event"] for line in logs] == ["database_out_of_reach"]
            assert "disk is full: make room there" in str(logs[0]["why"])
            await pragma(database, "max_page_count=100000")
            await journal.append(entry, snapshot="x" * 100_000, outcome=None)

        assert [line["event"] for line in logs][1:] == ["database_in_reach_again"]
        assert await database.is_healthy()


async def test_a_full_disk_that_takes_single_writes_is_one_outage(
    sqlite_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with opened(sqlite_url) as database:
        table, journal = await open_table(database), SqlJournal(database)
        entry = Entry(table.id, 1, 1, None, OPENING.to_text(), None, at=100.0)
        await pragma(database, f"max_page_count={await pragma(database, 'page_count')}")

        answers = []
        with capture_logs() as logs:
            for _ in range(5):
                with pytest.raises(DatabaseUnreachableError):
                    await journal.append(entry, snapshot="x" * 100_000, outcome=None)
                answers.append(await database.is_healthy())  # which writes a row in place

        assert answers == [True, False, False, False, False]
        assert [line["event"] for line in logs] == [
            "database_out_of_reach",
            "database_in_reach_again",
            "database_out_of_reach",
        ]

        monkeypatch.setattr(health, "STEADY_SECONDS", 0.0)
        with capture_logs() as logs:
            assert await database.is_healthy()

        assert [line["event"] for line in logs] == ["database_in_reach_again"]


async def test_a_database_that_cannot_be_written_is_not_healthy_until_it_can(sqlite_url: str) -> None:
    async with opened(sqlite_url) as database:
        players = PlayerStore(database)
        await pragma(database, "query_only=ON")
        with pytest.raises(DatabaseUnreachableError):
            await players.remember(ANNA)

        assert not await database.is_healthy()
        await pragma(database, "query_only=OFF")
        with capture_logs() as logs:
            assert await database.is_healthy()  # even if nobody plays

        assert [line["event"] for line in logs] == ["database_in_reach_again"]
        await players.remember(ANNA)


async def test_nobody_plays_on_in_a_file_that_was_deleted(sqlite_url: str) -> None:
    file = Path(make_url(sqlite_url).database or "")
    async with opened(sqlite_url) as database:
        players, aside = PlayerStore(database), file.with_name("aside.db")
        await players.remember(ANNA)
        with capture_logs() as logs:
            os.rename(file, aside)
            for _ in range(2):
                assert not await database.is_healthy()
                with pytest.raises(DatabaseUnreachableError):
                    await players.remember(BORIS)

            assert len(logs) == 1
            assert f"{file} was deleted while the bot ran: put the file back" in str(logs[0]["why"])
            os.rename(aside, file)
            assert await database.is_healthy()

        await players.remember(BORIS)


async def test_nobody_plays_on_in_a_file_that_was_replaced(sqlite_url: str, empty_database: Path) -> None:
    file = Path(make_url(sqlite_url).database or "")
    async with opened(sqlite_url) as database:
        shutil.copy(empty_database, file.with_name("new.db"))
        os.replace(file.with_name("new.db"), file)
        with capture_logs() as logs, pytest.raises(DatabaseUnreachableError):
            await PlayerStore(database).remember(ANNA)

        assert "was replaced while the bot ran: start the bot again" in str(logs[0]["why"])
        assert not await database.is_healthy()


async def damage(database: Database, file: Path) -> None:
    """Damages every page but the first while the bot is running."""
    await database.scrub()
    spoil(file)
    await pragma(database, "shrink_memory")


def spoil(file: Path, only: int | None = None) -> bytes:
    """Damages every page but the first, or only one; pages are counted from 1."""
    before = file.read_bytes()
    pages = bytearray(before)
    every = range(4096, len(pages), 4096)
    for page in every if only is None else [4096 * (only - 1)]:
        pages[page : page + 200] = b"\xff" * 200

    file.write_bytes(pages)
    return before


async def test_damage_under_a_running_bot_is_told_once_and_stays_although_other_pages_can_be_written(
    sqlite_url: str,
) -> None:
    async with opened(sqlite_url) as database:
        await open_table(database)
        await damage(database, Path(make_url(sqlite_url).database or ""))
        with capture_logs() as logs:
            for _ in range(2):
                with pytest.raises(DatabaseDamagedError):
                    await PlayerStore(database).remember(ANNA)

            for _ in range(2):
                assert not await database.is_healthy()

        assert [line["event"] for line in logs] == ["database_out_of_reach"]
        assert "is damaged: restore a backup" in str(logs[0]["why"])
        assert database.is_damaged


async def page_of(database: Database, table: str) -> int:
    page = text(f"SELECT rootpage FROM sqlite_schema WHERE name = '{table}'")
    return int(await database.read(lambda session: session.connection().execute(page).scalar_one()))


async def test_damage_that_a_start_does_not_meet_is_found_after_it_and_told_like_any_other(
    sqlite_url: str,
) -> None:
    file = Path(make_url(sqlite_url).database or "")
    async with opened(sqlite_url) as database:
        page = await page_of(database, "duel")
        await database.scrub()

    spoil(file, only=page)
    async with opened(sqlite_url) as database:
        await open_table(database)
        assert await database.is_healthy()
        with capture_logs() as logs:
            await database.search_for_damage()

        assert database.is_damaged
        assert not await database.is_healthy()
        assert [(line["event"], "restore a backup" in line["why"]) for line in logs] == [
            ("database_out_of_reach", True)
        ]
        await PlayerStore(database).remember(ANNA)  # everything undamaged keeps working


async def search_and_count(database: Database) -> None:
    await asyncio.gather(database.search_for_damage(), database.gather_statistics())


async def test_a_large_file_is_searched_and_gets_statistics_after_a_start(
    sqlite_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = Path(make_url(sqlite_url).database or "")
    async with opened(sqlite_url) as database:
        await finish_a_game(database, ROOM)
        page = await page_of(database, "guest")
        await database.scrub()

    spoil(file, only=page)
    kept = text("SELECT count(*) FROM sqlite_schema WHERE name = 'sqlite_stat1'")
    for small in (20_000, 1):
        monkeypatch.setattr("bot.storage.sqlite.MIN_RESULTS_FOR_STATISTICS", small)
        async with opened(sqlite_url) as database:
            maintaining = asyncio.create_task(search_and_count(database))
            while not database.is_damaged:
                await asyncio.sleep(0.01)

            maintaining.cancel()
            count = await database.read(lambda session: session.connection().execute(kept).scalar_one())
            assert count == (small == 1)


async def test_a_search_that_is_cancelled_ends_at_once(sqlite_url: str) -> None:
    async with opened(sqlite_url) as database:
        searching = asyncio.create_task(database.search_for_damage())
        await asyncio.sleep(0)
        searching.cancel()
        await asyncio.wait({searching})
        assert searching.cancelled()
        await open_table(database)


async def test_a_server_that_ends_a_connection_is_out_of_reach_for_a_moment(
    postgresql_server: PostgresqlServer,
) -> None:
    with postgresql_server.empty_database() as url:
        async with opened(url) as database:
            with pytest.raises(DatabaseUnreachableError):
                await cut_off(database)
            assert await database.is_healthy()
            await PlayerStore(database).remember(ANNA)


async def cut_off(database: Database) -> None:
    cut = text("SELECT pg_terminate_backend(pg_backend_pid())")
    await database.write(lambda session: session.connection().execute(cut).close())


async def test_a_database_that_nobody_uses_is_found_away_and_back(sqlite_url: str) -> None:
    database = Database(sqlite_url, SCHEMA)
    await database.open()
    watching = asyncio.create_task(Job("database", every=0.01, run=database.is_healthy).repeat())

    async def is_up_becomes(expected: bool) -> None:
        async with asyncio.timeout(30):
            while database.is_up is not expected:
                await asyncio.sleep(0.01)

    file = str(database.file)
    with capture_logs():
        os.rename(file, f"{file}.away")
        await is_up_becomes(expected=False)
        os.rename(f"{file}.away", file)
        await is_up_becomes(expected=True)

    watching.cancel()
    await database.close()
