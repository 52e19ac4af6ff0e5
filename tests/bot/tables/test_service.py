"""Tables in rooms: opened once, dealt once, found again after a crash, closed whatever happened."""

import asyncio
from dataclasses import replace

import aiosqlite
import pytest
from aiohttp.test_utils import TestClient, TestServer
from structlog.testing import capture_logs

from adapters.port import RoomRef, ServerRef
from bot.model.table import Phase, TableRefusal, TableRefusedError
from bot.storage import TableStore
from bot.tables.service import NoSuchTableError
from engine.runtime import Closed, SessionFrozenError, Stale
from tests.bot.chat import CELLAR, ROOM
from tests.bot.house import ANNA, BORIS, CLARA, SHORT_GAME, House

TOPIC = RoomRef(ROOM.server, ROOM.id, "topic")


async def test_a_second_durak_leads_to_the_table_that_stands(house: House) -> None:
    table = await house.opened(ANNA)
    reply = await house.chat.types(BORIS, "/durak perevodnoy")
    assert reply.public is not None
    link = next(span.link for span in reply.public.body if span.link is not None)
    assert link == house.table_message().ref
    assert (await house.bot.tables.table(table.id)).preset == "podkidnoy-36"
    assert len([message for message in house.chat.room_sees() if "Seal" in message.text]) == 1


async def test_rooms_and_topics_have_their_own_tables(house: House) -> None:
    tables = [await house.opened(ANNA, room=room) for room in (ROOM, CELLAR, TOPIC)]
    assert len({table.id for table in tables}) == 3
    assert set(house.bot.tables.tables_in(ROOM)) == {tables[0].id, tables[2].id}


async def test_two_people_who_open_at_once_open_one_table(house: House) -> None:
    async with asyncio.TaskGroup() as tasks:
        for user in (ANNA, BORIS, CLARA):
            tasks.create_task(house.chat.types(user, "/durak"))
    await house.settle()
    assert len(house.bot.tables.tables_in(ROOM)) == 1


async def test_a_table_that_was_never_opened_is_no_table(house: House) -> None:
    with pytest.raises(NoSuchTableError):
        await house.bot.tables.table(4711)
    assert await house.bot.tables.in_room(ROOM) is None


async def test_a_deal_that_was_not_saved_as_begun_is_a_game_that_runs(house: House) -> None:
    """The crash came between the deal and the lobby's new phase: the phase follows the cards."""
    table = await house.dealt(ANNA, BORIS)
    await house.stop()
    await house.database.open()
    await TableStore(house.database).save(replace(table, phase=Phase.LOBBY))
    await house.database.close()
    await house.start()
    await house.settle()
    assert (await house.bot.tables.table(table.id)).phase is Phase.PLAYING
    await house.plays(table)
    assert (await house.session(table)).version == 2


async def test_a_last_move_that_was_not_saved_as_the_end_is_a_game_that_is_over(house: House) -> None:
    table = await house.dealt(ANNA, BORIS, rules=SHORT_GAME)
    await house.plays_to_the_end(table)
    playing = replace(await house.bot.tables.table(table.id), phase=Phase.PLAYING)
    await house.stop()
    await house.database.open()
    await TableStore(house.database).save(playing)
    await house.database.close()
    await house.start()
    await house.settle()
    assert (await house.bot.tables.table(table.id)).phase is Phase.OVER
    reply = await house.chat.presses(ANNA, house.chat.room_sees()[-1].ref, "Rematch")
    assert reply.toast is None


async def test_a_restart_in_the_middle_of_a_game_changes_nothing(house: House) -> None:
    table = await house.dealt(ANNA, BORIS)
    for _ in range(5):
        await house.plays(table)
    await house.settle()
    before, seen = await house.session(table), house.chat.room_sees()
    hands = [house.hand_message(user) for user in (ANNA, BORIS)]
    await house.restart()
    await house.settle()
    after = await house.session(table)
    assert after is not before
    assert (after.state, after.version, after.changed_at) == (before.state, before.version, before.changed_at)
    assert house.chat.room_sees() == seen
    assert [house.hand_message(user) for user in (ANNA, BORIS)] == hands
    await house.plays(table)
    assert after.version == before.version + 1


