"""Messages about tables are always containers, valid by Discord's published description."""

import json
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import pytest
from discord.http import handle_message_parameters
from hypothesis import given
from hypothesis import strategies as st

from adapters.discord.refs import MessageLocation
from adapters.discord.render import ACCENTS, LIMITS, Rendered, render
from adapters.port import (
    Accent,
    CallbackButton,
    Delivered,
    Delivery,
    Document,
    Everyone,
    Mark,
    MessageRef,
    Only,
    Picture,
    Reply,
    Screen,
    Span,
    Tone,
)
from tests.adapters.contract import eventually
from tests.adapters.contract.steps import posted, says
from tests.adapters.discord.harness import DiscordHarness
from tests.wire.discord import Message, MessageFlag, Person, Right
from tests.wire.discord.component_tree import Type, texts, walk
from tests.wire.discord.components import missing_files, problems
from tests.wire.discord.schema import schema, without_quirks
from tests.wire.discord.world import Account, Attachment, Channel, Kind

POST = "/channels/{channel_id}/messages"
PICTURE = Picture(b"png", "Anna 3, Boris 2")
TABLE = Screen(
    (Span("Anna", Mark.BOLD), Span(" attacks.")),
    ((CallbackButton("h", "My hand"), CallbackButton("t", "⚙️ Table")),),
    PICTURE,
    accent=Accent.ATTACK,
    details=(Span("Anna 3, Boris 2"),),
)
GIF = Document("end.gif", b"GIF89a", is_animation=True)
SHEET = Document("all.csv", b"1,2")


def message_of(harness: DiscordHarness, delivery: Delivery | MessageRef) -> Message:
    ref = delivery.ref if isinstance(delivery, Delivered) else delivery
    assert isinstance(ref, MessageRef)
    location = MessageLocation.of(ref)
    return harness.server.state.channels[location.channel].messages[location.message]


def is_container(message: Message) -> bool:
    return MessageFlag.CONTAINERS in message.flags


def components_of(screen: Screen, document: Document | None = None) -> list[dict[str, Any]]:
    view = render(screen, document, in_container=True).view
    assert view is not None
    return view.to_components()


async def test_a_table_is_one_container_with_its_picture_its_words_and_its_buttons(
    harness: DiscordHarness,
) -> None:
    ref, seen = await posted(harness, TABLE)
    message = message_of(harness, ref)
    assert is_container(message)
    assert message.content == ""

    (container,) = message.components
    assert container["accent_color"] == ACCENTS[Accent.ATTACK]
    assert [part["type"] for part in container["components"]] == [Type.TEXT, Type.GALLERY, Type.ROW]
    assert message.alternative_texts == ["Anna 3, Boris 2"]
    assert (seen.text, seen.picture, seen.labels) == ("Anna attacks.", b"png", ("My hand", "⚙️ Table"))


PARTLY_PICTURED = (
    Span("Anna is the fool!", Mark.BOLD),
    Span("\n"),
    Span("1. Boris", in_picture=True),
    Span("\n"),
    Span("Still in hand: 6♠", in_picture=True),
    Span("\n"),
    Span("3 rounds", Mark.SMALL),
)


@pytest.mark.parametrize("in_container", [True, False])
def test_what_a_picture_shows_is_not_repeated_beside_it(*, in_container: bool) -> None:
    screen = Screen(PARTLY_PICTURED, picture=Picture(b"png", "1. Boris"), accent=Accent.OVER)
    beside, alone = (
        render(each, in_container=in_container) for each in (screen, replace(screen, picture=None))
    )
    assert text_in(beside) == "**Anna is the fool!**\n-# 3 rounds"
    assert text_in(alone) == "**Anna is the fool!**\n1\\. Boris\nStill in hand: 6♠\n-# 3 rounds"


def text_in(rendered: Rendered) -> str:
    if rendered.content is not None:
        return rendered.content
    assert rendered.view is not None
    return "\n".join(texts(rendered.view.to_components()))


async def test_it_follows_the_game_and_keeps_nothing_of_before(harness: DiscordHarness) -> None:
    ref, _ = await posted(harness, TABLE)
    for accent in Accent:
        later = Screen((Span("Boris defends."),), picture=Picture(b"new", "Boris 2"), accent=accent)
        assert await harness.adapter.edit(ref, later) == Delivered(ref)
        message = message_of(harness, ref)
        assert message.components[0]["accent_color"] == ACCENTS[accent]
        assert (message.text, message.alternative_texts, message.buttons) == (
            "Boris defends.",
            ["Boris 2"],
            (),
        )

    assert await harness.adapter.edit(ref, says("closed")) == Delivered(ref)
    assert [(seen.text, seen.picture) for seen in harness.room_sees()] == [("closed", None)]
    assert is_container(message_of(harness, ref))


