"""The answer to a press and the outbox never fight over a message."""

import asyncio

from structlog.testing import capture_logs

from adapters.port import NOT_SENT, Budget, Budgets, CallLimiter, Delivered, Everyone, MessageRef, Only
from bot.model.messages import MessageAction, MessageKind, TableSlot, Urgency
from tests.bot.chat import ROOM
from tests.bot.outbox_harness import ANNA, OutboxHarness, says


async def pressed(harness: OutboxHarness) -> MessageRef:
    """Shows a hand and begins a press of its button; returns the message."""
    hand = await harness.private()
    await harness.shows(hand, says("six cards"))
    ref = harness.chat.sees_alone(ANNA)[0].ref
    assert await harness.answers.hold_hand(hand, ref)
    harness.verbs()
    return ref


def the_hand(harness: OutboxHarness) -> str:
    return harness.chat.sees_alone(ANNA)[0].text


async def test_a_pressed_message_waits_for_its_answer_and_is_not_sent_twice(harness: OutboxHarness) -> None:
    ref = await pressed(harness)
    (hand,) = harness.screens.audiences
    await harness.shows(hand, says("five cards"))
    assert harness.verbs() == []

    await harness.chat.edit(ref, says("five cards"))
    assert harness.answers.press_answered(ref, says("five cards"), Delivered(ref))

    await harness.settle()
    assert harness.verbs() == ["edit"]  # the answer's own
    assert not harness.answers.press_answered(ref, says("five cards"), Delivered(ref))


async def test_an_answer_that_is_old_already_is_followed_by_the_newest_screen(harness: OutboxHarness) -> None:
    ref = await pressed(harness)
    (hand,) = harness.screens.audiences

    await harness.shows(hand, says("seven cards"))
    await harness.chat.edit(ref, says("five cards"))
    harness.answers.press_answered(ref, says("five cards"), Delivered(ref))
    await harness.settle()

    assert the_hand(harness) == "seven cards"
    assert harness.verbs() == ["edit", "edit"]


async def test_a_press_answered_without_a_screen_leaves_the_message_to_the_outbox(
    harness: OutboxHarness,
) -> None:
    ref = await pressed(harness)
    (hand,) = harness.screens.audiences
    await harness.shows(hand, says("five cards"))
    harness.answers.press_answered(ref, None, None)
    await harness.settle()
    assert the_hand(harness) == "five cards"
    assert harness.verbs() == ["edit"]


async def test_an_answer_that_never_comes_is_waited_for_five_seconds(harness: OutboxHarness) -> None:
    await pressed(harness)
    (hand,) = harness.screens.audiences
    await harness.shows(hand, says("five cards"))
    await harness.skip(4.0)
    assert the_hand(harness) == "six cards"
    await harness.skip(1.0)
    assert the_hand(harness) == "five cards"


async def test_a_hand_that_was_renewed_while_its_press_was_answered_stands_once(
    harness: OutboxHarness,
) -> None:
    ref = await pressed(harness)
    (hand,) = harness.screens.audiences
    harness.screens.urgent[hand] = Urgency.RINGS
    harness.turn(hand, says("your move"))
    await harness.skip(5.0)  # longer than an edit waits for the answer
    assert the_hand(harness) == "your move"

    answer = await harness.chat.post(Only(ANNA.ref, ROOM), says("five cards"))  # the pressed message has gone
    assert isinstance(answer, Delivered)
    harness.screens.urgent.clear()
    harness.answers.press_answered(ref, says("five cards"), answer)
    await harness.settle()

    (stands,) = harness.chat.sees_alone(ANNA)
    assert (stands.ref, stands.text) == (answer.ref, "your move")


async def test_an_answer_that_comes_after_all_is_put_right(harness: OutboxHarness) -> None:
    ref = await pressed(harness)
    (hand,) = harness.screens.audiences
    await harness.shows(hand, says("five cards"))

    await harness.skip(5.0)
    await harness.shows(hand, says("four cards"))
    await harness.chat.edit(ref, says("five cards"))
    harness.answers.press_answered(ref, says("five cards"), Delivered(ref))
    await harness.settle()

    assert the_hand(harness) == "four cards"


