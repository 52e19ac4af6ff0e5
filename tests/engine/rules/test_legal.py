"""Permissions: the players who may act, the awaited ones, and the order of adding (rules 4.9 to 4.11)."""

import pytest

from engine import EDITION, PRESETS, Attack, Move, Opening, Rules, State, Take
from tests.engine.rules.games import after

HANDS = ["6S 7D KD", "7S 8D QD", "6C AD TD", "6D JD 9C"]
DONE = Move.parse("P")


def position(rules: Rules, *moves: str) -> State:
    return after(State.setup(rules, hands=HANDS, talon="", trump="H", attacker=0, discard="AS"), *moves)


def test_only_the_attacker_opens_and_only_the_defender_answers() -> None:
    """Covers rules 4.1 and 4.2."""
    rules = PRESETS["podkidnoy-36"]
    assert position(rules).actors == {0}
    assert position(rules, "0 A 6S").actors == {1}


def test_the_bout_waits_for_the_done_of_everybody_who_may_add() -> None:
    """Covers rules 7.1 and 12.1."""
    state = position(PRESETS["podkidnoy-36"], "0 A 6S", "1 D 6S 7S")
    assert state.actors == state.awaited == {0, 2, 3}
    state = state.apply(3, DONE).state.apply(0, DONE).state
    assert state.actors == {2}
    assert state.apply(2, DONE).state.bout == ()


def test_helpers_may_add_early_but_the_game_waits_for_the_defender() -> None:
    """Covers rule 4.5."""
    state = position(PRESETS["durnius"], "0 A 6S")
    assert state.actors == {0, 1, 2, 3}
    assert state.awaited == {1}


def test_in_strict_order_the_game_waits_for_one_after_the_other() -> None:
    """Covers rule 4.10."""
    rules = Rules().with_options(["throw_in_order=strict"])
    state = position(rules, "0 A 6S", "1 D 6S 7S")
    assert state.awaited == {0}
    assert state.legal_moves(2) == (DONE,)  # the attacker holds a seven
    state = state.apply(0, DONE).state
    assert state.awaited == {2}
    assert Move.parse("A 6C") in state.legal_moves(2)


def test_a_take_does_not_cancel_a_done() -> None:
    """Covers rule 4.11."""
    state = position(PRESETS["wikipedia-de"], "0 A 6S", "0 P", "1 T")
    assert state.awaited == {2}


def test_bystanders_may_lay_away_but_nobody_waits_for_them() -> None:
    """Covers rule 8.6."""
    rules = Rules(lay_away_four=True)
    state = State.setup(
        rules, hands=["6S 7D", "8S 8H 8D 8C TC", "6C AD TD KD QD"], talon="", trump="H", attacker=0
    )
    assert state.actors == {0, 1, 2}
    assert state.awaited == {0}
    assert state.legal_moves(1) == (Move.parse("L 8"),)
    assert not state.legal_moves(2)
    assert Move.parse("L 8") not in state.apply(0, Move.parse("A 6S")).state.legal_moves(1)


def test_a_done_ends_the_throwing_in_and_not_the_right_to_exchange() -> None:
    """Covers rule 8.6."""
    rules = Rules(trump_six_exchange=True)
    hands = ["6S 7D", "8S TC 9S", "6H AD"]
    start = State.setup(rules, hands=hands, talon="9C KH", trump="H", attacker=0)
    state = after(start, "0 A 6S", "1 D 6S 8S")
    assert state.legal_moves(2) == (Move.parse("A 6H"), DONE, Move.parse("E"))
    assert state.apply(2, DONE).state.legal_moves(2) == (Move.parse("E"),)


def test_in_games_of_earlier_editions_bystanders_may_say_done() -> None:
    """Covers rule 8.7."""
    rules = Rules(lay_away_four=True)
    old = Opening(rules, 3, "5eed", edition=2).deal()
    new = Opening(rules, 3, "5eed", edition=EDITION).deal()

    assert old.legal_moves(old.defender) == (DONE,)
    assert not old.apply(old.defender, DONE).state.legal_moves(old.defender)
    assert not new.legal_moves(new.defender)
    assert "no_idle_done yes" in new.to_text()
    assert "no_idle_done" not in old.to_text()


def test_by_priority_the_attacker_comes_first() -> None:
    """Covers rules 4.9 and 4.10."""
    state = position(PRESETS["podkidnoy-36"], "0 A 6S", "1 D 6S 7S")
    assert [state.place_in_line(seat) for seat in range(4)] == [0, 0, 1, 2]
    assert [state.apply(0, DONE).state.place_in_line(seat) for seat in range(4)] == [0, 0, 0, 1]


def test_in_other_orders_nobody_comes_before_another_of_the_same_moment() -> None:
    """Covers rule 4.10."""
    for order in ("free", "strict"):
        state = position(Rules().with_options([f"throw_in_order={order}"]), "0 A 6S", "1 D 6S 7S")
        assert [state.place_in_line(seat) for seat in range(4)] == [0, 0, 0, 0]