async def test_a_table_begun_before_containers_ends_as_it_began(harness: DiscordHarness) -> None:
    anna = await harness.newcomer("Anna")
    ref, _ = await posted(harness, says("lobby", "Start"))
    assert not MessageLocation.of(ref).has_container

    assert await harness.adapter.edit(ref, TABLE) == Delivered(ref)
    message = message_of(harness, ref)
    assert not is_container(message)
    assert (message.text, message.attachments[0].description) == ("Anna attacks.", "Anna 3, Boris 2")

    harness.inbox.reply = Reply(replacement=TABLE)
    (seen,) = harness.room_sees()
    await harness.presses(anna, seen, "My hand")
    assert harness.inbox.pressed[0].message == ref
    assert not is_container(message)


async def test_a_press_on_a_container_names_it_as_it_was_posted(harness: DiscordHarness) -> None:
    anna = await harness.newcomer("Anna")
    ref, seen = await posted(harness, TABLE)
    await harness.presses(anna, seen, "⚙️ Table")
    (press,) = harness.inbox.pressed
    assert (press.message, press.token, press.tokens) == (ref, "t", frozenset({"h", "t"}))


async def test_an_ephemeral_container_becomes_the_hand_and_follows_it(harness: DiscordHarness) -> None:
    anna = await harness.newcomer("Anna")
    _, table = await posted(harness, TABLE)
    harness.inbox.reply = Reply(secret=Screen((Span("You're in."),), accent=Accent.GATHERING))
    await harness.presses(anna, table, "My hand")
    await eventually(lambda: harness.inbox.answers)
    _, _, delivery = harness.inbox.answers[0]
    assert isinstance(delivery, Delivered)

    hand = Screen((Span("Six cards"),), ((CallbackButton("p", "9♥"),),), PICTURE, accent=Accent.DEFENCE)
    assert await harness.adapter.edit(delivery.ref, hand) == delivery
    message = message_of(harness, delivery)
    assert is_container(message)
    assert message.only is harness.people[anna].account

    harness.inbox.reply = Reply(secret=Screen((Span("Five cards"),), picture=PICTURE, accent=Accent.WAITING))
    (seen,) = harness.sees_alone(anna)
    await harness.presses(anna, seen, "9♥")
    assert [(seen.text, seen.picture) for seen in harness.sees_alone(anna)] == [("Five cards", b"png")]
    assert harness.inbox.pressed[-1].message == delivery.ref
    assert harness.inbox.pressed[-1].tokens == frozenset({"p"})


async def test_what_rings_in_private_is_read_in_the_notification(harness: DiscordHarness) -> None:
    anna = await harness.newcomer("Anna")
    delivery = await harness.adapter.post(Only(anna, harness.room), TABLE)
    message = message_of(harness, delivery)
    assert message.content == "**Anna** attacks."
    assert (await harness.adapter.edit(message_ref(delivery), TABLE)) == delivery
    assert not is_container(message)


def message_ref(delivery: Delivery) -> MessageRef:
    assert isinstance(delivery, Delivered)
    return delivery.ref


async def test_a_mention_in_a_container_rings(harness: DiscordHarness) -> None:
    anna = await harness.newcomer("Anna")
    boris = await harness.newcomer("Boris")
    body = (Span("Anna", mention=anna), Span(f" and <@{boris.id}>"))
    delivery = await harness.adapter.post(Everyone(harness.room), Screen(body, accent=Accent.OVER))
    assert message_of(harness, delivery).notified == {int(anna.id)}


async def test_without_the_right_to_attach_files_the_words_are_all_there(harness: DiscordHarness) -> None:
    harness.channel.bot_rights &= ~Right.ATTACH_FILES
    for _ in range(2):
        delivery = await harness.adapter.post(Everyone(harness.room), TABLE)
        message = message_of(harness, delivery)
        assert message.text == "Anna 3, Boris 2\n\nAnna attacks."
        assert is_container(message)
        kinds = [part["type"] for part in message.components[0]["components"]]
        assert kinds == [Type.TEXT, Type.SEPARATOR, Type.TEXT, Type.ROW]

    harness.channel.bot_rights |= Right.ATTACH_FILES
    await harness.restart()
    assert await harness.adapter.edit(message_ref(delivery), TABLE) == delivery
    assert message.alternative_texts == ["Anna 3, Boris 2"]


