"""Tables in memory: a table in doubt after a failed write is read again and checked."""

import asyncio
from dataclasses import replace

import pytest
import pytest_asyncio
from prometheus_client import REGISTRY

from adapters.port import RoomRef
from bot.model.table import Phase, Table
from bot.storage import Database, SqlJournal, TableStore
from bot.tables.events import TableEvents
from bot.tables.service import EVICTION_BATCH_SIZE, TableService
from engine import PRESETS
from engine.runtime import GameSessions
from tests.bot.chat import CELLAR, ROOM
from tests.bot.running_bot import ANNA, BORIS, SHORT_GAME, RunningBot
from tests.engine.runtime.playing import DiskTroubleError, HandClock


class Tables:
    """A cache on a database, and the tables reported as changed."""

    def __init__(self, database: Database) -> None:
        self.store = TableStore(database)
        events = TableEvents()
        self.clock = HandClock()
        sessions = GameSessions(SqlJournal(database), self.clock.now, events)
        self.service = TableService(self.store, sessions, events, self.clock.now)
        self.notices: list[int] = []
        events.changed.append(self.notices.append)

    async def opened(self, room: RoomRef = ROOM) -> Table:
        table = await self.store.open(
            room=room,
            opener=ANNA,
            joined="",
            preset="podkidnoy-36",
            rules=PRESETS["podkidnoy-36"],
            house_rules=None,
            seed="5eed",
            locale="en",
        )
        self.service.known.put(table)

        return table


@pytest_asyncio.fixture
async def tables(database: Database) -> Tables:
    return Tables(database)


async def test_a_write_that_fails_is_read_again_and_told_to_who_shows_its_tables(tables: Tables) -> None:
    first = await tables.opened()
    second = await tables.opened(CELLAR)

    async def save() -> None:
        with tables.service.rereading_on_failure(first.id, second.id):
            await tables.store.save(first.join(BORIS))
            raise DiskTroubleError  # the answer was lost

    with pytest.raises(DiskTroubleError):
        await save()

    assert tables.notices == [first.id, second.id]
    assert (await tables.service.table(first.id)).seat_of(BORIS.ref) == 1


async def test_a_write_that_works_leaves_no_doubt(tables: Tables) -> None:
    table = await tables.opened()
    with tables.service.rereading_on_failure(table.id):
        await tables.store.save(table.join(BORIS))
    assert tables.notices == []
    assert await tables.service.table(table.id) is table


async def test_other_games_of_who_plays_are_shown_anew_when_a_game_begins_or_ends(tables: Tables) -> None:
    first = await tables.opened()
    second = await tables.opened(CELLAR)
    await tables.service.save(first.with_phase(Phase.PLAYING))
    assert tables.notices == []

    playing = await tables.service.save(second.with_phase(Phase.PLAYING))
    assert tables.notices == [first.id]

    await tables.service.save(playing.pause(is_paused=True))
    assert tables.notices == [first.id]

    await tables.service.save(playing.close())
    assert tables.notices == [first.id, first.id]


async def test_who_shows_the_tables_of_a_room_is_told_when_it_moves(tables: Tables) -> None:
    table = await tables.opened()
    await tables.service.move_room(ROOM, CELLAR)
    assert tables.notices == [table.id]
    assert (await tables.service.table(table.id)).room == CELLAR


async def test_a_finished_game_is_counted_once_for_the_owner_and_an_abandoned_one_never(
    bot: RunningBot,
) -> None:
    def counted() -> float:
        return REGISTRY.get_sample_value("durak_games_total") or 0.0

    before = counted()
    table = await bot.dealt(ANNA, BORIS, rules=SHORT_GAME)
    await bot.plays_to_the_end(table)
    assert counted() == before + 1

    await bot.restart()
    await bot.app.tables.table(table.id)
    for user in (ANNA, BORIS):
        await bot.app.tables.rematch(table.id, user)

    await bot.app.tables.start(table.id, ANNA.ref)
    await bot.stopped(ANNA, BORIS)
    assert (await bot.app.tables.table(table.id)).phase is Phase.CLOSED
    assert counted() == before + 1


async def test_many_tables_are_put_away_a_few_at_a_time(tables: Tables) -> None:
    table = await tables.opened()
    for number in range(10 * EVICTION_BATCH_SIZE):
        tables.service.known.put(replace(table, id=100 + number, phase=Phase.CLOSED))

    tables.clock.time = table.touched_at + 86_400
    turns = 0

    async def press() -> None:
        nonlocal turns
        while True:
            await asyncio.sleep(0)
            turns += 1

    pressing = asyncio.create_task(press())
    await tables.service.tidy()
    pressing.cancel()

    assert list(tables.service.known) == [table.id]
    assert turns >= 9
