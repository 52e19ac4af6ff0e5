"""Positions in a readable form."""

from engine import PRESETS, State
from tests.engine.rules.games import after


def test_a_position_names_roles_hands_the_table_and_whom_it_waits_for() -> None:
    start = State.setup(
        PRESETS["podkidnoy-36"], hands=["6S 7H", "8S 9D", "TC"], talon="", trump="H", attacker=0
    )
    attacked = after(start, "0 A 6S")
    assert str(attacked) == (
        "trump H, 0 in the talon, 0 discarded\n"
        "  0 attacks  7H\n"
        "> 1 defends  8S 9D\n"
        "  2          TC\n"
        "table: 6S"
    )

    assert "  0 attacks  1 card\n" in str(attacked.view_for(2))
    assert "  2          TC" in str(attacked.view_for(2))
    assert "  2          1 card\n" in str(attacked.public_view())
    assert "  1 takes    8S 9D" in str(after(attacked, "1 T"))


def test_an_end_names_who_has_lost_or_says_that_it_is_a_draw() -> None:
    last = State.setup(PRESETS["podkidnoy-36"], hands=["6S", "8S"], talon="", trump="H", attacker=0)
    attacked = after(last, "0 A 6S")
    lost = after(attacked, "1 T")
    drawn = after(attacked, "1 D 6S 8S")
    assert str(lost).endswith("  0 is out\n  1          6S 8S\nseat 1 has lost")
    assert str(drawn).endswith("  0 is out\n  1 is out\nthe game is a draw")


def test_a_beaten_card_stands_with_the_one_that_beats_it_and_a_turn_up_is_named() -> None:
    start = State.setup(
        PRESETS["podkidnoy-36"], hands=["6S 7H", "8S 9D"], talon="TH", trump="H", attacker=0, turn_up="TH"
    )
    assert str(start).startswith("trump H, 1 in the talon, TH face up, 0 discarded\n")
    assert str(after(start, "0 A 6S", "1 D 6S 8S")).endswith("table: 6S/8S")
