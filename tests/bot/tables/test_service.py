"""Tables in rooms: opened once, dealt once, found again after a crash, closed whatever happened."""

import asyncio
import sqlite3
from contextlib import closing
from dataclasses import replace

import pytest
from aiohttp.test_utils import TestClient, TestServer
from structlog.testing import capture_logs

from adapters.port import RoomRef, ServerRef
from bot.model.refusal import RefusedError, TableRefusal
from bot.model.table import Phase
from bot.screens import refusals
from bot.storage import TableStore
from bot.tables.service import NoSuchTableError
from engine.runtime import Closed, SessionFrozenError, Stale
from tests.bot.chat import CELLAR, ROOM
from tests.bot.running_bot import ANNA, BORIS, CLARA, SHORT_GAME, RunningBot

TOPIC = RoomRef(ROOM.server, ROOM.id, "topic")


async def test_a_second_durak_leads_to_the_table_that_stands(bot: RunningBot) -> None:
    table = await bot.opened(ANNA)
    reply = await bot.chat.types(BORIS, "/durak perevodnoy")
    assert reply.ephemeral is not None
    link = next(span.link for span in reply.ephemeral.body if span.link is not None)
    assert link == bot.table_message().ref
    assert (await bot.app.tables.table(table.id)).preset == "podkidnoy-36"
    assert len([message for message in bot.chat.room_sees() if "🔒" in message.text]) == 1


async def test_rooms_and_topics_have_their_own_tables(bot: RunningBot) -> None:
    tables = [await bot.opened(ANNA, room=room) for room in (ROOM, CELLAR, TOPIC)]
    assert len({table.id for table in tables}) == 3
    assert set(bot.app.tables.tables_in(ROOM)) == {tables[0].id, tables[2].id}
    assert bot.app.tables.tables_in(CELLAR) == [tables[1].id]


async def test_two_people_who_open_at_once_open_one_table(bot: RunningBot) -> None:
    async with asyncio.TaskGroup() as tasks:
        for user in (ANNA, BORIS, CLARA):
            tasks.create_task(bot.chat.types(user, "/durak"))
    await bot.settle()
    assert len(bot.app.tables.tables_in(ROOM)) == 1


async def test_a_table_that_was_never_opened_is_no_table(bot: RunningBot) -> None:
    with pytest.raises(NoSuchTableError):
        await bot.app.tables.table(4711)
    assert await bot.app.tables.in_room(ROOM) is None


async def test_a_deal_that_was_not_saved_as_begun_is_a_game_that_runs(bot: RunningBot) -> None:
    """Covers a crash between the deal and the lobby's new phase: the phase follows the cards."""
    table = await bot.dealt(ANNA, BORIS)
    await bot.stop()

    await bot.database.open()
    await TableStore(bot.database).save(replace(table, phase=Phase.LOBBY))
    await bot.database.close()
    await bot.start()
    await bot.settle()

    assert (await bot.app.tables.table(table.id)).phase is Phase.PLAYING

    await bot.plays(table)
    assert (await bot.session(table)).version == 2


async def test_a_last_move_that_was_not_saved_as_the_end_is_a_game_that_is_over(bot: RunningBot) -> None:
    table = await bot.dealt(ANNA, BORIS, rules=SHORT_GAME)
    await bot.plays_to_the_end(table)
    playing = replace(await bot.app.tables.table(table.id), phase=Phase.PLAYING)

    await bot.stop()
    await bot.database.open()
    await TableStore(bot.database).save(playing)
    await bot.database.close()
    await bot.start()
    await bot.settle()

    assert (await bot.app.tables.table(table.id)).phase is Phase.OVER
    reply = await bot.chat.presses(ANNA, bot.chat.room_sees()[-1].ref, "Rematch")
    assert reply.toast is None


async def test_a_restart_in_the_middle_of_a_game_changes_nothing(bot: RunningBot) -> None:
    table = await bot.dealt(ANNA, BORIS)
    for _ in range(5):
        await bot.plays(table)

    await bot.settle()
    before = await bot.session(table)
    seen = bot.chat.room_sees()
    hands = [bot.hand_message(user) for user in (ANNA, BORIS)]

    await bot.restart()
    await bot.settle()
    after = await bot.session(table)

    assert after is not before
    assert (after.state, after.version, after.changed_at) == (before.state, before.version, before.changed_at)
    assert bot.chat.room_sees() == seen
    assert [bot.hand_message(user) for user in (ANNA, BORIS)] == hands

    await bot.plays(table)
    assert after.version == before.version + 1


