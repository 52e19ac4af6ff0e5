"""A process evicts the tables that nobody needs, and no others."""

import asyncio
from dataclasses import dataclass, field, replace

import pytest

from adapters.port import RoomRef
from bot.model.choices import RuleSet
from bot.storage import Database, SqlJournal, TableStore
from bot.tables.events import TableEvents
from bot.tables.service import TableService
from engine import PRESETS
from engine.runtime import GameSessions
from tests.bot.chat import CELLAR, ROOM, own_room
from tests.bot.running_bot import ANNA, BORIS
from tests.engine.runtime.playing import HandClock

RULES = RuleSet("podkidnoy-36", PRESETS["podkidnoy-36"])
MINUTE = 60.0
DAY = 24 * 3600.0


@dataclass
class Tables:
    """Tables on a database, with time that the test controls; `let_go` names the evicted ones."""

    database: Database
    clock: HandClock = field(default_factory=HandClock)
    let_go: list[int] = field(default_factory=list)

    def __post_init__(self) -> None:
        events = TableEvents()
        now = self.clock.now
        events.evicted.append(self.let_go.append)
        sessions = GameSessions(SqlJournal(self.database), now, events)
        store = TableStore(self.database, now)
        self.service = TableService(store, sessions, events, now)

    async def dealt(self, room: RoomRef = ROOM) -> int:
        table_id = (await self.service.open(room, ANNA, RULES, "en")).table.id
        await self.service.change(table_id, lambda now: now.join(BORIS))
        await self.service.start(table_id, ANNA.ref)
        return table_id

    async def tidied_after(self, seconds: float) -> list[int]:
        """Skips time and runs the tidying; returns all tables evicted so far."""
        self.clock.time += seconds
        await self.service.tidy()
        return self.let_go


@pytest.fixture
def tables(database: Database) -> Tables:
    return Tables(database)


async def test_a_table_that_was_closed_is_kept_for_a_quarter_of_an_hour(tables: Tables) -> None:
    table_id = await tables.dealt()
    await tables.service.change(table_id, lambda now: now.close())
    assert await tables.tidied_after(15 * MINUTE - 1.0) == []
    assert await tables.tidied_after(1.0) == [table_id]


async def test_a_game_that_is_over_is_kept_for_a_day_as_somebody_may_want_a_rematch(tables: Tables) -> None:
    table_id = await tables.dealt()
    await tables.service.resign(table_id, BORIS)
    assert await tables.tidied_after(DAY - 1.0) == []
    assert await tables.tidied_after(1.0) == [table_id]


async def test_a_game_that_goes_on_is_kept_and_keeps_no_other_table(tables: Tables) -> None:
    await tables.dealt()
    closed = await tables.dealt(CELLAR)
    await tables.service.change(closed, lambda now: now.close())
    assert await tables.tidied_after(7 * DAY) == [closed]


async def test_a_table_that_is_used_again_while_others_are_let_go_is_kept(tables: Tables) -> None:
    used = await tables.dealt()
    unused = await tables.dealt(CELLAR)
    for table_id in (used, unused):
        await tables.service.change(table_id, lambda now: now.close())

    tables.clock.time += DAY
    async with tables.service.locks[used]:
        tidying = asyncio.create_task(tables.service.tidy())
        await asyncio.sleep(0)
        await asyncio.sleep(0)  # now it waits for the change of the first table
        tables.service.known.put(replace(tables.service.known[used], touched_at=tables.clock.time))

    await tidying
    assert tables.let_go == [unused]


async def test_the_private_table_of_who_is_forgotten_is_let_go_by_everybody(tables: Tables) -> None:
    async def erase() -> None:
        pass

    alone = await tables.service.open(own_room(ANNA), ANNA, RULES, "en")
    await tables.dealt()
    await tables.service.forget(ANNA.ref, own_room(ANNA).server, erase)
    assert tables.let_go == [alone.table.id]
