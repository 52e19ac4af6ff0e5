"""Screens as Discord's components and Markdown, with all markup in texts escaped."""

import re
from dataclasses import replace
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import pytest
from hypothesis import given
from hypothesis import strategies as st

from adapters.discord.markdown import escape, markdown, tame
from adapters.discord.refs import MessageLocation, guild_room, user_ref
from adapters.discord.render import LIMITS, Application, custom_id, render, token_of
from adapters.port import (
    AddToGroupButton,
    CallbackButton,
    LinkButton,
    Mark,
    MessageRef,
    Picture,
    PrivateChatButton,
    Screen,
    Span,
    Tone,
    UserRef,
)
from tests.wire.discord.markdown import live_markup, readable

TEXTS = st.text(
    st.characters(exclude_categories=["Cs", "Cc"], exclude_characters="\u200b\u2060"), max_size=80
) | st.text("*_~`|<>[]()#-+.@:/\\ \n123aехhttp", max_size=60)


@given(TEXTS)
def test_no_text_has_markup_that_acts(text: str) -> None:
    assert live_markup(escape(text)) == []


@given(TEXTS)
def test_an_escaped_text_reads_as_it_was(text: str) -> None:
    assert readable(escape(text), {}) == text


@pytest.mark.parametrize(
    "line", ["# big", "- item", "+ item", "1. first", "12) twelfth", "> quote", "-# small"]
)
def test_nothing_becomes_a_heading_a_list_or_a_quote(line: str) -> None:
    for text in (line, f"before\n  {line}"):
        shown = escape(text).rpartition("\n")[2].strip()
        assert shown[0] == "\\" or shown.lstrip("0123456789")[0] == "\\"


@given(st.text("a\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069", max_size=20))
def test_the_writing_direction_is_as_before_after_every_text(text: str) -> None:
    tamed = tame(text)
    assert tame(tamed) == tamed
    for opens, closes in (("\u202a\u202b\u202d\u202e", "\u202c"), ("\u2066\u2067\u2068", "\u2069")):
        assert sum(map(tamed.count, opens)) == tamed.count(closes)


def test_marks_touch_the_text_and_keep_apart() -> None:
    body = (Span("a ", Mark.BOLD), Span("b", Mark.ITALIC), Span("c", Mark.STRIKE), Span("", Mark.BOLD))
    assert render(Screen(body)).content == "**a** *b*\u2060~~c~~"


@pytest.mark.parametrize("text", ["plain", "`", "a`b", "``a``", "*x* <@1>"])
def test_code_holds_anything(text: str) -> None:
    assert readable(markdown(Span(text, Mark.CODE)), {}) == text


def test_only_meant_mentions_notify() -> None:
    body = (
        Span("@everyone <@7> "),
        Span("Anna", mention=user_ref(5)),
        Span("Boris", mention=UserRef("telegram", "6")),
    )
    drawn = render(Screen(body))
    assert drawn.content == "@\u200beveryone \\<@\u200b7\\> <@5>Boris"
    assert dict(drawn.mentions.to_dict()) == {"parse": [], "users": [5]}


def test_a_link_leads_to_the_message() -> None:
    ref = MessageLocation("1", 2, 3).ref
    assert markdown(Span("a [table]", link=ref)) == "[a \\[table\\]](https://discord.com/channels/1/2/3)"
    assert markdown(Span("a table", link=MessageRef("telegram", "1:2"))) == "a table"


def test_a_moment_is_shown_by_the_readers_clock_and_as_how_long_ago() -> None:
    assert (
        markdown(Span("Friday 14:32", Mark.BOLD, when=1_763_649_120.4))
        == "<t:1763649120:t> (<t:1763649120:R>)"
    )
    assert markdown(Span("in 15 s", when=1_763_649_120.4, counts_down=True)) == "<t:1763649120:R>"


def test_a_text_too_long_is_cut_within_its_marks() -> None:
    content = render(Screen((Span("head "), Span("*" * 3000, Mark.BOLD)))).content
    assert content is not None
    assert len(content) <= 2000
    assert content.startswith("head **\\*")
    assert content.endswith("**…")