async def test_a_rematch_goes_on_at_the_same_table_with_a_new_deal(house: House) -> None:
    table = await house.dealt(ANNA, BORIS, rules=SHORT_GAME)
    await house.plays_to_the_end(table)
    first = await house.session(table)
    version, seed = first.version, table.seed
    await house.chat.presses(BORIS, house.chat.room_sees()[-1].ref, "Rematch")
    await house.settle()
    again = await house.bot.tables.table(table.id)
    assert (again.game, again.phase, again.opener) == (2, Phase.LOBBY, BORIS.ref)
    assert again.seed != seed
    await house.chat.presses(BORIS, house.table_message().ref, "Start")
    await house.settle()
    assert (first.version, first.game) == (version + 1, 2)
    assert first.outcome is None


async def test_no_rematch_while_another_table_stands_in_the_room(house: House) -> None:
    table = await house.dealt(ANNA, BORIS, rules=SHORT_GAME)
    await house.plays_to_the_end(table)
    result = house.chat.room_sees()[-1].ref
    await house.opened(CLARA)
    reply = await house.chat.presses(ANNA, result, "Rematch")
    assert reply.toast == "Another table stands here: finish that game first."
    with pytest.raises(TableRefusedError) as refused:
        await house.bot.tables.rematch(table.id, ANNA)
    assert refused.value.reason is TableRefusal.ROOM_TAKEN


async def test_a_room_that_moves_takes_its_table_its_game_and_its_tallies_along(house: House) -> None:
    new = RoomRef(ServerRef(ROOM.server.platform, "supergroup"), "supergroup")
    table = await house.dealt(ANNA, BORIS, rules=SHORT_GAME)
    await house.plays_to_the_end(table)
    await house.chat.presses(ANNA, house.chat.room_sees()[-1].ref, "Rematch")
    await house.settle()
    await house.bot.inbox.room_moved(ROOM, new)
    await house.settle()
    assert (await house.bot.tables.table(table.id)).room == new
    assert await house.bot.tables.in_room(ROOM) is None
    reply = await house.chat.types(ANNA, "/leaderboard", new)
    assert reply.public is not None
    assert "Anna" in "".join(span.text for span in reply.public.body)
    reply = await house.chat.types(ANNA, "/leaderboard", ROOM)
    assert reply.public is not None
    assert "Anna" not in "".join(span.text for span in reply.public.body)


async def test_a_room_that_becomes_another_with_a_table_keeps_one_of_them(house: House) -> None:
    """The old group's table plays on; somebody was quick and opened another under the new id."""
    new = RoomRef(ServerRef(ROOM.server.platform, "supergroup"), "supergroup")
    playing = await house.dealt(ANNA, BORIS)
    quick = await house.opened(CLARA, room=new)
    await house.bot.inbox.room_moved(ROOM, new)
    await house.settle()
    standing = await house.bot.tables.in_room(new)
    assert standing is not None
    assert (standing.id, standing.phase) == (playing.id, Phase.PLAYING)
    assert (await house.bot.tables.table(quick.id)).phase is Phase.CLOSED


async def test_a_damaged_table_says_so_and_can_be_put_away(house: House) -> None:
    table = await house.dealt(ANNA, BORIS)
    hand = house.hand_message(ANNA).ref
    await house.damage(table)
    await house.restart()
    await house.settle()
    with pytest.raises(SessionFrozenError):
        await house.session(table)
    assert "damaged" in house.table_message().text
    reply = await house.chat.presses_token(ANNA, hand, f"m:{table.id}:1:T")
    assert reply.toast is not None
    assert "damaged" in reply.toast
    reply = await house.chat.types(ANNA, "/stop")
    assert reply.toast == "The table is put away."
    assert await house.bot.tables.in_room(ROOM) is None
    await house.opened(BORIS)


