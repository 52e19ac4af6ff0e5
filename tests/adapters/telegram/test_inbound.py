"""Telegram's updates as events of the port."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from adapters.port import Delivered, Everyone, Gone, Lost, Only, Picture, RoomRef, Screen, Span, User, UserRef
from adapters.port import Reply as PortReply
from adapters.telegram.refs import payload_of, room_behind, room_ref
from tests.adapters.contract import eventually
from tests.adapters.contract.picturing import PNG
from tests.adapters.contract.steps import says
from tests.adapters.telegram.harness import TelegramHarness
from tests.wire.telegram import Status
from tests.wire.telegram.schema import Upload


def ref(person_id: int) -> UserRef:
    return UserRef("telegram", str(person_id))


async def test_a_command_may_carry_this_bots_name(harness: TelegramHarness) -> None:
    harness.owner.says("/Rules@durak_wire_bot podkidnoy-36  deck=36", in_=harness.chat)
    await eventually(lambda: harness.inbox.commands)
    assert (harness.inbox.commands[0].name, harness.inbox.commands[0].args) == (
        "rules",
        ("podkidnoy-36", "deck=36"),
    )


async def test_the_commands_of_other_bots_are_left_alone(harness: TelegramHarness) -> None:
    for text in ("/rules@other_bot", "/weather", "/weather@other_bot now"):
        harness.owner.says(text, in_=harness.chat)

    harness.owner.says("/weather@durak_wire_bot", in_=harness.chat)
    harness.owner.says("/weather", in_=harness.owner.private)
    await eventually(lambda: len(harness.inbox.commands) == 2)
    assert [(command.name, command.room) for command in harness.inbox.commands] == [
        ("weather", harness.room),
        ("weather", room_ref(harness.owner.id)),
    ]


@pytest.mark.parametrize("status", [Status.MEMBER, Status.ADMINISTRATOR])
async def test_who_leaves_a_group_or_is_kicked_is_reported(harness: TelegramHarness, status: Status) -> None:
    harness.chat.bot = status
    anna, boris = [await harness.newcomer(name) for name in ("Anna", "Boris")]
    harness.person(anna).leaves(harness.chat)
    harness.owner.kicks(harness.person(boris), harness.chat)
    await eventually(lambda: {event.user for event in harness.inbox.left} == {anna, boris})
    assert {event.room for event in harness.inbox.left} == {harness.room}


async def test_a_forum_topic_is_part_of_the_room(harness: TelegramHarness) -> None:
    forum = harness.server.forum("Forum", harness.owner)
    topic = harness.server.topic(forum, "Cards")
    harness.owner.says("/rules", in_=forum, topic=topic)
    await eventually(lambda: harness.inbox.commands)
    room = harness.inbox.commands[0].room
    assert room == RoomRef(room.server, str(forum.id), str(topic))

    await harness.adapter.post(Everyone(room), says("here", "Go"))
    (message,) = harness.owner.sees(forum)
    assert message.thread == topic

    await harness.owner.presses("Go", message)
    assert harness.inbox.pressed[0].room == room


async def test_a_reply_outside_a_forum_is_no_topic(harness: TelegramHarness) -> None:
    await harness.adapter.post(Everyone(harness.room), says("table"))
    harness.owner.says("/rules", in_=harness.chat, reply_to=harness.owner.sees(harness.chat)[0])
    await eventually(lambda: harness.inbox.commands)
    assert harness.inbox.commands[0].room == harness.room


async def test_people_are_mentioned_by_name_or_by_replying_to_them(harness: TelegramHarness) -> None:
    server = harness.server
    anna = server.person("Anna Maria \U0001f40a")
    boris = server.person("Boris", username="boris_1")
    harness.chat.members |= {
        anna.id: harness.chat.members[harness.owner.id],
        boris.id: harness.chat.members[harness.owner.id],
    }

    spoken = boris.says("hello", in_=harness.chat)
    harness.owner.says(
        "/stats Anna Maria \U0001f40a week @boris_1", in_=harness.chat, mentioning=[anna], reply_to=spoken
    )
    await eventually(lambda: harness.inbox.commands)

    (command,) = harness.inbox.commands
    assert [user.ref for user in command.mentioned] == [ref(anna.id), ref(boris.id)]
    assert command.args == ("week", "@boris_1")


async def test_an_anonymous_administrator_is_the_group_and_gets_nothing_private(
    harness: TelegramHarness,
) -> None:
    harness.inbox.reply = PortReply(secret=says("ace of spades"), invitation=says("open the private chat"))
    harness.owner.says("/hand", in_=harness.chat, as_=harness.chat)
    await eventually(lambda: harness.owner.sees(harness.chat))
    (command,) = harness.inbox.commands
    assert command.user.ref == ref(harness.chat.id)
    assert not command.user.is_person
    assert await harness.adapter.is_moderator(command.user.ref, command.room)
    assert [message.text for message in harness.owner.sees(harness.chat)] == ["open the private chat"]


async def test_a_start_with_a_link_comes_from_a_room(harness: TelegramHarness) -> None:
    forum = harness.server.forum("Forum", harness.owner)
    topic = harness.server.topic(forum, "Cards")
    anna = harness.server.person("Anna", language="de", started=False)
    room = room_ref(forum.id, topic)
    for payload in (payload_of(room), "", "what-is-this", "1_2_3"):
        anna.starts(payload)

    await eventually(lambda: len(harness.inbox.private_chats_opened) == 4)
    assert [event.room for event in harness.inbox.private_chats_opened] == [room, None, None, None]
    assert harness.inbox.private_chats_opened[0].user.locale == "de"


@given(st.integers(-(10**13), 10**13), st.none() | st.integers(1, 2**31))
def test_the_payload_of_a_link_leads_back_to_the_room(chat: int, topic: int | None) -> None:
    payload = payload_of(room_ref(chat, topic))
    assert re.fullmatch(r"[A-Za-z0-9_-]{1,64}", payload)
    assert room_behind(payload) == room_ref(chat, topic)


async def test_a_button_on_a_message_too_old_to_be_read_still_works(harness: TelegramHarness) -> None:
    anna = harness.server.person("Anna")
    delivery = await harness.adapter.post(Only(ref(anna.id), harness.room), says("hand", "6S"))
    harness.inbox.reply = PortReply(toast="played", secret=says("new hand", "7S"))
    answer = await anna.presses("6S", anna.sees(anna.private)[0], remembered=False)
    assert answer.text == "played"
    assert not harness.inbox.pressed[0].is_shown

    await eventually(lambda: harness.inbox.answers)
    assert harness.inbox.answers[0][2] == delivery
    assert anna.sees(anna.private)[0].text == "new hand"


async def test_a_press_in_a_group_leads_to_the_private_chat_by_a_link(harness: TelegramHarness) -> None:
    anna = harness.server.person("Anna", started=False)
    harness.chat.members[anna.id] = harness.chat.members[harness.owner.id]
    await harness.adapter.post(Everyone(harness.room), says("table", "Join"))

    harness.inbox.reply = PortReply(open_private=True)
    harness.inbox.private_chat_reply = PortReply(secret=says("your hand"))

    answer = await anna.presses("Join", anna.sees(harness.chat)[0])
    anna.follows(answer.url)
    await eventually(lambda: anna.sees(anna.private))

    assert harness.inbox.private_chats_opened[0].room == harness.room
    assert harness.inbox.answers == []  # nothing private was replied to the press


async def test_every_query_is_answered_once(harness: TelegramHarness) -> None:
    await harness.adapter.post(Everyone(harness.room), says("table", "Go"))
    (message,) = harness.owner.sees(harness.chat)
    for reply in (
        PortReply(),
        PortReply(toast="t"),
        PortReply(secret=says("p"), public=says("q"), toast="t"),
    ):
        harness.inbox.reply = reply
        await harness.owner.presses("Go", message)

    await eventually(lambda: len(harness.owner.sees(harness.chat)) == 2)
    answers = harness.server.transcript.of("answerCallbackQuery")
    assert len(answers) == len({sent.parameters["callback_query_id"] for sent in answers}) == 3
    assert all(sent.readers == {harness.owner.id} for sent in answers)


async def test_a_group_that_became_a_supergroup_is_reported_once(harness: TelegramHarness) -> None:
    group = harness.server.group("Small", harness.owner)
    old = await harness.adapter.post(Everyone(room_ref(group.id)), says("before"))
    assert isinstance(old, Delivered)

    new = harness.server.migrate(group, harness.owner)
    delivery = await harness.adapter.post(Everyone(room_ref(group.id)), says("after"))
    assert isinstance(delivery, Delivered)
    assert [message.text for message in harness.owner.sees(new)] == ["after"]

    edit = await harness.adapter.edit(old.ref, says("late"))
    assert isinstance(edit, Gone)
    assert edit.what is Lost.MESSAGE

    await eventually(lambda: not harness.server.updates.waiting)
    assert harness.inbox.moved_rooms == [(room_ref(group.id), room_ref(new.id))]


async def test_a_move_that_the_bot_could_not_write_down_is_reported_again(harness: TelegramHarness) -> None:
    group = harness.server.group("Small", harness.owner)
    await harness.adapter.post(Everyone(room_ref(group.id)), says("table", "Go"))
    (message,) = harness.owner.sees(group)

    harness.inbox.takes_moves = False
    new = harness.server.migrate(group, harness.owner)
    await eventually(lambda: harness.inbox.moved_rooms)
    await harness.owner.presses("Go", message)

    harness.inbox.takes_moves = True
    await harness.adapter.post(Everyone(room_ref(group.id)), says("after"))
    await harness.adapter.post(Everyone(room_ref(group.id)), says("later"))

    assert harness.inbox.moved_rooms == 3 * [(room_ref(group.id), room_ref(new.id))]
    assert harness.inbox.pressed[0].room == room_ref(new.id)


async def test_a_press_on_a_message_from_before_the_move_comes_from_the_room_as_it_is_now(
    harness: TelegramHarness,
) -> None:
    """Presses before and after a restart, which forgets the reported move."""
    group = harness.server.group("Small", harness.owner)
    await harness.adapter.post(Everyone(room_ref(group.id)), says("table", "Go"))
    (message,) = harness.owner.sees(group)
    new = harness.server.migrate(group, harness.owner)
    await eventually(lambda: harness.inbox.moved_rooms)

    for _ in range(2):
        await harness.owner.presses("Go", message)
        await harness.restart()

    assert [press.room for press in harness.inbox.pressed] == 2 * [room_ref(new.id)]


async def test_where_a_group_is_now_is_asked_once(harness: TelegramHarness) -> None:
    group = harness.server.group("Small", harness.owner)
    await harness.adapter.post(Everyone(room_ref(group.id)), says("table", "Go"))
    for _ in range(2):
        await harness.owner.presses("Go", harness.owner.sees(group)[0])

    assert [press.room for press in harness.inbox.pressed] == 2 * [room_ref(group.id)]
    assert len(harness.server.transcript.of("getChatMember")) == 1


async def test_a_person_who_blocks_the_bot_is_reported_and_their_return_too(harness: TelegramHarness) -> None:
    anna = harness.server.person("Anna")
    anna.blocks()
    anna.unblocks()
    await eventually(lambda: len(harness.inbox.reachable) > 1)
    both = [room_ref(anna.id), UserRef("telegram", str(anna.id))]
    assert harness.inbox.unreachable == harness.inbox.reachable == both


async def test_the_start_that_a_link_types_in_a_group_is_answered_by_the_hello(
    harness: TelegramHarness,
) -> None:
    harness.inbox.welcome = PortReply(public=says("hello", "Deal here"))
    harness.owner.says("/start@durak_wire_bot here", in_=harness.chat)
    await eventually(lambda: [message.text for message in harness.owner.sees(harness.chat)][-1:] == ["hello"])
    assert [room for room, _ in harness.inbox.rooms_added] == [harness.room]
    assert harness.inbox.commands == []

    for text in ("/start", "/start@other_bot here", "/rules"):  # which may be another bot's
        harness.owner.says(text, in_=harness.chat)

    await eventually(lambda: harness.inbox.commands)
    assert len(harness.inbox.rooms_added) == 1


async def test_a_topic_that_opens_again_is_reported(harness: TelegramHarness) -> None:
    forum = harness.server.forum("Forum", harness.owner)
    topic = harness.server.topic(forum, "Cards")
    room = room_ref(forum.id, topic)
    delivery = await harness.adapter.post(Everyone(room), says("before"))
    assert isinstance(delivery, Delivered)

    harness.owner.closes_topic(forum, topic)
    for refused in (
        await harness.adapter.edit(delivery.ref, says("after")),
        await harness.adapter.post(Everyone(room), says("new")),
    ):
        assert isinstance(refused, Gone)
        assert refused.what is Lost.ROOM

    harness.owner.reopens_topic(forum, topic)
    await eventually(lambda: harness.inbox.reachable == [room])
    assert await harness.adapter.edit(delivery.ref, says("after")) == delivery


async def test_a_bot_that_may_write_again_says_so_however_it_came_about(harness: TelegramHarness) -> None:
    """Invites and promotes a silenced bot: an administrator may write where other members may not."""
    harness.owner.silences_bot(harness.chat)
    await eventually(lambda: harness.inbox.unreachable == [harness.room])
    harness.owner.invites_bot(harness.chat)
    harness.owner.promotes_bot(harness.chat)
    await eventually(lambda: harness.inbox.reachable == 2 * [harness.room])
    await eventually(lambda: harness.inbox.rights_changed_on[-1:] == [harness.room.server])


async def test_what_a_pressed_message_says_may_be_unreadable(harness: TelegramHarness) -> None:
    await harness.adapter.post(Everyone(harness.room), says("table", "Go"))
    (message,) = harness.owner.sees(harness.chat)
    strange = message.to_json() | {"reply_markup": "new", "entities": ["new"]}
    press = {"id": "7", "from": harness.owner.to_json(), "chat_instance": "1", "data": "t:Go"}
    harness.server.updates.put("callback_query", press | {"message": strange})
    await eventually(lambda: harness.inbox.pressed)
    assert harness.inbox.pressed[0].room == harness.room


@pytest.mark.parametrize("is_reply", [False, True])
async def test_a_file_comes_with_the_command_under_it_or_with_the_reply_to_it(
    harness: TelegramHarness, *, is_reply: bool
) -> None:
    file = Upload("games.csv", b"date,fool,players")
    if is_reply:
        sent = harness.owner.says("", in_=harness.chat, document=file)
        harness.owner.says("/stats", in_=harness.chat, reply_to=sent)
    else:
        harness.owner.says("/stats", in_=harness.chat, document=file)

    await eventually(lambda: harness.inbox.commands)
    attached = harness.inbox.commands[-1].attachment
    assert attached is not None
    assert (attached.name, attached.size) == ("games.csv", len(file.content))
    assert await attached.fetch() == file.content

    harness.server.faults.refuse(400, "Bad Request: file is temporarily unavailable", method="getFile")
    with pytest.raises(OSError, match="did not come"):
        await attached.fetch()


async def test_a_username_names_whom_the_bot_has_heard_until_they_are_forgotten(
    harness: TelegramHarness,
) -> None:
    boris = harness.server.person("Boris", username="Boris_1")
    harness.owner.says("/stats @boris_1 @dan", in_=harness.chat)
    boris.says("/stats", in_=boris.private)
    await eventually(lambda: len(harness.inbox.commands) == 2)

    harness.owner.says("/stats @boris_1 @dan", in_=harness.chat)
    await eventually(lambda: len(harness.inbox.commands) == 3)

    await harness.adapter.forget_person(ref(boris.id), {"Boris"})
    harness.owner.says("/stats @boris_1 @dan", in_=harness.chat)
    await eventually(lambda: len(harness.inbox.commands) == 4)

    read = [
        ([person.name for person in command.mentioned], command.args) for command in harness.inbox.commands
    ]
    unknown = (list[str](), ("@boris_1", "@dan"))
    assert [read[0], read[2], read[3]] == [unknown, (["Boris"], ("@dan",)), unknown]


async def test_a_username_names_who_is_on_record_though_the_bot_has_not_heard_them_since_its_start(
    harness: TelegramHarness,
) -> None:
    clara = User(UserRef("telegram", "77"), "Clara", handle="clara_u")
    harness.inbox.on_record["telegram", "clara_u"] = clara
    harness.owner.says("/stats @Clara_U", in_=harness.chat)
    await eventually(lambda: harness.inbox.commands)
    assert [(command.mentioned, command.args) for command in harness.inbox.commands] == [((clara,), ())]


async def test_a_forged_press_is_known_by_the_buttons_of_its_message(harness: TelegramHarness) -> None:
    await harness.adapter.post(Everyone(harness.room), says("table", "Go"))
    await harness.adapter.post(Everyone(harness.room), says("the weather"))
    with_buttons, without = harness.owner.sees(harness.chat)
    for message in (with_buttons, without):
        await harness.owner.presses_token("p:help", message)

    assert [press.is_shown for press in harness.inbox.pressed] == [False, False]


async def test_a_public_picture_that_cannot_become_the_answer_stays(harness: TelegramHarness) -> None:
    picture = Screen((Span("table"),), says("", "Go").rows, picture=Picture(PNG, "the table"))
    await harness.adapter.post(Everyone(harness.room), picture)
    harness.inbox.reply = PortReply(replacement=says("how to play"))
    await harness.owner.presses("Go", harness.owner.sees(harness.chat)[0])
    await eventually(lambda: "how to play" in str(harness.owner.sees(harness.owner.private)))
    assert [message.text for message in harness.owner.sees(harness.chat)] == ["table"]
    assert harness.server.transcript.of("deleteMessage") == []


async def test_a_public_picture_that_is_of_no_use_any_more_loses_its_buttons(
    harness: TelegramHarness,
) -> None:
    picture = Screen((Span("table"),), says("", "Go").rows, picture=Picture(PNG, "the table"))
    await harness.adapter.post(Everyone(harness.room), picture)
    harness.inbox.reply = PortReply(replacement=says("gone"), ends_message=True)
    await harness.owner.presses("Go", harness.owner.sees(harness.chat)[0])
    await eventually(lambda: harness.owner.sees(harness.chat)[0].text == "gone")

    (left,) = harness.owner.sees(harness.chat)
    assert left.labels == ()
    assert harness.server.transcript.of("deleteMessage") == []