def test_a_screen_without_text_is_still_a_message() -> None:
    assert render(Screen(())).content == "\u200b"


def test_a_picture_brings_its_words() -> None:
    (file,) = render(Screen((Span("table"),), picture=Picture(b"png", "six cards " * 200))).files()
    assert (file.filename, len(file.description or "")) == ("picture.png", 1024)


def test_what_a_picture_shows_as_well_is_read_only_where_there_is_none() -> None:
    screen = Screen((Span("Anna takes."),), details=(Span("Anna 3"),))
    assert render(screen).content == "Anna 3\n\nAnna takes."
    drawn = render(replace(screen, picture=Picture(b"png", "Anna 3")))
    assert drawn.content == "Anna takes."
    assert drawn.files()[0].description == "Anna 3"


def test_buttons_carry_tone_and_state() -> None:
    row = (
        CallbackButton("m:1:2:T", "Take", Tone.DANGER),
        CallbackButton("m:1:2:P", "Done", Tone.GOOD, enabled=False),
    )
    view = render(Screen((), ((), row, (PrivateChatButton("x", guild_room(1, 2)),)))).view
    assert view is not None

    (line,) = view.to_components()
    assert [
        (button["label"], button["style"], button["disabled"], button["custom_id"])
        for button in line["components"]
    ] == [
        ("Take", 4, False, "m:1:2:T"),
        ("Done", 3, True, "m:1:2:P"),
    ]


def test_an_address_is_a_button_of_its_own() -> None:
    view = render(Screen((Span("Hi"),), ((LinkButton("Replay", "https://durak.example"),),))).view
    assert view is not None
    ((button,),) = (row["components"] for row in view.to_components())
    assert (button["label"], button["url"]) == ("Replay", "https://durak.example")


def test_a_server_can_add_the_bot_where_its_application_is_known() -> None:
    screen = Screen((Span("Hi"),), ((AddToGroupButton("Add me"),),))
    assert render(screen).view is None

    view = render(screen, application=Application(42)).view
    assert view is not None

    ((button,),) = (row["components"] for row in view.to_components())
    readme = Path("README.md").read_text("utf-8")
    (link,) = re.findall(r"https://discord\.com/oauth2/authorize\S+", readme)
    assert button["label"] == "Add me"
    assert parse_qs(urlsplit(button["url"]).query) == {
        **parse_qs(urlsplit(link).query),
        "client_id": ["42"],
    }


async def test_a_view_is_never_remembered() -> None:
    view = render(Screen((), ((CallbackButton("t", "Go"),),))).view
    assert view is not None
    assert view.is_finished()


def test_equal_tokens_and_empty_ones_are_told_apart_and_read_back() -> None:
    row = (
        CallbackButton("t", "A"),
        CallbackButton("t", "B"),
        CallbackButton("", "C"),
        CallbackButton("+1+t", "D"),
    )
    view = render(Screen((), (row,))).view
    assert view is not None

    ids = [button["custom_id"] for button in view.to_components()[0]["components"]]
    assert len(set(ids)) == 4
    assert all(ids)
    assert [token_of(custom_id) for custom_id in ids] == ["t", "t", "", "+1+t"]


@given(st.text(max_size=64), st.integers(0, 30))
def test_every_token_comes_back(token: str, earlier: int) -> None:
    assert token_of(custom_id(token, earlier)) == token


def test_a_label_is_cut_and_never_empty() -> None:
    view = render(Screen((), ((CallbackButton("a", "x" * 200), CallbackButton("b", " ")),))).view
    assert view is not None
    first, second = view.to_components()[0]["components"]
    assert first["label"] == "x" * LIMITS.label
    assert second["label"] == "\u200b"


def test_refs_fit_and_come_back() -> None:
    for location in (
        MessageLocation("1" * 20, 10**19, 10**19),
        MessageLocation("@me", 1, 2),
        MessageLocation("1", 2, 3, is_ephemeral=True),
    ):
        assert MessageLocation.of(location.ref) == location
        assert len(location.ref.opaque) <= 120