async def test_a_rematch_goes_on_at_the_same_table_with_a_new_deal(bot: RunningBot) -> None:
    table = await bot.dealt(ANNA, BORIS, rules=SHORT_GAME)
    await bot.plays_to_the_end(table)
    first = await bot.session(table)
    version = first.version
    seed = table.seed

    await bot.chat.presses(BORIS, bot.chat.room_sees()[-1].ref, "Rematch")
    await bot.settle()
    again = await bot.app.tables.table(table.id)
    assert (again.game, again.phase, again.opener) == (2, Phase.LOBBY, BORIS.ref)
    assert again.seed != seed

    await bot.chat.presses(ANNA, bot.table_message().ref, "Join")
    await bot.chat.presses(BORIS, bot.table_message().ref, "Start")
    await bot.settle()

    assert (first.version, first.game) == (version + 1, 2)
    assert first.outcome is None


async def test_who_is_expected_at_a_rematch_sits_down_by_typing_too(bot: RunningBot) -> None:
    table = await bot.dealt(ANNA, BORIS)
    await bot.app.tables.resign(table.id, ANNA)
    await bot.settle()
    await bot.chat.presses(BORIS, bot.chat.room_sees()[-1].ref, "Rematch")
    await bot.settle()

    for line in ("/durak", "/durak"):
        await bot.chat.types(ANNA, line)
        await bot.settle()
        assert "\nAnna, Boris (host) · 2 of 6" in bot.table_message().text

    await bot.chat.presses(ANNA, bot.table_message().ref, "Leave")
    await bot.settle()
    assert "Still to come" not in bot.table_message().text


async def test_who_declines_a_rematch_is_not_asked_again_after_a_restart(bot: RunningBot) -> None:
    table = await bot.dealt(ANNA, BORIS, CLARA)
    await bot.app.tables.resign(table.id, ANNA)
    await bot.settle()

    await bot.chat.presses(BORIS, bot.chat.room_sees()[-1].ref, "Rematch")
    await bot.settle()
    await bot.chat.presses(ANNA, bot.table_message().ref, "Leave")
    await bot.settle()

    assert "\nBoris (host) · 1 of 6\nRematch! Still to come: Clara\n" in bot.table_message().text

    await bot.restart()
    again = await bot.app.tables.table(table.id)
    assert [player.name for player in again.expected_players] == ["Clara"]

    await bot.chat.presses(ANNA, bot.table_message().ref, "Join")  # a person who returns is welcome
    await bot.settle()
    assert "\nAnna, Boris (host) · 2 of 6\nRematch! Still to come: Clara\n" in bot.table_message().text


async def test_who_never_pressed_is_asked_and_not_dealt_in(bot: RunningBot) -> None:
    table = await bot.dealt(ANNA, BORIS, CLARA)
    await bot.app.tables.resign(table.id, ANNA)
    await bot.settle()
    result = bot.chat.room_sees()[-1].ref
    await bot.chat.presses(BORIS, result, "Rematch")
    await bot.settle()
    assert "\nBoris (host) · 1 of 6\nRematch! Still to come: Anna, Clara\n" in bot.table_message().text

    await bot.restart()  # former guests are on record
    (mine,) = bot.chat.sees_alone(ANNA)
    assert (await bot.chat.presses(ANNA, mine.ref, "Rematch")).toast == (
        "You’re in: the game starts at the table."
    )

    await bot.settle()
    assert "\nAnna, Boris (host) · 2 of 6\nRematch! Still to come: Clara\n" in bot.table_message().text
    assert bot.chat.sees_alone(ANNA)[0].buttons == ()

    await bot.chat.presses(BORIS, bot.table_message().ref, "Start")
    await bot.settle()
    assert [player.name for player in (await bot.app.tables.table(table.id)).players] == ["Anna", "Boris"]

    (left,) = bot.chat.sees_alone(CLARA)
    assert left.buttons == ()

    late = await bot.chat.presses(CLARA, result, "Rematch")
    assert late.toast == refusals.TABLES[TableRefusal.NOT_GATHERING]


async def test_any_press_in_the_lobby_of_a_rematch_brings_somebody_back(bot: RunningBot) -> None:
    table = await bot.dealt(ANNA, BORIS, CLARA)
    await bot.app.tables.resign(table.id, ANNA)
    await bot.settle()
    result = bot.chat.room_sees()[-1].ref
    await bot.chat.presses(ANNA, result, "Rematch")
    await bot.settle()
    assert (await bot.chat.presses(CLARA, result, "Rematch")).toast is None

    await bot.chat.presses(BORIS, bot.table_message().ref, "Add bot")
    await bot.settle()
    assert "\nAnna (host), Boris, Clara, 🤖 Ada · 4 of 6\n" in bot.table_message().text
    assert "Still to come" not in bot.table_message().text


