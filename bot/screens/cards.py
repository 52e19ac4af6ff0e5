"""How cards look in text: a letter or number and the sign of the suit."""

from collections.abc import Iterable

from engine import Card, Rank, Suit

SIGNS = {Suit.SPADES: "♠", Suit.HEARTS: "♥", Suit.DIAMONDS: "♦", Suit.CLUBS: "♣"}


def rank_text(rank: Rank) -> str:
    """Give a rank as it stands on a card: `10`, not `T`."""
    return "10" if rank is Rank.TEN else str(rank)


def card_text(card: Card) -> str:
    """Give a card as in `10♥`."""
    return rank_text(card.rank) + SIGNS[card.suit]


def cards_text(cards: Iterable[Card]) -> str:
    """Give cards side by side."""
    return " ".join(map(card_text, cards))


def in_hand_order(cards: Iterable[Card], trump: Suit) -> list[Card]:
    """Sort a hand as people hold it: low to high, trumps last."""
    return sorted(cards, key=lambda card: (card.suit is trump, card.rank, card.suit.value))
