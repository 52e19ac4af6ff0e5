"""What is counted on whenever a game ends is what would be counted anew from the results."""

import asyncio
import threading
from collections.abc import Sequence
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from sqlalchemy import Connection, delete, insert, select

from adapters.port import RoomRef
from bot.storage import (
    Database,
    DatabaseUnreachableError,
    RecordStore,
    SqlJournal,
    StandingsStore,
    TableStore,
)
from bot.storage.models import ResultRow, ServerRow, table_of
from bot.storage.tallies import recount
from bot.storage.tally_models import DuelRow, TallyRow
from engine import Outcome
from tests.bot.storage.samples import ANNA, BORIS, SERVER, open_table, opened
from tests.bot.storage.test_journal import deal
from tests.bot.storage.test_standings import OTHER_SERVER, Finished, finished, record
from tests.examples import examples

FOOL = Outcome(fool=1, losers=(1,), is_draw=False, order=(0,), points=(0, 0))
SOME = [Finished(SERVER, (ANNA, BORIS), FOOL, at) for at in (10.0, 20.0)]


def in_order(games: Sequence[Finished]) -> list[Finished]:
    """Lets no clock be set back, since games are counted in the order in which they end."""
    return sorted(games, key=lambda game: game.at)


def counted(connection: Connection) -> list[list[Any]]:
    """Everything that is counted, on all servers."""
    found = []
    for table in (table_of(TallyRow), table_of(DuelRow)):
        rows = connection.execute(select(table).order_by(*table.primary_key.columns))
        found.append([pytest.approx(tuple(row)) for row in rows])
    return found


def counted_anew(connection: Connection) -> list[list[Any]]:
    for server in connection.execute(select(table_of(ServerRow).c.id)).scalars().all():
        recount(connection, server)
    return [[each.expected for each in rows] for rows in counted(connection)]


async def run(database: Database, work: Any) -> Any:
    async with database.session() as session:
        return await (await session.connection()).run_sync(work)


@given(st.lists(finished(), max_size=12))
@examples(10)
async def test_what_was_counted_on_equals_a_recount(games: list[Finished]) -> None:
    async with opened() as database:
        await record(database, in_order(games))
        assert await run(database, counted) == await run(database, counted_anew)


async def test_a_result_says_what_the_game_changed_in_ratings(database: Database) -> None:
    await record(database, SOME)
    ratings = await StandingsStore(database).ratings(SERVER)
    records = RecordStore(database)
    won: dict[int, float] = {0: 0.0, 1: 0.0}
    for table_id, game in await run(database, games_on_record):
        for seat, change in (await records.rating_changes(table_id, game)).items():
            won[seat] += change
    assert won == {seat: pytest.approx(ratings[user.ref].points) for seat, user in enumerate((ANNA, BORIS))}
    assert won[0] > 0 > won[1]
    assert await records.rating_changes(999, 1) == {}


def games_on_record(connection: Connection) -> list[tuple[int, int]]:
    table = table_of(ResultRow)
    return [(row.table_id, row.game) for row in connection.execute(select(table).where(table.c.seat == 0))]


@given(st.lists(finished(), max_size=12))
@examples(6)
async def test_servers_that_become_one_are_counted_together(games: list[Finished]) -> None:
    async with opened() as database:
        await record(database, in_order(games))
        await TableStore(database).rename_room(RoomRef(OTHER_SERVER, "1"), RoomRef(SERVER, "2"))
        assert await run(database, counted) == await run(database, counted_anew)
        assert await StandingsStore(database).leaderboard(OTHER_SERVER) == []


async def test_the_games_of_older_versions_are_counted_once_the_database_is_opened(
    database_url: str,
) -> None:
    async with opened(database_url) as database:
        await record(database, in_order(SOME))
        before = await run(database, counted)
        async with database.session() as session:
            connection = await session.connection()
            await connection.execute(delete(table_of(TallyRow)))
            await connection.execute(delete(table_of(DuelRow)))
            await session.commit()
    async with opened(database_url) as database:
        assert await run(database, counted) == [[each.expected for each in rows] for rows in before]


# --- beside everybody who plays ---------------------------------------------------------------------------


async def test_a_long_question_keeps_nobody_waiting(sqlite_url: str) -> None:
    async with opened(sqlite_url) as database:
        table = await open_table(database)
        begun, goes_on = asyncio.Event(), threading.Event()
        loop = asyncio.get_running_loop()

        def work(connection: Connection) -> int:
            loop.call_soon_threadsafe(begun.set)
            assert goes_on.wait(60)
            return len(connection.execute(select(ResultRow)).all())

        async with asyncio.TaskGroup() as tasks:
            question = tasks.create_task(database.report(work))
            await begun.wait()
            await SqlJournal(database).append(deal(table.id), snapshot="", outcome=None)
            assert await TableStore(database).get(table.id) == table
            assert not question.done()
            goes_on.set()
        assert question.result() == 0


async def test_a_question_writes_nothing(sqlite_url: str) -> None:
    async with opened(sqlite_url) as database:
        with pytest.raises(DatabaseUnreachableError, match="cannot be written to"):
            await database.report(
                lambda connection: connection.execute(insert(ServerRow).values(platform="web", ref="1"))
            )


async def test_a_question_hears_of_all_that_was_written_before(database_url: str) -> None:
    async with opened(database_url) as database:
        await record(database, in_order(SOME))
        assert len(await StandingsStore(database).leaderboard(SERVER)) == 2
