"""What the page gets of tables and hands: every field, by its own name."""

from dataclasses import fields

from adapters.port import Board, HandBoard, LobbyBoard, UserRef
from adapters.web.render import board_json
from tests.adapters.boards import board, hand, lobby


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
    }
    mine = board_json(hand("9S QH", "D 9H QH"))
    assert set(mine) == {field.name for field in fields(HandBoard)}
    assert mine["moves"] == [
        {"token": "m:1:1:D 9H QH", "kind": "beat", "cards": ["QH"], "attack": "9H", "label": "D 9H QH"}
    ]
    before = board_json(lobby("Anna", "🤖 Ada"))
    assert set(before) == {field.name for field in fields(LobbyBoard)}
    assert before["players"] == [
        {"name": "Anna", "user": "anna", "is_host": True, "team": ""},
        {"name": "🤖 Ada", "user": None, "is_host": False, "team": ""},
    ]
    assert before["for_others"]["tokens"] == ["t:Join"]


def test_people_of_other_chats_are_nobody_on_the_page() -> None:
    seats = board().seats
    other = board_json(board(seats=(type(seats[0])("Eve", UserRef("elsewhere", "7"), 6),)))
    assert other["seats"][0]["user"] is None
