"""After a restart tables stay on disk until a request or an event needs them; no one notices."""

import asyncio
import os

from aiohttp.test_utils import TestClient, TestServer
from structlog.testing import capture_logs

from adapters.port import RoomRef, UserRef
from bot.delivery.idle_tables import NOTE_SECONDS
from bot.model.table import Phase
from bot.tables.house_players import QUICK_SECONDS
from bot.tables.loader import CHECK_SECONDS, RETRY_SECONDS
from engine.runtime import Author
from tests.bot.chat import CELLAR, ROOM, person
from tests.bot.idle import become_idle, chosen, endless, in_memory
from tests.bot.running_bot import ANNA, BORIS, CLARA, RunningBot

ATTIC = RoomRef(ROOM.server, "attic")
HOUR = 3600.0


async def readiness(bot: RunningBot) -> str:
    async with TestClient(TestServer(bot.app.http)) as client:
        return (await (await client.get("/readyz")).text()).strip()


# --- requests ---------------------------------------------------------------------------------------------


async def test_what_is_at_rest_is_neither_read_nor_sent_at_the_start(bot: RunningBot) -> None:
    for room in (ROOM, CELLAR, ATTIC):
        await endless(bot, ANNA, BORIS, room=room)

    await become_idle(bot)
    sent = len(bot.chat.sent)
    await bot.restart()
    await bot.settle()

    assert in_memory(bot) == set()
    assert len(bot.chat.sent) == sent


async def test_a_table_is_read_when_its_button_is_pressed_first(bot: RunningBot) -> None:
    await endless(bot, ANNA, CLARA, room=CELLAR)
    table = await endless(bot, BORIS, CLARA)
    press = await chosen(bot, table)
    await become_idle(bot)
    await bot.restart()
    sent = len(bot.chat.sent)
    assert (await press.is_pressed(bot)).toast is None

    await bot.settle()
    assert in_memory(bot) == {table.id}
    assert len((await bot.session(table)).entries) == 2
    assert {message.place for message in bot.chat.sent[sent:]} == {BORIS.ref, CLARA.ref, ROOM}


async def test_two_presses_at_once_on_a_table_that_is_not_read_yet_make_one_move(bot: RunningBot) -> None:
    table = await endless(bot, ANNA, BORIS)
    press = await chosen(bot, table)
    await become_idle(bot)
    await bot.restart()

    replies = await asyncio.gather(press.is_pressed(bot), press.is_pressed(bot))
    assert sorted(reply.toast is None for reply in replies) == [False, True]
    await bot.settle()
    assert await bot.authors(table) == [Author.PLAYER]


async def test_a_hand_says_which_table_it_belongs_to_though_the_other_was_not_read(bot: RunningBot) -> None:
    await endless(bot, ANNA, BORIS, room=CELLAR)
    table = await endless(bot, ANNA, CLARA)
    await become_idle(bot)
    await bot.restart()
    reply = await bot.chat.presses_token(ANNA, bot.hand_message(ANNA).ref, f"h:{table.id}")
    assert reply.secret is not None
    assert reply.secret.body[0].text.startswith("Durak · ")


async def test_who_is_forgotten_leaves_tables_that_were_not_read(bot: RunningBot) -> None:
    game = await endless(bot, ANNA, BORIS)
    lobby = await bot.opened(BORIS, ANNA, room=CELLAR)
    await become_idle(bot)
    await bot.restart()
    await bot.chat.types(ANNA, "/forgetme yes")
    await bot.settle()

    assert (await bot.app.tables.table(game.id)).players[0].is_forgotten
    assert (await bot.app.tables.table(lobby.id)).people() == (BORIS.ref,)
    assert "Anna" not in "".join(message.text for message in bot.chat.room_sees())


async def test_a_room_that_moves_takes_tables_along_that_were_not_read(bot: RunningBot) -> None:
    table = await endless(bot, ANNA, BORIS)
    await become_idle(bot)
    await bot.restart()

    moved = RoomRef(ROOM.server, "supergroup")
    await bot.app.inbox.room_moved(ROOM, moved)

    standing = await bot.app.tables.in_room(moved)
    assert standing is not None
    assert standing.id == table.id


# --- due tables -------------------------------------------------------------------------------------------


async def test_who_is_waited_for_is_called_and_moved_for_as_if_nothing_had_happened(bot: RunningBot) -> None:
    table = await bot.dealt(ANNA, BORIS)
    await bot.skip(20.0)
    await become_idle(bot)
    await bot.restart()
    await bot.skip(40.0 - NOTE_SECONDS - 1.0)
    assert in_memory(bot) == set()
    assert "The bot moves for you" not in bot.calls()[0]

    await bot.skip(1.0)
    assert "The bot moves for you" in bot.calls()[0]

    await bot.skip(60.0)
    assert await bot.authors(table) == [Author.CLOCK]