@pytest.mark.parametrize("document", [GIF, SHEET])
async def test_a_file_beside_a_table_is_shown(
    harness: DiscordHarness, anna: Person, document: Document
) -> None:
    harness.inbox.reply = Reply(public=TABLE, document=document)
    await anna.commands("rules", in_=harness.channel)
    (message,) = anna.sees(harness.channel)
    assert [file.filename for file in message.files] == ["picture.png", document.name]


async def test_an_answer_that_took_long_is_a_container_all_the_same(
    harness: DiscordHarness, anna: Person, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("adapters.discord.replies.DEFER_AFTER", 0.0)
    harness.inbox.reply = Reply(secret=TABLE)
    await anna.commands("hand", in_=harness.channel)
    await eventually(lambda: [message for message in anna.sees_alone() if message.text])
    (message,) = anna.sees_alone()
    assert is_container(message)
    assert message.alternative_texts == ["Anna 3, Boris 2"]


async def test_an_answer_found_again_keeps_the_form_that_it_has(
    harness: DiscordHarness, anna: Person
) -> None:
    harness.inbox.reply = Reply(public=says("lobby"))
    await anna.commands("durak", in_=harness.channel)
    await eventually(lambda: harness.inbox.shown_to_all)
    command, _, delivery = harness.inbox.shown_to_all[0]
    assert await harness.adapter.post(Everyone(harness.room), TABLE, command.answer_key) == delivery
    assert await harness.adapter.edit(message_ref(delivery), TABLE) == delivery
    assert not is_container(message_of(harness, delivery))


def test_a_hand_of_many_cards_with_its_tools_fits() -> None:
    rows = tuple(
        tuple(CallbackButton(f"{row}.{place}", "9♥") for place in range(LIMITS.per_row))
        for row in range(LIMITS.buttons // LIMITS.per_row)
    )
    for picture in (PICTURE, None):
        screen = Screen((Span("Your cards"),), rows, picture, details=(Span("table"),), accent=Accent.ATTACK)
        components = components_of(screen, SHEET)
        assert len(list(walk(components))) <= 40
        assert sum(part["type"] == Type.BUTTON for part in walk(components)) == LIMITS.buttons


def test_long_texts_are_cut_to_what_a_message_takes() -> None:
    screen = Screen((Span("*" * 5000),), details=(Span("_" * 5000),), accent=Accent.OVER)
    parts = texts(components_of(screen))
    assert all(part.endswith("…") for part in parts)
    assert sum(map(len, parts)) <= 4000


def test_a_screen_of_nothing_is_still_a_message() -> None:
    assert texts(components_of(Screen((), accent=Accent.OVER))) == ["\u200b"]


SPANS = st.lists(st.builds(Span, st.text("a*_ \n", max_size=900), st.sampled_from(Mark)), max_size=4).map(
    tuple
)
BUTTONS = st.builds(
    CallbackButton,
    st.text(max_size=20),
    st.text(max_size=90),
    st.sampled_from(Tone),
    menu=st.just("") | st.text(max_size=200),
)
SCREENS = st.builds(
    Screen,
    SPANS,
    st.lists(st.lists(BUTTONS, max_size=7).map(tuple), max_size=7).map(tuple),
    st.none() | st.builds(Picture, st.just(b"png"), st.text(max_size=1200)),
    accent=st.none() | st.sampled_from(Accent),
    details=SPANS,
)


@given(SCREENS, st.sampled_from([None, GIF, SHEET]), st.booleans())
def test_every_message_is_valid_by_discords_own_description(
    screen: Screen, document: Document | None, in_container: bool
) -> None:
    rendered = render(screen, document, in_container=in_container)
    with handle_message_parameters(**rendered.parts()) as parameters:
        body = _body_of(parameters)

    assert problems_of(body) == []
    judge = schema()
    if judge is not None:
        assert judge.request_problems("POST", POST, without_quirks(POST, body)) == []


def _body_of(parameters: Any) -> dict[str, Any]:
    if parameters.multipart:
        return dict(json.loads(parameters.multipart[0]["value"]))
    return dict(parameters.payload)


def problems_of(body: dict[str, Any]) -> Sequence[str]:
    """Returns what the Discord of the tests would refuse."""
    message = Message(Channel(Kind.TEXT), Account("Durak", bot=True))
    flags = MessageFlag(body.get("flags") or 0)
    files = [Attachment(file["filename"], b"") for file in body.get("attachments") or ()]
    components = body.get("components") or []
    return [*problems(message, flags, components, set()), *missing_files(components, files)]
