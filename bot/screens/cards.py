"""How cards look in text: a letter or number, in a reader's language, and the sign of the suit."""

from collections.abc import Iterable

from bot.locale import Translator
from bot.model.hand_order import HandOrder
from engine import Card, Rank, SeatView, Suit

SIGNS = {Suit.SPADES: "♠", Suit.HEARTS: "♥", Suit.DIAMONDS: "♦", Suit.CLUBS: "♣"}


def rank_text(rank: Rank, translator: Translator) -> str:
    """Return a rank as it stands on a card: `10`, not `T`."""
    return translator.ranks[rank - Rank.TWO]


def card_text(card: Card, translator: Translator) -> str:
    """Return a card as in `10♥`."""
    return rank_text(card.rank, translator) + SIGNS[card.suit]


def cards_text(cards: Iterable[Card], translator: Translator) -> str:
    """Return cards side by side."""
    return " ".join(card_text(card, translator) for card in cards)


def in_hand_order(view: SeatView, order: HandOrder = HandOrder.RANK) -> list[Card]:
    """Sort a seat's hand as people hold it: low to high or suit by suit, trumps last."""
    trump, ranks = view.public.trump, view.public.rules.rank_order

    def place(card: Card) -> tuple[bool, int | str, int | str]:
        strength, suit = card.rank.strength(ranks), card.suit.value
        first, then = (suit, strength) if order is HandOrder.SUIT else (strength, suit)
        return card.suit is trump, first, then

    return sorted(view.hand, key=place)
