"""Handing the attack on (chapter 6), and taking where one must beat if one can (rule 5.4)."""

import pytest

from engine import Move, Rules, State, Take

TRAVEL = Rules(transfer=True, transfer_by_showing_trump=True, decks=2)


def after(state: State, *moves: str) -> State:
    """Plays moves such as `0 A 6S`."""
    for move in moves:
        seat, _, text = move.partition(" ")
        state = state.apply(int(seat), Move.parse(text)).state
        assert not state.problems(), state.problems()
    return state


def test_without_any_limit_one_card_hands_the_attack_on() -> None:
    """Rules 6.2 and 6.4."""
    rules = Rules(transfer=True, attack_limit=None, transfer_limit_by_hand=False)
    state = State.setup(rules, hands=["6S 8D", "6D 6C 9D", "TD"], talon="", trump="H", attacker=0)
    moves = after(state, "0 A 6S").legal_moves(1)
    assert [str(move) for move in moves if str(move).startswith("X")] == ["X 6D", "X 6C"]


@pytest.mark.parametrize("attacker", [0, 1, 2])
def test_each_of_two_equal_trumps_can_be_shown_once(attacker: int) -> None:
    """Rule 6.9."""
    hands = ["6S 9D TD JD", "6H 8D 9S", "6H 7D 8S"]
    seats = [(attacker + step) % 3 for step in range(3)]
    placed = [hands[seats.index(seat)] for seat in range(3)]
    state = State.setup(TRAVEL, hands=placed, talon="", trump="H", attacker=attacker)
    shown = after(state, f"{seats[0]} A 6S", f"{seats[1]} V 6H")
    assert Move.parse("V 6H") in shown.legal_moves(seats[2])
    assert Move.parse("X 6H") in shown.legal_moves(seats[2])


def test_a_shown_trump_can_still_beat_but_not_transfer_again() -> None:
    """Rule 6.9."""
    hands = ["6S 6C 9D TD JD", "6H 8D 9S TS"]
    state = State.setup(TRAVEL, hands=hands, talon="", trump="H", attacker=0)
    back = after(state, "0 A 6S", "1 V 6H", "0 X 6C")
    assert set(map(str, back.legal_moves(1))) == {"D 6S 9S", "D 6S TS", "D 6S 6H", "D 6C 6H", "T"}


def test_one_may_take_when_one_of_several_cards_cannot_be_beaten() -> None:
    """Rule 5.4."""
    rules = Rules(opening_cards="equal_rank", voluntary_take=False)
    state = State.setup(rules, hands=["6S 6D KC", "7D 8D TC"], talon="", trump="H", attacker=0)
    assert Take() in after(state, "0 A 6S 6D").legal_moves(1)


def test_one_may_take_when_one_card_would_have_to_beat_two() -> None:
    """Rule 5.4."""
    rules = Rules(opening_cards="equal_rank", voluntary_take=False)
    state = State.setup(rules, hands=["6S 6D KC", "7H 8C TC"], talon="", trump="H", attacker=0)
    assert Take() in after(state, "0 A 6S 6D").legal_moves(1)
    state = State.setup(rules, hands=["6S 6D KC", "7H 8H TC"], talon="", trump="H", attacker=0)
    assert Take() not in after(state, "0 A 6S 6D").legal_moves(1)
