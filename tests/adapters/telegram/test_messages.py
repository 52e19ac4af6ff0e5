"""Telegram's refusals as outcomes of the port."""

import asyncio
from collections import Counter

import pytest

from adapters.port import (
    NOT_SENT,
    Command,
    Delivered,
    Delivery,
    Document,
    Everyone,
    Gone,
    Lost,
    MessageRef,
    NeedsOptIn,
    Only,
    Picture,
    PinTrouble,
    Press,
    Reply,
    Screen,
    Span,
    Throttled,
    UserRef,
)
from adapters.telegram.refs import Address
from tests.adapters.contract import eventually
from tests.adapters.contract.picturing import PNG, png
from tests.adapters.contract.steps import says
from tests.adapters.telegram.harness import TelegramHarness
from tests.wire.telegram import Loss
from tests.wire.telegram.faults import WRITING


def kind_of(delivery: Delivery) -> object:
    return delivery.what if isinstance(delivery, Gone) else type(delivery)


async def post(harness: TelegramHarness, screen: Screen) -> MessageRef:
    delivery = await harness.adapter.post(Everyone(harness.room), screen)
    assert isinstance(delivery, Delivered)
    return delivery.ref


async def test_what_the_bot_does_not_need_of_an_answer_may_be_unreadable(harness: TelegramHarness) -> None:
    private = harness.owner.private.to_json()
    strange = {"message_id": 77, "date": 1, "chat": private, "entities": ["new"], "reply_markup": "new"}
    harness.server.faults.babble(strange, method="sendMessage")
    assert await post(harness, says("table")) == Address(harness.owner.id, 77).ref
    ref = await post(harness, says("table"))
    harness.server.faults.babble(strange | {"edit_date": "new"}, method="editMessageText")
    assert await harness.adapter.edit(ref, says("moved on")) == Delivered(ref)


@pytest.mark.parametrize(
    ("reaction", "allowed", "seen"),
    [("🏆", True, ["🏆"]), ("🏆", False, []), ("no emoji", True, []), ("", True, [])],
)
async def test_a_message_gets_its_reaction_where_the_group_allows_it(
    harness: TelegramHarness, reaction: str, *, allowed: bool, seen: list[str]
) -> None:
    harness.chat.allows_reactions = allowed
    ref = await post(harness, Screen((Span("the end"),), reaction=reaction))
    (message,) = harness.chat.messages
    assert (message.text, message.reactions) == ("the end", seen)
    assert ref == Address(harness.chat.id, message.id).ref


@pytest.mark.parametrize(
    ("code", "description", "expected"),
    [
        (403, "Forbidden: bot was kicked from the supergroup chat", Lost.ROOM),
        (403, "Forbidden: bot is not a member of the supergroup chat", Lost.ROOM),
        (400, "Bad Request: chat not found", Lost.ROOM),
        (400, "Bad Request: not enough rights to send text messages to the chat", Lost.ROOM),
        (400, "Bad Request: CHAT_WRITE_FORBIDDEN", Lost.ROOM),
        (400, "Bad Request: TOPIC_CLOSED", Lost.ROOM),
        (400, "Bad Request: group is deactivated", Lost.ROOM),
        (400, "Bad Request: group chat was upgraded to a supergroup chat", Lost.ROOM),
        (400, "Bad Request: the bot is not in the chat", Lost.ROOM),
        (400, "Bad Request: CHAT_SEND_PLAIN_FORBIDDEN", Lost.ROOM),
        (400, "Bad Request: message not found", Lost.MESSAGE),
        (400, "Bad Request: message thread not found", Lost.ROOM),
        (400, "Bad Request: message to edit not found", Lost.MESSAGE),
        (400, "Bad Request: message can't be edited", Lost.MESSAGE),
        (400, "Bad Request: MESSAGE_ID_INVALID", Lost.MESSAGE),
        (400, "Bad Request: message is too long", Lost.CONTENT),
        (400, "Bad Request: can't parse entities: Unsupported start tag", Lost.CONTENT),
        (400, "Bad Request: BUTTON_DATA_INVALID", Lost.CONTENT),
        (500, "Internal Server Error", Throttled),
        (502, "Bad Gateway", Throttled),
        (409, "Conflict: terminated by other getUpdates request", Throttled),
        (401, "Unauthorized", Throttled),
    ],
)
async def test_what_a_refusal_means(
    harness: TelegramHarness, code: int, description: str, expected: object
) -> None:
    ref = await post(harness, says("table"))
    harness.server.faults.refuse(code, description, times=2)
    assert kind_of(await harness.adapter.edit(ref, says("later"))) is expected
    assert kind_of(await harness.adapter.post(Everyone(harness.room), says("new"))) is expected


