"""Cards and sets of cards (rules 2.1 to 2.3 and 5.1)."""

import pickle

import pytest

from engine import Card, CardSet, Rank, Suit, beats, full_deck

NINE = Card.parse("9H")


def test_there_is_one_object_for_each_card() -> None:
    assert Card(Suit.HEARTS, Rank.NINE) is NINE
    assert pickle.loads(pickle.dumps(NINE)) is NINE


def test_a_card_does_not_change() -> None:
    with pytest.raises(AttributeError, match="rank"):
        NINE.rank = Rank.ACE


def test_what_python_prints_can_be_pasted_into_a_test() -> None:
    assert repr(NINE) == "Card.parse('9H')"
    assert repr(CardSet([NINE, Card.parse("AS")])) == "CardSet.parse('AS 9H')"


@pytest.mark.parametrize(("size", "lowest"), [(24, "9S"), (32, "7S"), (36, "6S"), (52, "2S")])
def test_a_deck_begins_with_its_lowest_rank(size: int, lowest: str) -> None:
    """Covers rule 2.1."""
    deck = full_deck(size)
    assert len(set(deck)) == len(deck) == size
    assert str(deck[0]) == lowest
    assert full_deck(size, 2) == deck + deck


def test_equal_sets_are_one_key() -> None:
    assert {CardSet.parse("9H AS"): "mine"}[CardSet.parse("AS 9H")] == "mine"
    assert CardSet.parse("9H") != NINE


def test_a_card_set_of_two_decks_holds_equal_cards() -> None:
    twins = CardSet.parse("9H 9H AS")
    assert (len(twins), twins.count(NINE)) == (3, 2)
    assert str(twins) == "AS 9H 9H"
    assert twins.without(NINE).without(NINE) == CardSet.parse("AS")
    assert twins | CardSet([NINE]) == CardSet.parse("9H 9H 9H AS")
    assert CardSet.parse("9H").plus(NINE) == CardSet.parse("9H 9H")
    assert CardSet.parse("9H") <= twins
    assert not twins <= CardSet.parse("9H AS")


def test_a_card_that_is_not_there_cannot_be_taken_out() -> None:
    with pytest.raises(KeyError, match="9H"):
        CardSet.parse("AS").without(NINE)
    with pytest.raises(KeyError, match="9H"):
        CardSet.parse("AS 9H").without(NINE, NINE)


def test_equal_cards_of_two_decks_do_not_beat_each_other() -> None:
    """Covers rules 2.2 and 5.1."""
    assert not beats(NINE, NINE, Suit.HEARTS)


def test_the_ten_stands_between_king_and_ace_by_setting() -> None:
    """Covers rule 2.3."""
    ten = Card.parse("TS")
    king = Card.parse("KS")
    assert beats(king, ten, Suit.HEARTS)
    assert beats(ten, king, Suit.HEARTS, "ten_high")
