"""The prints on cards are where a printed deck has them, and nothing is hidden."""

from itertools import product
from statistics import mean

import pytest

from bot.pictures.canvas import shapes_of
from bot.pictures.deck import (
    CARRIED,
    COURT_SUIT,
    COURTS,
    FRAME,
    HEIGHT,
    INDEX,
    INDEX_SUIT,
    INDEX_WIDTH,
    PAINTS,
    WIDTH,
    court,
    pips,
    turned,
)
from engine import Rank, Suit

NUMBERS = [rank for rank in Rank if rank not in COURTS and rank is not Rank.ACE]


@pytest.mark.parametrize("rank", NUMBERS, ids=str)
def test_a_number_card_has_as_many_pips_in_the_middle_of_the_card(rank: Rank) -> None:
    places = pips(rank)
    assert len(places) == len(set(places)) == rank.value
    assert mean(place.x for place in places) == WIDTH / 2


@pytest.mark.parametrize("rank", [rank for rank in Rank if rank not in {*COURTS, Rank.SEVEN}], ids=str)
def test_a_card_has_no_wrong_side_up(rank: Rank) -> None:
    places = {(place.x, round(place.y, 3)) for place in pips(rank)}
    assert places == {(place.x, round(place.y, 3)) for place in map(turned, pips(rank))}


@pytest.mark.parametrize("rank", [*NUMBERS, Rank.ACE], ids=str)
def test_no_index_reaches_a_pip(rank: Rank) -> None:
    width = max(INDEX_WIDTH, INDEX_SUIT.size)
    end = INDEX.x + width / 2
    assert INDEX.x - width / 2 > 0
    for place in pips(rank):
        assert end < place.x - place.size / 2
        assert place.x + place.size / 2 < WIDTH - end


@pytest.mark.parametrize(("rank", "suit"), list(product(COURTS, Suit)), ids=str)
def test_a_figure_stays_in_its_half_of_the_frame(rank: Rank, suit: Suit) -> None:
    ((left, top), _, (right, _), _) = shapes_of(FRAME)[0]
    for layer in court(rank, suit):
        for x, y in (point for shape in shapes_of(layer.path) for point in shape):
            assert left - 0.1 < x < right + 0.1
            assert top <= y < HEIGHT / 2 + 8  # the halves meet on a slope


def test_every_king_queen_and_jack_carries_something_else() -> None:
    assert set(CARRIED) == set(product(COURTS, Suit))
    for rank in COURTS:
        assert len({tuple(CARRIED[rank, suit]) for suit in Suit}) == len(Suit)


def test_a_court_card_is_painted_in_colours_of_the_deck() -> None:
    paints = {layer.paint for card in product(COURTS, Suit) for layer in court(*card)}
    assert paints <= {*PAINTS, "suit"}


def test_nothing_of_a_figure_hides_the_suit_beside_it() -> None:
    x, y, size = COURT_SUIT
    for card in product(COURTS, Suit):
        points = [point for layer in court(*card) for shape in shapes_of(layer.path) for point in shape]
        assert not [
            point for point in points if abs(point[0] - x) < size / 2 and abs(point[1] - y) < size / 2
        ]