async def test_a_flood_says_how_long_to_wait(harness: TelegramHarness) -> None:
    harness.server.faults.throttle(41)
    assert await harness.adapter.post(Everyone(harness.room), says("now")) == Throttled(41.0, is_flood=True)


@pytest.mark.parametrize("loss", Loss)
async def test_a_broken_connection_means_later(harness: TelegramHarness, loss: Loss) -> None:
    ref = await post(harness, says("table"))
    harness.server.faults.drop(loss)
    assert isinstance(await harness.adapter.edit(ref, says("later")), Throttled)
    assert await harness.adapter.edit(ref, says("later")) == Delivered(ref)


async def test_a_person_unknown_to_the_bot_has_not_opted_in(harness: TelegramHarness) -> None:
    for person in (harness.server.person("Anna", started=False).id, 999_999_999):
        user = UserRef("telegram", str(person))
        assert await harness.adapter.post(Only(user, harness.room), says("hand")) == NeedsOptIn(user)


@pytest.mark.parametrize(
    "description", ["USER_IS_BLOCKED", "INPUT_USER_DEACTIVATED", "PEER_ID_INVALID", "user not found"]
)
async def test_a_person_who_is_gone_has_not_opted_in_however_that_is_said(
    harness: TelegramHarness, description: str
) -> None:
    user = UserRef("telegram", str(harness.owner.id))
    harness.server.faults.refuse(400, f"Bad Request: {description}")
    assert await harness.adapter.post(Only(user, harness.room), says("hand")) == NeedsOptIn(user)


async def test_a_message_too_old_to_be_deleted_loses_its_buttons(harness: TelegramHarness) -> None:
    ref = await post(harness, says("table", "Go"))
    (message,) = harness.owner.sees(harness.chat)
    harness.server.undeletable.append(message)
    assert await harness.adapter.delete(ref) == Delivered(ref)
    assert message.labels == ()


async def test_an_unchanged_picture_is_not_uploaded_again(harness: TelegramHarness) -> None:
    ref = await post(harness, pictured("one"))
    assert await harness.adapter.edit(ref, pictured("two")) == Delivered(ref)
    assert await harness.adapter.edit(ref, pictured("two")) == Delivered(ref)
    assert [sent.method for sent in harness.server.transcript.entries[-3:]] == [
        "sendPhoto",
        "editMessageCaption",
        "editMessageCaption",
    ]

    await harness.restart()
    assert await harness.adapter.edit(ref, pictured("three")) == Delivered(ref)
    assert harness.server.transcript.entries[-1].method == "editMessageMedia"


async def test_a_picture_that_cannot_be_removed_yet_is_no_lost_message(harness: TelegramHarness) -> None:
    ref = await post(harness, Screen((Span("one"),), picture=Picture(PNG, "one")))
    harness.server.faults.throttle(9, method="deleteMessage")
    assert await harness.adapter.edit(ref, says("text")) == Throttled(9.0, is_flood=True)
    assert kind_of(await harness.adapter.edit(ref, says("text"))) is Lost.MESSAGE
    assert harness.owner.sees(harness.chat) == ()


async def test_a_text_too_long_for_a_caption_goes_without_its_picture(harness: TelegramHarness) -> None:
    await post(harness, Screen((Span("x" * 1025),), picture=Picture(PNG, "x")))
    (message,) = harness.owner.sees(harness.chat)
    assert message.picture is None
    assert len(message.text) == 1025


async def test_a_mention_notifies_whoever_telegram_knows(harness: TelegramHarness) -> None:
    await post(harness, Screen((Span("Anna", mention=UserRef("telegram", str(harness.owner.id))),)))
    (entity,) = harness.owner.sees(harness.chat)[0].entities
    assert (entity["type"], entity["user"]["id"]) == ("text_mention", harness.owner.id)


PICTURE_REFUSALS = [
    (400, "Bad Request: not enough rights to send photos to the chat"),
    (400, "Bad Request: IMAGE_PROCESS_FAILED"),
    (404, "Not Found"),
    (413, "Request Entity Too Large"),
]


def pictured(text: str, shade: int = 0) -> Screen:
    return Screen((Span(text),), picture=Picture(png(shade), text))


def methods(harness: TelegramHarness) -> list[str]:
    return [sent.method for sent in harness.server.transcript.of(*WRITING, "deleteMessage")]


