"""The outbox brings the messages in a chat up to date, despite all failures."""

import asyncio

from adapters.port import Budget, Budgets
from bot.model.messages import MessageAction, MessageKind, TableSlot
from tests.bot.chat import CELLAR, ROOM
from tests.bot.outbox_harness import ANNA, BORIS, OutboxHarness, says

ONE_PER_SECOND = Budgets(Budget(1.0, 3), Budget(1.0, 3))


async def test_what_was_never_shown_is_posted_and_then_edited(harness: OutboxHarness) -> None:
    slot = await harness.public()
    await harness.shows(slot, says("first"))
    await harness.shows(slot, says("second"))
    assert harness.verbs() == ["post", "edit"]
    assert [message.text for message in harness.chat.room_sees()] == ["second"]


async def test_ten_fast_changes_cost_one_edit_and_the_newest_wins(harness: OutboxHarness) -> None:
    harness.chat.budgets = ONE_PER_SECOND
    slot = await harness.public()
    await harness.shows(slot, says("first"))
    harness.verbs()

    for number in range(10):
        await harness.shows(slot, says(f"move {number}"))

    assert harness.verbs() == []
    await harness.skip(1.0)
    assert harness.verbs() == ["edit"]
    assert harness.chat.room_sees()[0].text == "move 9"


async def test_a_screen_that_did_not_change_sends_nothing(harness: OutboxHarness) -> None:
    slot = await harness.public()
    await harness.shows(slot, says("same", "Button"))
    await harness.shows(slot, says("same", "Button"))
    await harness.shows(slot, says("same", "Button"))
    assert harness.verbs() == ["post"]


async def test_a_vanished_message_is_posted_again(harness: OutboxHarness) -> None:
    slot = await harness.public()
    await harness.shows(slot, says("first"))
    harness.chat.forget(harness.chat.room_sees()[0].ref)
    await harness.shows(slot, says("second"))
    assert [message.text for message in harness.chat.room_sees()] == ["second"]


async def test_a_vanished_table_comes_back_no_sooner_than_its_next_edit(harness: OutboxHarness) -> None:
    """Leaves the burst of a chat's budget to calls."""
    harness.chat.budgets = ONE_PER_SECOND
    slot = await harness.public()
    await harness.shows(slot, says("first"))
    await harness.skip(1.0)
    harness.chat.forget(harness.chat.room_sees()[0].ref)
    await harness.shows(slot, says("second"))
    assert harness.chat.room_sees() == []

    await harness.skip(1.0)
    assert [message.text for message in harness.chat.room_sees()] == ["second"]


async def test_a_screen_is_drawn_once_for_each_message_that_goes_out(harness: OutboxHarness) -> None:
    slot = await harness.public(kind=MessageKind.RESULT)  # a new table also changes messages leading to it
    for text in ("first", "second"):
        harness.screens.drawn.clear()
        await harness.shows(slot, says(text))
        assert harness.screens.drawn == [slot]


async def test_a_message_that_the_chat_has_changed_by_itself_is_put_right_at_once(
    harness: OutboxHarness,
) -> None:
    await harness.shows(await harness.public(), says("as it should be"))
    ref = harness.chat.room_sees()[0].ref
    await harness.chat.edit(ref, says("without the names of people"))
    await harness.outbox.repair([ref])
    await harness.settle()
    assert [message.text for message in harness.chat.room_sees()] == ["as it should be"]


async def test_what_should_not_be_seen_is_deleted_and_what_is_history_stays(harness: OutboxHarness) -> None:
    call = await harness.public(kind=MessageKind.CALL)
    slot = await harness.public(CELLAR)
    await harness.shows(call, says("your move"))
    await harness.shows(slot, says("the end"))

    await harness.shows(call, MessageAction.REMOVE)
    await harness.shows(slot, MessageAction.KEEP)

    assert harness.chat.room_sees() == []
    assert [message.text for message in harness.chat.room_sees(CELLAR)] == ["the end"]

    await harness.shows(call, MessageAction.REMOVE)
    assert harness.verbs() == ["post", "post", "delete"]


