"""The digests of screens on record: they tell whether a message of before a restart shows what it should."""

from dataclasses import replace

from adapters.port import (
    CallbackButton,
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
from bot.model.message_slots import digest_of

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


def test_digests_are_those_that_the_first_version_put_on_record() -> None:
    assert digest_of(EVERYTHING) == "10017daf51c69ad4a818a1bb026cd7e1"
    assert digest_of(replace(EVERYTHING, details=(Span("Anna 3"),))) != digest_of(EVERYTHING)
    assert digest_of(Screen(())) == "523694032f51d8b87eb42dcdab84735e"