@pytest.mark.parametrize(("code", "description"), PICTURE_REFUSALS)
async def test_a_picture_that_is_refused_comes_as_text_and_the_next_is_not_tried_for_a_while(
    harness: TelegramHarness, code: int, description: str
) -> None:
    ref = await post(harness, says("before"))
    harness.server.faults.refuse(code, description, method="sendPhoto", times=9)
    await post(harness, pictured("new"))
    assert await harness.adapter.edit(ref, pictured("edited")) == Delivered(ref)
    await post(harness, pictured("newer"))
    assert [message.text for message in harness.owner.sees(harness.chat)] == ["edited", "new", "newer"]
    assert methods(harness).count("sendPhoto") == 1
    assert "editMessageMedia" not in methods(harness)


@pytest.mark.parametrize(("code", "description"), PICTURE_REFUSALS)
async def test_a_picture_that_cannot_be_changed_gives_way_to_text(
    harness: TelegramHarness, code: int, description: str
) -> None:
    ref = await post(harness, pictured("before"))
    harness.server.faults.refuse(code, description, method="editMessageMedia", times=9)
    assert kind_of(await harness.adapter.edit(ref, pictured("after", 200))) is Lost.MESSAGE
    ref = await post(harness, pictured("after", 200))  # as the outbox does
    assert await harness.adapter.edit(ref, pictured("at last", 100)) == Delivered(ref)
    (message,) = harness.owner.sees(harness.chat)
    assert (message.text, message.picture) == ("at last", None)
    assert methods(harness).count("editMessageMedia") == 1


async def test_a_text_that_is_refused_takes_no_pictures_from_the_chat(harness: TelegramHarness) -> None:
    harness.server.faults.refuse(400, "Bad Request: BUTTON_DATA_INVALID", times=2)
    assert kind_of(await harness.adapter.post(Everyone(harness.room), pictured("bad"))) is Lost.CONTENT
    await post(harness, pictured("good"))
    assert harness.owner.sees(harness.chat)[0].picture == PNG


async def test_where_documents_are_forbidden_the_text_comes_without(harness: TelegramHarness) -> None:
    refused = "Bad Request: not enough rights to send documents to the chat"
    harness.server.faults.refuse(400, refused, method="sendDocument")
    harness.inbox.reply = Reply(public=says("the record"), document=Document("durak.txt", b"A 9H"))
    harness.owner.says("/rules", in_=harness.chat)
    await eventually(lambda: harness.owner.sees(harness.chat))
    (message,) = harness.owner.sees(harness.chat)
    assert (message.text, message.document) == ("the record", None)


async def test_an_animation_plays_in_the_message_and_where_it_may_not_its_text_comes_without(
    harness: TelegramHarness,
) -> None:
    film = Document("durak.gif", b"GIF89a", apology="The file cannot be sent here.", is_animation=True)
    harness.inbox.reply = Reply(public=says("the fool"), document=film)
    harness.owner.says("/rules", in_=harness.chat)
    await eventually(lambda: harness.owner.sees(harness.chat))
    sent = [entry for entry in harness.server.transcript.entries if entry.method == "sendAnimation"]
    assert [message.refused for message in sent] == [""]

    refused = "Bad Request: not enough rights to send animations to the chat"
    harness.server.faults.refuse(400, refused, method="sendAnimation")
    harness.owner.says("/rules", in_=harness.chat)
    await eventually(lambda: len(harness.owner.sees(harness.chat)) > 1)
    first, second = harness.owner.sees(harness.chat)
    assert (first.text, first.document and first.document.name) == ("the fool", "durak.gif")
    assert (second.text, second.document) == ("the fool\n\nThe file cannot be sent here.", None)


async def test_an_edit_takes_a_document_away_for_a_new_message(harness: TelegramHarness) -> None:
    harness.inbox.reply = Reply(public=says("the record"), document=Document("durak.txt", b"A 9H"))
    harness.owner.says("/rules", in_=harness.chat)
    await eventually(lambda: harness.owner.sees(harness.chat))
    (message,) = harness.owner.sees(harness.chat)
    delivery = await harness.adapter.edit(Address(message.chat.id, message.id).ref, says("other"))
    assert kind_of(delivery) is Lost.MESSAGE
    assert not harness.owner.sees(harness.chat)


@pytest.mark.parametrize(
    ("code", "description"),
    [
        (400, "Bad Request: file of this kind is not welcome"),
        (400, "Bad Request: CHAT_SEND_DOCS_FORBIDDEN"),
        (413, "Request Entity Too Large"),
    ],
)
async def test_where_a_file_is_refused_its_text_comes_with_a_word_about_it(
    harness: TelegramHarness, code: int, description: str
) -> None:
    file = Document("durak.csv", b"1", apology="The file cannot be sent here.")
    harness.inbox.reply = Reply(public=says("the leaderboard"), document=file)
    harness.server.faults.refuse(code, description, method="sendDocument")
    harness.owner.says("/leaderboard", in_=harness.chat)
    await eventually(lambda: harness.owner.sees(harness.chat))
    (message,) = harness.owner.sees(harness.chat)
    assert message.text == "the leaderboard\n\nThe file cannot be sent here."


