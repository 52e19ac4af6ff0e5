"""The recorded digests of screens: they show after a restart whether a message is up to date."""

from collections.abc import Callable, Mapping
from dataclasses import fields, replace
from typing import Any

import pytest

from adapters.port import (
    CallbackButton,
    LinkButton,
    LobbyBoard,
    LobbySeat,
    LobbyView,
    Mark,
    MessageRef,
    Picture,
    PrivateChatButton,
    RoomRef,
    Screen,
    ServerRef,
    Span,
    Tone,
    UserRef,
)
from bot.delivery.messages import digest_of

ROOM = RoomRef(ServerRef("chat", "club"), "parlour")
EVERYTHING = Screen(
    (
        Span('Anna\'s "table"', Mark.BOLD, mention=UserRef("chat", "anna")),
        Span("at", when=1.5),
        Span("there", link=MessageRef("chat", "7")),
    ),
    (
        (CallbackButton("t:1", "Join", Tone.GOOD, icon="6♠"), CallbackButton("t:2", "No", enabled=False)),
        (PrivateChatButton("Open", ROOM),),
    ),
    Picture(b"png", "six"),
    "🎉",
)

NOBODY = LobbyView(())
BOARD = LobbyBoard("1", (), "Lobby", (LobbySeat("Anna", None),), 4, (), NOBODY, NOBODY, NOBODY)
# Parts of screens, the screen with such a part, and another value for each field of its `repr`.
PARTS = (
    (
        EVERYTHING,
        lambda screen: screen,
        {
            "body": (Span("other"),),
            "rows": (),
            "picture": Picture(b"other", "six"),
            "reaction": "",
            "board": BOARD,
            "details": (Span("other"),),
        },
    ),
    (
        Span("text"),
        lambda span: Screen((span,)),
        {
            "text": "other",
            "mark": Mark.STRIKE,
            "mention": UserRef("chat", "anna"),
            "link": MessageRef("chat", "7"),
            "when": 0.0,
            "counts_down": True,
            "in_picture": True,
        },
    ),
    (
        CallbackButton("t:1", "Join"),
        lambda button: Screen((), ((button,),)),
        {
            "token": "t:2",
            "label": "Leave",
            "tone": Tone.DANGER,
            "enabled": False,
            "icon": "6♠",
            "menu": "Deck",
            "readers": (UserRef("chat", "anna"),),
            "besides": (UserRef("chat", "anna"),),
        },
    ),
    (
        LinkButton("Open", "https://durak.example"),
        lambda button: Screen((), ((button,),)),
        {"label": "Other", "url": "https://other.example"},
    ),
    (
        PrivateChatButton("Open", ROOM),
        lambda button: Screen((), ((button,),)),
        {"label": "Other", "room": replace(ROOM, topic="other")},
    ),
)


@pytest.mark.parametrize(("part", "screen_with", "others"), PARTS)
def test_another_value_of_a_field_is_another_digest(
    part: Any, screen_with: Callable[[Any], Screen], others: Mapping[str, object]
) -> None:
    assert set(others) == {field.name for field in fields(part) if field.repr}
    shown = {digest_of(screen_with(replace(part, **{name: other}))) for name, other in others.items()}
    assert len(shown - {digest_of(screen_with(part))}) == len(others)
