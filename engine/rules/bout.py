"""The cards on the table."""

from typing import NamedTuple

from engine.rules.cards import Card, Rank
from engine.rules.events import Seat


class Pair(NamedTuple):
    """An attack card, the card that beats it if there is one, and who laid the attack card."""

    attack: Card
    beat: Card | None
    by: Seat


Bout = tuple[Pair, ...]


def cards_of(bout: Bout) -> list[Card]:
    """Return every card of the bout, each attack card before the one that beats it."""
    return [card for attack, beat, _ in bout for card in (attack, beat) if card is not None]


def ranks_of(bout: Bout) -> tuple[Rank, ...]:
    """Return the ranks on the table."""
    return tuple({card.rank for card in cards_of(bout)})


def unbeaten_cards(bout: Bout) -> tuple[Card, ...]:
    """Return the attack cards that are not beaten, in the order in which they were laid."""
    return tuple([attack for attack, beat, _ in bout if beat is None])
