"""A room that does not take the bot's messages is tried again, and not hammered."""

from adapters.port import Everyone, RoomRef
from bot.delivery.reachability import FIRST_PAUSE, LONGEST_PAUSE
from bot.model.messages import MessageAction, MessageKind, MessageSlot
from tests.bot.chat import ROOM
from tests.bot.outbox_harness import OutboxHarness, says
from tests.bot.running_bot import ANNA, RunningBot


async def test_a_room_that_refuses_is_tried_again_after_longer_and_longer_pauses(
    harness: OutboxHarness,
) -> None:
    slot = await harness.public()
    harness.chat.banned.add(ROOM)
    await harness.shows(slot, says("first"))
    assert harness.verbs() == ["post"]
    for pause in (FIRST_PAUSE, 2 * FIRST_PAUSE, 4 * FIRST_PAUSE):
        await harness.skip(pause - 1)
        await harness.shows(slot, says(f"before {pause}"))
        assert harness.verbs() == []
        await harness.skip(1)
        assert harness.verbs() == ["post"]
    for _ in range(20):
        await harness.skip(LONGEST_PAUSE)
    assert len(harness.verbs()) == 20
    harness.chat.banned.clear()
    await harness.skip(LONGEST_PAUSE)
    assert harness.chat.room_sees()[0].text == "before 120.0"
    await harness.shows(slot, says("last"))
    assert harness.chat.room_sees()[0].text == "last"


async def test_all_tables_of_a_room_go_on_when_one_message_arrives(harness: OutboxHarness) -> None:
    slot = await harness.public()
    result = MessageSlot(slot.table_id, 1, MessageKind.RESULT)
    harness.screens.audiences[result] = Everyone(ROOM)
    harness.chat.banned.add(ROOM)
    for each in (slot, result):
        await harness.shows(each, says(f"the {each.kind}"))
    assert harness.verbs() == ["post"]  # once for all of them
    harness.chat.banned.clear()
    await harness.skip(FIRST_PAUSE)
    assert len(harness.chat.room_sees()) == 2


async def test_a_message_that_cannot_be_removed_yet_is_removed_when_the_room_is_open_again(
    harness: OutboxHarness,
) -> None:
    call = await harness.public(kind=MessageKind.CALL)
    await harness.shows(call, says("we wait"))
    harness.chat.banned.add(ROOM)
    await harness.shows(call, MessageAction.REMOVE)
    assert harness.chat.room_sees()
    harness.chat.banned.clear()
    await harness.skip(FIRST_PAUSE)
    assert harness.chat.room_sees() == []


async def test_a_topic_that_refuses_closes_no_other(harness: OutboxHarness) -> None:
    topic = RoomRef(ROOM.server, ROOM.id, "7")
    general, other = await harness.public(), await harness.public(topic)
    harness.chat.banned.add(ROOM)
    await harness.shows(general, says("refused"))
    await harness.shows(other, says("here"))
    assert [message.text for message in harness.chat.room_sees(topic)] == ["here"]
    assert harness.chat.room_sees() == []


async def test_a_table_in_a_room_that_refused_goes_on_by_itself(bot: RunningBot) -> None:
    """Nobody has to press anything in public, and house players have not stood still for ever."""
    table = await bot.opened(ANNA)
    await bot.chat.presses(ANNA, bot.table_message().ref, "Add bot")
    await bot.settle()
    bot.chat.banned.add(ROOM)
    await bot.chat.presses(ANNA, bot.table_message().ref, "Start")
    await bot.settle()
    assert not bot.app.reachability.is_room_reachable(ROOM)
    bot.chat.banned.clear()
    await bot.skip(FIRST_PAUSE)
    assert bot.app.reachability.is_room_reachable(ROOM)
    version = (await bot.session(table)).version
    for _ in range(3):  # she may be the first, or the house player
        if await bot.waiting_seat(table) == 0:
            await bot.plays(table)
        await bot.skip(5)
    assert (await bot.session(table)).version > version
    assert "Ada" in bot.table_message().text
