"""A room continues under a new id: a group that becomes a supergroup keeps its tables and tallies."""

from dataclasses import replace

import pytest

from adapters.port import MessageRef, RoomRef, ServerRef, UserRef
from bot.model.messages import MessageKind, SentMessage, TableSlot
from bot.model.standings import Ranking
from bot.model.table import Phase, Table
from bot.storage import (
    CallStore,
    Database,
    MessageSlotStore,
    PlayerStore,
    SqlJournal,
    StandingsStore,
    TableStore,
)
from engine import Outcome
from engine.runtime import Entry
from tests.bot.storage.samples import BORIS, OPENING, open_table, playing, saved

GROUP = RoomRef(ServerRef("telegram", "-5"), "-5")
SUPERGROUP = RoomRef(ServerRef("telegram", "-1005"), "-1005")
ELSEWHERE = RoomRef(ServerRef("telegram", "-9"), "-9")


async def finish_a_game(database: Database, room: RoomRef) -> Table:
    table = await playing(database, room)
    outcome = Outcome(fool=1, losers=(1,), is_draw=False, order=(0,), points=(0, 0))
    entry = Entry(table.id, 1, 1, None, OPENING.to_text(), None, at=1.0)
    await SqlJournal(database).append(entry, snapshot="", outcome=outcome)
    return await saved(database, table.with_phase(Phase.OVER))


async def fools_of(database: Database, room: RoomRef) -> list[tuple[str, int]]:
    return [
        (row.name or row.user.id, row.fools)
        for row in await StandingsStore(database).ranking(room.server, by=Ranking.FOOLS)
    ]


async def test_a_group_that_becomes_a_supergroup_keeps_everything(database: Database) -> None:
    finished = await finish_a_game(database, GROUP)
    table = await playing(database, GROUP)
    elsewhere = await playing(database, ELSEWHERE)
    slot = TableSlot(table.id, 1, MessageKind.TABLE)
    await MessageSlotStore(database).save(slot, SentMessage(MessageRef("telegram", "-5:1"), "digest"))
    statistics = await StandingsStore(database).ranking(GROUP.server, by=Ranking.FOOLS)

    table_store = TableStore(database)
    for _ in range(2):  # the news comes as an update and as an error
        await table_store.rename_room(GROUP, SUPERGROUP)
        assert await table_store.in_room(GROUP) is None
        found = await table_store.in_room(SUPERGROUP)
        assert found is not None
        assert (found.id, found.room, found.players) == (table.id, SUPERGROUP, table.players)
        over = await table_store.get(finished.id)
        assert over is not None
        assert over.room == SUPERGROUP
        assert await StandingsStore(database).ranking(SUPERGROUP.server, by=Ranking.FOOLS) == statistics
        assert await StandingsStore(database).ranking(GROUP.server, by=Ranking.FOOLS) == []
        assert slot in await MessageSlotStore(database).load(table.subject)

    assert await table_store.get(elsewhere.id) == elsewhere


async def test_results_on_both_sides_are_added_up(database: Database) -> None:
    for room in (GROUP, SUPERGROUP, SUPERGROUP):
        await finish_a_game(database, room)

    await TableStore(database).rename_room(GROUP, SUPERGROUP)
    fool = await StandingsStore(database).stats(SUPERGROUP.server, BORIS.ref)
    assert fool is not None
    assert (fool.games, fool.fools) == (3, 3)


async def test_topics_move_with_their_room(database: Database) -> None:
    tables = [await playing(database, RoomRef(GROUP.server, GROUP.id, topic)) for topic in ("", "7")]
    await TableStore(database).rename_room(GROUP, SUPERGROUP)
    for table in tables:
        found = await TableStore(database).get(table.id)
        assert found is not None
        assert found.room == RoomRef(SUPERGROUP.server, SUPERGROUP.id, table.room.topic)


async def test_a_room_may_move_inside_its_server(database: Database) -> None:
    server = ServerRef("discord", "1")
    moving, staying = (
        await playing(database, RoomRef(server, "2")),
        await playing(database, RoomRef(server, "3")),
    )
    await TableStore(database).rename_room(RoomRef(server, "2"), RoomRef(server, "4"))
    found = await TableStore(database).in_room(RoomRef(server, "4"))
    assert found is not None
    assert found.id == moving.id
    assert await TableStore(database).in_room(RoomRef(server, "3")) == staying


async def test_a_room_nobody_played_in_moves_without_a_trace(database: Database) -> None:
    await TableStore(database).rename_room(GROUP, SUPERGROUP)
    assert await TableStore(database).in_room(SUPERGROUP) is None


@pytest.mark.parametrize(
    ("in_group", "in_supergroup", "staying"),
    [
        (Phase.LOBBY, Phase.LOBBY, "group"),
        (Phase.PLAYING, Phase.PLAYING, "group"),
        (Phase.PLAYING, Phase.LOBBY, "group"),
        (Phase.LOBBY, Phase.PLAYING, "supergroup"),
    ],
)
async def test_where_two_tables_meet_the_one_that_plays_stays_or_else_the_older_one(
    database: Database, in_group: Phase, in_supergroup: Phase, staying: str
) -> None:
    tables = {
        "group": await saved(database, (await open_table(database, GROUP)).with_phase(in_group)),
        "supergroup": await saved(
            database, (await open_table(database, SUPERGROUP)).with_phase(in_supergroup)
        ),
    }
    await TableStore(database).rename_room(GROUP, SUPERGROUP)
    found = await TableStore(database).in_room(SUPERGROUP)
    assert found is not None
    assert found.id == tables.pop(staying).id
    (left,) = tables.values()
    put_away = await TableStore(database).get(left.id)
    assert put_away is not None
    assert put_away.phase is Phase.CLOSED


async def test_the_last_company_moves_with_its_room(database: Database) -> None:
    calls = CallStore(database)

    async def company(room: RoomRef) -> list[UserRef]:
        return await calls.company(room, [], now=2.0)

    await PlayerStore(database).choose(BORIS.ref, company=True)
    assert await company(GROUP) == []
    await finish_a_game(database, GROUP)
    assert await company(GROUP) == [BORIS.ref]
    assert await company(SUPERGROUP) == []
    await TableStore(database).rename_room(GROUP, SUPERGROUP)
    assert await company(GROUP) == []
    assert await company(SUPERGROUP) == [BORIS.ref]


async def test_the_last_company_moves_with_its_table(database: Database) -> None:
    topic = replace(GROUP, topic="7")
    calls = CallStore(database)
    await PlayerStore(database).choose(BORIS.ref, company=True)
    table = await finish_a_game(database, GROUP)
    assert await calls.company(topic, [], now=2.0) == []
    await TableStore(database).move(table.id, topic)
    assert await calls.company(GROUP, [], now=2.0) == []
    assert await calls.company(topic, [], now=2.0) == [BORIS.ref]
