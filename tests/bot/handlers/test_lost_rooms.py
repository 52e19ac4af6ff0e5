"""A topic is deleted during a game: the players are notified, and the host moves the table elsewhere."""

from adapters.port import RoomRef
from bot.delivery.reachability import ATTEMPTS
from bot.model.table import Phase
from tests.bot.chat import CELLAR, ROOM
from tests.bot.messages import buttons_of, text_of
from tests.bot.running_bot import ANNA, BORIS, CLARA, SHORT_GAME, RunningBot

TOPIC = RoomRef(ROOM.server, ROOM.id, "topic")
LOST = "📪 I can’t show this table in its chat any more."


async def test_the_host_moves_a_table_whose_topic_is_gone(bot: RunningBot) -> None:
    table = await bot.dealt(ANNA, BORIS, room=TOPIC, rules=SHORT_GAME)
    bot.chat.banned.add(TOPIC)
    for message in bot.chat.room_sees(TOPIC):
        bot.chat.forget(message.ref)

    for _ in range(3):
        await bot.plays(table)
        await bot.settle()
    for user in (ANNA, BORIS):
        assert LOST in bot.hand_message(user).text

    # Anybody but the host opens another table.
    assert (await bot.chat.types(BORIS, "/durak", CELLAR)).ephemeral is None
    await bot.settle()
    await bot.chat.types(BORIS, "/stop", CELLAR)

    offer = (await bot.chat.types(ANNA, "/durak", CELLAR)).ephemeral
    assert offer is not None
    assert text_of(offer) == "📪 Your game has lost its place in this chat."
    (move,) = buttons_of(offer)
    (shown,) = [each for each in bot.chat.sees_alone(ANNA) if each.screen == offer]
    await bot.chat.presses(ANNA, shown.ref, move.label)
    await bot.settle()

    assert "Durak" in bot.table_message(CELLAR).text
    assert LOST not in bot.hand_message(ANNA).text
    await bot.plays_to_the_end(await bot.app.tables.table(table.id))
    assert any("fool" in message.text for message in bot.chat.room_sees(CELLAR))

    await bot.restart()
    moved = await bot.app.tables.table(table.id)
    assert (moved.room, moved.phase) == (CELLAR, Phase.OVER)


async def test_hands_say_so_at_once_and_only_while_it_is_true(bot: RunningBot) -> None:
    table = await bot.dealt(ANNA, BORIS, room=TOPIC, rules=SHORT_GAME)
    bot.chat.banned.add(TOPIC)
    await bot.plays(table)
    await bot.settle()
    for user in (ANNA, BORIS):
        assert LOST in bot.hand_message(user).text

    bot.chat.banned.clear()
    await bot.skip(ATTEMPTS.most)
    for user in (ANNA, BORIS):
        assert LOST not in bot.hand_message(user).text


async def test_the_host_is_offered_the_move_whatever_is_typed_after_the_command(bot: RunningBot) -> None:
    table = await bot.dealt(ANNA, BORIS, room=TOPIC, rules=SHORT_GAME)
    bot.chat.banned.add(TOPIC)
    for message in bot.chat.room_sees(TOPIC):
        bot.chat.forget(message.ref)
    await bot.plays(table)
    await bot.settle()

    offer = (await bot.chat.types(ANNA, "/durak perevodnoy", CELLAR)).ephemeral
    assert offer is not None
    assert [button.label for button in buttons_of(offer)] == ["Move the table here"]
    assert text_of(offer).endswith("\nTo open another table, type it again.")

    assert (await bot.chat.types(ANNA, "/durak perevodnoy", CELLAR)).ephemeral is None
    await bot.settle()
    assert "Transfer" in bot.table_message(CELLAR).text


async def test_hands_at_several_tables_name_their_chats(bot: RunningBot) -> None:
    bot.chat.names[ROOM.server] = "Friends"
    await bot.dealt(ANNA, BORIS)
    await bot.dealt(ANNA, CLARA, room=CELLAR)
    assert " · Friends\n" in bot.hand_message(ANNA).text
