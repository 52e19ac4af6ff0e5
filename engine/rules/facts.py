"""`Facts`: everything that makes up a position."""

from typing import NamedTuple

from engine.rules.bout import Pair
from engine.rules.cards import Card, CardSet, Suit
from engine.rules.outcome import Outcome, Seat
from engine.rules.rules import Rules


class Facts(NamedTuple):
    """The facts; what follows from them is found by `Position` and the rules' functions."""

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

    @property
    def players(self) -> int:
        """How many seats the table has, those who are out included."""
        return len(self.hands)

    def hands_with(self, seat: Seat, hand: CardSet) -> tuple[CardSet, ...]:
        """Return everybody's hands with another one for this seat."""
        hands = list(self.hands)
        hands[seat] = hand
        return tuple(hands)
