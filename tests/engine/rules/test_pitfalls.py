"""Mistakes of other Durak programs, one test for each."""

from dataclasses import fields

import pytest

from engine import (
    MAX_QUIET_BOUTS,
    PRESETS,
    Beginner,
    Drew,
    IllegalMoveError,
    Move,
    Opening,
    Reason,
    Rules,
    State,
    WentOut,
    deck_order,
)
from tests.engine.rules.games import after, changed

PODKIDNOY = PRESETS["podkidnoy-36"]


def reason(state: State, seat: int, text: str) -> Reason:
    with pytest.raises(IllegalMoveError) as refused:
        state.apply(seat, Move.parse(text))
    return refused.value.reason


def test_the_turn_up_is_drawn_last() -> None:
    """Covers rule 2.6."""
    state = Opening(PODKIDNOY, 2, "any").deal()
    assert state.talon[-1] is state.turn_up
    assert state.turn_up is not None
    assert state.turn_up.suit is state.trump


def test_the_attacker_draws_first_and_the_defender_last() -> None:
    """Covers rule 7.4."""
    state = State.setup(
        PODKIDNOY,
        hands=["6S 7D 8D", "7S 9D", "6C TD JD QD KD AD TS"],
        talon="8S 9S JS QS KH",
        trump="H",
        attacker=0,
    )
    ended = state

    for move in ("0 A 6S", "1 D 6S 7S", "0 P"):
        ended = after(ended, move)

    step = ended.apply(2, Move.parse("P"))
    drew = [event for event in step.events if isinstance(event, Drew)]
    assert [(event.seat, event.count) for event in drew] == [(0, 4), (1, 1)]
    assert [len(hand) for hand in step.state.hands] == [6, 2, 7]
    assert drew[1].turn_up is state.turn_up


def test_nobody_is_out_while_the_talon_has_cards_for_him() -> None:
    """Covers rule 7.7."""
    state = State.setup(PODKIDNOY, hands=["6S", "7S 8S"], talon="9S 9H", trump="H", attacker=0)
    state = after(state, "0 A 6S", "1 D 6S 7S")
    assert state.out == ()
    assert [len(hand) for hand in state.hands] == [2, 1]


def test_empty_hands_are_noticed_in_the_bout_that_empties_the_talon() -> None:
    """Covers rule 7.7."""
    state = State.setup(PODKIDNOY, hands=["6S", "7S 8S", "8D"], talon="9H", trump="H", attacker=0)
    state = after(state, "0 A 6S", "1 D 6S 7S", "2 P")
    assert state.talon == ()
    assert state.out == ()  # the attacker got the last card
    state = State.setup(PODKIDNOY, hands=["6S 6D 8C", "7S 7D", "8D"], talon="9H", trump="H", attacker=0)
    state = after(state, "0 A 6S", "1 D 6S 7S", "0 A 6D", "1 D 6D 7D")
    assert state.out == (1,)


@pytest.mark.parametrize("text", ["A 6S 6S", "A 9D", "A AH"])
def test_a_card_is_played_once_and_only_from_the_hand(text: str) -> None:
    """Covers rule 1.9."""
    state = State.setup(
        Rules(opening_cards="equal_rank"), hands=["6S 6D", "7S 8S"], talon="", trump="H", attacker=0
    )
    assert reason(state, 0, text) is Reason.NOT_IN_HAND


def test_the_limit_is_not_recomputed_from_the_shrinking_hand() -> None:
    """Covers rule 4.8."""
    state = State.setup(
        PODKIDNOY, hands=["6S 6D 6C", "7S 7D 7C", "8C"], talon="", trump="H", attacker=0, discard="AS"
    )
    state = after(state, "0 A 6S", "1 D 6S 7S", "0 A 6D", "1 D 6D 7D")
    assert state.attack_cards_left == 1
    assert Move.parse("A 6C") in state.legal_moves(0)


def test_helper_may_not_exceed_the_defenders_hand() -> None:
    """Covers rule 4.8."""
    state = State.setup(PODKIDNOY, hands=["6S KD", "TS", "6D 6C"], talon="", trump="H", attacker=0)
    state = after(state, "0 A 6S", "1 T")
    assert state.attacker == 2  # the take ended the bout, because there is no room for a second card
    assert len(state.hands[1]) == 2


def test_cards_may_be_added_after_take_and_then_the_next_player_attacks() -> None:
    """Covers rules 4.12 and 7.11."""
    state = State.setup(PODKIDNOY, hands=["6S KD", "TS 8C", "6D 7C"], talon="", trump="H", attacker=0)
    state = after(state, "0 A 6S", "1 T", "2 A 6D")
    assert (state.attacker, state.defender) == (2, 0)
    assert set(map(str, state.hands[1])) == {"TS", "8C", "6S", "6D"}


def test_a_transfer_is_measured_by_the_next_players_hand() -> None:
    """Covers rule 6.4."""
    rules = PRESETS["perevodnoy"]
    state = State.setup(rules, hands=["6S KD", "6D 8S", "9D TD"], talon="", trump="H", attacker=0)
    assert Move.parse("X 6D") in after(state, "0 A 6S").legal_moves(1)
    state = State.setup(rules, hands=["6S KD", "6D 8S", "9D"], talon="", trump="H", attacker=0)
    assert reason(after(state, "0 A 6S"), 1, "X 6D") is Reason.TRANSFER_NO_ROOM