async def test_a_damaged_table_stops_no_other_table_at_the_start(house: House) -> None:
    damaged, sound = await house.dealt(ANNA, BORIS), await house.dealt(ANNA, BORIS, room=CELLAR)
    await house.damage(damaged)
    await house.restart()
    await house.settle()
    assert (await house.bot.tables.table(sound.id)).phase is Phase.PLAYING


async def test_a_damaged_table_is_named_at_the_start_until_it_is_put_away(house: House) -> None:
    frozen, unreadable = await house.dealt(ANNA, BORIS), await house.opened(CLARA, room=CELLAR)
    assert await readiness(house) == "ready"
    await house.damage(frozen)
    await house.unreadable(unreadable)
    with capture_logs() as logs:
        await house.restart()
        await house.settle()
    named = [(line["event"], line["table"]) for line in logs if line["log_level"] == "error"]
    assert named == [("table_frozen", frozen.id), ("table_damaged", unreadable.id)]
    assert await readiness(house) == f"ready, but for damaged tables: {frozen.id}, {unreadable.id}"
    await house.chat.types(ANNA, "/stop")
    assert await readiness(house) == f"ready, but for damaged tables: {unreadable.id}"


async def readiness(house: House) -> str:
    async with TestClient(TestServer(house.bot.http)) as client:
        return (await (await client.get("/readyz")).text()).strip()


async def test_a_table_whose_rules_cannot_be_read_keeps_no_other_from_going_on(house: House) -> None:
    gathering, playing = await house.opened(CLARA, room=TOPIC), await house.dealt(ANNA, CLARA)
    sound = await house.dealt(ANNA, BORIS, room=CELLAR)
    hand, join = house.hand_message(CLARA).ref, house.table_message(TOPIC).ref
    await house.unreadable(gathering, playing)
    with capture_logs() as logs:
        await house.restart()
        await house.settle()
    assert [line["table"] for line in logs if line["event"] == "table_damaged"] == [gathering.id, playing.id]
    for room in (ROOM, TOPIC):
        assert "the record of this game is damaged" in house.table_message(room).text
        assert house.table_message(room).buttons == ()
    for ref, token in ((hand, f"m:{playing.id}:1:T"), (join, f"l:{gathering.id}:1:join")):
        assert "damaged" in str((await house.chat.presses_token(CLARA, ref, token)).toast)
    await house.plays(sound)
    reply = await house.chat.types(ANNA, "/hand")
    assert reply.private is not None
    assert "You hold no cards" in str((await house.chat.types(CLARA, "/hand")).toast)
    assert (await house.chat.types(CLARA, "/stop", TOPIC)).toast == "The table is put away."
    await house.opened(BORIS, room=TOPIC)


async def test_a_table_that_cannot_even_be_found_is_left_out(house: House) -> None:
    await house.dealt(ANNA, BORIS)
    sound = await house.dealt(ANNA, BORIS, room=CELLAR)
    await house.stop()
    async with aiosqlite.connect(house.file) as file:
        await file.execute("UPDATE card_table SET opener_id = 999 WHERE room = ?", (ROOM.id,))
        await file.commit()
    with capture_logs() as logs:
        await house.start()
        await house.settle()
    assert [line["event"] for line in logs if line["log_level"] == "error"][:1] == ["table_left_out"]
    await house.plays(sound)


async def test_nothing_is_played_before_the_deal_or_after_the_end(house: House) -> None:
    table = await house.opened(ANNA, BORIS)
    assert await house.bot.tables.submit(table.id, 0, "T", 0) == Closed()
    await house.chat.presses(ANNA, house.table_message().ref, "Start")
    await house.settle()
    assert isinstance(await house.bot.tables.submit(table.id, 0, "T", 0), Stale)
    await house.stopped(ANNA, BORIS)
    assert await house.bot.tables.submit(table.id, 0, "T", 1) == Closed()


async def test_a_change_that_is_refused_leaves_no_trace(house: House) -> None:
    table = await house.opened(ANNA)
    with pytest.raises(TableRefusedError):
        await house.bot.tables.start(table.id, ANNA.ref)
    assert await house.bot.tables.table(table.id) == table
    assert await TableStore(house.database).get(table.id) == table
    assert (await house.session(table)).state is None
