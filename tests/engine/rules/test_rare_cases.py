"""Rules that few games reach, each in one position."""

import pytest

from engine import Card, LayAway, Rank, Rules, State, Take
from engine.rules.cards import parse_cards
from tests.engine.rules.games import after


def with_hands(*hands: str, talon: str = "", **settings: str) -> State:
    rules = Rules().with_options(f"{name}={value}" for name, value in settings.items())
    return State.setup(rules, hands=hands, talon=talon, trump="H", attacker=0)


def test_the_turn_up_is_no_lowest_trump_while_it_lies_on_the_table() -> None:
    """Covers rule 3.2."""
    deck = [*parse_cards("9H 8H 7S 7D 8S 8D 9S 9D TS TD JS JD 6H")]
    deck += [card for card in Rules().cards(2) if card not in deck]
    state = State.deal(Rules(), 2, deck, dealer=1)
    assert (state.turn_up, state.attacker) == (Card.parse("6H"), 1)


def test_the_last_card_of_the_dealer_counts_as_a_trump_of_his_hand() -> None:
    """Covers rule 3.2."""
    rules = Rules()
    deck = [card for card in rules.cards(6) if card is not Card.parse("6H")]
    state = State.deal(rules, 6, [*deck, Card.parse("6H")], dealer=3)
    assert (state.talon, state.attacker) == ((), 3)


def test_whoever_attacks_first_may_begin_with_any_card() -> None:
    """Covers rule 3.4."""
    state = with_hands("6H 9D AS", "7S 8D TD")
    assert set(map(str, state.legal_moves(0))) == {"A 6H", "A 9D", "A AS"}


def test_nobody_adds_to_an_attack_that_took_the_defenders_last_card() -> None:
    """Covers rule 4.13."""
    state = with_hands("6S 7D", "7S", talon="8S 9S TS", limit_by_defender_hand="off")
    assert after(state, "0 A 6S", "1 D 6S 7S").bout == ()


def test_the_defender_may_take_after_beating_some_but_not_all() -> None:
    """Covers rule 5.3."""
    state = with_hands("6S 6D KC", "7S 7D 9C", "8S 8D", opening_cards="equal_rank")
    state = after(state, "0 A 6S 6D", "1 D 6S 7S")
    assert Take() in state.legal_moves(1)
    assert Take() not in after(state, "1 D 6D 7D").legal_moves(1)


def test_a_transfer_to_the_right_moves_the_attack_back() -> None:
    """Covers rule 7.6."""
    state = with_hands("6S 8D 9D", "6D TD", "JD QD", transfer="on", transfer_direction="right")
    assert [state.moved, after(state, "0 A 6S").moved, after(state, "0 A 6S", "1 X 6D").moved] == [0, 1, 0]


def test_an_attacker_without_cards_stays_attacker_until_the_bout_ends() -> None:
    """Covers rule 7.10."""
    state = after(with_hands("6S", "7S 8D 9D", "7D KD"), "0 A 6S", "1 D 6S 7S")
    assert (state.attacker, state.out) == (0, ())
    assert state.actors == {2}


@pytest.mark.parametrize(
    ("hand", "talon", "may"),
    [("8S 8H 8D 8C", "9S TS", False), ("8S 8H 8D 8C KC", "9S TS", True), ("8S 8H 8D 8C", "", True)],
)
def test_whoever_lays_away_keeps_a_card_or_is_out(hand: str, talon: str, may: bool) -> None:
    """Covers rule 8.2."""
    state = with_hands(hand, "7S 9D", "TD JD", talon=talon, lay_away_four="on")
    assert (LayAway(Rank.EIGHT) in state.legal_moves(0)) == may


def test_an_epaulette_costs_a_point_where_they_are_scored() -> None:
    """Covers rule 9.8."""
    state = with_hands("6S", "7D KC", epaulettes="announce", scoring="epaulettes")
    outcome = after(state, "0 A 6S", "1 T").outcome()
    assert outcome is not None
    assert outcome.points == (0, -1)
