"""A table at rest is one for as long as nothing of it changes."""

from dataclasses import replace

import pytest

from adapters.port import MessageRef, RoomRef
from bot.model.message_slots import MessageKind, MessageSlot, PendingMessage, SentMessage
from bot.model.rest import NEVER, Rest
from bot.model.table import Phase, Table
from bot.storage import Database, MessageSlotStore, RestStore, SqlJournal, TableStore
from bot.storage.models import TableRow
from bot.storage.rests import REPAIRED_FOR
from engine.runtime import Entry
from tests.bot.storage.samples import ANNA, BORIS, OPENING, ROOM, SERVER, open_table, playing

NOW = 1_000_000.0


def rests_of(database: Database, now: float = NOW) -> RestStore:
    return RestStore(database, lambda: now)


async def at_rest(database: Database, due_at: float = NEVER) -> tuple[Table, Rest]:
    """Opens a table and lets it rest."""
    table = await open_table(database)
    rest = Rest(table.id, 0, table.touched_at, NOW, due_at)
    await rests_of(database).note([rest])
    return table, rest


async def due(database: Database, now: float = NOW) -> list[float]:
    """When the unfinished tables have to be looked at."""
    return [each.due_at for each in await rests_of(database, now).unfinished()]


async def test_a_table_at_rest_need_not_be_looked_at_before_it_is_due(database: Database) -> None:
    _, rest = await at_rest(database)
    assert await due(database) == [NEVER]
    await rests_of(database).note([replace(rest, due_at=NOW + 60)])
    assert await due(database) == [NOW + 60]


async def test_a_table_of_which_nothing_was_noted_has_to_be_looked_at(database: Database) -> None:
    await open_table(database)
    assert await due(database) == [0.0]


async def test_a_move_ends_the_rest(database: Database) -> None:
    table, rest = await at_rest(database)
    deal = Entry(table.id, 1, 1, None, OPENING.to_text(), None, NOW)
    await SqlJournal(database).append(deal, snapshot=OPENING.deal().to_text(), outcome=None)
    assert await due(database) == [0.0]
    await rests_of(database).note([replace(rest, version=1)])
    assert await due(database) == [NEVER]


async def test_a_change_of_people_ends_the_rest(database: Database) -> None:
    table, _ = await at_rest(database)
    await TableStore(database).save(table.join(BORIS))
    assert await due(database) == [0.0]


@pytest.mark.parametrize("is_posted", [True, False], ids=["posted anew", "gone"])
async def test_a_message_that_is_not_there_ends_the_rest(database: Database, is_posted: bool) -> None:
    slots, (table, _) = MessageSlotStore(database), await at_rest(database)
    slot = MessageSlot(table.id, 1, MessageKind.TABLE)
    await slots.save(slot, SentMessage(MessageRef("telegram", "1"), "digest"))
    assert await due(database) == [NEVER]
    await (slots.save(slot, PendingMessage("key", "digest")) if is_posted else slots.drop(slot))
    assert await due(database) == [0.0]


async def test_what_is_noted_as_stirred_is_not_at_rest(database: Database) -> None:
    table, rest = await at_rest(database)
    await rests_of(database).note([], [table.id])
    assert await due(database) == [0.0]
    await rests_of(database).note([rest], [table.id])
    assert await due(database) == [NEVER]


async def test_a_clock_that_was_set_back_is_not_believed(database: Database) -> None:
    await at_rest(database, NOW + 60)
    assert await due(database, NOW - 3600) == [0.0]


async def test_a_table_whose_rules_nobody_can_read_is_looked_at(database: Database) -> None:
    table, _ = await at_rest(database)
    async with database.session() as session:
        (await session.get_one(TableRow, table.id)).rules = "podkidnoy-36 phase_of_the_moon=full"
        await session.commit()
    assert await due(database) == [0.0]


async def test_where_tables_stand_and_who_plays_is_known_before_they_are_read(database: Database) -> None:
    lobby = await open_table(database, RoomRef(SERVER, "9"))
    game = await playing(database, ROOM, houses=1)
    found = await rests_of(database).unfinished()
    assert [(each.id, each.room, list(each.playing)) for each in found] == [
        (lobby.id, lobby.room, []),
        (game.id, ROOM, [ANNA.ref, BORIS.ref]),
    ]


async def test_tables_in_use_are_taken_up_after_a_restart_and_finished_ones_for_a_day(
    database: Database,
) -> None:
    table_store = TableStore(database, lambda: NOW)
    tables = {phase: await open_table(database, RoomRef(SERVER, phase)) for phase in Phase}
    for phase, table in tables.items():
        await table_store.save(table.entered(phase))
    in_use = [tables[phase].id for phase in (Phase.LOBBY, Phase.PLAYING)]
    assert [each.id for each in await rests_of(database).unfinished()] == [*in_use, tables[Phase.OVER].id]
    later = await rests_of(database, NOW + REPAIRED_FOR + 1).unfinished()
    assert [each.id for each in later] == in_use
