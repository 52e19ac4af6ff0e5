"""`Position`: what the rules' functions take, and change on a copy."""

from dataclasses import dataclass, field

from engine.rules.bout import Pair
from engine.rules.cards import Card, CardSet, Suit
from engine.rules.events import Outcome, Seat
from engine.rules.moves import Move
from engine.rules.settings import Rules


@dataclass
class Position:
    """Everything that makes up a position of the game, and who may act in it.

    A move is played on a `copy`. What is done becomes a `State`: a position that nobody changes any more.
    """

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
    cards: CardSet = field(default_factory=CardSet)
    """All cards of the game, the removed turn-up excepted."""
    players: int = field(init=False, compare=False)
    """How many seats the table has, those who are out included."""

    # What follows from these facts; `turns.find_who_acts` finds it when they have changed.

    unbeaten: tuple[Card, ...] = field(default=(), init=False, compare=False)
    """The attack cards that are not beaten, in the order in which they were laid."""
    who_may_throw_in: tuple[Seat, ...] = field(default=(), init=False, compare=False)
    """Who may still add a card, first claim first."""
    awaited: frozenset[Seat] = field(default=frozenset(), init=False, compare=False)
    """Whom the game waits for: not those who merely may lay away, exchange or add early."""
    actors: frozenset[Seat] = field(default=frozenset(), init=False, compare=False)
    """Who may act, by public facts alone; some of them may find that they hold nothing to act with."""
    known_moves: dict[Seat, tuple[Move, ...]] = field(default_factory=dict, init=False, compare=False)
    """The moves of those seats that somebody has asked for."""

    def __post_init__(self) -> None:
        """Count the seats."""
        self.players = len(self.hands)

    def copy(self) -> "Position":
        """Return a position with the same facts that can be changed."""
        copied = object.__new__(Position)
        copied.__dict__ = self.__dict__.copy()
        return copied

    def set_hand(self, seat: Seat, hand: CardSet) -> None:
        """Give a seat another hand."""
        hands = list(self.hands)
        hands[seat] = hand
        self.hands = tuple(hands)