async def test_what_fell_due_while_the_bot_was_away_is_done_soon(bot: RunningBot) -> None:
    table = await bot.dealt(ANNA, BORIS)
    await become_idle(bot)
    await bot.stop()
    bot.clock.skip(HOUR)
    await bot.start()
    await bot.settle()
    assert len(bot.calls()) == 1

    await bot.skip(20.0)
    assert await bot.authors(table) == [Author.CLOCK]


async def test_a_bot_that_is_killed_again_before_it_is_due_still_does_it(bot: RunningBot) -> None:
    table = await bot.dealt(ANNA, BORIS)
    await bot.skip(20.0)
    await become_idle(bot)
    for _ in range(3):
        await bot.restart()
        await bot.skip(2.0)

    assert in_memory(bot) == set()
    await bot.skip(120.0)
    assert await bot.authors(table) == [Author.CLOCK]


async def test_the_wall_clock_may_be_set_while_a_table_waits_on_disk(bot: RunningBot) -> None:
    table = await bot.dealt(ANNA, BORIS)
    await become_idle(bot)
    await bot.restart()
    bot.clock.step(-24 * HOUR)
    await bot.skip(20.0)
    assert in_memory(bot) == {table.id}

    await bot.skip(20.0)
    assert len(bot.calls()) == 1

    await bot.skip(100.0)
    assert await bot.authors(table) == [Author.CLOCK]


async def test_a_house_player_moves_without_anybody_asking_for_the_table(slow_bot: RunningBot) -> None:
    bot = slow_bot
    table = await bot.waits_for_house_player()
    version = (await bot.session(table)).version
    await bot.restart()
    await bot.skip(5.0)
    await bot.skip(QUICK_SECONDS)  # it thinks
    assert (await bot.session(table)).version > version


async def test_a_lobby_closes_itself_though_it_was_not_read(bot: RunningBot) -> None:
    table = await bot.opened(ANNA)
    await become_idle(bot)
    await bot.restart()
    await bot.skip(HOUR)
    assert (await bot.app.tables.table(table.id)).phase is Phase.CLOSED
    assert "closed" in bot.table_message().text


async def test_a_database_that_is_out_of_reach_when_something_is_due_is_asked_again(bot: RunningBot) -> None:
    table = await bot.dealt(ANNA, BORIS)
    await become_idle(bot)
    await bot.restart()
    os.rename(bot.file, f"{bot.file}.aside")
    await bot.skip(10.0)
    assert bot.calls() == []

    os.rename(f"{bot.file}.aside", bot.file)
    await bot.skip(RETRY_SECONDS)
    assert len(bot.calls()) == 1
    assert in_memory(bot) == {table.id}


# --- damage -------------------------------------------------------------------------------------------------


async def test_a_damaged_table_at_rest_is_found_and_says_so_and_keeps_no_other_waiting(
    bot: RunningBot,
) -> None:
    damaged = await endless(bot, ANNA, CLARA)
    sound = await endless(bot, ANNA, BORIS, room=CELLAR)
    press = await chosen(bot, sound)
    await become_idle(bot)
    await bot.damage(damaged)

    with capture_logs() as logs:
        await bot.restart()
        assert (await press.is_pressed(bot)).toast is None
        await bot.skip(2 * CHECK_SECONDS)

    assert [line["table"] for line in logs if line["event"] == "table_frozen"] == [damaged.id]
    assert await readiness(bot) == f"ready, but for damaged tables: {damaged.id}"
    assert "damaged" in bot.table_message().text
    assert await bot.authors(sound) == [Author.PLAYER]


async def test_looking_for_damage_keeps_nothing_in_memory(bot: RunningBot) -> None:
    for number, room in enumerate((ROOM, CELLAR, ATTIC)):
        await endless(bot, person(f"Guest {number}"), ANNA, room=room)

    await become_idle(bot)
    await bot.restart()
    for _ in range(4):
        await bot.skip(CHECK_SECONDS)

    assert in_memory(bot) == set()
    assert await readiness(bot) == "ready"


async def test_what_lies_on_disk_is_found_by_its_room(bot: RunningBot) -> None:
    table = await endless(bot, ANNA, BORIS)
    await become_idle(bot)
    await bot.restart()
    assert bot.app.tables.tables_in(ROOM) == [table.id]
    assert bot.app.tables.known.games_of(UserRef(ANNA.ref.platform, ANNA.ref.id)) == {table.id}
