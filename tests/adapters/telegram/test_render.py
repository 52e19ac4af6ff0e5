"""Screens as Telegram's HTML and keyboards."""

from urllib.parse import parse_qs, urlsplit

import pytest
from hypothesis import given
from hypothesis import strategies as st

from adapters.port import (
    AddToGroupButton,
    CallbackButton,
    LinkButton,
    Mark,
    MessageRef,
    Picture,
    PrivateChatButton,
    Screen,
    ShareButton,
    Span,
    Tone,
    UserRef,
)
from adapters.telegram.refs import room_ref
from adapters.telegram.render import html_of, keyboard_of, render
from tests.wire.telegram.markup import clean, read_html, units

BOT = "durak_wire_bot"


@given(st.lists(st.builds(Span, st.text(), st.sampled_from(Mark)), max_size=5))
def test_every_text_survives_as_it_is(spans: list[Span]) -> None:
    shown, _ = read_html(html_of(tuple(spans)))
    assert shown == clean("".join(span.text for span in spans).replace("\0", ""))


@given(st.text(st.characters(exclude_categories=[]), min_size=1))
def test_half_characters_never_reach_the_wire(text: str) -> None:
    html_of((Span(text),)).encode()
    keyboard_of(((CallbackButton("t", text),),), BOT)


@pytest.mark.parametrize("text", ["x" * 5000, "\U0001f40a" * 3000, "&" * 4097])
def test_too_long_a_text_is_cut_between_characters(text: str) -> None:
    shown, _ = read_html(html_of((Span("head "), Span(text, Mark.BOLD), Span("tail"))))
    assert 4094 <= units(shown) <= 4096
    assert shown.endswith("…")


def test_marks_and_mentions_may_meet() -> None:
    span = Span("A&B", Mark.BOLD, mention=UserRef("telegram", "77"))
    assert html_of((span,)) == '<a href="tg://user?id=77"><b>A&amp;B</b></a>'


def test_a_moment_is_read_as_its_text() -> None:
    assert html_of((Span("Friday 14:32", when=1_763_649_120.0),)) == "Friday 14:32"


def test_what_a_picture_shows_as_well_is_folded_below_it() -> None:
    screen = Screen(
        (Span("Anna takes."),), picture=Picture(b"png", ""), details=(Span("Anna & Boris", Mark.BOLD),)
    )
    shown = render(screen, BOT)
    assert shown.png == b"png"
    assert shown.html == "Anna takes.\n<blockquote expandable><b>Anna &amp; Boris</b></blockquote>"

    text, entities = read_html(shown.html)
    assert text == "Anna takes.\nAnna & Boris"
    assert {"type": "expandable_blockquote", "offset": 12, "length": 12} in entities


@pytest.mark.parametrize(("picture", "length"), [(None, 1), (Picture(b"png", ""), 1024)])
def test_without_a_picture_everything_is_read_at_once(picture: Picture | None, length: int) -> None:
    screen = Screen((Span("body"),), picture=picture, details=(Span("d" * length),))
    shown = render(screen, BOT)
    assert (shown.html, shown.png) == ("d" * length + "\n\nbody", None)


def test_the_mention_of_a_group_is_plain_text() -> None:
    group = Span("Group", mention=UserRef("telegram", "-1005"))
    assert html_of((group,)) == "Group"


def test_a_link_leads_to_a_message_of_a_supergroup_only() -> None:
    assert (
        html_of((Span("t", link=MessageRef("telegram", "-1001234:9")),))
        == '<a href="https://t.me/c/1234/9">t</a>'
    )
    assert html_of((Span("t", link=MessageRef("telegram", "-55:9")),)) == "t"
    assert html_of((Span("t", link=MessageRef("telegram", "55:9")),)) == "t"


def test_tones_are_button_styles() -> None:
    keyboard = keyboard_of((tuple(CallbackButton(tone.name, tone.name, tone) for tone in Tone),), BOT)
    assert keyboard is not None
    assert [button.get("style") for button in keyboard["inline_keyboard"][0]] == [
        None,
        "primary",
        "success",
        "danger",
    ]


def test_disabled_buttons_and_rows_without_buttons_are_left_out() -> None:
    off = CallbackButton("a", "Off", enabled=False)
    on = CallbackButton("b", "On")
    keyboard = keyboard_of(((off,), (off, on)), BOT)
    assert keyboard is not None
    assert [[button["text"] for button in row] for row in keyboard["inline_keyboard"]] == [["On"]]
    assert keyboard_of(((off,),), BOT) is None


def test_a_button_without_a_name_can_still_be_pressed() -> None:
    keyboard = keyboard_of(((CallbackButton("a", " "),),), BOT)
    assert keyboard is not None
    assert str(keyboard["inline_keyboard"][0][0]["text"]).strip()


def test_the_way_to_the_private_chat_is_a_link() -> None:
    screen = Screen((Span("x"),), ((PrivateChatButton("Open", room_ref(-1001234, 7)),),))
    keyboard = render(screen, BOT).keyboard
    assert keyboard is not None
    assert keyboard["inline_keyboard"][0][0]["url"] == f"https://t.me/{BOT}?start=-1001234_7"


def test_an_address_is_a_button_of_its_own() -> None:
    shown = render(Screen((Span("Hi"),), ((LinkButton("Replay", "https://durak.example"),),)), BOT)
    assert shown.keyboard == {"inline_keyboard": [[{"text": "Replay", "url": "https://durak.example"}]]}


def test_an_address_to_share_asks_for_a_chat_and_writes_its_text_there() -> None:
    button = ShareButton("Share", "https://durak.example/puzzles/7", "Which one? Q&A")
    keyboard = render(Screen((Span("Hi"),), ((button,),)), BOT).keyboard
    assert keyboard is not None

    address = urlsplit(str(keyboard["inline_keyboard"][0][0]["url"]))
    assert f"{address.scheme}://{address.netloc}{address.path}" == "https://t.me/share/url"
    assert parse_qs(address.query) == {"url": [button.url], "text": [button.text]}


def test_a_group_is_chosen_by_a_link_of_the_bot() -> None:
    shown = render(Screen((Span("Hi"),), ((AddToGroupButton("Add me"),),)), BOT)
    assert shown.keyboard == {
        "inline_keyboard": [[{"text": "Add me", "url": f"https://t.me/{BOT}?startgroup=here"}]]
    }
