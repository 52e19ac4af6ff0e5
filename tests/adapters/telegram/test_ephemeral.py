"""Ephemeral messages reach one member of a group, or no one, whichever version the server runs."""

import pytest

from adapters.port import Delivered, Everyone, Gone, Lost, MessageRef, Reply, UserRef
from adapters.port.answering import WAITS_IN_PRIVATE
from adapters.telegram.ephemeral import SIGN
from adapters.telegram.refs import room_ref
from tests.adapters.contract import eventually
from tests.adapters.contract.steps import says
from tests.adapters.telegram.harness import TelegramHarness
from tests.wire.telegram import CallbackAnswer, Ephemerals, Message, Person, Status

SECRET = "ace of clubs"
UNAWARE = (Ephemerals.IGNORED, Ephemerals.REFUSED)


@pytest.fixture
def harness(harness: TelegramHarness) -> TelegramHarness:
    harness.server.ephemerals = Ephemerals.HONOURED
    harness.inbox.reply = Reply(secret=says(SECRET, "AC"))
    return harness


async def table(harness: TelegramHarness) -> Message:
    """Posts the message that everyone presses."""
    delivery = await harness.adapter.post(Everyone(harness.room), says("table", "My hand"))
    assert isinstance(delivery, Delivered)
    return harness.chat.messages[-1]


async def newcomer(harness: TelegramHarness, name: str) -> Person:
    return harness.person(await harness.newcomer(name))


async def asks(harness: TelegramHarness, person: Person) -> tuple[CallbackAnswer, object]:
    """Presses My hand, and returns the answer and the delivery that the bot recorded."""
    before = len(harness.inbox.answers)
    answer = await person.presses("My hand", harness.chat.messages[0])
    await eventually(lambda: len(harness.inbox.answers) > before)
    return answer, harness.inbox.answers[-1][2]


def could_read(harness: TelegramHarness, person: Person) -> str:
    """Returns all text that this person's phone ever got."""
    return "\n".join(sent.words for sent in harness.server.transcript.readable_by(person.id))


async def test_who_presses_is_shown_their_cards_in_the_group_and_nobody_else(
    harness: TelegramHarness,
) -> None:
    await table(harness)
    anna = await newcomer(harness, "Anna")
    boris = await newcomer(harness, "Boris")
    answer, delivery = await asks(harness, anna)
    assert answer == CallbackAnswer()

    (hand,) = anna.sees_alone(harness.chat)
    assert (hand.text, hand.labels) == (SECRET, ("AC",))
    assert delivery == Delivered(MessageRef("telegram", f"{harness.chat.id}:{anna.id}:{hand.ephemeral_id}"))
    assert [message.text for message in boris.sees(harness.chat)] == ["table"]
    assert SECRET not in could_read(harness, boris)
    assert not anna.sees(anna.private)


async def test_such_a_hand_changes_and_goes_like_any_message(harness: TelegramHarness) -> None:
    await table(harness)
    anna = await newcomer(harness, "Anna")
    _, delivery = await asks(harness, anna)
    assert isinstance(delivery, Delivered)

    for _ in range(2):  # showing the same again is no failure
        assert await harness.adapter.edit(delivery.ref, says("six of clubs", "6C")) == delivery

    (hand,) = anna.sees_alone(harness.chat)
    assert (hand.text, hand.labels) == ("six of clubs", ("6C",))
    assert await harness.adapter.delete(delivery.ref) == delivery
    assert not anna.sees_alone(harness.chat)
    assert await harness.adapter.delete(delivery.ref) == delivery

    gone = await harness.adapter.edit(delivery.ref, says("too late"))
    assert isinstance(gone, Gone)
    assert gone.what is Lost.MESSAGE


async def test_a_press_on_such_a_hand_changes_it_where_it_stands(harness: TelegramHarness) -> None:
    await table(harness)
    anna = await newcomer(harness, "Anna")
    _, shown = await asks(harness, anna)
    (hand,) = anna.sees_alone(harness.chat)
    harness.inbox.reply = Reply(toast="Attacked", secret=says("five cards", "7S"))
    answer = await anna.presses("AC", hand)
    assert answer == CallbackAnswer("Attacked")

    await eventually(lambda: len(harness.inbox.answers) == 2)
    press, _, delivery = harness.inbox.answers[-1]
    assert press.on_private_message
    assert press.room == harness.room
    assert Delivered(press.message) == delivery == shown
    assert [message.text for message in anna.sees_alone(harness.chat)] == ["five cards"]


async def test_a_hand_that_vanished_is_opened_anew_by_a_press_on_it(harness: TelegramHarness) -> None:
    await table(harness)
    anna = await newcomer(harness, "Anna")
    await asks(harness, anna)
    (hand,) = anna.sees_alone(harness.chat)
    harness.chat.messages.remove(hand)
    await anna.presses("AC", hand)
    await eventually(lambda: len(harness.inbox.answers) == 2)
    assert [message.text for message in anna.sees_alone(harness.chat)] == [SECRET]


@pytest.mark.parametrize("ephemerals", UNAWARE)
async def test_an_older_server_shows_nobody_anything_and_the_private_chat_does(
    harness: TelegramHarness, ephemerals: Ephemerals
) -> None:
    harness.server.ephemerals = ephemerals
    await table(harness)
    anna = await newcomer(harness, "Anna")
    boris = await newcomer(harness, "Boris")

    for _ in range(2):
        answer, delivery = await asks(harness, anna)
        assert answer.url
        assert delivery is WAITS_IN_PRIVATE

    assert [message.text for message in boris.sees(harness.chat)] == ["table"]
    assert SECRET not in could_read(harness, anna) + could_read(harness, boris)

    signs = [sent for sent in harness.server.transcript.of("sendMessage") if SIGN.html in sent.words]
    assert len(signs) == 1  # it is remembered