async def test_whichever_of_two_answers_lands_last_the_newest_screen_is_seen(harness: OutboxHarness) -> None:
    for last in ("five cards", "four cards"):
        ref = await pressed(harness)
        hand = next(reversed(harness.screens.audiences))
        assert await harness.answers.hold_hand(hand, ref)

        await harness.shows(hand, says("four cards"))
        await harness.chat.edit(ref, says(last))
        harness.answers.press_answered(ref, says("five cards"), Delivered(ref))
        harness.answers.press_answered(ref, says("four cards"), Delivered(ref))
        await harness.settle()
        assert the_hand(harness) == "four cards"

        await harness.chat.delete(ref)


async def edited_while_pressed(harness: OutboxHarness) -> tuple[TableSlot, MessageRef, asyncio.Event]:
    """Begins a press during an edit of its message, which lands when the event is set."""
    hand = await harness.private()
    await harness.shows(hand, says("six cards"))
    ref = harness.chat.sees_alone(ANNA)[0].ref
    gate = harness.chat.gates[ANNA.ref] = asyncio.Event()

    await harness.shows(hand, says("six cards, your turn"))  # on its way
    assert await harness.answers.hold_hand(hand, ref)
    harness.turn(hand, says("five cards"))
    return hand, ref, gate


async def test_an_edit_under_way_when_an_answer_is_sent_does_not_win_over_it(harness: OutboxHarness) -> None:
    _, ref, gate = await edited_while_pressed(harness)
    harness.answers.begin(ref)
    gate.set()  # the edit lands after the answer was shown, and its own answer is the slower one
    await harness.settle()
    harness.answers.press_answered(ref, says("five cards"), Delivered(ref))
    await harness.settle()
    assert the_hand(harness) == "five cards"


async def test_an_answer_that_is_sent_after_an_edit_has_landed_needs_no_other_edit(
    harness: OutboxHarness,
) -> None:
    _, ref, gate = await edited_while_pressed(harness)
    gate.set()
    await harness.settle()
    harness.verbs()
    harness.answers.begin(ref)
    await harness.chat.edit(ref, says("five cards"))
    assert harness.answers.press_answered(ref, says("five cards"), Delivered(ref))

    await harness.settle()
    assert harness.verbs() == ["edit"]  # the answer's own
    assert not harness.answers.press_answered(ref, says("five cards"), Delivered(ref))
    assert the_hand(harness) == "five cards"


async def test_an_answer_to_a_vanished_message_is_posted(harness: OutboxHarness) -> None:
    ref = await pressed(harness)
    (hand,) = harness.screens.audiences
    harness.chat.forget(ref)

    await harness.shows(hand, says("five cards"))
    delivery = await harness.chat.edit(ref, says("five cards"))
    harness.answers.press_answered(ref, says("five cards"), delivery)
    await harness.settle()
    assert the_hand(harness) == "five cards"


async def test_right_after_a_start_a_press_is_waited_for_before_its_table_was_looked_at(
    harness: OutboxHarness,
) -> None:
    hand = await harness.private()
    await harness.shows(hand, says("six cards"))
    ref = harness.chat.sees_alone(ANNA)[0].ref
    await harness.stop()
    await harness.start()
    assert await harness.answers.hold_hand(hand, ref)

    await harness.shows(hand, says("five cards"))
    assert the_hand(harness) == "six cards"

    harness.answers.press_answered(ref, None, None)
    await harness.settle()
    assert the_hand(harness) == "five cards"


async def test_an_answer_that_the_disk_does_not_take_note_of_stops_no_later_message(
    harness: OutboxHarness,
) -> None:
    ref = await pressed(harness)
    (hand,) = harness.screens.audiences
    await harness.shows(hand, says("five cards"))
    await harness.chat.edit(ref, says("five cards"))

    with capture_logs() as logs:
        async with harness.without_disk("message_slot"):
            harness.answers.press_answered(ref, says("five cards"), Delivered(ref))
            await harness.settle()

    assert [line["event"] for line in logs if line["log_level"] != "debug"] == ["answer_not_settled"]
    await harness.shows(hand, says("four cards"))
    assert the_hand(harness) == "four cards"