# --- handing the attack on (chapter 6), and taking where one must beat if one can (rule 5.4) -------------


TRAVEL = Rules(transfer=True, transfer_by_showing_trump=True, decks=2)


def test_without_any_limit_one_card_hands_the_attack_on() -> None:
    """Covers rules 6.2 and 6.4."""
    rules = Rules(transfer=True, attack_limit=None, transfer_limit_by_hand=False)
    state = State.setup(rules, hands=["6S 8D", "6D 6C 9D", "TD"], talon="", trump="H", attacker=0)
    moves = after(state, "0 A 6S").legal_moves(1)
    assert [str(move) for move in moves if str(move).startswith("X")] == ["X 6D", "X 6C"]


@pytest.mark.parametrize("attacker", [0, 1, 2])
def test_each_of_two_equal_trumps_can_be_shown_once(attacker: int) -> None:
    """Covers rule 6.9."""
    hands = ["6S 9D TD JD", "6H 8D 9S", "6H 7D 8S"]
    seats = [(attacker + step) % 3 for step in range(3)]
    placed = [hands[seats.index(seat)] for seat in range(3)]
    state = State.setup(TRAVEL, hands=placed, talon="", trump="H", attacker=attacker)
    shown = after(state, f"{seats[0]} A 6S", f"{seats[1]} V 6H")
    assert Move.parse("V 6H") in shown.legal_moves(seats[2])
    assert Move.parse("X 6H") in shown.legal_moves(seats[2])


def test_a_shown_trump_can_still_beat_but_not_transfer_again() -> None:
    """Covers rule 6.9."""
    hands = ["6S 6C 9D TD JD", "6H 8D 9S TS"]
    state = State.setup(TRAVEL, hands=hands, talon="", trump="H", attacker=0)
    back = after(state, "0 A 6S", "1 V 6H", "0 X 6C")
    assert set(map(str, back.legal_moves(1))) == {"D 6S 9S", "D 6S TS", "D 6S 6H", "D 6C 6H", "T"}


def test_one_may_take_when_one_of_several_cards_cannot_be_beaten() -> None:
    """Covers rule 5.4."""
    rules = Rules(opening_cards="equal_rank", voluntary_take=False)
    state = State.setup(rules, hands=["6S 6D KC", "7D 8D TC"], talon="", trump="H", attacker=0)
    assert Take() in after(state, "0 A 6S 6D").legal_moves(1)


def test_one_may_take_when_one_card_would_have_to_beat_two() -> None:
    """Covers rule 5.4."""
    rules = Rules(opening_cards="equal_rank", voluntary_take=False)
    state = State.setup(rules, hands=["6S 6D KC", "7H 8C TC"], talon="", trump="H", attacker=0)
    assert Take() in after(state, "0 A 6S 6D").legal_moves(1)
    state = State.setup(rules, hands=["6S 6D KC", "7H 8H TC"], talon="", trump="H", attacker=0)
    assert Take() not in after(state, "0 A 6S 6D").legal_moves(1)


# --- many equal cards: the choices stay few, and are found at once  --------------------------------


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


def of_eight_decks(attackers: str, defenders: str) -> State:
    return State.setup(
        TABLE_OF_EIGHT_DECKS, hands=[attackers, defenders], talon="", trump="H", attacker=0, discard="AS"
    )


@pytest.mark.timeout(20)
def test_equal_cards_are_chosen_by_their_number_only() -> None:
    """Covers rules 2.2 and 4.1."""
    moves = of_eight_decks(" ".join([EQUAL] * 8), "7S 7H").legal_moves(0)
    assert len(set(moves)) == len(moves) == 9**4 - 1  # none to eight of each suit, but not none of all
    sizes = [len(move.cards) for move in moves if isinstance(move, Attack)]
    assert sizes == sorted(sizes)


@pytest.mark.timeout(20)
def test_whether_all_can_be_beaten_is_found_at_once() -> None:
    attack = " ".join(["6S"] * 8 + ["6D"] * 8)
    state = " ".join(["7S"] * 8 + ["7D"] * 7 + ["AC"] * 8)
    short = of_eight_decks(attack, state).apply(0, Move.parse(f"A {attack}")).state
    assert Take() in short.legal_moves(1)
    enough = of_eight_decks(attack, f"{state} 7D").apply(0, Move.parse(f"A {attack}")).state
    assert Take() not in enough.legal_moves(1)


def test_a_card_goes_where_no_other_can() -> None:
    """Covers rule 5.4."""
    state = of_eight_decks("6S 6D", "7S 7H").apply(0, Move.parse("A 6S 6D")).state
    assert Take() not in state.legal_moves(1)  # the trump has to beat the diamond