async def test_what_gets_lost_on_the_way_can_be_asked_for_again(harness: TelegramHarness) -> None:
    await table(harness)
    anna = await newcomer(harness, "Anna")
    harness.server.ephemerals = Ephemerals.LOST
    answer, delivery = await asks(harness, anna)
    assert isinstance(delivery, Delivered)
    assert not answer.url
    assert not anna.sees_alone(harness.chat)

    harness.server.ephemerals = Ephemerals.HONOURED
    await asks(harness, anna)
    assert [message.text for message in anna.sees_alone(harness.chat)] == [SECRET]


async def test_once_the_server_has_honoured_one_the_next_comes_whole_in_any_group(
    harness: TelegramHarness,
) -> None:
    await table(harness)
    anna = await newcomer(harness, "Anna")
    boris = await newcomer(harness, "Boris")
    for person in (anna, anna, boris):
        await asks(harness, person)

    (hand,) = boris.sees_alone(harness.chat)
    assert (hand.text, hand.labels) == (SECRET, ("AC",))

    words = [sent.words for sent in harness.server.transcript.of("sendMessage")]
    assert sum(SIGN.html in word for word in words) == 1
    assert sum(SECRET in word for word in words) == 2

    elsewhere = harness.server.supergroup("Others", boris)
    post = await harness.adapter.post(Everyone(room_ref(elsewhere.id)), says("table", "My hand"))
    assert isinstance(post, Delivered)

    await boris.presses("My hand", elsewhere.messages[-1])
    await eventually(lambda: [message.text for message in boris.sees_alone(elsewhere)] == [SECRET])
    words = [sent.words for sent in harness.server.transcript.of("sendMessage")]
    assert sum(SIGN.html in word for word in words) == 1


@pytest.mark.parametrize("is_first", [True, False])
async def test_a_hand_too_long_for_such_a_message_waits_in_the_private_chat(
    harness: TelegramHarness, is_first: bool
) -> None:
    await table(harness)
    anna = await newcomer(harness, "Anna")
    if not is_first:
        await asks(harness, await newcomer(harness, "Boris"))

    harness.inbox.reply = Reply(secret=says("ace " * 300, "AC"))
    answer, delivery = await asks(harness, anna)
    assert answer.url
    assert delivery is WAITS_IN_PRIVATE
    assert not anna.sees_alone(harness.chat)


@pytest.mark.parametrize("ephemerals", Ephemerals)
async def test_nobody_is_led_away_who_can_be_shown_their_cards_in_the_group(
    harness: TelegramHarness, ephemerals: Ephemerals
) -> None:
    harness.server.ephemerals = ephemerals
    harness.inbox.reply = Reply(open_private=True)
    await table(harness)
    anna = await newcomer(harness, "Anna")
    answer = await anna.presses("My hand", harness.chat.messages[0])
    assert bool(answer.url) is (ephemerals in UNAWARE)
    assert [message.text for message in anna.sees(harness.chat)] == ["table"]


async def test_a_stranger_to_the_group_is_shown_nothing(harness: TelegramHarness) -> None:
    await table(harness)
    anna = await newcomer(harness, "Anna")
    ref = MessageRef("telegram", f"{harness.chat.id}:{anna.id}:7")
    gone = await harness.adapter.edit(ref, says(SECRET))
    assert isinstance(gone, Gone)
    assert UserRef("telegram", str(anna.id)) not in harness.inbox.unreachable


LONG = "a rule of the game, " * 100  # more than an edit of an ephemeral message holds


async def presses_for_long_screen(harness: TelegramHarness, anna: Person) -> None:
    """Presses a button of an ephemeral message; the answer in its place is too long for an edit."""
    await asks(harness, anna)
    (hand,) = anna.sees_alone(harness.chat)
    harness.inbox.reply = Reply(replacement=says(LONG, "Back"), invitation=says("Anna, look in private."))
    await anna.presses("AC", hand)


async def test_a_screen_too_long_for_an_edit_comes_as_another_message_for_the_presser(
    harness: TelegramHarness,
) -> None:
    await table(harness)
    anna = harness.server.person("Anna", started=False)
    harness.chat.members[anna.id] = Status.MEMBER
    await presses_for_long_screen(harness, anna)

    await eventually(lambda: anna.sees_alone(harness.chat)[-1].text.startswith("a rule"))
    assert anna.sees_alone(harness.chat)[-1].labels == ("Back",)
    assert [message.text for message in harness.chat.messages if message.receiver is None] == ["table"]


async def test_who_has_no_private_chat_is_led_there_by_the_room_where_it_can_show_nothing_alone(
    harness: TelegramHarness,
) -> None:
    await table(harness)
    anna = harness.server.person("Anna", started=False)
    harness.chat.members[anna.id] = Status.MEMBER
    await asks(harness, anna)
    harness.server.ephemerals = Ephemerals.REFUSED

    (hand,) = anna.sees_alone(harness.chat)
    harness.inbox.reply = Reply(replacement=says(LONG), invitation=says("Anna, look in private."))
    await anna.presses("AC", hand)
    await eventually(lambda: harness.chat.messages[-1].text == "Anna, look in private.")
