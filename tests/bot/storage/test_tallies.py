"""The updated tallies equal a recount from the results."""

import asyncio
from collections.abc import Sequence
from functools import partial
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from sqlalchemy import inspect
from sqlmodel import Session, delete, select

from adapters.port import RoomRef
from bot.model.standings import MIN_GAMES
from bot.storage import (
    Database,
    DatabaseUnreachableError,
    PrivacyStore,
    RecordStore,
    SqlJournal,
    StandingsStore,
    TableStore,
    careers,
)
from bot.storage.models import Base, MonthGamesRow, MonthTallyRow, ResultRow, ServerRow, YearDuelRow
from bot.storage.tallies import COUNTED, recount
from engine import Outcome
from tests.bot.databases import keep_waiting, rows
from tests.bot.storage.samples import ANNA, BORIS, SERVER, open_table, opened
from tests.bot.storage.test_journal import deal
from tests.bot.storage.test_standings import OTHER_SERVER, PEOPLE, Finished, finished, record
from tests.examples import examples

FOOL = Outcome(fool=1, losers=(1,), is_draw=False, order=(0,), points=(0, 0))
SOME = [Finished(SERVER, (ANNA, BORIS), FOOL, at) for at in (10.0, 20.0)]


def in_order(games: Sequence[Finished]) -> list[Finished]:
    """Keeps clocks from being set back, since games are counted in the order in which they end."""
    return sorted(games, key=lambda game: game.at)


def counted(session: Session) -> list[Any]:
    """Returns everything that is counted, on all servers."""
    rows = [
        row
        for model in COUNTED
        for row in session.exec(select(model).order_by(*inspect(model).primary_key)).all()
    ]
    return [pytest.approx(row.model_dump()) for row in rows]


def counted_anew(session: Session) -> list[Any]:
    for server in session.exec(select(ServerRow.id)).all():
        recount(session, server)
    return [each.expected for each in counted(session)]


@given(st.lists(finished(), max_size=12), st.integers(0, 12))
@examples(10)
async def test_what_was_counted_on_equals_a_recount(games: list[Finished], number: int) -> None:
    games = in_order(games)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(careers, "MIN_EARLIER_GAMES", 2)
        await _compare_with_a_recount(games, number)


async def _compare_with_a_recount(games: Sequence[Finished], number: int) -> None:
    async with opened() as database:
        await record(database, games[:number])
        await PrivacyStore(database).forget(PEOPLE[0].ref, None)
        await record(database, games[number:], first=number + 1)
        assert await database.read(counted) == await database.read(counted_anew)


async def test_a_result_says_what_the_game_changed_in_ratings_once_they_are_no_guess(
    database: Database,
) -> None:
    games = [Finished(SERVER, (ANNA, BORIS), FOOL, float(at)) for at in range(MIN_GAMES)]
    await record(database, games)
    async with opened() as other:
        await record(other, games[:-1])
        before = await StandingsStore(other).ratings(SERVER)

    after, records = await StandingsStore(database).ratings(SERVER), RecordStore(database)
    (table_id,) = {result.table_id for result in await rows(database, select(ResultRow))}
    consequences = [await records.consequences(table_id, number) for number, _ in enumerate(games, 1)]
    *guessed, known = [each.rating_changes for each in consequences]
    assert guessed == [{}] * (MIN_GAMES - 1)
    assert known == {
        seat: pytest.approx(after[user.ref].points - before[user.ref].points)
        for seat, user in enumerate((ANNA, BORIS))
    }
    assert (await records.consequences(999, 1)).rating_changes == {}


@given(st.lists(finished(), max_size=12))
@examples(6)
async def test_servers_that_become_one_are_counted_together(games: list[Finished]) -> None:
    async with opened() as database:
        await record(database, in_order(games))
        await TableStore(database).rename_room(RoomRef(OTHER_SERVER, "1"), RoomRef(SERVER, "2"))
        assert await database.read(counted) == await database.read(counted_anew)
        assert await StandingsStore(database).ranking(OTHER_SERVER) == []


@pytest.mark.parametrize(
    "missing", [COUNTED, (MonthTallyRow, MonthGamesRow, YearDuelRow)], ids=["nothing", "no months"]
)
async def test_what_is_not_counted_yet_is_once_the_database_is_opened(
    database_url: str, missing: Sequence[type[Base]]
) -> None:
    async with opened(database_url) as database:
        await record(database, in_order(SOME))
        before = await database.read(counted)
        for model in missing:
            await database.write(partial(_delete_all, model))

    async with opened(database_url) as database:
        assert await database.read(counted) == [each.expected for each in before]


def _delete_all(model: type[Base], session: Session) -> None:
    session.exec(delete(model))


# --- beside everyone who plays ---------------------------------------------------------------------------


async def test_a_long_question_keeps_nobody_waiting(sqlite_url: str) -> None:
    async with opened(sqlite_url) as database:
        table = await open_table(database)
        begun, goes_on = asyncio.Event(), asyncio.Event()

        def work(session: Session) -> int:
            begun.set()
            keep_waiting(session, goes_on)
            return len(session.exec(select(ResultRow)).all())

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

        def work(session: Session) -> None:
            session.add(ServerRow(platform="web", ref="1"))
            session.flush()

        with pytest.raises(DatabaseUnreachableError, match="cannot be written to"):
            await database.report(work)


async def test_a_question_hears_of_all_that_was_written_before(database_url: str) -> None:
    async with opened(database_url) as database:
        await record(database, in_order(SOME))
        assert len(await StandingsStore(database).ranking(SERVER)) == 2
