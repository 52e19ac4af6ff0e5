"""The journal: entries survive a restart, are written completely or not at all, and have unique versions."""

import asyncio
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st
from sqlalchemy.exc import IntegrityError
from sqlmodel import col, delete, select

from adapters.port import RoomRef
from bot.storage import Database, SqlJournal
from bot.storage.models import ResultRow
from engine import Opening, Outcome
from engine.runtime import Author, Entry, GameSessions, VersionTakenError
from tests.bot.databases import rows
from tests.bot.statements import counted
from tests.bot.storage.samples import OPENING, SEED, SERVER, open_table, opened, playing
from tests.engine.rules.games import openings, random_game
from tests.engine.runtime.playing import HandClock, Notebook
from tests.examples import examples

FOOL = Outcome(fool=1, losers=(1,), is_draw=False, order=(0,), points=(0, 0))


def deal(table_id: int, version: int = 1, game: int = 1) -> Entry:
    return Entry(table_id, version, game, None, OPENING.to_text(), None, at=100.0)


def move(table_id: int, version: int, text: str = "A 9H", game: int = 1) -> Entry:
    return Entry(table_id, version, game, 0, text, Author.PLAYER, at=100.5)


async def results(database: Database) -> list[ResultRow]:
    return await rows(database, select(ResultRow).order_by(col(ResultRow.seat)))


# --- round trips ------------------------------------------------------------------------------------------


async def test_a_table_where_nothing_was_dealt_has_no_game(database: Database) -> None:
    table = await open_table(database)
    assert await SqlJournal(database).newest_game(table.id) is None
    assert await SqlJournal(database).newest_game(999) is None


async def test_the_newest_game_is_read_with_the_position_after_its_last_move(database: Database) -> None:
    table, journal = await open_table(database), SqlJournal(database)
    other = await open_table(database, RoomRef(SERVER, "other"))
    first = [deal(table.id, 1), move(table.id, 2)]
    second = [deal(table.id, 3, game=2), move(table.id, 4, "T", game=2), move(table.id, 5, "P", game=2)]
    for entry in (*first, *second, deal(other.id)):
        await journal.append(entry, snapshot=f"{entry.table_id} {entry.version}", outcome=None)

    found = await journal.newest_game(table.id)
    assert found is not None
    assert (list(found.entries), found.snapshot) == (second, f"{table.id} 5")


@pytest.mark.parametrize("author", list(Author))
async def test_who_made_a_move_is_kept(database: Database, author: Author) -> None:
    table, journal = await open_table(database), SqlJournal(database)
    entry = Entry(table.id, 1, 1, 3, "P", author, at=1_700_000_000.123456)
    await journal.append(entry, snapshot="", outcome=None)
    found = await journal.newest_game(table.id)
    assert found is not None
    assert list(found.entries) == [entry]
    assert type(found.entries[0].author) is Author


@pytest.mark.slow
@given(openings(), st.integers())
@examples(5)
async def test_a_whole_game_goes_on_in_another_process_as_it_was(opening: Opening, seed: int) -> None:
    chance = Random(seed)
    async with opened() as database:
        table = await open_table(database)
        clock, notebook = HandClock(), Notebook()
        live = await GameSessions(SqlJournal(database), clock.now, notebook).find(table.id)
        await live.deal(1, opening)
        for number, (_, seat, chosen) in enumerate(random_game(opening, chance)):
            if number % 25 == 0:
                resumed = await GameSessions(SqlJournal(database), clock.now, notebook).find(table.id)
                assert (resumed.version, resumed.state) == (live.version, live.state)
            await live.submit(seat, str(chosen), live.version)

        resumed = await GameSessions(SqlJournal(database), clock.now, notebook).find(table.id)
        assert (resumed.state, resumed.outcome, resumed.events) == (live.state, live.outcome, live.events)
        assert resumed.outcome is not None


# --- all or nothing -----------------------------------------------------------------------------------------


async def test_a_version_is_written_once(database: Database) -> None:
    table, journal = await open_table(database), SqlJournal(database)
    await journal.append(deal(table.id), snapshot="dealt", outcome=None)
    with pytest.raises(VersionTakenError):
        await journal.append(move(table.id, 1), snapshot="other", outcome=FOOL)

    found = await journal.newest_game(table.id)
    assert found is not None
    assert (list(found.entries), found.snapshot) == ([deal(table.id)], "dealt")
    assert await results(database) == []


