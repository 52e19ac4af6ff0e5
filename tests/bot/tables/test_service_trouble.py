"""Simultaneous presses, a failing disk or a cancelled task leave no table inconsistent."""

import asyncio
from collections.abc import AsyncIterator, Callable, Coroutine, Iterator
from contextlib import contextmanager
from dataclasses import replace
from functools import partial
from random import Random
from typing import Any

import pytest
import pytest_asyncio
from sqlalchemy import Connection
from sqlalchemy.exc import DBAPIError, OperationalError
from sqlalchemy.ext.asyncio import AsyncEngine

from adapters.port import User
from bot.model.choices import RuleSet
from bot.model.refusal import RefusedError
from bot.model.table import Phase, Table
from bot.storage import Database, PrivacyStore, SqlJournal, TableStore
from bot.tables.events import TableEvents
from bot.tables.service import TableService
from engine import PRESETS, Outcome
from engine.runtime import Entry, GameSessions, Result
from tests.bot.chat import CELLAR, ROOM
from tests.bot.databases import on_every_database
from tests.bot.running_bot import ANNA, BORIS, CLARA, SHORT_GAME, RunningBot
from tests.engine.runtime.playing import DiskTroubleError, HandClock

pytestmark = on_every_database

PEOPLE = (ANNA, BORIS, CLARA)
RULES = RuleSet("podkidnoy-24", replace(PRESETS["podkidnoy-24"], hand_size=8))


@contextmanager
def unheard(commits: int = 1) -> Iterator[None]:
    """Commits the next writes, but raises an error for their callers."""
    left = commits

    run = vars(Database)["_run"]

    async def run_unheard(
        database: Database, engine: AsyncEngine, work: Callable[[Connection], object]
    ) -> object:
        nonlocal left
        result: object = await run(database, engine, work)
        if left and engine is vars(database)["_writing"]:
            left -= 1
            raise OperationalError("COMMIT", None, Exception("the answer was lost"))

        return result

    with pytest.MonkeyPatch.context() as patches:
        patches.setattr(Database, "_run", run_unheard)
        yield


class UnheardJournal(SqlJournal):
    """A journal whose next write succeeds, although its caller gets an error or is cancelled."""

    trouble: type[BaseException] | None = None

    async def append(self, entry: Entry, *, snapshot: str, outcome: Outcome | None) -> None:
        await super().append(entry, snapshot=snapshot, outcome=outcome)
        if self.trouble is not None:
            raise self.trouble


def tables_on(database: Database, journal: SqlJournal | None = None) -> TableService:
    """Returns the tables of another process on this database."""
    table_events = TableEvents()
    now = HandClock().now
    sessions = GameSessions(journal or SqlJournal(database), now, table_events)
    return TableService(TableStore(database), sessions, table_events, now)


@pytest_asyncio.fixture
async def tables(database: Database) -> AsyncIterator[TableService]:
    yield tables_on(database)


# --- a write that arrived without a word ------------------------------------------------------------------


async def test_a_last_move_that_arrived_without_a_word_ends_the_game(bot: RunningBot) -> None:
    table = await bot.dealt(ANNA, BORIS, rules=SHORT_GAME)
    while not await is_about_to_end(bot, table.id):
        await bot.plays(table)

    await bot.settle()
    with unheard():
        await bot.plays(table)

    await bot.settle()
    assert (await bot.session(table)).outcome is not None
    assert (await bot.app.tables.table(table.id)).phase is Phase.OVER

    reply = await bot.chat.presses(ANNA, bot.chat.room_sees()[-1].ref, "Rematch")
    assert reply.toast is None
    assert (await bot.app.tables.table(table.id)).phase is Phase.LOBBY


async def is_about_to_end(bot: RunningBot, table_id: int) -> bool:
    """Returns whether the next move of `House.plays` is the last one of the game."""
    session = await bot.app.tables.session(table_id)
    assert session.state is not None
    seat = min(session.state.awaited)
    after = session.state.apply(seat, session.state.legal_moves(seat)[0]).state
    return after.outcome() is not None


