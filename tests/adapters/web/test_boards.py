"""Tables and hands as the page receives them: every field under its name in the port."""

from dataclasses import fields

import pytest

from adapters.port import (
    Board,
    CallbackButton,
    CommandSpec,
    Document,
    GameRef,
    HandBoard,
    LobbyBoard,
    Mark,
    MessageRef,
    Picture,
    PuzzleBoard,
    Replay,
    Screen,
    Span,
    UserRef,
)
from adapters.web.refs import PLATFORM
from adapters.web.render import (
    Json,
    board_json,
    chat_content,
    command_json,
    guest_json,
    line_json,
    message_json,
    replay_json,
    screen_content,
)
from adapters.web.store import POST, Guest, SavedMessage
from tests.adapters.boards import board, hand, lobby
from tests.adapters.contract.picturing import png
from tests.adapters.web import declarations
from tests.adapters.web.pages import GAME, steps


def test_a_table_and_a_hand_are_sent_whole() -> None:
    table = board_json(board(bout=[("9H", "JH"), ("9S", None)]))
    assert set(table) == {field.name for field in fields(Board)}
    assert table["bout"][1] == {"attack": "9S", "beat": None, "by": 0}
    assert table["seats"][0]["user"] == "anna"
    assert table["seats"][1] | {"name": ""} == {
        "name": "",
        "user": None,
        "cards": 6,
        "role": "defender",
        "is_awaited": False,
        "is_out": False,
        "is_away": False,
        "team": "",
        "seen": [],
        "place": 0,
        "portrait": "",
    }

    mine = board_json(hand("9S QH", "D 9H QH"))
    assert set(mine) == {field.name for field in fields(HandBoard)}
    assert mine["moves"] == [
        {"token": "m:1:1:D 9H QH", "kind": "beat", "cards": ["QH"], "attack": "9H", "label": "D 9H QH"}
    ]

    before = board_json(lobby("Anna", "🤖 Ada"))
    assert set(before) == {field.name for field in fields(LobbyBoard)}
    assert before["players"] == [
        {"name": "Anna", "user": "anna", "is_host": True, "team": "", "portrait": ""},
        {"name": "🤖 Ada", "user": None, "is_host": False, "team": "", "portrait": ""},
    ]
    assert before["for_others"]["tokens"] == ["t:Join"]


def test_people_of_other_chats_are_nobody_on_the_page() -> None:
    seats = board().seats
    other = board_json(board(seats=(type(seats[0])("Eve", UserRef("elsewhere", "7"), 6),)))
    assert other["seats"][0]["user"] is None


def test_the_scripts_are_checked_with_the_types_that_are_sent() -> None:
    text = declarations.FILE.read_text(encoding="utf-8")
    assert text == declarations.regenerated(text), "python -m tests.regenerate types"


SPAN = Span("Anna", Mark.BOLD, UserRef(PLATFORM, "a"), MessageRef(PLATFORM, "7"), 1.5)
JOIN = CallbackButton("t:Join", "Join", readers=(), besides=(UserRef(PLATFORM, "a"),))
PUZZLE = PuzzleBoard("H", (SPAN,), ("9D",), (), ("JS",))
SCREEN = Screen(
    (SPAN,), ((JOIN,),), Picture(png(0), "A table"), board=board(), finished_game=GameRef(7, 2), facts=PUZZLE
)
ANNA = Guest("a", "Anna", "", 0.0, 0.0)
SENT = screen_content(SCREEN, line_json(ANNA, "/hand", [ANNA]), Document("game.json", b"{}")).facts
REPLAY = replay_json(Replay(GAME, "A game", steps(()), ((True, "SHA-256"),)))


@pytest.mark.parametrize(
    ("name", "sent"),
    [
        ("Span", SENT["body"][0]),
        ("Button", SENT["rows"][0][0]),
        ("PictureFile", SENT["picture"]),
        ("DocumentFile", SENT["document"]),
        ("AskedLine", SENT["asked"]),
        ("PuzzleBoard", SENT["drawn"]),
        ("ScreenContent", SENT | {"has_address": True}),  # of the result in a view
        ("AskedLine", chat_content(ANNA, "Hello", [ANNA]).facts),
        ("MessageOf", message_json(SavedMessage("main", None, POST, SENT, 0.0, id=1), "en")),
        ("Guest", guest_json(ANNA)),
        ("Command", command_json(CommandSpec("hand", "Show my hand"), "en")),
        ("ReplayOf", REPLAY),
        ("ReplayStep", REPLAY["steps"][0]),
        ("ListedGame", {"id": REPLAY["summary"]["id"]}),
    ],
)
def test_every_field_that_is_sent_is_declared(name: str, sent: Json) -> None:
    declared = declarations.declared_fields(declarations.FILE.read_text(encoding="utf-8"))
    assert set(sent) == set(declared[name])
