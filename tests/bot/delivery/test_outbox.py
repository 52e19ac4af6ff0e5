"""The outbox makes the chat agree with the stage, whatever happens on the way."""

import asyncio

from adapters.port import Budget, Budgets, Only
from bot.model.message_slots import MessageAction, MessageKind, MessageSlot
from tests.bot.chat import CELLAR, ROOM
from tests.bot.mailroom import ANNA, BORIS, Mailroom, says

ONE_PER_SECOND = Budgets(Budget(1.0, 3), Budget(1.0, 3))


async def test_what_was_never_shown_is_posted_and_then_edited(mailroom: Mailroom) -> None:
    slot = await mailroom.public()
    await mailroom.shows(slot, says("first"))
    await mailroom.shows(slot, says("second"))
    assert mailroom.verbs() == ["post", "edit"]
    assert [message.text for message in mailroom.chat.room_sees()] == ["second"]


async def test_ten_fast_changes_cost_one_edit_and_the_newest_wins(mailroom: Mailroom) -> None:
    mailroom.chat.budgets = ONE_PER_SECOND
    slot = await mailroom.public()
    await mailroom.shows(slot, says("first"))
    mailroom.verbs()
    for number in range(10):
        await mailroom.shows(slot, says(f"move {number}"))
    assert mailroom.verbs() == []
    await mailroom.skip(1.0)
    assert mailroom.verbs() == ["edit"]
    assert mailroom.chat.room_sees()[0].text == "move 9"


async def test_a_screen_that_did_not_change_sends_nothing(mailroom: Mailroom) -> None:
    slot = await mailroom.public()
    await mailroom.shows(slot, says("same", "Button"))
    await mailroom.shows(slot, says("same", "Button"))
    await mailroom.shows(slot, says("same", "Button"))
    assert mailroom.verbs() == ["post"]


async def test_a_vanished_message_is_posted_again(mailroom: Mailroom) -> None:
    slot = await mailroom.public()
    await mailroom.shows(slot, says("first"))
    mailroom.chat.forget(mailroom.chat.room_sees()[0].ref)
    await mailroom.shows(slot, says("second"))
    assert [message.text for message in mailroom.chat.room_sees()] == ["second"]


async def test_what_should_not_be_seen_is_deleted_and_what_is_history_stays(mailroom: Mailroom) -> None:
    call, slot = await mailroom.public(kind=MessageKind.CALL), await mailroom.public(CELLAR)
    await mailroom.shows(call, says("your move"))
    await mailroom.shows(slot, says("the end"))
    await mailroom.shows(call, MessageAction.REMOVE)
    await mailroom.shows(slot, MessageAction.KEEP)
    assert mailroom.chat.room_sees() == []
    assert [message.text for message in mailroom.chat.room_sees(CELLAR)] == ["the end"]
    await mailroom.shows(call, MessageAction.REMOVE)
    assert mailroom.verbs() == ["post", "post", "delete"]


async def test_a_call_with_another_text_is_a_message_of_its_own(mailroom: Mailroom) -> None:
    """An edit notifies nobody."""
    call = await mailroom.public(kind=MessageKind.CALL)
    await mailroom.shows(call, says("your move"))
    await mailroom.shows(call, says("your move"))
    await mailroom.shows(call, says("your move: a minute is left"))
    assert mailroom.verbs() == ["post", "delete", "post"]
    assert [message.text for message in mailroom.chat.room_sees()] == ["your move: a minute is left"]


async def test_a_throttled_room_rests_alone(mailroom: Mailroom) -> None:
    here, there, hand = await mailroom.public(), await mailroom.public(CELLAR), await mailroom.private()
    mailroom.chat.floods[ROOM] = 30.0
    await mailroom.shows(here, says("here"))
    await mailroom.shows(there, says("there"))
    await mailroom.shows(hand, says("hand"))
    assert not mailroom.chat.room_sees()
    assert mailroom.chat.room_sees(CELLAR)
    assert mailroom.chat.sees_alone(ANNA)
    await mailroom.shows(here, says("here, later"))
    await mailroom.skip(29.0)
    assert not mailroom.chat.room_sees()
    await mailroom.skip(1.0)
    assert [message.text for message in mailroom.chat.room_sees()] == ["here, later"]


