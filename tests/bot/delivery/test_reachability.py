"""A room that does not take the bot's messages is tried again, and not hammered."""

from adapters.port import Everyone, RoomRef
from bot.delivery.reachability import FIRST_PAUSE, LONGEST_PAUSE
from bot.model.message_slots import MessageAction, MessageKind, MessageSlot
from tests.bot.chat import ROOM
from tests.bot.house import ANNA, House
from tests.bot.mailroom import Mailroom, says


async def test_a_room_that_refuses_is_tried_again_after_longer_and_longer_pauses(mailroom: Mailroom) -> None:
    slot = await mailroom.public()
    mailroom.chat.banned.add(ROOM)
    await mailroom.shows(slot, says("first"))
    assert mailroom.verbs() == ["post"]
    for pause in (FIRST_PAUSE, 2 * FIRST_PAUSE, 4 * FIRST_PAUSE):
        await mailroom.skip(pause - 1)
        await mailroom.shows(slot, says(f"before {pause}"))
        assert mailroom.verbs() == []
        await mailroom.skip(1)
        assert mailroom.verbs() == ["post"]
    for _ in range(20):
        await mailroom.skip(LONGEST_PAUSE)
    assert len(mailroom.verbs()) == 20
    mailroom.chat.banned.clear()
    await mailroom.skip(LONGEST_PAUSE)
    assert mailroom.chat.room_sees()[0].text == "before 120.0"
    await mailroom.shows(slot, says("last"))
    assert mailroom.chat.room_sees()[0].text == "last"


async def test_all_tables_of_a_room_go_on_when_one_message_arrives(mailroom: Mailroom) -> None:
    slot = await mailroom.public()
    result = MessageSlot(slot.table_id, 1, MessageKind.RESULT)
    mailroom.script.audiences[result] = Everyone(ROOM)
    mailroom.chat.banned.add(ROOM)
    for each in (slot, result):
        await mailroom.shows(each, says(f"the {each.kind}"))
    assert mailroom.verbs() == ["post"]  # once for all of them
    mailroom.chat.banned.clear()
    await mailroom.skip(FIRST_PAUSE)
    assert len(mailroom.chat.room_sees()) == 2


async def test_a_message_that_cannot_be_removed_yet_is_removed_when_the_room_is_open_again(
    mailroom: Mailroom,
) -> None:
    call = await mailroom.public(kind=MessageKind.CALL)
    await mailroom.shows(call, says("we wait"))
    mailroom.chat.banned.add(ROOM)
    await mailroom.shows(call, MessageAction.REMOVE)
    assert mailroom.chat.room_sees()
    mailroom.chat.banned.clear()
    await mailroom.skip(FIRST_PAUSE)
    assert mailroom.chat.room_sees() == []


async def test_a_topic_that_refuses_closes_no_other(mailroom: Mailroom) -> None:
    topic = RoomRef(ROOM.server, ROOM.id, "7")
    general, other = await mailroom.public(), await mailroom.public(topic)
    mailroom.chat.banned.add(ROOM)
    await mailroom.shows(general, says("refused"))
    await mailroom.shows(other, says("here"))
    assert [message.text for message in mailroom.chat.room_sees(topic)] == ["here"]
    assert mailroom.chat.room_sees() == []


async def test_a_table_in_a_room_that_refused_goes_on_by_itself(house: House) -> None:
    """Nobody has to press anything in public, and house players have not stood still for ever."""
    table = await house.opened(ANNA)
    await house.chat.presses(ANNA, house.table_message().ref, "Add house player")
    await house.settle()
    house.chat.banned.add(ROOM)
    await house.chat.presses(ANNA, house.table_message().ref, "Start")
    await house.settle()
    assert not house.bot.reachability.is_room_reachable(ROOM)
    house.chat.banned.clear()
    await house.skip(FIRST_PAUSE)
    assert house.bot.reachability.is_room_reachable(ROOM)
    version = (await house.session(table)).version
    for _ in range(3):  # she may be the first, or the house player
        if await house.waiting_seat(table) == 0:
            await house.plays(table)
        await house.skip(5)
    assert (await house.session(table)).version > version
    assert "Ada" in house.table_message().text
