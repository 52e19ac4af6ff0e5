"""A table stays idle for as long as nothing about it changes."""

from dataclasses import replace

import pytest
from sqlmodel import Session

from adapters.port import MessageRef, RoomRef
from bot.model.messages import MessageKind, PendingMessage, SentMessage, TableSlot
from bot.model.table import NEVER, IdleTable, Phase, Table
from bot.storage import Database, MessageSlotStore, SqlJournal, TableStore
from bot.storage.models import TableRow
from bot.storage.tables import REPAIR_SECONDS
from engine.runtime import Entry
from tests.bot.statements import counted
from tests.bot.storage.samples import ANNA, BORIS, OPENING, ROOM, SERVER, open_table, playing

NOW = 1_000_000.0


def store_of(database: Database, now: float = NOW) -> TableStore:
    return TableStore(database, lambda: now)


async def idle(database: Database, due_at: float = NEVER) -> tuple[Table, IdleTable]:
    """Opens a table at which nothing happens."""
    table = await open_table(database)
    idle_table = IdleTable(table.id, 0, table.touched_at, due_at)
    await store_of(database).note_idle([idle_table])
    return table, idle_table


async def due(database: Database, now: float = NOW) -> list[float]:
    """Returns when the unfinished tables have to be checked."""
    return [table.due_at for table in await store_of(database, now).unfinished()]


async def test_a_table_at_rest_need_not_be_looked_at_before_it_is_due(database: Database) -> None:
    _, idle_table = await idle(database)
    assert await due(database) == [NEVER]
    await store_of(database).note_idle([replace(idle_table, due_at=NOW + 60)])
    assert await due(database) == [NOW + 60]


async def test_a_table_of_which_nothing_was_noted_has_to_be_looked_at(database: Database) -> None:
    await open_table(database)
    assert await due(database) == [0.0]


async def test_a_move_ends_the_idleness(database: Database) -> None:
    table, idle_table = await idle(database)
    deal = Entry(table.id, 1, 1, None, OPENING.to_text(), None, NOW)
    await SqlJournal(database).append(deal, snapshot=OPENING.deal().to_text(), outcome=None)
    assert await due(database) == [0.0]
    await store_of(database).note_idle([replace(idle_table, version=1)])
    assert await due(database) == [NEVER]


async def test_a_change_of_people_ends_the_idleness(database: Database) -> None:
    table, _ = await idle(database)
    await TableStore(database).save(table.join(BORIS))
    assert await due(database) == [0.0]


@pytest.mark.parametrize("is_posted", [True, False], ids=["posted again", "gone"])
async def test_a_message_that_is_not_there_ends_the_idleness(database: Database, is_posted: bool) -> None:
    slots, (table, _) = MessageSlotStore(database), await idle(database)
    slot = TableSlot(table.id, 1, MessageKind.TABLE)
    await slots.save(slot, SentMessage(MessageRef("telegram", "1"), "digest"))
    assert await due(database) == [NEVER]
    await (slots.save(slot, PendingMessage("key", "digest")) if is_posted else slots.drop(slot))
    assert await due(database) == [0.0]


async def test_since_when_a_table_waits_is_known_also_after_a_message_was_posted(database: Database) -> None:
    table, idle_table = await idle(database)
    await store_of(database).note_idle([replace(idle_table, waits_since=NOW - 5)])
    slot = TableSlot(table.id, 1, MessageKind.CALL)
    await MessageSlotStore(database).save(slot, PendingMessage("key", "digest"))

    (unread,) = await store_of(database).unfinished()
    assert (unread.due_at, unread.waits_since) == (0.0, NOW - 5)


async def test_what_is_noted_as_stirred_is_not_idle(database: Database) -> None:
    table, idle_table = await idle(database)
    await store_of(database).note_idle([], [table.id])
    assert await due(database) == [0.0]
    await store_of(database).note_idle([idle_table], [table.id])
    assert await due(database) == [NEVER]


async def test_a_clock_that_was_set_back_is_not_believed(database: Database) -> None:
    await idle(database, NOW + 60)
    assert await due(database, NOW - 3600) == [0.0]


async def test_a_table_whose_rules_nobody_can_read_is_looked_at(database: Database) -> None:
    table, _ = await idle(database)

    def damage(session: Session) -> None:
        session.get_one(TableRow, table.id).rules = "podkidnoy-36 phase_of_the_moon=full"

    await database.write(damage)
    assert await due(database) == [0.0]


async def test_where_tables_stand_and_who_plays_is_known_before_they_are_read(database: Database) -> None:
    lobby = await open_table(database, RoomRef(SERVER, "9"))
    game = await playing(database, ROOM, houses=1)
    found = await store_of(database).unfinished()
    assert [(each.id, each.room, list(each.playing)) for each in found] == [
        (lobby.id, lobby.room, []),
        (game.id, ROOM, [ANNA.ref, BORIS.ref]),
    ]


async def test_a_restart_takes_up_tables_in_use_and_ended_ones_for_a_day(
    database: Database,
) -> None:
    table_store = store_of(database)
    tables = {phase: await open_table(database, RoomRef(SERVER, phase)) for phase in Phase}
    for phase, table in tables.items():
        await table_store.save(table.with_phase(phase))

    assert await phases(table_store) == [*Phase]
    later = store_of(database, NOW + REPAIR_SECONDS + 1)
    assert await phases(later) == [Phase.ANNOUNCED, Phase.LOBBY, Phase.PLAYING]


async def test_a_table_that_showed_that_it_was_put_away_is_not_taken_up(database: Database) -> None:
    table_store = store_of(database)
    opened = await open_table(database)
    put_away = await table_store.save(opened.with_phase(Phase.CLOSED))
    assert await phases(table_store) == [Phase.CLOSED]

    await table_store.note_idle([IdleTable(put_away.id, 0, put_away.touched_at)])
    assert await phases(table_store) == []


async def phases(table_store: TableStore) -> list[Phase]:
    """Returns the phases of the tables that a restart resumes."""
    tables = [await table_store.get(unread.id) for unread in await table_store.unfinished()]
    return [table.phase for table in tables if table is not None]


async def test_a_table_known_to_be_busy_is_not_marked_again(database: Database) -> None:
    table, idle_table = await idle(database)
    journal = SqlJournal(database)
    state = OPENING.deal().to_text()

    async def marks(version: int) -> int:
        entry = Entry(table.id, version, 1, None, OPENING.to_text(), None, NOW)
        with counted() as statements:
            await journal.append(entry, snapshot=state, outcome=None)
        return sum("UPDATE card_table" in statement for statement in statements.executed)

    assert [await marks(1), await marks(2)] == [1, 0]
    await store_of(database).note_idle([replace(idle_table, version=2)])
    assert await due(database) == [NEVER]
    assert await marks(3) == 1
    assert await due(database) == [0.0]
