"""`Position`: what the rules' functions take and give."""

from collections.abc import Callable
from functools import wraps
from typing import TYPE_CHECKING, Any, NamedTuple, Self, TypeVar

from engine.rules.bout import Pair
from engine.rules.cards import Card, CardSet, Suit
from engine.rules.outcome import Outcome, Seat
from engine.rules.rules import Rules

Found = TypeVar("Found")


class Facts(NamedTuple):
    """Everything that makes up a position; what follows from it is found by the rules' functions."""

    rules: Rules
    trump: Suit
    hands: tuple[CardSet, ...]
    talon: tuple[Card, ...]
    """The first card is drawn first."""
    discard: CardSet
    attacker: Seat
    defender: Seat
    turn_up: Card | None = None
    """The card turned up at the deal, wherever it is now."""
    out: tuple[Seat, ...] = ()
    """In order of going out."""
    bout: tuple[Pair, ...] = ()
    taking: bool = False
    """The defender has said "take"; the others may still add cards."""
    declined: frozenset[Seat] = frozenset()
    """Who has said "done" since the last card was laid."""
    emptied: tuple[Seat, ...] = ()
    """Whose hand became empty in this bout, in the order of the moments."""
    seen_cards: tuple[tuple[Seat, Card], ...] = ()
    """Cards of hands that everybody has seen."""
    shown_trumps: tuple[tuple[Seat, Card], ...] = ()
    """Trumps shown to transfer in this bout."""
    chairs: tuple[int, int] = (-1, -1)
    """The chairs attacker and defender play from: their own seats, or those of partners they stand in for."""
    dealer: Seat = 0
    starters: tuple[Seat, ...] = ()
    """Among whom the lowest trump decides who attacks first; empty: as in a first game."""
    redeal_allowed: bool = False
    """A new deal may be asked for until the first attack, as in games of the first edition."""
    undecided: frozenset[Seat] = frozenset()
    """Who has still to say whether he keeps his cards; nobody attacks before."""
    bouts: int = 0
    """How many bouts have ended."""
    beaten_off: int = 0
    """How many of them were beaten off."""
    bouts_without_discard: int = 0
    """How many bouts in a row have ended without a discard."""
    round_start: Seat = 0
    """The first attacker of this round of the table."""
    moved: int = 0
    """By how many seats to the left the attack has moved in this round of the table."""
    six_taken: bool = False
    """The trump that may be exchanged has been picked up from a bout."""
    points: tuple[int, ...] = ()
    levels: tuple[int, ...] = ()
    """The rank that is each seat's next epaulette; one above the ace when the ladder is climbed."""
    ended: Outcome | None = None
    cards: CardSet = CardSet()
    """All cards of the game, the removed turn-up excepted."""


_PLACES = {name: place for place, name in enumerate(Facts._fields)}


def once(find: Callable[["Position"], Found]) -> Callable[["Position"], Found]:
    """Let a question about a position be answered once: as positions do not change, nor do the answers."""
    question = find.__name__

    @wraps(find)
    def found(state: "Position") -> Found:
        answers = state.__dict__
        if question not in answers:
            answers[question] = find(state)
        answer: Found = answers[question]
        return answer

    return found


class Position(Facts):
    """An immutable position of the game; `State` adds the methods that people use.

    A tuple, because games between programs make and drop hundreds of thousands of them. Beside its facts it
    has a dictionary for what has been found out about it (`once`), which is not handed on to later positions.
    """

    if not TYPE_CHECKING:  # pragma: no branch - mypy knows the inherited one, which takes twice as long

        def _replace(self, **changes: Any) -> Self:
            """Return the position with some of its facts changed."""
            facts = list(self)
            for name, value in changes.items():
                facts[_PLACES[name]] = value
            return tuple.__new__(type(self), facts)

    @property
    def players(self) -> int:
        """How many seats the table has, those who are out included."""
        return len(self.hands)

    def hands_with(self, seat: Seat, hand: CardSet) -> tuple[CardSet, ...]:
        """Return everybody's hands with another one for this seat."""
        hands = list(self.hands)
        hands[seat] = hand
        return tuple(hands)

    @property
    @once
    def unbeaten(self) -> int:
        """How many attack cards lie unbeaten."""
        return [pair.beat for pair in self.bout].count(None)