async def test_a_slow_chat_stops_nobody_else(mailroom: Mailroom) -> None:
    here, there = await mailroom.public(), await mailroom.public(CELLAR)
    gate = mailroom.chat.gates[ROOM] = asyncio.Event()
    await mailroom.shows(here, says("old"))
    await mailroom.shows(there, says("there"))
    assert mailroom.chat.room_sees(CELLAR)
    await mailroom.shows(here, says("new"))
    gate.set()
    await mailroom.settle()
    assert [message.text for message in mailroom.chat.room_sees()] == ["new"]


async def test_a_call_overtakes_the_tables_edits(mailroom: Mailroom) -> None:
    mailroom.chat.budgets = ONE_PER_SECOND
    slot = await mailroom.public()
    call = MessageSlot(slot.table_id, 1, MessageKind.CALL)
    mailroom.script.audiences[call] = mailroom.script.audiences[slot]
    await mailroom.shows(slot, says("first"))
    mailroom.turn(slot, says("second"))
    await mailroom.shows(call, says("your move"))
    assert [message.text for message in mailroom.chat.room_sees()] == ["first", "your move"]
    await mailroom.skip(1.0)
    assert [message.text for message in mailroom.chat.room_sees()] == ["second", "your move"]


async def test_the_budget_is_kept_and_refills_with_time(mailroom: Mailroom) -> None:
    mailroom.chat.budgets = ONE_PER_SECOND
    calls = [await mailroom.public(kind=MessageKind.CALL)]
    calls += [MessageSlot(calls[0].table_id, game, MessageKind.CALL) for game in range(2, 7)]
    for call in calls:
        mailroom.script.audiences[call] = mailroom.script.audiences[calls[0]]
        mailroom.script.screens[call] = says(f"call {call.game}")
    mailroom.outbox.changed(calls[0].table_id)
    await mailroom.settle()
    assert len(mailroom.verbs()) == 3
    await mailroom.skip(1.0)
    assert len(mailroom.verbs()) == 1
    await mailroom.skip(1.0)
    await mailroom.skip(1.0)
    assert len(mailroom.verbs()) == 2


async def test_who_cannot_be_written_to_closes_their_door_and_the_table_is_looked_at(
    mailroom: Mailroom,
) -> None:
    hand = await mailroom.private()
    mailroom.chat.closed.add(ANNA.ref)
    await mailroom.shows(hand, says("hand"))
    assert not mailroom.reachability.is_reachable(Only(ANNA.ref, ROOM))
    mailroom.verbs()
    await mailroom.shows(hand, says("another hand"))
    assert mailroom.verbs() == []
    mailroom.chat.closed.clear()
    await mailroom.reachability.mark_person_reachable(ANNA.ref)
    await mailroom.shows(hand, says("another hand"))
    assert [message.text for message in mailroom.chat.sees_alone(ANNA)] == ["another hand"]


async def test_a_first_delivery_opens_the_door(mailroom: Mailroom) -> None:
    assert not await mailroom.reachability.was_ever_reached(ANNA.ref)
    await mailroom.shows(await mailroom.private(), says("hand"))
    assert await mailroom.reachability.was_ever_reached(ANNA.ref)
    assert not await mailroom.reachability.was_ever_reached(BORIS.ref)


async def test_a_room_that_is_gone_is_left_alone_until_it_opens_again(mailroom: Mailroom) -> None:
    slot = await mailroom.public()
    mailroom.chat.banned.add(ROOM)
    await mailroom.shows(slot, says("first"))
    await mailroom.shows(slot, says("second"))
    assert mailroom.verbs() == ["post"]
    mailroom.chat.banned.clear()
    mailroom.reachability.mark_room_reachable(ROOM)
    await mailroom.shows(slot, says("third"))
    assert [message.text for message in mailroom.chat.room_sees()] == ["third"]


