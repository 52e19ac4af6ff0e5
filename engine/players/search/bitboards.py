"""Bitboards: sets of cards as the bits of an int in which the least valuable card is the lowest bit.

The plain suits come first, rank by rank, then the trumps, so that
`mask & -mask` is the card one parts with most easily. Which of the plain suits a card has matters only for
what it beats, so one table serves every game, whatever is trumps.
"""

from collections.abc import Iterable, Iterator

from engine.rules.cards import Card, CardSet, Rank, RankOrder, Suit
from engine.rules.views import SeatView

RANKS = 13
_PLAIN_SUITS = 3
FIRST_TRUMP = RANKS * _PLAIN_SUITS
CARDS = FIRST_TRUMP + RANKS
TRUMPS = ((1 << RANKS) - 1) << FIRST_TRUMP


def height(bit: int) -> int:
    """Return how high a card's rank stands, from 0 for the two to 12 for the ace."""
    return _HEIGHT[bit]


def one_by_one(mask: int) -> Iterator[int]:
    """Return the cards of a mask, the least valuable first."""
    while mask:
        bit = mask & -mask
        yield bit
        mask ^= bit


def _height_of(index: int) -> int:
    return index // _PLAIN_SUITS if index < FIRST_TRUMP else index - FIRST_TRUMP


def _beaters_of(index: int) -> int:
    """Return the higher cards of the same suit, and on a plain card all trumps."""
    if index >= FIRST_TRUMP:
        return TRUMPS & -(2 << index)
    higher = (1 << other for other in range(index + _PLAIN_SUITS, FIRST_TRUMP, _PLAIN_SUITS))
    return sum(higher) | TRUMPS


def _rank_mask(rank: int) -> int:
    return (0b111 << rank * _PLAIN_SUITS) | (1 << FIRST_TRUMP + rank)


_HEIGHT = {1 << index: _height_of(index) for index in range(CARDS)}
BEATERS = {1 << index: _beaters_of(index) for index in range(CARDS)}
"""For each card the cards that beat it."""
SAME_RANK = {1 << index: _rank_mask(_height_of(index)) for index in range(CARDS)}
"""For each card the cards of its rank, itself among them."""


class CardBits:
    """Translates the cards of a game with these trumps into bits, and back."""

    def __init__(self, trump: Suit, order: RankOrder) -> None:
        lowest = Rank.TWO.strength(order)
        plain = [suit for suit in Suit if suit is not trump]
        self._bits: dict[Card, int] = {}
        for rank in Rank:
            level = rank.strength(order) - lowest
            for index, suit in enumerate(plain):
                self._bits[Card(suit, rank)] = 1 << level * _PLAIN_SUITS + index
            self._bits[Card(trump, rank)] = 1 << FIRST_TRUMP + level
        self._cards = {bit: card for card, bit in self._bits.items()}

    def bit(self, card: Card) -> int:
        """Return the bit of a card."""
        return self._bits[card]

    def card(self, bit: int) -> Card:
        """Return the card of a bit."""
        return self._cards[bit]

    def mask(self, cards: Iterable[Card] | CardSet) -> int:
        """Return the bits of cards; equal cards of several decks become one."""
        mask = 0
        for card in cards:
            mask |= self._bits[card]
        return mask


def card_bits_of(view: SeatView) -> CardBits:
    """Return what translates the cards of the game that a seat sees."""
    return CardBits(view.public.trump, view.public.rules.rank_order)