async def test_a_call_with_another_text_is_a_message_of_its_own(harness: OutboxHarness) -> None:
    """Replaces each call, since an edit notifies no one."""
    call = await harness.public(kind=MessageKind.CALL)
    await harness.shows(call, says("your move"))
    await harness.shows(call, says("your move"))
    assert harness.verbs() == ["post"]
    for text in ("your move: a minute is left", "your move"):
        await harness.shows(call, says(text))
        assert harness.verbs() == ["delete", "post"]
        assert [message.text for message in harness.chat.room_sees()] == [text]


async def test_a_throttled_room_rests_alone(harness: OutboxHarness) -> None:
    here = await harness.public()
    there = await harness.public(CELLAR)
    hand = await harness.private()
    harness.chat.floods[ROOM] = 30.0

    await harness.shows(here, says("here"))
    await harness.shows(there, says("there"))
    await harness.shows(hand, says("hand"))

    assert not harness.chat.room_sees()
    assert harness.chat.room_sees(CELLAR)
    assert harness.chat.sees_alone(ANNA)

    await harness.shows(here, says("here, later"))
    await harness.skip(29.0)
    assert not harness.chat.room_sees()

    await harness.skip(1.0)
    assert [message.text for message in harness.chat.room_sees()] == ["here, later"]


async def test_a_slow_chat_stops_nobody_else(harness: OutboxHarness) -> None:
    here = await harness.public()
    there = await harness.public(CELLAR)
    gate = harness.chat.gates[ROOM] = asyncio.Event()
    await harness.shows(here, says("old"))
    await harness.shows(there, says("there"))
    assert harness.chat.room_sees(CELLAR)

    await harness.shows(here, says("new"))
    gate.set()
    await harness.settle()

    assert [message.text for message in harness.chat.room_sees()] == ["new"]


async def test_a_call_overtakes_the_tables_edits(harness: OutboxHarness) -> None:
    harness.chat.budgets = ONE_PER_SECOND
    slot = await harness.public()
    call = TableSlot(slot.table_id, 1, MessageKind.CALL)
    harness.screens.audiences[call] = harness.screens.audiences[slot]

    await harness.shows(slot, says("first"))
    harness.turn(slot, says("second"))
    await harness.shows(call, says("your move"))
    assert [message.text for message in harness.chat.room_sees()] == ["first", "your move"]

    await harness.skip(1.0)
    assert [message.text for message in harness.chat.room_sees()] == ["second", "your move"]


async def test_the_budget_is_kept_and_refills_with_time(harness: OutboxHarness) -> None:
    harness.chat.budgets = ONE_PER_SECOND
    calls = [await harness.public(kind=MessageKind.CALL)]
    calls += [TableSlot(calls[0].table_id, game, MessageKind.CALL) for game in range(2, 7)]
    for call in calls:
        harness.screens.audiences[call] = harness.screens.audiences[calls[0]]
        harness.screens.screens[call] = says(f"call {call.game}")

    harness.outbox.mark_dirty(calls[0].subject)
    await harness.settle()
    assert len(harness.verbs()) == 3

    await harness.skip(1.0)
    assert len(harness.verbs()) == 1

    await harness.skip(1.0)
    await harness.skip(1.0)
    assert len(harness.verbs()) == 2


async def test_who_cannot_be_written_to_closes_their_door_and_the_table_is_looked_at(
    harness: OutboxHarness,
) -> None:
    hand = await harness.private()
    harness.chat.closed.add(ANNA.ref)
    await harness.shows(hand, says("hand"))
    assert ANNA.ref in harness.reachability.closed_people

    harness.verbs()
    await harness.shows(hand, says("another hand"))
    assert harness.verbs() == []

    harness.chat.closed.clear()
    await harness.reachability.mark_person_reachable(ANNA.ref)
    await harness.shows(hand, says("another hand"))

    assert [message.text for message in harness.chat.sees_alone(ANNA)] == ["another hand"]


async def test_a_first_delivery_opens_the_door(harness: OutboxHarness) -> None:
    assert not (await harness.people.profile(ANNA.ref)).reachable
    await harness.shows(await harness.private(), says("hand"))
    assert (await harness.people.profile(ANNA.ref)).reachable
    assert not (await harness.people.profile(BORIS.ref)).reachable