async def test_an_end_that_the_table_was_not_told_of_is_noticed_by_whoever_looks(bot: RunningBot) -> None:
    """Covers a stored last move whose new phase was not saved."""
    table = await bot.dealt(ANNA, BORIS, rules=SHORT_GAME)
    while not await is_about_to_end(bot, table.id):
        await bot.plays(table)

    await bot.settle()
    with unheard(2):
        await bot.plays(table)
        await bot.settle()

    assert (await bot.app.tables.table(table.id)).phase is Phase.OVER
    assert (await bot.chat.types(ANNA, "/durak")).public is None

    await bot.settle()
    standing = await bot.app.tables.in_room(ROOM)
    assert standing is not None
    assert standing.id != table.id


async def test_a_deal_that_arrived_without_a_word_is_the_game_that_runs(bot: RunningBot) -> None:
    table = await bot.opened(ANNA, BORIS)
    with unheard():
        await bot.chat.presses(ANNA, bot.table_message().ref, "Start")

    await bot.settle()
    assert (await bot.app.tables.table(table.id)).phase is Phase.PLAYING

    with pytest.raises(RefusedError):
        await bot.app.tables.change(table.id, lambda now: now.join(CLARA))

    await bot.plays(table)


async def test_a_table_that_was_opened_without_a_word_is_shown_to_whoever_asks_again(
    bot: RunningBot,
) -> None:
    with unheard():
        await bot.chat.types(ANNA, "/durak")

    await bot.settle()
    await bot.chat.types(ANNA, "/durak")
    await bot.settle()
    assert " · 1 of" in bot.table_message().text


async def test_a_change_that_arrived_without_a_word_is_in_memory_too(tables: TableService) -> None:
    table = (await tables.open(ROOM, ANNA, RULES, "en")).table
    with unheard(), pytest.raises(DBAPIError):
        await tables.change(table.id, lambda now: now.join(BORIS))

    assert (await tables.table(table.id)).people() == (ANNA.ref, BORIS.ref)
    with unheard(), pytest.raises(DBAPIError):
        await tables.change(table.id, lambda now: now.close())

    assert (await tables.open(ROOM, CLARA, RULES, "en")).table.id != table.id


TROUBLES = pytest.mark.parametrize("trouble", [DiskTroubleError, asyncio.CancelledError])


@TROUBLES
async def test_a_deal_that_arrived_is_found_by_whoever_looks_at_the_table_alone(
    database: Database, trouble: type[BaseException]
) -> None:
    journal = UnheardJournal(database)
    tables = tables_on(database, journal)
    table = (await tables.open(ROOM, ANNA, RULES, "en")).table
    await tables.change(table.id, lambda now: now.join(BORIS))
    journal.trouble = trouble

    with pytest.raises(trouble):
        await tables.start(table.id, ANNA.ref)

    journal.trouble = None
    assert (await tables.table(table.id)).phase is Phase.PLAYING

    with pytest.raises(RefusedError):
        await tables.change(table.id, lambda now: now.join(CLARA))


@TROUBLES
async def test_who_was_forgotten_sits_nowhere_even_if_the_disk_did_not_say_so(
    database: Database, trouble: type[BaseException]
) -> None:
    tables = tables_on(database)
    table = (await tables.open(ROOM, ANNA, RULES, "en")).table
    await tables.change(table.id, lambda now: now.join(BORIS))
    await tables.start(table.id, ANNA.ref)

    async def erase() -> None:
        await PrivacyStore(database).forget(BORIS.ref, None)
        raise trouble

    with pytest.raises(trouble):
        await tables.forget(BORIS.ref, None, erase)

    assert (await tables.table(table.id)).people() == (ANNA.ref,)


# --- many at once -----------------------------------------------------------------------------------------


