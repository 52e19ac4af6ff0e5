"""A hand's picture shows all its cards, and marks the playable ones."""

import pytest

from bot.pictures.drawing import hand_picture
from bot.pictures.subjects import DARK, Look
from engine import Suit, full_deck
from tests.bot.pictures.positions import CYRILLIC, DARK_LOOK, LIGHT_LOOK, cards, opened

HAND = cards("6S 8C JD QS")


@pytest.mark.parametrize("count", [0, 1, 6, 9, 10, 25, 36])
def test_any_number_of_cards_has_a_picture(count: int) -> None:
    picture = opened(hand_picture(full_deck(36)[:count], Suit.CLUBS, None, DARK_LOOK))
    assert picture.width == 900
    assert 100 <= picture.height <= 720


def test_the_whole_deck_is_a_small_file() -> None:
    assert len(hand_picture(full_deck(36), Suit.CLUBS, full_deck(36)[::2], Look(DARK, CYRILLIC))) <= 60_000


def test_cards_that_may_be_played_stand_higher_than_the_others() -> None:
    picture = opened(hand_picture(HAND, Suit.HEARTS, HAND[:1], DARK_LOOK))
    felt = picture.getpixel((2, 2))
    tops = []
    for number in range(len(HAND)):
        x = 450 + round((number - len(HAND) / 2 + 0.5) * 140)
        tops.append(next(y for y in range(picture.height) if picture.getpixel((x, y)) != felt))

    assert tops[0] < tops[1] == tops[2] == tops[3]


def test_nobody_who_only_looks_at_the_hand_sees_cards_greyed() -> None:
    assert hand_picture(HAND, Suit.HEARTS, None, DARK_LOOK) != hand_picture(HAND, Suit.HEARTS, (), DARK_LOOK)


@pytest.mark.parametrize("playable", [None, HAND[1:2]])
def test_trumps_are_marked(playable: tuple[()] | None) -> None:
    spades, hearts = (hand_picture(HAND, trump, playable, LIGHT_LOOK) for trump in (Suit.SPADES, Suit.HEARTS))
    assert spades != hearts


def test_equal_cards_of_two_decks_are_all_shown() -> None:
    twice = cards("6S 6S")
    assert hand_picture(twice, Suit.HEARTS, None, DARK_LOOK) != hand_picture(
        twice[:1], Suit.HEARTS, None, DARK_LOOK
    )