async def test_a_room_that_is_gone_is_left_alone_until_it_opens_again(harness: OutboxHarness) -> None:
    slot = await harness.public()
    harness.chat.banned.add(ROOM)
    await harness.shows(slot, says("first"))
    await harness.shows(slot, says("second"))
    assert harness.verbs() == ["post"]

    harness.chat.banned.clear()
    harness.reachability.mark_room_reachable(ROOM)
    await harness.shows(slot, says("third"))

    assert [message.text for message in harness.chat.room_sees()] == ["third"]


async def test_refused_content_is_not_sent_again_until_it_changes(harness: OutboxHarness) -> None:
    slot = await harness.public()
    other = TableSlot(slot.table_id, 1, MessageKind.CALL)
    harness.screens.audiences[other] = harness.screens.audiences[slot]
    harness.chat.dislikes = lambda screen: "bad" in screen.body[0].text
    await harness.shows(slot, says("bad from the start"))
    assert harness.verbs() == ["post"]

    await harness.shows(other, says("something else"))
    assert harness.verbs() == ["post"]  # of the call alone

    await harness.shows(slot, says("good"))
    await harness.shows(slot, says("bad later"))
    await harness.shows(slot, says("bad later"))
    assert harness.verbs() == ["post", "edit"]

    await harness.shows(slot, says("good again"))
    assert [message.text for message in harness.chat.room_sees()] == ["something else", "good again"]


async def test_after_a_restart_the_message_is_edited_and_not_posted_twice(harness: OutboxHarness) -> None:
    slot = await harness.public()
    await harness.shows(slot, says("before"))
    await harness.stop()
    harness.screens.screens[slot] = says("after")
    await harness.start()
    harness.outbox.mark_dirty(slot.subject)
    await harness.settle()

    assert harness.verbs() == ["post", "edit"]
    assert [message.text for message in harness.chat.room_sees()] == ["after"]


async def test_after_a_restart_what_is_right_already_is_left_alone(harness: OutboxHarness) -> None:
    await harness.shows(await harness.public(), says("table"))
    await harness.shows(await harness.private(), says("hand"))
    harness.verbs()
    await harness.restart()
    assert harness.verbs() == []


async def test_a_renewed_message_comes_anew_and_the_old_one_goes(harness: OutboxHarness) -> None:
    hand = await harness.private()
    await harness.shows(hand, says("hand"))
    old = harness.chat.sees_alone(ANNA)[0].ref
    harness.outbox.renew(hand)
    await harness.settle()
    (new,) = harness.chat.sees_alone(ANNA)
    assert (new.text, new.ref == old) == ("hand", False)

    harness.outbox.mark_dirty(hand.subject)
    await harness.settle()
    assert harness.verbs() == ["post", "delete", "post"]
    assert await harness.message_index.message(hand) == new.ref


async def test_renewing_waits_for_a_throttled_delete(harness: OutboxHarness) -> None:
    hand = await harness.private()
    await harness.shows(hand, says("hand"))

    harness.chat.floods[ANNA.ref] = 3.0
    harness.outbox.renew(hand)
    await harness.settle()
    await harness.skip(3.0)

    assert harness.verbs() == ["post", "delete", "delete", "post"]
    assert len(harness.chat.sees_alone(ANNA)) == 1


async def test_a_failing_chat_is_tried_again_and_others_go_on(harness: OutboxHarness) -> None:
    here = await harness.public()
    there = await harness.public(CELLAR)

    harness.chat.failures.append(RuntimeError("broken adapter"))
    await harness.shows(here, says("here"))
    await harness.shows(there, says("there"))
    assert harness.chat.room_sees(CELLAR)

    await harness.skip(5.0)
    assert [message.text for message in harness.chat.room_sees()] == ["here"]


async def test_a_failing_stage_is_asked_again(harness: OutboxHarness) -> None:
    slot = await harness.public()
    harness.screens.failures.append(RuntimeError("broken screens"))
    await harness.shows(slot, says("table"))
    assert not harness.chat.room_sees()
    await harness.skip(5.0)
    assert [message.text for message in harness.chat.room_sees()] == ["table"]