async def test_nobody_who_joins_at_the_same_moment_is_lost(tables: TableService) -> None:
    table = (await tables.open(ROOM, ANNA, RULES, "en")).table
    await asyncio.gather(
        tables.change(table.id, lambda now: now.join(BORIS)),
        tables.change(table.id, lambda now: now.join(CLARA)),
    )
    assert set((await tables.table(table.id)).people()) == {user.ref for user in PEOPLE}


async def test_of_those_who_open_a_table_at_once_one_opens_it(tables: TableService) -> None:
    opened = await asyncio.gather(*[tables.open(ROOM, user, RULES, "en") for user in PEOPLE])
    assert [each.is_new for each in opened] == [True, False, False]
    assert len({each.table.id for each in opened}) == 1


async def test_a_rematch_and_a_new_table_at_the_same_moment_are_told_apart(tables: TableService) -> None:
    table = await finished(tables)
    outcomes = await asyncio.gather(
        tables.rematch(table, ANNA), tables.open(ROOM, CLARA, RULES, "en"), return_exceptions=True
    )
    assert not isinstance(outcomes[0], BaseException)
    assert not isinstance(outcomes[1], BaseException)
    assert (outcomes[1].is_new, outcomes[1].table.id) == (False, table)


async def test_a_new_table_and_a_rematch_at_the_same_moment_are_told_apart(tables: TableService) -> None:
    table = await finished(tables)
    opened, joined = await asyncio.gather(tables.open(ROOM, CLARA, RULES, "en"), tables.rematch(table, ANNA))
    assert (opened.is_new, opened.table.id) == (True, joined.id)
    assert joined.people() == (CLARA.ref, ANNA.ref)


async def test_who_starts_twice_deals_once(tables: TableService) -> None:
    table = (await tables.open(ROOM, ANNA, RULES, "en")).table
    await tables.change(table.id, lambda now: now.join(BORIS))
    outcomes = await asyncio.gather(
        tables.start(table.id, ANNA.ref), tables.start(table.id, ANNA.ref), return_exceptions=True
    )
    assert [isinstance(outcome, RefusedError) for outcome in outcomes] == [False, True]
    assert (await tables.session(table.id)).version == 1


async def test_a_room_moves_and_a_person_is_forgotten_when_nobody_else_is_changing_their_tables(
    tables: TableService, database: Database
) -> None:
    """Covers a change that began before and would bring back old rows."""
    table = (await tables.open(ROOM, ANNA, RULES, "en")).table
    await tables.change(table.id, lambda now: now.join(BORIS))
    began = list[User]()
    may_go_on = asyncio.Event()

    async def erase(user: User) -> None:
        began.append(user)
        await may_go_on.wait()

    async with asyncio.TaskGroup() as tasks:
        for user in (ANNA, BORIS):
            tasks.create_task(tables.forget(user.ref, None, partial(erase, user)))

        while not began:
            await a_while(database)

        move = tasks.create_task(tables.move_room(ROOM, CELLAR))
        await a_while(database)
        assert (len(began), move.done()) == (1, False)

        may_go_on.set()

    assert set(began) == {ANNA, BORIS}
    assert (await tables.table(table.id)).room == CELLAR


async def is_one_table_as_on_disk(tables: TableService, database: Database) -> None:
    """Checks that two rooms have become one with one table, in memory as on disk."""
    another = tables_on(database)
    known = [await tables.table(table_id) for table_id in list(tables.known)]
    stored = [await another.table(table.id) for table in known]
    assert [(each.room, each.phase) for each in known] == [(each.room, each.phase) for each in stored]
    assert len([each for each in known if each.phase is Phase.LOBBY]) == 1