async def test_house_players_come_along_and_a_look_at_the_leaderboard_seats_nobody(bot: RunningBot) -> None:
    table = await bot.opened(ANNA, BORIS)
    for label in ("Add bot", "Start"):
        await bot.chat.presses(ANNA, bot.table_message().ref, label)

    await bot.app.tables.resign(table.id, ANNA)
    await bot.settle()
    result = bot.chat.room_sees()[-1].ref
    await bot.chat.presses(ANNA, result, "Rematch")
    await bot.settle()
    await bot.chat.presses(BORIS, result, "🏆 Leaderboard")
    await bot.settle()

    assert "\nAnna (host), 🤖 Ada · 2 of 6\nRematch! Still to come: Boris\n" in bot.table_message().text


async def test_rematch_is_a_way_into_the_table_that_gathers_in_the_room(bot: RunningBot) -> None:
    table = await bot.dealt(ANNA, BORIS, rules=SHORT_GAME)
    await bot.plays_to_the_end(table)
    result = bot.chat.room_sees()[-1].ref
    other = await bot.opened(CLARA)
    assert (await bot.chat.presses(ANNA, result, "Rematch")).toast is None

    people = (await bot.app.tables.table(other.id)).people()
    assert people == (CLARA.ref, ANNA.ref)

    await bot.chat.presses(CLARA, bot.table_message().ref, "Start")
    assert (await bot.chat.presses(BORIS, result, "Rematch")).toast == (
        "There’s already a table here: finish or close it first."
    )


async def test_no_rematch_before_the_game_is_over(bot: RunningBot) -> None:
    table = await bot.dealt(ANNA, BORIS)
    with pytest.raises(RefusedError) as refused:
        await bot.app.tables.rematch(table.id, ANNA)
    assert refused.value.why is TableRefusal.ALREADY_SEATED


async def test_a_room_that_moves_takes_its_table_its_game_and_its_tallies_along(bot: RunningBot) -> None:
    new = RoomRef(ServerRef(ROOM.server.platform, "supergroup"), "supergroup")
    table = await bot.dealt(ANNA, BORIS, rules=SHORT_GAME)
    await bot.plays_to_the_end(table)
    await bot.chat.presses(ANNA, bot.chat.room_sees()[-1].ref, "Rematch")
    await bot.settle()
    await bot.app.inbox.room_moved(ROOM, new)
    await bot.settle()

    assert (await bot.app.tables.table(table.id)).room == new
    assert await bot.app.tables.in_room(ROOM) is None

    reply = await bot.chat.types(ANNA, "/leaderboard", new)
    assert reply.public is not None
    assert "Anna" in "".join(span.text for span in reply.public.body)

    reply = await bot.chat.types(ANNA, "/leaderboard", ROOM)
    assert reply.public is not None
    assert "Anna" not in "".join(span.text for span in reply.public.body)


async def test_a_room_that_becomes_another_with_a_table_keeps_one_of_them(bot: RunningBot) -> None:
    """Covers a second table, opened early under the new id; the old group's table plays on."""
    new = RoomRef(ServerRef(ROOM.server.platform, "supergroup"), "supergroup")
    playing = await bot.dealt(ANNA, BORIS)
    quick = await bot.opened(CLARA, room=new)
    await bot.app.inbox.room_moved(ROOM, new)
    await bot.settle()

    standing = await bot.app.tables.in_room(new)
    assert standing is not None
    assert (standing.id, standing.phase) == (playing.id, Phase.PLAYING)
    assert (await bot.app.tables.table(quick.id)).phase is Phase.CLOSED


async def test_a_damaged_table_says_so_and_can_be_put_away(bot: RunningBot) -> None:
    table = await bot.dealt(ANNA, BORIS)
    hand = bot.hand_message(ANNA).ref
    await bot.damage(table)
    await bot.restart()
    await bot.settle()

    with pytest.raises(SessionFrozenError):
        await bot.session(table)

    assert "damaged" in bot.table_message().text
    reply = await bot.chat.presses_token(ANNA, hand, f"m:{table.id}:1:T")
    assert reply.toast is not None
    assert "damaged" in reply.toast

    reply = await bot.chat.types(ANNA, "/stop")
    assert reply.toast == "The table is closed."
    assert await bot.app.tables.in_room(ROOM) is None

    await bot.opened(BORIS)


async def test_the_log_tells_at_the_start_how_many_tables_go_on(bot: RunningBot) -> None:
    await bot.dealt(ANNA, BORIS)
    await bot.opened(CLARA, room=CELLAR)
    with capture_logs() as logs:
        await bot.restart()
    assert [line["tables"] for line in logs if line["event"] == "started"] == [2]


