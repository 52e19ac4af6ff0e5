"""The decks that are played with."""

from functools import cache

from engine.rules.cards import Card, Rank, Suit


@cache
def full_deck(size: int, decks: int = 1) -> tuple[Card, ...]:
    """Return decks of 24 cards (from the nine), 32 (seven), 36 (six) or 52 (two), in order (rule 2.1)."""
    lowest = 15 - size // 4
    return tuple(Card(suit, rank) for suit in Suit for rank in Rank if rank >= lowest) * decks
