"""People who left the chat are no longer dealt in, asked, called or drawn by lot."""

from adapters.port import RoomRef
from bot.delivery.calls import PAUSE
from bot.model.table import Phase
from bot.model.waiting import CALL_AFTER
from engine import Stop
from tests.bot.chat import ROOM
from tests.bot.messages import text_of
from tests.bot.running_bot import ANNA, BORIS, CLARA, SHORT_GAME, RunningBot


async def test_a_lobby_frees_their_seat_and_another_one_hosts(bot: RunningBot) -> None:
    await bot.opened(ANNA, BORIS)
    await bot.chat.loses(ANNA)
    await bot.settle()
    assert "Boris (host) · 1 of 6" in bot.table_message().text

    await bot.chat.loses(BORIS)
    await bot.settle()
    assert "closed" in bot.table_message().text


async def test_nobody_waits_for_them_in_the_next_lobby(bot: RunningBot) -> None:
    table = await bot.dealt(ANNA, BORIS, CLARA, rules=SHORT_GAME.replace("12", "8"))
    await bot.app.tables.resign(table.id, CLARA)
    await bot.settle()
    await bot.chat.loses(CLARA)
    await bot.chat.presses(ANNA, bot.chat.room_sees()[-1].ref, "Rematch")
    await bot.settle()
    assert "Rematch! Still to come: Boris" in bot.table_message().text


async def test_a_game_says_so_and_asks_and_calls_them_no_more(bot: RunningBot) -> None:
    table = await bot.dealt(ANNA, BORIS, CLARA)
    table = await bot.chooses(table, clock=900)
    while await bot.waiting_for(table) != CLARA:
        await bot.plays(table)

    await bot.chat.loses(CLARA)
    await bot.settle()
    assert "🚪 Clara left this chat. The host can let a bot play for them." in bot.table_message().text

    await bot.skip(2 * CALL_AFTER)
    assert bot.calls() == []

    for each in (ANNA, BORIS):
        await bot.chat.types(each, "/stop")
        await bot.settle()
    assert (await bot.app.tables.table(table.id)).stopped is Stop.AGREEMENT


async def test_a_chat_that_reports_nothing_is_asked_when_a_game_is_to_stop(bot: RunningBot) -> None:
    table = await bot.dealt(ANNA, BORIS)
    bot.chat.strangers.add(BORIS.ref)
    await bot.chat.types(ANNA, "/stop")
    assert (await bot.app.tables.table(table.id)).phase is Phase.CLOSED


async def test_the_host_lets_a_bot_play_for_them(bot: RunningBot) -> None:
    table = await bot.dealt(ANNA, BORIS, CLARA)
    await bot.chat.loses(CLARA)
    await bot.settle()
    await bot.taps(ANNA, "⚙️ Table")
    await bot.taps(ANNA, "Bot for Clara")
    seat = (await bot.app.tables.table(table.id)).players[2]
    assert seat.has_left
    assert "🚪" not in bot.table_message().text


async def test_they_are_not_called_to_the_next_game(bot: RunningBot) -> None:
    bot.chat.moderators.add(ANNA.ref)
    await bot.chat.types(ANNA, "/settings quiet off")
    await bot.dealt(ANNA, BORIS)
    await bot.chat.presses(CLARA, bot.table_message().ref, "🔔 Notify me")
    await bot.chat.loses(CLARA)
    await bot.stopped(ANNA)
    await bot.opened(ANNA)
    await bot.skip(PAUSE)
    assert not [text for text in bot.chat.rang_for(CLARA) if "opened a table" in text]

    bot.chat.unreported = {CLARA.ref}
    await bot.chat.types(ANNA, "/durak", mentioned=(CLARA,), room=ROOM)
    await bot.skip(PAUSE)
    posted = [sent.screen for sent in bot.chat.sent if sent.verb == "post" and sent.screen is not None]
    assert CLARA.ref not in [span.mention for screen in posted for span in screen.body]


CLOSED_ROOM = RoomRef(ROOM.server, "closed room")


async def test_a_room_that_somebody_cannot_read_says_nothing_about_the_others(bot: RunningBot) -> None:
    bot.chat.insiders[CLOSED_ROOM] = {ANNA.ref, BORIS.ref}
    table = await bot.dealt(ANNA, CLARA)
    await bot.opened(BORIS, room=CLOSED_ROOM)
    await bot.chat.types(BORIS, "/durak", mentioned=(CLARA,), room=CLOSED_ROOM)
    await bot.skip(PAUSE)
    await bot.plays(table)
    await bot.settle()
    assert "🚪" not in bot.table_message().text


async def test_nobody_keeps_a_seat_for_them_in_a_room_that_they_cannot_read(bot: RunningBot) -> None:
    bot.chat.insiders[CLOSED_ROOM] = {ANNA.ref, BORIS.ref}
    await bot.opened(ANNA, room=CLOSED_ROOM)
    reply = await bot.chat.types(ANNA, "/durak", mentioned=(CLARA, BORIS), room=CLOSED_ROOM)
    await bot.settle()
    assert reply.ephemeral is not None
    kept, left_out = text_of(reply.ephemeral).split("\n")
    assert kept == "A seat is kept for Boris. The table: here it is."
    assert left_out == "No invitation for Clara: they can’t see this chat."
    assert "1 seat kept: Boris" in bot.table_message(CLOSED_ROOM).text