def test_no_transfer_without_the_rule_after_a_beat_or_after_take() -> None:
    """Covers rules 5.5 and 6.1."""
    hands = ["6S 8D KD", "6D 8S 9S", "9D TD JD"]
    state = State.setup(PODKIDNOY, hands=hands, talon="", trump="H", attacker=0)
    assert reason(after(state, "0 A 6S"), 1, "X 6D") is Reason.TRANSFER_OFF

    state = State.setup(PRESETS["perevodnoy"], hands=hands, talon="", trump="H", attacker=0)
    beaten = after(state, "0 A 6S", "1 D 6S 8S", "0 A 8D")
    assert reason(beaten, 1, "X 6D") is Reason.TRANSFER_TOO_LATE

    state = State.setup(
        PRESETS["perevodnoy"], hands=["6S 6C KD", "6D 8S 9S", "9D"], talon="", trump="H", attacker=0
    )
    assert reason(after(state, "0 A 6S", "1 T"), 1, "X 6D") is Reason.ALREADY_TAKING


def test_a_neighbour_is_somebody_still_in() -> None:
    """Covers rule 4.3."""
    state = State.setup(
        PRESETS["wikipedia-de"],
        hands=["6S 7S", "8S 9S", "", "6D 7D", "6C 7C"],
        talon="",
        trump="H",
        attacker=0,
        out=[2],
    )
    assert state.throw_order == (0, 3)


def test_somebody_absent_always_has_a_legal_move() -> None:
    beginner = Beginner()
    for name, rules in PRESETS.items():
        state = Opening(rules, rules.min_players, name).deal()
        while state.outcome() is None:
            seat = min(state.awaited)
            move = beginner.choose(state.view_for(seat), state.legal_moves(seat))
            state = state.apply(seat, move).state


def test_a_draw_names_no_fool() -> None:
    """Covers rule 9.2."""
    state = State.setup(PODKIDNOY, hands=["6S", "7S"], talon="", trump="H", attacker=0)
    outcome = after(state, "0 A 6S", "1 D 6S 7S").outcome()
    assert outcome is not None
    assert outcome.is_draw
    assert (outcome.fool, outcome.losers, outcome.order) == (None, (), (0, 1))


def test_going_out_keeps_every_seat_and_every_card_in_its_place() -> None:
    state = State.setup(PODKIDNOY, hands=["6S", "7S 8S 9S", "9D TD"], talon="", trump="H", attacker=0)
    declined = after(state, "0 A 6S", "1 D 6S 7S")
    step = declined.apply(2, Move.parse("P"))
    assert [event.place for event in step.events if isinstance(event, WentOut)] == [1]
    assert step.state.out == (0,)
    assert step.state.players == 3
    assert (step.state.attacker, step.state.defender) == (1, 2)


def test_six_players_and_36_cards_play_without_talon() -> None:
    """Covers rule 2.8."""
    deck = deck_order(PODKIDNOY, 6, "six")
    state = State.deal(PODKIDNOY, 6, deck, dealer=2)
    assert state.talon == ()
    assert state.trump is deck[-1].suit
    assert deck[-1] in state.hands[2]
    assert state.public_view().turn_up is deck[-1]
    assert state.public_view().seen_cards == ((2, deck[-1]),)


def test_any_seat_can_attack_first_and_somebody_always_does() -> None:
    """Covers rules 3.1 and 3.3."""
    first = {Opening(PODKIDNOY, 3, str(seed)).deal().attacker for seed in range(40)}
    assert first == {0, 1, 2}
    rules = Rules(deck=24, hand_size=1)
    cards = [card for card in deck_order(rules, 2, "x") if card.suit.value != "H"]
    hearts = [card for card in deck_order(rules, 2, "x") if card.suit.value == "H"]
    state = State.deal(rules, 2, [*cards[:2], hearts[0], *cards[2:], *hearts[1:]], dealer=0)
    assert (state.attacker, state.defender) == (1, 0)


@pytest.mark.parametrize("fact", [field.name for field in fields(State)])
def test_a_position_refuses_every_change(fact: str) -> None:
    state = State.deal(PODKIDNOY, 2, deck_order(PODKIDNOY, 2, "x"))
    with pytest.raises(AttributeError, match=fact):
        setattr(state, fact, getattr(state, fact))
    with pytest.raises(AttributeError, match=fact):
        delattr(state, fact)


def test_a_game_without_a_discard_for_long_ends_as_a_draw() -> None:
    """Covers rule 9.9."""
    state = State.setup(PODKIDNOY, hands=["6S 7S", "8D 9D"], talon="", trump="H", attacker=0)
    state = changed(state, bouts_without_discard=MAX_QUIET_BOUTS - 1)
    outcome = after(state, "0 A 6S", "1 T", "0 P").outcome()
    assert outcome is not None
    assert outcome.is_draw
