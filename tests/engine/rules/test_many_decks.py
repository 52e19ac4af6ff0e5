"""Many equal cards: what can be chosen stays few, and is found at once."""

import pytest

from engine import Attack, Move, Rules, State, Take

EQUAL = "6S 6H 6D 6C"
TABLE_OF_EIGHT_DECKS = Rules(
    deck=52,
    decks=8,
    hand_size=32,
    opening_cards="equal_rank",
    attack_limit=None,
    limit_by_defender_hand=False,
    voluntary_take=False,
)


def position(attackers: str, defenders: str) -> State:
    return State.setup(
        TABLE_OF_EIGHT_DECKS, hands=[attackers, defenders], talon="", trump="H", attacker=0, discard="AS"
    )


@pytest.mark.timeout(20)
def test_equal_cards_are_chosen_by_their_number_only() -> None:
    """Rules 2.2 and 4.1."""
    moves = position(" ".join([EQUAL] * 8), "7S 7H").legal_moves(0)
    assert len(set(moves)) == len(moves) == 9**4 - 1  # none to eight of each suit, but not none of all
    sizes = [len(move.cards) for move in moves if isinstance(move, Attack)]
    assert sizes == sorted(sizes)


@pytest.mark.timeout(20)
def test_whether_all_can_be_beaten_is_found_at_once() -> None:
    attack, state = " ".join(["6S"] * 8 + ["6D"] * 8), " ".join(["7S"] * 8 + ["7D"] * 7 + ["AC"] * 8)
    short = position(attack, state).apply(0, Move.parse(f"A {attack}")).state
    assert Take() in short.legal_moves(1)
    enough = position(attack, f"{state} 7D").apply(0, Move.parse(f"A {attack}")).state
    assert Take() not in enough.legal_moves(1)


def test_a_card_goes_where_no_other_can() -> None:
    """Rule 5.4."""
    state = position("6S 6D", "7S 7H").apply(0, Move.parse("A 6S 6D")).state
    assert Take() not in state.legal_moves(1)  # the trump has to beat the diamond