async def test_a_throttled_answer_is_sent_later(harness: OutboxHarness) -> None:
    ref = await pressed(harness)
    (hand,) = harness.screens.audiences
    harness.chat.floods[ANNA.ref] = 7.0

    await harness.shows(hand, says("five cards"))
    delivery = await harness.chat.edit(ref, says("five cards"))
    harness.answers.press_answered(ref, says("five cards"), delivery)
    await harness.settle()

    await harness.skip(6.0)
    assert the_hand(harness) == "six cards"

    await harness.skip(1.0)
    assert the_hand(harness) == "five cards"


async def test_a_hand_that_nobody_keeps_up_to_date_is_no_business_of_a_press(harness: OutboxHarness) -> None:
    hand = await harness.private()
    await harness.shows(hand, says("six cards"))
    ref = harness.chat.sees_alone(ANNA)[0].ref
    harness.screens.audiences.clear()  # it belongs to an earlier game
    await harness.stop()
    await harness.start()
    assert not await harness.answers.hold_hand(hand, ref)


async def test_public_messages_and_messages_of_others_are_no_business_of_a_press(
    harness: OutboxHarness,
) -> None:
    slot = await harness.public(ROOM, MessageKind.TABLE)
    await harness.shows(slot, says("table"))
    ref = harness.chat.room_sees()[0].ref

    assert not await harness.answers.hold_hand(slot, ref)

    harness.answers.press_answered(ref, says("for one alone"), Delivered(ref))
    await harness.settle()
    assert harness.chat.room_sees()[0].text == "table"
    assert harness.verbs() == ["post"]


async def test_a_table_that_answers_a_command_is_followed_before_anybody_has_looked_at_it(
    harness: OutboxHarness,
) -> None:
    table = await harness.public()
    harness.screens.screens[table] = says("lobby")
    harness.answers.hold(table)

    shown = await harness.answers.screen(table, "a command")
    assert shown is not None
    delivery = await harness.chat.post(Everyone(ROOM), shown, "a command")
    harness.answers.command_answered("a command", shown, delivery)
    await harness.settle()

    await harness.shows(table, says("two people"))

    assert harness.verbs() == ["post", "edit"]


async def test_an_answer_counts_against_the_budget_of_its_chat(harness: OutboxHarness) -> None:
    harness.chat.budgets = Budgets(Budget(1.0, 2), Budget(1.0, 2))
    ref = await pressed(harness)
    (hand,) = harness.screens.audiences

    harness.screens.screens[hand] = says("five cards")
    harness.answers.press_answered(ref, says("five cards"), Delivered(ref))
    await harness.settle()
    await harness.shows(hand, says("four cards"))
    assert harness.verbs() == []

    await harness.skip(1.0)
    assert harness.verbs() == ["edit"]


async def test_a_table_that_is_shown_or_shows_nothing_answers_no_command(harness: OutboxHarness) -> None:
    table = await harness.public()
    await harness.shows(table, says("lobby"))
    assert await harness.answers.screen(table, "a command") is None
    await harness.shows(table, MessageAction.REMOVE)
    assert await harness.answers.screen(table, "another command") is None


async def test_an_answer_that_had_to_wait_is_sent_in_its_turn_as_it_should_be_then(
    harness: OutboxHarness,
) -> None:
    harness.chat.calls = CallLimiter(Budget(seconds=1.0, burst=1))
    ref = await pressed(harness)
    assert harness.chat.calls.would_wait()

    (hand,) = harness.screens.audiences
    harness.answers.press_answered(ref, says("five cards"), NOT_SENT)
    await harness.shows(hand, says("four cards"))
    assert harness.verbs() == []

    await harness.skip(1.0)
    assert the_hand(harness) == "four cards"
    assert harness.verbs() == ["edit"]
