"""Writes of the same moment share a transaction, and do not affect each other otherwise."""

import asyncio
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
from sqlalchemy import make_url

from adapters.port import MessageRef, RoomRef
from bot.model.messages import MessageKind, SentMessage, TableSlot
from bot.storage import Database, DatabaseUnreachableError, MessageSlotStore, SqlJournal
from engine.runtime import Entry, VersionTakenError
from tests.bot.databases import pragma
from tests.bot.statements import counted
from tests.bot.storage.samples import OPENING, SERVER, open_table, opened

TABLES = 5


def deal(table_id: int) -> Entry:
    return Entry(table_id, 1, 1, None, OPENING.to_text(), None, at=100.0)


async def tables(database: Database) -> list[int]:
    return [(await open_table(database, RoomRef(SERVER, str(number)))).id for number in range(TABLES)]


async def is_on_disk(database: Database, table_id: int) -> bool:
    return await SqlJournal(database).newest_game(table_id) is not None


def log_of(database: Database) -> bytes:
    """Returns the contents of SQLite's log."""
    return Path(f"{database.file}-wal").read_bytes()


async def test_moves_and_messages_of_one_moment_share_a_transaction(database: Database) -> None:
    ids, journal, slots = await tables(database), SqlJournal(database), MessageSlotStore(database)
    seen = SentMessage(MessageRef("telegram", "7"), "digest")
    with counted() as statements:
        await asyncio.gather(
            slots.save(TableSlot(ids[0], 1, MessageKind.TABLE), seen),
            *[journal.append(deal(table_id), snapshot="", outcome=None) for table_id in ids],
        )

    assert statements.commits == 1
    assert all([await is_on_disk(database, table_id) for table_id in ids])


async def test_what_cannot_be_written_is_nobody_elses_loss(database: Database) -> None:
    ids, journal = await tables(database), SqlJournal(database)
    await journal.append(deal(ids[2]), snapshot="", outcome=None)
    found = await asyncio.gather(
        *[journal.append(deal(table_id), snapshot="", outcome=None) for table_id in ids],
        return_exceptions=True,
    )
    assert isinstance(found.pop(2), VersionTakenError)
    assert found == [None] * (TABLES - 1)
    assert all([await is_on_disk(database, table_id) for table_id in ids])


async def test_what_waits_for_another_process_fails_at_once_for_all_who_wait(sqlite_url: str) -> None:
    async with opened(sqlite_url) as database:
        ids, journal = await tables(database), SqlJournal(database)
        await pragma(database, "busy_timeout=50")
        with closing(sqlite3.connect(make_url(sqlite_url).database or "")) as another:
            another.execute("BEGIN IMMEDIATE")
            with counted() as statements:
                found = await asyncio.gather(
                    *[journal.append(deal(table_id), snapshot="", outcome=None) for table_id in ids],
                    return_exceptions=True,
                )

        assert [type(each) for each in found] == [DatabaseUnreachableError] * TABLES
        assert statements.writers == 1
        await journal.append(deal(ids[0]), snapshot="", outcome=None)


async def test_whoever_waits_learns_when_their_own_is_on_disk(database: Database) -> None:
    ids, journal = await tables(database), SqlJournal(database)

    async def append(number: int) -> None:
        for _ in range(3 * number):  # before, in and after the transaction of others
            await asyncio.sleep(0)
        await journal.append(deal(ids[number]), snapshot="", outcome=None)
        assert await is_on_disk(database, ids[number])

    await asyncio.gather(*[append(number) for number in range(TABLES)])


@pytest.mark.parametrize("number", [0, 1, 3])
async def test_everybody_learns_what_their_own_work_returned(database: Database, number: int) -> None:
    works = [lambda _, number=number: number for number in range(TABLES)]
    done = await asyncio.gather(*[database.write(work) for work in works[number:]])
    assert done == list(range(number, TABLES))


async def test_what_is_written_right_after_the_log_was_emptied_is_on_disk(database: Database) -> None:
    (table_id, *_), journal = await tables(database), SqlJournal(database)
    await database.scrub()
    await journal.append(deal(table_id), snapshot="", outcome=None)
    assert await is_on_disk(database, table_id)


async def test_who_reads_sees_what_was_asked_for_before(database: Database) -> None:
    (table_id, *_), journal = await tables(database), SqlJournal(database)
    writing = asyncio.ensure_future(journal.append(deal(table_id), snapshot="", outcome=None))
    await asyncio.sleep(0)
    seen = await is_on_disk(database, table_id)
    await writing
    assert seen


async def test_what_was_asked_for_before_is_written_when_the_database_is_closed(sqlite_url: str) -> None:
    async with opened(sqlite_url) as database:
        (table_id, *_), journal = await tables(database), SqlJournal(database)
        writing = asyncio.ensure_future(journal.append(deal(table_id), snapshot="", outcome=None))
        await asyncio.sleep(0)

    assert writing.done()
    await writing
    async with opened(sqlite_url) as database:
        assert await is_on_disk(database, table_id)


async def test_what_was_asked_for_before_is_out_of_the_log_when_it_was_emptied(sqlite_url: str) -> None:
    async with opened(sqlite_url) as database:
        (table_id, *_), journal = await tables(database), SqlJournal(database)
        writing = asyncio.ensure_future(journal.append(deal(table_id), snapshot="", outcome=None))
        await asyncio.sleep(0)
        await database.scrub()
        await writing
        assert not log_of(database)
