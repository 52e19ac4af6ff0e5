"""People who left a chat are noticed by its report or its answer; if it can't tell, they are present."""

from tests.bot.chat import ROOM, own_room
from tests.bot.running_bot import ANNA, BORIS, CLARA, RunningBot

PEOPLE = (ANNA.ref, BORIS.ref, CLARA.ref)


async def test_the_chat_is_asked_about_those_of_whom_it_has_reported_nothing(bot: RunningBot) -> None:
    await bot.opened(ANNA, BORIS)
    presence = bot.app.presence
    assert await presence.gone(PEOPLE, ROOM) == set()

    await bot.chat.loses(BORIS)
    bot.chat.strangers = {CLARA.ref}
    assert await presence.gone(PEOPLE, ROOM) == {BORIS.ref, CLARA.ref}


async def test_an_answer_is_remembered_until_they_are_seen_in_the_chat_again(bot: RunningBot) -> None:
    await bot.opened(ANNA, BORIS)
    bot.chat.strangers.add(BORIS.ref)
    assert await bot.app.presence.is_gone(BORIS.ref, ROOM)

    bot.chat.strangers.clear()
    assert await bot.app.presence.is_gone(BORIS.ref, ROOM)

    await bot.chat.presses(BORIS, bot.table_message().ref, "Join")
    assert not await bot.app.presence.is_gone(BORIS.ref, ROOM)


async def test_nobody_is_gone_where_the_chat_cannot_tell_nor_from_their_private_chat(bot: RunningBot) -> None:
    bot.chat.strangers.add(BORIS.ref)
    assert not await bot.app.presence.is_gone(BORIS.ref, own_room(BORIS))

    bot.chat.hides_members = True
    assert not await bot.app.presence.is_gone(BORIS.ref, ROOM)
