"""Cards, sets of cards, which card beats which, and the pairs of cards on the table.

A set of cards is the bits of one int, so filtering by rank or suit is a mask operation. The masks are private
to this file.
"""

from collections.abc import Iterable, Iterator
from enum import IntEnum, StrEnum
from functools import cache
from typing import Literal, NamedTuple, NoReturn, Self

from engine.rules.errors import InvalidTextError

RankOrder = Literal["standard", "ten_high"]

MAX_DECKS = 8
_LANE = 52  # bits of one deck; each further copy of a card uses a further lane
_RANK_LETTERS = "23456789TJQKA"
_TEN_HIGH = "23456789JQKTA"


class Suit(StrEnum):
    """One of the four suits; its value is its letter."""

    SPADES = "S"
    HEARTS = "H"
    DIAMONDS = "D"
    CLUBS = "C"

    __hash__ = str.__hash__  # faster than Enum's, and equal to the hash of an equal str


class Rank(IntEnum):
    """A rank from two to ace; `str(rank)` is its letter."""

    TWO = 2
    THREE = 3
    FOUR = 4
    FIVE = 5
    SIX = 6
    SEVEN = 7
    EIGHT = 8
    NINE = 9
    TEN = 10
    JACK = 11
    QUEEN = 12
    KING = 13
    ACE = 14

    __hash__ = int.__hash__  # faster than Enum's, and equal to the hash of an equal int

    def __str__(self) -> str:
        return _RANK_LETTERS[self - 2]

    @classmethod
    def parse(cls, text: str) -> "Rank":
        """Reads one of `23456789TJQKA`."""
        if len(text) == 1 and text in _RANK_LETTERS:
            return cls(_RANK_LETTERS.index(text) + 2)
        raise InvalidTextError(f"{text!r} is not a rank: one of {_RANK_LETTERS}")

    def strength(self, order: RankOrder) -> int:
        """Returns the height of the rank; in `ten_high` the ten is between king and ace (rule 2.3)."""
        return _TEN_HIGH.index(str(self)) if order == "ten_high" else int(self)


class Card:
    """A playing card; there is one object for each of the 52, so `is`, `==` and hashing are cheap.

    >>> str(Card(Suit.HEARTS, Rank.NINE))
    '9H'
    """

    __slots__ = ("_bit", "_equal_ranks", "_text", "rank", "suit")
    rank: Rank
    suit: Suit
    _bit: int
    _equal_ranks: int
    _text: str

    def __new__(cls, suit: Suit, rank: Rank) -> Self:
        """Returns the one card of this suit and rank."""
        card = _CARDS[_SUITS.index(suit) * 13 + rank - 2]
        assert isinstance(card, cls)  # Card has no subclasses
        return card

    def __setattr__(self, name: str, value: object) -> NoReturn:
        raise AttributeError(f"a card does not change: {name}")

    def __reduce__(self) -> tuple[type["Card"], tuple[Suit, Rank]]:
        return Card, (self.suit, self.rank)

    def __str__(self) -> str:
        return self._text

    def __repr__(self) -> str:
        return f"Card.parse({str(self)!r})"

    def __lt__(self, other: "Card") -> bool:
        return self._bit < other._bit

    @staticmethod
    def parse(text: str) -> "Card":
        """Reads a card such as `9H`."""
        card = _BY_TEXT.get(text)
        if card is None:
            raise InvalidTextError(f"{text!r} is not a card: a rank of {_RANK_LETTERS} and a suit of SHDC")
        return card


