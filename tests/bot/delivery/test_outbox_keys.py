"""A message with an unreported delivery is not posted twice, where the chat has keys."""

import pytest

from bot.model.messages import MessageKind, SentMessage, TableSlot
from bot.storage import MessageSlotStore
from tests.bot.chat import ROOM
from tests.bot.outbox_harness import ANNA, OutboxHarness, says


async def arrived_unheard(harness: OutboxHarness, slot: TableSlot, text: str) -> None:
    """Delivers the message, and kills the process before the delivery is recorded."""
    harness.chat.lost_answers.append(ConnectionError("killed"))
    await harness.shows(slot, says(text))
    await harness.stop()


async def test_after_a_kill_the_message_is_found_again(harness: OutboxHarness) -> None:
    slot = await harness.public()
    await arrived_unheard(harness, slot, "table")
    await harness.restart()
    (message,) = harness.chat.room_sees()
    assert await harness.message_index.message(slot) == message.ref
    assert harness.verbs() == ["post", "post"]


async def test_a_message_that_is_found_again_shows_the_newest_screen(harness: OutboxHarness) -> None:
    slot = await harness.public()
    await arrived_unheard(harness, slot, "before")
    harness.screens.screens[slot] = says("after")
    await harness.restart()
    assert [message.text for message in harness.chat.room_sees()] == ["after"]
    assert harness.verbs() == ["post", "post", "edit"]


async def test_further_attempts_do_not_hide_what_the_first_one_showed(harness: OutboxHarness) -> None:
    slot = await harness.public()
    await arrived_unheard(harness, slot, "first")
    harness.screens.screens[slot] = says("second")
    harness.chat.floods[ROOM] = 2.0
    await harness.restart()
    await harness.skip(2.0)
    assert [message.text for message in harness.chat.room_sees()] == ["second"]


async def test_a_line_that_breaks_behind_a_message_makes_no_second_one(harness: OutboxHarness) -> None:
    hand = await harness.private()
    harness.chat.lost_answers.append(ConnectionError("line broken"))
    await harness.shows(hand, says("six cards"))
    await harness.shows(hand, says("five cards"))
    await harness.skip(5.0)
    assert [message.text for message in harness.chat.sees_alone(ANNA)] == ["five cards"]


async def test_a_call_that_comes_again_is_a_new_message(harness: OutboxHarness) -> None:
    call = await harness.public(kind=MessageKind.CALL)
    await harness.shows(call, says("your move"))
    (first,) = harness.chat.room_sees()
    harness.chat.forget(first.ref)
    harness.outbox.renew(call)
    await harness.settle()

    (second,) = harness.chat.room_sees()
    assert first.ref != second.ref
    assert len(harness.chat.keys) == 2
    assert all(0 < len(key) <= 25 for key in harness.chat.keys)


@pytest.mark.parametrize("trouble", ["closed", "disliked"])
async def test_what_was_refused_is_not_on_its_way(harness: OutboxHarness, trouble: str) -> None:
    hand = await harness.private()
    if trouble == "closed":
        harness.chat.closed.add(ANNA.ref)
    else:
        harness.chat.dislikes = lambda _: True

    await harness.shows(hand, says("hand"))
    assert await MessageSlotStore(harness.database).load(hand.subject) == {}


async def test_what_is_on_its_way_is_written_down(harness: OutboxHarness) -> None:
    slot = await harness.public()
    slots = MessageSlotStore(harness.database)
    harness.chat.floods[ROOM] = 2.0
    await harness.shows(slot, says("table"))
    assert not isinstance((await slots.load(slot.subject))[slot], SentMessage)
    await harness.skip(2.0)
    assert isinstance((await slots.load(slot.subject))[slot], SentMessage)