async def test_a_hand_goes_into_the_topic_of_the_private_chat_where_its_player_is(
    harness: TelegramHarness,
) -> None:
    private = harness.owner.private
    private.topics[7] = "Durak"
    harness.owner.says("/hand", in_=private, topic=7)
    await eventually(lambda: harness.inbox.commands)
    alone = Only(UserRef("telegram", str(harness.owner.id)), harness.room)
    await harness.adapter.post(alone, says("in the topic"))
    del private.topics[7]
    assert isinstance(await harness.adapter.post(alone, says("it was closed")), Delivered)

    threads = [(message.text, message.thread) for message in harness.owner.sees(private)]
    assert threads[-2:] == [("in the topic", 7), ("it was closed", None)]


async def test_an_answer_may_name_no_date_of_an_edit(harness: TelegramHarness) -> None:
    private = harness.owner.private.to_json()
    harness.server.faults.babble(
        {"message_id": 78, "date": 1, "chat": private, "edit_date": None}, method="sendMessage"
    )
    assert await post(harness, says("table")) == Address(harness.owner.id, 78).ref


async def test_a_file_that_breaks_the_connection_is_uploaded_once_and_apologised_for(
    harness: TelegramHarness,
) -> None:
    harness.server.faults.drop(method="sendDocument", times=5)
    harness.inbox.reply = Reply(public=says("the record"), document=Document("a.zip", b"large", "No file."))
    harness.owner.says("/rules", in_=harness.chat)
    await eventually(lambda: harness.owner.sees(harness.chat))
    assert harness.owner.sees(harness.chat)[0].text == "the record\n\nNo file."
    assert len(harness.server.transcript.of("sendDocument")) == 1


async def test_forty_who_press_at_once_are_answered_at_once_and_nothing_is_refused(
    harness: TelegramHarness,
) -> None:
    people = [harness.server.person(f"Anna {number}") for number in range(40)]
    for person in people:
        alone = Only(UserRef("telegram", str(person.id)), harness.room)
        await harness.adapter.post(alone, says("hand", "⇅"))

    harness.server.faults.budgets_enforced = True
    harness.inbox.reply = Reply(toast="sorted", secret=says("sorted hand", "⇅"), is_followed=True)
    answers = await asyncio.gather(
        *(person.presses("⇅", person.sees(person.private)[0]) for person in people)
    )
    assert [answer.text for answer in answers] == ["sorted"] * 40

    await eventually(lambda: len(harness.inbox.answers) == 40)
    kinds = Counter(
        type(delivery) if delivery != NOT_SENT else None for *_, delivery in harness.inbox.answers
    )
    assert kinds[None] > 0  # for the outbox, which then sends the newest screen
    assert kinds[Delivered] + kinds[None] == 40

    harness.inbox.reply = Reply(secret=says("by itself"))
    await asyncio.gather(*(person.presses("⇅", person.sees(person.private)[0]) for person in people[-5:]))
    await eventually(lambda: len(harness.inbox.answers) == 45)
    assert [person.sees(person.private)[0].text for person in people[-5:]] == ["by itself"] * 5
    assert not harness.server.faults.floods


async def test_a_message_is_pinned_where_the_bot_may_and_the_group_is_not_told(
    harness: TelegramHarness,
) -> None:
    pin = harness.adapter.pin
    chat = harness.chat
    ref = await post(harness, says("table"))
    assert await pin(ref, is_pinned=True) is PinTrouble.NO_RIGHT

    await harness.let_pin(is_allowed=True)
    assert await pin(ref, is_pinned=True) is None
    assert [message.text for message in chat.pinned] == ["table"]

    await eventually(lambda: not any(message.service for message in chat.messages))
    assert await pin(ref, is_pinned=False) is None
    assert not chat.pinned
    assert await pin(ref, is_pinned=False) is None

    await harness.adapter.delete(ref)
    assert await pin(ref, is_pinned=True) is None


async def test_an_answer_that_is_slow_on_its_way_is_not_overtaken_by_the_next(
    harness: TelegramHarness,
) -> None:
    anna = await harness.newcomer("Anna")

    async def answer(event: Command | Press) -> Reply:
        assert isinstance(event, Command)
        return Reply(public=says(f"by {event.args[0]}"))

    harness.inbox.answer = answer
    harness.server.faults.slow(0.3, method="sendMessage")
    for period in ("week", "month"):
        await harness.types(anna, f"/leaderboard {period}")

    await eventually(lambda: len(harness.room_sees()) == 2)
    assert [seen.text for seen in harness.room_sees()] == ["by week", "by month"]
