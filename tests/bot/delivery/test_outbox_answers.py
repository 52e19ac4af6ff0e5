"""The answer to a press and the outbox never fight over a message."""

import asyncio

from adapters.port import Delivered, MessageRef
from bot.model.message_slots import MessageKind
from tests.bot.chat import ROOM
from tests.bot.mailroom import ANNA, Mailroom, says


async def pressed(mailroom: Mailroom) -> MessageRef:
    """A hand is shown, and somebody has pressed a button on it."""
    hand = await mailroom.private()
    await mailroom.shows(hand, says("six cards"))
    ref = mailroom.chat.sees_alone(ANNA)[0].ref
    assert await mailroom.outbox.expect(hand.table_id, ref)
    mailroom.verbs()
    return ref


def the_hand(mailroom: Mailroom) -> str:
    return mailroom.chat.sees_alone(ANNA)[0].text


async def test_a_pressed_message_waits_for_its_answer_and_is_not_sent_twice(mailroom: Mailroom) -> None:
    ref = await pressed(mailroom)
    (hand,) = mailroom.script.audiences
    await mailroom.shows(hand, says("five cards"))
    assert mailroom.verbs() == []
    await mailroom.chat.edit(ref, says("five cards"))
    mailroom.outbox.answered(ref, says("five cards"), Delivered(ref))
    await mailroom.settle()
    assert mailroom.verbs() == ["edit"]  # the answer's own


async def test_an_answer_that_is_old_already_is_followed_by_the_newest_screen(mailroom: Mailroom) -> None:
    ref = await pressed(mailroom)
    (hand,) = mailroom.script.audiences
    await mailroom.shows(hand, says("seven cards"))
    await mailroom.chat.edit(ref, says("five cards"))
    mailroom.outbox.answered(ref, says("five cards"), Delivered(ref))
    await mailroom.settle()
    assert the_hand(mailroom) == "seven cards"
    assert mailroom.verbs() == ["edit", "edit"]


async def test_a_press_answered_without_a_screen_leaves_the_message_to_the_outbox(mailroom: Mailroom) -> None:
    ref = await pressed(mailroom)
    (hand,) = mailroom.script.audiences
    await mailroom.shows(hand, says("five cards"))
    mailroom.outbox.answered(ref, None, None)
    await mailroom.settle()
    assert the_hand(mailroom) == "five cards"
    assert mailroom.verbs() == ["edit"]


async def test_an_answer_that_never_comes_is_waited_for_five_seconds(mailroom: Mailroom) -> None:
    await pressed(mailroom)
    (hand,) = mailroom.script.audiences
    await mailroom.shows(hand, says("five cards"))
    await mailroom.skip(4.0)
    assert the_hand(mailroom) == "six cards"
    await mailroom.skip(1.0)
    assert the_hand(mailroom) == "five cards"


async def test_an_answer_that_comes_after_all_is_put_right(mailroom: Mailroom) -> None:
    ref = await pressed(mailroom)
    (hand,) = mailroom.script.audiences
    await mailroom.shows(hand, says("five cards"))
    await mailroom.skip(5.0)
    await mailroom.shows(hand, says("four cards"))
    await mailroom.chat.edit(ref, says("five cards"))
    mailroom.outbox.answered(ref, says("five cards"), Delivered(ref))
    await mailroom.settle()
    assert the_hand(mailroom) == "four cards"


async def test_whichever_of_two_answers_lands_last_the_newest_screen_is_seen(mailroom: Mailroom) -> None:
    for last in ("five cards", "four cards"):
        ref = await pressed(mailroom)
        hand = next(reversed(mailroom.script.audiences))
        assert await mailroom.outbox.expect(hand.table_id, ref)
        await mailroom.shows(hand, says("four cards"))
        await mailroom.chat.edit(ref, says(last))
        mailroom.outbox.answered(ref, says("five cards"), Delivered(ref))
        mailroom.outbox.answered(ref, says("four cards"), Delivered(ref))
        await mailroom.settle()
        assert the_hand(mailroom) == "four cards"
        await mailroom.chat.delete(ref)


async def test_an_edit_under_way_when_a_press_comes_does_not_win_over_the_answer(mailroom: Mailroom) -> None:
    hand = await mailroom.private()
    await mailroom.shows(hand, says("six cards"))
    ref = mailroom.chat.sees_alone(ANNA)[0].ref
    gate = mailroom.chat.gates[ANNA.ref] = asyncio.Event()
    await mailroom.shows(hand, says("six cards, your turn"))  # on its way
    assert await mailroom.outbox.expect(hand.table_id, ref)
    mailroom.turn(hand, says("five cards"))
    gate.set()  # the edit lands after the answer was shown, and its own answer is the slower one
    await mailroom.settle()
    mailroom.outbox.answered(ref, says("five cards"), Delivered(ref))
    await mailroom.settle()
    assert the_hand(mailroom) == "five cards"


async def test_an_answer_to_a_vanished_message_is_posted(mailroom: Mailroom) -> None:
    ref = await pressed(mailroom)
    (hand,) = mailroom.script.audiences
    mailroom.chat.forget(ref)
    await mailroom.shows(hand, says("five cards"))
    delivery = await mailroom.chat.edit(ref, says("five cards"))
    mailroom.outbox.answered(ref, says("five cards"), delivery)
    await mailroom.settle()
    assert the_hand(mailroom) == "five cards"


async def test_a_throttled_answer_is_sent_later(mailroom: Mailroom) -> None:
    ref = await pressed(mailroom)
    (hand,) = mailroom.script.audiences
    mailroom.chat.floods[ANNA.ref] = 7.0
    await mailroom.shows(hand, says("five cards"))
    delivery = await mailroom.chat.edit(ref, says("five cards"))
    mailroom.outbox.answered(ref, says("five cards"), delivery)
    await mailroom.settle()
    await mailroom.skip(6.0)
    assert the_hand(mailroom) == "six cards"
    await mailroom.skip(1.0)
    assert the_hand(mailroom) == "five cards"


async def test_public_messages_and_messages_of_others_are_no_business_of_a_press(mailroom: Mailroom) -> None:
    slot = await mailroom.public(ROOM, MessageKind.TABLE)
    await mailroom.shows(slot, says("table"))
    ref = mailroom.chat.room_sees()[0].ref
    assert not await mailroom.outbox.expect(slot.table_id, ref)
    assert not await mailroom.outbox.expect(slot.table_id, MessageRef("chat", "9999"))
    assert not await mailroom.outbox.expect(4711, ref)
    mailroom.outbox.answered(ref, says("for one alone"), Delivered(ref))
    await mailroom.settle()
    assert mailroom.chat.room_sees()[0].text == "table"
    assert mailroom.verbs() == ["post"]