async def test_a_damaged_table_stops_no_other_table_at_the_start(bot: RunningBot) -> None:
    damaged = await bot.dealt(ANNA, BORIS)
    sound = await bot.dealt(ANNA, BORIS, room=CELLAR)
    await bot.damage(damaged)
    await bot.restart()
    await bot.settle()
    assert (await bot.app.tables.table(sound.id)).phase is Phase.PLAYING


async def test_a_damaged_table_is_named_at_the_start_until_it_is_put_away(bot: RunningBot) -> None:
    frozen = await bot.dealt(ANNA, BORIS)
    unreadable = await bot.opened(CLARA, room=CELLAR)
    assert await readiness(bot) == "ready"

    await bot.damage(frozen)
    await bot.unreadable(unreadable)
    with capture_logs() as logs:
        await bot.restart()
        await bot.settle()

    named = [(line["event"], line["table"]) for line in logs if line["log_level"] == "error"]
    assert named == [("table_frozen", frozen.id), ("table_damaged", unreadable.id)]
    assert await readiness(bot) == f"ready, but for damaged tables: {frozen.id}, {unreadable.id}"

    await bot.chat.types(ANNA, "/stop")
    assert await readiness(bot) == f"ready, but for damaged tables: {unreadable.id}"


async def readiness(bot: RunningBot) -> str:
    async with TestClient(TestServer(bot.app.http)) as client:
        return (await (await client.get("/readyz")).text()).strip()


async def test_a_table_whose_rules_cannot_be_read_keeps_no_other_from_going_on(bot: RunningBot) -> None:
    gathering = await bot.opened(CLARA, room=TOPIC)
    playing = await bot.dealt(ANNA, CLARA)
    sound = await bot.dealt(ANNA, BORIS, room=CELLAR)
    hand = bot.hand_message(CLARA).ref
    join = bot.table_message(TOPIC).ref
    await bot.unreadable(gathering, playing)

    with capture_logs() as logs:
        await bot.restart()
        await bot.settle()

    assert [line["table"] for line in logs if line["event"] == "table_damaged"] == [gathering.id, playing.id]
    for room in (ROOM, TOPIC):
        assert "this game is damaged" in bot.table_message(room).text
        assert bot.table_message(room).buttons == ()

    for ref, token in ((hand, f"m:{playing.id}:1:T"), (join, f"l:{gathering.id}:1:join")):
        assert "damaged" in str((await bot.chat.presses_token(CLARA, ref, token)).toast)

    await bot.plays(sound)
    reply = await bot.chat.types(ANNA, "/hand")
    assert reply.secret is not None
    assert "You have no cards" in str((await bot.chat.types(CLARA, "/hand")).toast)
    assert (await bot.chat.types(CLARA, "/stop", TOPIC)).toast == "The table is closed."

    await bot.opened(BORIS, room=TOPIC)


async def test_a_table_that_cannot_even_be_found_is_left_out(bot: RunningBot) -> None:
    await bot.dealt(ANNA, BORIS)
    sound = await bot.dealt(ANNA, BORIS, room=CELLAR)
    await bot.stop()

    with closing(sqlite3.connect(bot.file)) as file:
        file.execute("UPDATE card_table SET opener_id = 999 WHERE room = ?", (ROOM.id,))
        file.commit()

    with capture_logs() as logs:
        await bot.start()
        await bot.settle()

    assert [line["event"] for line in logs if line["log_level"] == "error"][:1] == ["table_left_out"]
    await bot.plays(sound)


async def test_nothing_is_played_before_the_deal_or_after_the_end(bot: RunningBot) -> None:
    table = await bot.opened(ANNA, BORIS)
    assert await bot.app.tables.submit(table.id, 0, "T", 0) == Closed()
    await bot.chat.presses(ANNA, bot.table_message().ref, "Start")
    await bot.settle()
    assert isinstance(await bot.app.tables.submit(table.id, 0, "T", 0), Stale)
    await bot.stopped(ANNA, BORIS)
    assert await bot.app.tables.submit(table.id, 0, "T", 1) == Closed()


async def test_a_change_that_is_refused_leaves_no_trace(bot: RunningBot) -> None:
    table = await bot.opened(ANNA)
    with pytest.raises(RefusedError):
        await bot.app.tables.start(table.id, ANNA.ref)

    assert await bot.app.tables.table(table.id) == table
    assert await TableStore(bot.database).get(table.id) == table
    assert (await bot.session(table)).state is None