async def test_refused_content_is_not_sent_again_until_it_changes(mailroom: Mailroom) -> None:
    slot = await mailroom.public()
    other = MessageSlot(slot.table_id, 1, MessageKind.CALL)
    mailroom.script.audiences[other] = mailroom.script.audiences[slot]
    mailroom.chat.dislikes = lambda screen: "bad" in screen.body[0].text
    await mailroom.shows(slot, says("bad from the start"))
    assert mailroom.verbs() == ["post"]
    await mailroom.shows(other, says("something else"))
    assert mailroom.verbs() == ["post"]  # of the call alone
    await mailroom.shows(slot, says("good"))
    await mailroom.shows(slot, says("bad later"))
    await mailroom.shows(slot, says("bad later"))
    assert mailroom.verbs() == ["post", "edit"]
    await mailroom.shows(slot, says("good again"))
    assert [message.text for message in mailroom.chat.room_sees()] == ["something else", "good again"]


async def test_after_a_restart_the_message_is_edited_and_not_posted_twice(mailroom: Mailroom) -> None:
    slot = await mailroom.public()
    await mailroom.shows(slot, says("before"))
    await mailroom.stop()
    mailroom.script.screens[slot] = says("after")
    await mailroom.start()
    mailroom.outbox.changed(slot.table_id)
    await mailroom.settle()
    assert mailroom.verbs() == ["post", "edit"]
    assert [message.text for message in mailroom.chat.room_sees()] == ["after"]


async def test_after_a_restart_what_is_right_already_is_left_alone(mailroom: Mailroom) -> None:
    await mailroom.shows(await mailroom.public(), says("table"))
    await mailroom.shows(await mailroom.private(), says("hand"))
    mailroom.verbs()
    await mailroom.restart()
    assert mailroom.verbs() == []


async def test_a_renewed_message_comes_anew_and_the_old_one_goes(mailroom: Mailroom) -> None:
    hand = await mailroom.private()
    await mailroom.shows(hand, says("hand"))
    old = mailroom.chat.sees_alone(ANNA)[0].ref
    mailroom.outbox.renew(hand)
    await mailroom.settle()
    (new,) = mailroom.chat.sees_alone(ANNA)
    assert (new.text, new.ref == old) == ("hand", False)
    mailroom.outbox.changed(hand.table_id)
    await mailroom.settle()
    assert mailroom.verbs() == ["post", "delete", "post"]
    assert await mailroom.outbox.message(hand) == new.ref


async def test_renewing_waits_for_a_throttled_delete(mailroom: Mailroom) -> None:
    hand = await mailroom.private()
    await mailroom.shows(hand, says("hand"))
    mailroom.chat.floods[ANNA.ref] = 3.0
    mailroom.outbox.renew(hand)
    await mailroom.settle()
    await mailroom.skip(3.0)
    assert mailroom.verbs() == ["post", "delete", "delete", "post"]
    assert len(mailroom.chat.sees_alone(ANNA)) == 1


async def test_a_failing_chat_is_tried_again_and_others_go_on(mailroom: Mailroom) -> None:
    here, there = await mailroom.public(), await mailroom.public(CELLAR)
    mailroom.chat.failures.append(RuntimeError("broken adapter"))
    await mailroom.shows(here, says("here"))
    await mailroom.shows(there, says("there"))
    assert mailroom.chat.room_sees(CELLAR)
    await mailroom.skip(5.0)
    assert [message.text for message in mailroom.chat.room_sees()] == ["here"]


async def test_a_failing_stage_is_asked_again(mailroom: Mailroom) -> None:
    slot = await mailroom.public()
    mailroom.script.failures.append(RuntimeError("broken stage"))
    await mailroom.shows(slot, says("table"))
    assert not mailroom.chat.room_sees()
    await mailroom.skip(5.0)
    assert [message.text for message in mailroom.chat.room_sees()] == ["table"]
