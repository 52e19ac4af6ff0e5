"""Who may act, whom the game waits for, and in which order people may add (rules 4.9 to 4.11)."""

from engine import PRESETS, Move, Rules, State

HANDS = ["6S 7D KD", "7S 8D QD", "6C AD TD", "6D JD 9C"]
DONE = Move.parse("P")


def position(rules: Rules, *moves: str) -> State:
    state = State.setup(rules, hands=HANDS, talon="", trump="H", attacker=0, discard="AS")
    for move in moves:
        state = state.apply(int(move[0]), Move.parse(move[2:])).state
    return state


def test_only_the_attacker_opens_and_only_the_defender_answers() -> None:
    """Rules 4.1 and 4.2."""
    rules = PRESETS["podkidnoy-36"]
    assert position(rules).actors == {0}
    assert position(rules, "0 A 6S").actors == {1}


def test_the_bout_waits_for_the_done_of_everybody_who_may_add() -> None:
    """Rules 7.1 and 12.1."""
    state = position(PRESETS["podkidnoy-36"], "0 A 6S", "1 D 6S 7S")
    assert state.actors == state.awaited == {0, 2, 3}
    state = state.apply(3, DONE).state.apply(0, DONE).state
    assert state.actors == {2}
    assert state.apply(2, DONE).state.bout == ()


def test_helpers_may_add_early_but_the_game_waits_for_the_defender() -> None:
    """Rule 4.5."""
    state = position(PRESETS["durnius"], "0 A 6S")
    assert state.actors == {0, 1, 2, 3}
    assert state.awaited == {1}


def test_in_strict_order_the_game_waits_for_one_after_the_other() -> None:
    """Rule 4.10."""
    rules = Rules().with_options(["throw_in_order=strict"])
    state = position(rules, "0 A 6S", "1 D 6S 7S")
    assert state.awaited == {0}
    assert state.legal_moves(2) == (DONE,)  # the attacker holds a seven
    state = state.apply(0, DONE).state
    assert state.awaited == {2}
    assert Move.parse("A 6C") in state.legal_moves(2)


def test_a_take_does_not_cancel_a_done() -> None:
    """Rule 4.11."""
    state = position(PRESETS["wikipedia-de"], "0 A 6S", "0 P", "1 T")
    assert state.awaited == {2}


def test_bystanders_may_lay_away_or_say_done_but_nobody_waits_for_them() -> None:
    """Rule 8.6."""
    rules = Rules(lay_away_four=True)
    state = State.setup(
        rules, hands=["6S 7D", "8S 8H 8D 8C TC", "6C AD TD KD QD"], talon="", trump="H", attacker=0
    )
    assert state.actors == {0, 1, 2}
    assert state.awaited == {0}
    assert state.legal_moves(2) == (DONE,)
    assert Move.parse("L 8") in state.legal_moves(1)
    assert Move.parse("L 8") not in state.apply(0, Move.parse("A 6S")).state.legal_moves(1)


def test_by_priority_the_attacker_comes_first() -> None:
    """Rules 4.9 and 4.10."""
    state = position(PRESETS["podkidnoy-36"], "0 A 6S", "1 D 6S 7S")
    assert [state.place_in_line(seat) for seat in range(4)] == [0, 0, 1, 2]
    assert [state.apply(0, DONE).state.place_in_line(seat) for seat in range(4)] == [0, 0, 0, 1]


def test_in_other_orders_nobody_comes_before_another_of_the_same_moment() -> None:
    """Rule 4.10."""
    for order in ("free", "strict"):
        state = position(Rules().with_options([f"throw_in_order={order}"]), "0 A 6S", "1 D 6S 7S")
        assert [state.place_in_line(seat) for seat in range(4)] == [0, 0, 0, 0]
