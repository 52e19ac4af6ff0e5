"""A message whose arrival the bot never heard of is not posted twice, where the chat can tell."""

import pytest

from bot.model.message_slots import MessageKind, MessageSlot, SentMessage
from bot.storage import MessageSlotStore
from tests.bot.chat import ROOM
from tests.bot.mailroom import ANNA, Mailroom, says


async def arrived_unheard(mailroom: Mailroom, slot: MessageSlot, text: str) -> None:
    """The message arrives, and the process is killed before it can note that."""
    mailroom.chat.lost_answers.append(ConnectionError("killed"))
    await mailroom.shows(slot, says(text))
    await mailroom.stop()


async def test_after_a_kill_the_message_is_found_again(mailroom: Mailroom) -> None:
    slot = await mailroom.public()
    await arrived_unheard(mailroom, slot, "table")
    await mailroom.restart()
    (message,) = mailroom.chat.room_sees()
    assert await mailroom.outbox.message(slot) == message.ref
    assert mailroom.verbs() == ["post", "post"]


async def test_a_message_that_is_found_again_shows_the_newest_screen(mailroom: Mailroom) -> None:
    slot = await mailroom.public()
    await arrived_unheard(mailroom, slot, "before")
    mailroom.script.screens[slot] = says("after")
    await mailroom.restart()
    assert [message.text for message in mailroom.chat.room_sees()] == ["after"]
    assert mailroom.verbs() == ["post", "post", "edit"]


async def test_further_attempts_do_not_hide_what_the_first_one_showed(mailroom: Mailroom) -> None:
    slot = await mailroom.public()
    await arrived_unheard(mailroom, slot, "first")
    mailroom.script.screens[slot] = says("second")
    mailroom.chat.floods[ROOM] = 2.0
    await mailroom.restart()
    await mailroom.skip(2.0)
    assert [message.text for message in mailroom.chat.room_sees()] == ["second"]


async def test_a_line_that_breaks_behind_a_message_makes_no_second_one(mailroom: Mailroom) -> None:
    hand = await mailroom.private()
    mailroom.chat.lost_answers.append(ConnectionError("line broken"))
    await mailroom.shows(hand, says("six cards"))
    await mailroom.shows(hand, says("five cards"))
    await mailroom.skip(5.0)
    assert [message.text for message in mailroom.chat.sees_alone(ANNA)] == ["five cards"]


async def test_a_call_that_comes_again_is_a_new_message(mailroom: Mailroom) -> None:
    call = await mailroom.public(kind=MessageKind.CALL)
    await mailroom.shows(call, says("your move"))
    (first,) = mailroom.chat.room_sees()
    mailroom.chat.forget(first.ref)
    mailroom.outbox.renew(call)
    await mailroom.settle()
    (second,) = mailroom.chat.room_sees()
    assert first.ref != second.ref
    assert len(mailroom.chat.keys) == 2
    assert all(0 < len(key) <= 25 for key in mailroom.chat.keys)


@pytest.mark.parametrize("trouble", ["closed", "disliked"])
async def test_what_was_refused_is_not_on_its_way(mailroom: Mailroom, trouble: str) -> None:
    hand = await mailroom.private()
    if trouble == "closed":
        mailroom.chat.closed.add(ANNA.ref)
    else:
        mailroom.chat.dislikes = lambda _: True
    await mailroom.shows(hand, says("hand"))
    assert await MessageSlotStore(mailroom.database).load(hand.table_id) == {}


async def test_what_is_on_its_way_is_written_down(mailroom: Mailroom) -> None:
    slot = await mailroom.public()
    slots = MessageSlotStore(mailroom.database)
    mailroom.chat.floods[ROOM] = 2.0
    await mailroom.shows(slot, says("table"))
    assert not isinstance((await slots.load(slot.table_id))[slot], SentMessage)
    await mailroom.skip(2.0)
    assert isinstance((await slots.load(slot.table_id))[slot], SentMessage)