def _make_cards() -> tuple[Card, ...]:
    cards = []
    for index in range(_LANE):
        card = object.__new__(Card)
        object.__setattr__(card, "suit", _SUITS[index // 13])
        object.__setattr__(card, "rank", Rank(index % 13 + 2))
        object.__setattr__(card, "_bit", 1 << index)
        object.__setattr__(card, "_text", f"{card.rank}{card.suit.value}")
        cards.append(card)

    return tuple(cards)


_SUITS = tuple(Suit)
_CARDS = _make_cards()
_BY_BIT = {card._bit: card for card in _CARDS}
_BY_TEXT = {str(card): card for card in _CARDS}


def _mask(cards: Iterable[Card]) -> int:
    """Returns the bits of these cards in every lane."""
    lane = sum(card._bit for card in cards)
    return sum(lane << _LANE * deck for deck in range(MAX_DECKS))


_OF_RANK = {rank: _mask(card for card in _CARDS if card.rank is rank) for rank in Rank}
_OF_SUIT = {suit: _mask(card for card in _CARDS if card.suit is suit) for suit in Suit}
_ONE_LANE = (1 << _LANE) - 1

for _card in _CARDS:
    object.__setattr__(_card, "_equal_ranks", _OF_RANK[_card.rank])


class CardSet:
    """An immutable set of cards; with several decks it can contain equal cards.

    Iterates by suit (spades, hearts, diamonds, clubs), and from the lowest rank up within a suit.
    """

    __slots__ = ("_bits",)
    _bits: int

    def __init__(self, cards: Iterable[Card] = ()) -> None:
        bits = 0
        for card in cards:
            bit = card._bit
            while bits & bit:
                bit <<= _LANE
            bits |= bit

        self._bits = bits

    @classmethod
    def parse(cls, text: str) -> "CardSet":
        """Reads cards such as `9H TS`."""
        return cls(parse_cards(text))

    def __contains__(self, card: object) -> bool:
        return isinstance(card, Card) and bool(self._bits & card._bit)

    def __len__(self) -> int:
        return self._bits.bit_count()

    def __bool__(self) -> bool:
        return self._bits != 0

    def __iter__(self) -> Iterator[Card]:
        bits = self._bits
        cards = list[Card]()
        lane = bits & _ONE_LANE
        while lane:
            low = lane & -lane
            lane ^= low
            card = _BY_BIT[low]
            while bits & low:
                cards.append(card)
                low <<= _LANE

        return iter(cards)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, CardSet) and self._bits == other._bits

    def __hash__(self) -> int:
        return hash(self._bits)

    def __str__(self) -> str:
        return cards_text(self)

    def __repr__(self) -> str:
        return f"CardSet.parse({str(self)!r})"

    def __le__(self, other: "CardSet") -> bool:
        return not self._bits & ~other._bits

    def __or__(self, other: "CardSet") -> "CardSet":
        """Returns the cards of both sets; equal cards are all kept."""
        if not self._bits & other._bits:
            return _set_of(self._bits | other._bits)
        return CardSet([*self, *other])

    def plus(self, card: Card) -> "CardSet":
        """Returns the set with one more card."""
        bit = card._bit
        while self._bits & bit:
            bit <<= _LANE
        return _set_of(self._bits | bit)

    def without(self, *cards: Card) -> "CardSet":
        """Returns the set without one copy of each of these cards; raises KeyError if one is missing."""
        bits = self._bits
        for card in cards:
            bit = card._bit
            if not bits & bit:
                raise KeyError(str(card))

            while bits & bit << _LANE:
                bit <<= _LANE

            bits ^= bit

        return _set_of(bits)

    def count(self, card: Card) -> int:
        """Returns how many copies of a card are in the set."""
        bit = card._bit
        return sum(self._bits >> _LANE * deck & bit != 0 for deck in range(MAX_DECKS))

    def distinct(self) -> "CardSet":
        """Returns the set without duplicates."""
        return _set_of(self._bits & _ONE_LANE)

    def of_rank(self, rank: Rank) -> "CardSet":
        """Returns the cards of one rank."""
        return _set_of(self._bits & _OF_RANK[rank])

    def of_ranks_on(self, table: Iterable[Card]) -> "CardSet":
        """Returns the cards whose ranks are on the table."""
        mask = 0
        for card in table:
            mask |= card._equal_ranks
        return _set_of(self._bits & mask)

    def of_suit(self, suit: Suit) -> "CardSet":
        """Returns the cards of one suit."""
        return _set_of(self._bits & _OF_SUIT[suit])

    def by_worth(self, trump: Suit, order: RankOrder) -> list[Card]:
        """Lists the distinct cards, least valuable first: plain cards before trumps, low ranks first."""
        cards = []
        lane = self._bits & _ONE_LANE
        while lane:
            low = lane & -lane
            lane ^= low
            cards.append(_BY_BIT[low])

        if len(cards) > 1:
            cards.sort(key=_worths(trump, order).__getitem__)

        return cards

    def that_beat(self, attack: Card, trump: Suit, order: RankOrder) -> "CardSet":
        """Returns the distinct cards that beat `attack`."""
        return _set_of(self._bits & _beaters(attack, trump, order))


def _set_of(bits: int) -> CardSet:
    cards = object.__new__(CardSet)
    cards._bits = bits
    return cards


@cache
def _worths(trump: Suit, order: RankOrder) -> dict[Card, int]:
    """Returns the worth of each card as a number; higher is worth more."""
    ordered = sorted(_CARDS, key=lambda card: (card.suit is trump, card.rank.strength(order)))
    return {card: worth for worth, card in enumerate(ordered)}


@cache
def _beaters(attack: Card, trump: Suit, order: RankOrder) -> int:
    return sum(card._bit for card in _CARDS if beats(card, attack, trump, order))


def beats(card: Card, attack: Card, trump: Suit, order: RankOrder = "standard") -> bool:
    """Returns whether `card` is a higher one of the same suit, or a trump on a plain card (rule 5.1)."""
    if card.suit is attack.suit:
        return card.rank.strength(order) > attack.rank.strength(order)
    return card.suit is trump


def parse_cards(text: str) -> tuple[Card, ...]:
    """Reads cards such as `9H TS`, in the order of the text."""
    return tuple(Card.parse(word) for word in text.split())


def cards_text(cards: Iterable[Card]) -> str:
    """Writes cards as `9H TS`."""
    return " ".join([card._text for card in cards])


@cache
def full_deck(size: int, decks: int = 1) -> tuple[Card, ...]:
    """Returns decks of 24 cards (from the nine), 32 (seven), 36 (six) or 52 (two), in order (rule 2.1)."""
    lowest = 15 - size // 4
    return tuple(Card(suit, rank) for suit in Suit for rank in Rank if rank >= lowest) * decks


class Pair(NamedTuple):
    """An attack card, the card that beats it if there is one, and the seat that laid the attack card."""

    attack: Card
    beat: Card | None
    by: int


def cards_of(bout: Iterable[Pair]) -> list[Card]:
    """Returns every card of a bout, each attack card before its defence."""
    return [card for attack, beat, _ in bout for card in (attack, beat) if card is not None]


def unbeaten_cards(bout: Iterable[Pair]) -> tuple[Card, ...]:
    """Returns the attack cards that are not beaten, in the order in which they were laid."""
    return tuple([attack for attack, beat, _ in bout if beat is None])