async def test_a_move_whose_last_row_cannot_be_written_leaves_nothing(database: Database) -> None:
    table, journal = await playing(database), SqlJournal(database)
    await journal.append(deal(table.id), snapshot="dealt", outcome=None)
    taken = ResultRow(  # of the last seat
        table_id=table.id, game=1, seat=1, server_id=1, players=2, people=2, losers=0, place=None,
        is_loser=False, is_draw=False, points=0, epaulettes=0, finished_at=0.0,
    )  # fmt: skip
    await database.write(lambda session: session.add(taken))

    with pytest.raises(IntegrityError):
        await journal.append(move(table.id, 2), snapshot="over", outcome=FOOL)

    found = await journal.newest_game(table.id)
    assert found is not None
    assert (list(found.entries), found.snapshot) == ([deal(table.id)], "dealt")
    assert [row.seat for row in await results(database)] == [1]

    await database.write(lambda session: session.exec(delete(ResultRow)).close())
    await journal.append(move(table.id, 2), snapshot="over", outcome=FOOL)
    assert [row.seat for row in await results(database)] == [0, 1]


async def test_a_table_that_nobody_opened_has_no_journal(database: Database) -> None:
    with pytest.raises(IntegrityError):
        await SqlJournal(database).append(deal(999), snapshot="", outcome=None)


async def test_a_move_is_one_transaction(database: Database) -> None:
    table, journal = await open_table(database), SqlJournal(database)
    with counted() as statements:
        await journal.append(deal(table.id), snapshot="dealt", outcome=None)
    assert statements.commits == 1


async def test_a_move_cancelled_at_any_moment_holds_nobody_up_and_is_there_or_not(database_url: str) -> None:
    async with opened(database_url) as database:
        table, journal = await open_table(database), SqlJournal(database)
        for version in range(1, 200, 2):
            cancelled, other = [
                asyncio.ensure_future(
                    journal.append(move(table.id, number), snapshot=str(number), outcome=None)
                )
                for number in (version, version + 1)
            ]
            await asyncio.sleep(version / 40_000)
            cancelled.cancel()
            async with asyncio.timeout(8):
                await asyncio.wait([cancelled, other])

            assert other.exception() is None

        found = await journal.newest_game(table.id)
        assert found is not None
        assert {entry.version for entry in found.entries} >= set(range(2, 201, 2))
        assert int(found.snapshot) >= 199


async def test_of_two_processes_on_one_file_each_version_has_one_winner(database_url: str) -> None:
    async with opened(database_url) as mine, opened(database_url) as theirs:
        table = await open_table(mine)
        journals = {"A 9H": SqlJournal(mine), "A 9S": SqlJournal(theirs)}
        winners: list[str] = []

        async def write(text: str, version: int) -> None:
            try:
                await journals[text].append(move(table.id, version, text), snapshot=text, outcome=None)
            except VersionTakenError:
                return

            winners.append(text)

        for version in range(1, 21):
            await asyncio.gather(*[write(text, version) for text in (*journals, *journals)])

        for journal in journals.values():
            found = await journal.newest_game(table.id)
            assert found is not None
            assert [entry.text for entry in found.entries] == winners
            assert found.snapshot == winners[-1]


# --- secrets ------------------------------------------------------------------------------------------------


async def test_no_error_of_the_database_names_hands_or_seeds(database: Database) -> None:
    entry = deal(999)
    with pytest.raises(IntegrityError) as refused:
        await SqlJournal(database).append(entry, snapshot="hands=6S", outcome=None)

    said = f"{refused.value} {refused.value!r}"
    assert SEED not in said
    assert "hands" not in said


async def test_what_was_read_does_not_show_itself(database: Database) -> None:
    table, journal = await open_table(database), SqlJournal(database)
    await journal.append(deal(table.id), snapshot="hands=6S", outcome=None)
    found = await journal.newest_game(table.id)
    said = f"{found!r} {deal(table.id)!r} {table!r}"
    assert SEED not in said
    assert "hands" not in said
