"""Requests to the outbox: the message of a slot, or a message in a better place."""

from bot.model.messages import MessageAction
from tests.bot.chat import ROOM
from tests.bot.outbox_harness import ANNA, OutboxHarness, says


async def test_the_message_that_shows_a_slot_is_found_right_after_a_start(harness: OutboxHarness) -> None:
    slot = await harness.public()
    await harness.shows(slot, says("table"))
    await harness.stop()
    await harness.start()
    assert await harness.answers.existing_message(slot) == harness.chat.room_sees()[0].ref


async def test_a_message_that_is_gone_is_posted_anew_for_who_asks_for_it(harness: OutboxHarness) -> None:
    slot = await harness.public()
    await harness.shows(slot, says("table"))
    harness.chat.forget(harness.chat.room_sees()[0].ref)
    assert await harness.answers.existing_message(slot) is None
    await harness.settle()
    assert await harness.answers.existing_message(slot) == harness.chat.room_sees()[0].ref


async def test_what_is_not_shown_or_history_already_has_no_message_to_lead_to(harness: OutboxHarness) -> None:
    slot = await harness.public()
    assert await harness.answers.existing_message(slot) is None
    await harness.shows(slot, says("table"))
    await harness.shows(slot, MessageAction.KEEP)
    assert await harness.answers.existing_message(slot) is None


async def test_what_the_chat_does_not_take_has_no_message_to_lead_to(harness: OutboxHarness) -> None:
    slot = await harness.public()
    harness.chat.banned.add(ROOM)
    await harness.shows(slot, says("table"))
    assert await harness.answers.existing_message(slot) is None


async def test_a_hand_is_brought_down_to_where_it_is_seen_at_once(harness: OutboxHarness) -> None:
    hand = await harness.private()
    await harness.shows(hand, says("hand"))
    old = harness.chat.sees_alone(ANNA)[0].ref
    await harness.room_hands.move_to_private(hand)
    await harness.settle()
    (new,) = harness.chat.sees_alone(ANNA)
    assert (new.text, new.ref == old) == ("hand", False)