async def test_a_rematch_while_its_room_becomes_another_leaves_one_table(
    tables: TableService, database: Database
) -> None:
    table_id = await finished(tables)
    await tables.open(CELLAR, CLARA, RULES, "en")
    async with asyncio.TaskGroup() as tasks:
        tasks.create_task(tables.rematch(table_id, ANNA))
        tasks.create_task(tables.move_room(ROOM, CELLAR))

    await is_one_table_as_on_disk(tables, database)


@pytest.mark.parametrize("turns", range(0, 30, 3))
async def test_a_table_that_is_opened_while_its_room_moves_is_where_the_disk_says(
    tables: TableService, database: Database, turns: int
) -> None:
    closed = (await tables.open(ROOM, CLARA, RULES, "en")).table
    await tables.change(closed.id, Table.close)
    async with asyncio.TaskGroup() as tasks:
        tasks.create_task(tables.open(ROOM, ANNA, RULES, "en"))
        for _ in range(turns):
            await asyncio.sleep(0)
        tasks.create_task(tables.move_room(ROOM, CELLAR))

    await is_one_table_as_on_disk(tables, database)


async def a_while(database: Database) -> None:
    """Gives others their turns at the database until all of them wait for something else."""
    for _ in range(20):
        await database.is_healthy()


async def finished(tables: TableService) -> int:
    """Plays a table to the end of its game; returns its id."""
    table = (await tables.open(ROOM, ANNA, RULES, "en")).table
    await tables.change(table.id, lambda now: now.join(BORIS))
    await tables.start(table.id, ANNA.ref)
    await tables.resign(table.id, BORIS)
    assert (await tables.table(table.id)).phase is Phase.OVER
    return table.id


# --- whatever happens, by seed ----------------------------------------------------------------------------


Deed = Callable[[], Coroutine[Any, Any, object]]


def deeds(tables: TableService, table_id: int, user: User, chance: Random) -> list[Deed]:
    """Returns the attempts of a player at a table."""

    async def moves() -> Result | None:
        session = await tables.session(table_id)
        seats = sorted(session.state.actors) if session.state is not None else ()
        if session.state is None or not seats:
            return None

        seat = chance.choice(seats)
        move = chance.choice(session.state.legal_moves(seat))
        return await tables.submit(table_id, seat, str(move), session.version)

    return [
        lambda: tables.change(table_id, lambda now: now.join(user)),
        lambda: tables.change(table_id, lambda now: now.leave(user.ref) if len(now.people()) > 1 else now),
        lambda: tables.start(table_id, user.ref),
        lambda: tables.rematch(table_id, user),
        lambda: tables.open(ROOM, user, RULES, "en"),
        lambda: tables.resign(table_id, user) if chance.random() < 0.2 else moves(),
        *[moves] * 4,
    ]


@pytest.mark.parametrize("seed", range(8))
async def test_what_is_in_memory_is_what_is_on_disk(
    tables: TableService, database: Database, seed: int
) -> None:
    chance = Random(seed)
    table_id = (await tables.open(ROOM, ANNA, RULES, "en")).table.id
    for _ in range(25):
        done = [
            asyncio.ensure_future(chance.choice(deeds(tables, table_id, chance.choice(PEOPLE), chance))())
            for _ in range(3)
        ]

        with unheard(int(chance.random() < 0.3)):
            await asyncio.sleep(chance.random() * 0.004)
            if chance.random() < 0.3:
                chance.choice(done).cancel()
            await asyncio.wait(done)

        for each in done:
            error = None if each.cancelled() else each.exception()
            assert error is None or isinstance(error, RefusedError | OperationalError)

    session = await tables.session(table_id)  # reading them brings the phase in step
    table = await tables.table(table_id)
    another = tables_on(database)
    assert replace(table, panel=None) == await another.table(table_id)

    found = await another.session(table_id)
    assert (session.state, tuple(session.entries)) == (found.state, tuple(found.entries))

    if session.state is not None and session.game == table.game and table.phase is not Phase.CLOSED:
        assert table.phase is (Phase.PLAYING if session.outcome is None else Phase.OVER)
