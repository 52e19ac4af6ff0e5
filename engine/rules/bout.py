"""The cards on the table."""

from collections.abc import Iterator
from typing import NamedTuple

from engine.rules.cards import Card, Rank
from engine.rules.outcome import Seat


class Pair(NamedTuple):
    """An attack card, the card that beats it if there is one, and who laid the attack card."""

    attack: Card
    beat: Card | None
    by: Seat


Bout = tuple[Pair, ...]


def cards_of(bout: Bout) -> Iterator[Card]:
    """Return every card of the bout, attack cards and those that beat them."""
    for pair in bout:
        yield pair.attack
        if pair.beat is not None:
            yield pair.beat


def ranks_of(bout: Bout) -> tuple[Rank, ...]:
    """Return the ranks on the table."""
    return tuple({card.rank for card in cards_of(bout)})


def unbeaten_cards(bout: Bout) -> tuple[Card, ...]:
    """Return the attack cards that are not beaten, in the order in which they were laid."""
    return tuple([pair.attack for pair in bout if pair.beat is None])
