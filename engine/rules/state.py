"""`State`: an immutable position of the game.

Its methods are doors: who may act is in turns.py, with what in legal.py, what a move does in play.py, the end
of a bout in settle.py, the deal in deal.py, what people may see in views.py.
"""

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from engine.rules import deal, legal, play, position_text, problems, resign, seating, setup, turns, views
from engine.rules.bout import Pair
from engine.rules.cards import Card, CardSet, Suit
from engine.rules.moves import Action, Move, Resign
from engine.rules.outcome import Outcome, Seat
from engine.rules.settings import Rules


class State(NamedTuple):
    """A position. A tuple, because games between programs make and drop hundreds of thousands of them."""

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
    known: tuple[tuple[Seat, Card], ...] = ()
    """Cards of hands that everybody has seen."""
    travelled: tuple[tuple[Seat, Card], ...] = ()
    """Trumps shown to transfer in this bout."""
    chairs: tuple[int, int] = (-1, -1)
    """The chairs attacker and defender play from: their own seats, or those of partners they stand in for."""
    dealer: Seat = 0
    starters: tuple[Seat, ...] = ()
    """Among whom the lowest trump decides who attacks first; empty: as in a first game."""
    fresh: bool = False
    """A new deal may be asked for until the first attack, as in games of the first edition."""
    undecided: frozenset[Seat] = frozenset()
    """Who has still to say whether he keeps his cards; nobody attacks before."""
    bouts: int = 0
    """How many bouts have ended."""
    beaten_off: int = 0
    """How many of them were beaten off."""
    quiet: int = 0
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

    @staticmethod
    def deal(
        rules: Rules,
        seats: int,
        deck: Sequence[Card | str],
        *,
        dealer: Seat | None = None,
        starters: Iterable[Seat] = (),
        levels: Iterable[int] = (),
        asks: bool = True,
    ) -> "State":
        """Deals a game from a deck, its first card first; without a dealer seat 0 gets that card.

        Where the rules know a right to a new deal, everybody is asked first, unless `asks` is off.

        Raises:
            InvalidRulesError: the rules clash, or do not fit the number of seats.
            ValueError: the deck does not hold exactly the cards of these rules.
        """
        return deal.deal(
            rules,
            seats,
            deck,
            dealer=dealer,
            starters=tuple(starters),
            levels=tuple(levels),
            asks=asks,
        )

    @staticmethod
    def setup(
        rules: Rules,
        *,
        hands: Sequence[str | Iterable[Card | str]],
        talon: str | Iterable[Card | str],
        trump: Suit | str,
        attacker: Seat,
        discard: str | Iterable[Card | str] = "",
        out: Iterable[Seat] = (),
        turn_up: Card | str | None = None,
        levels: Iterable[int] = (),
    ) -> "State":
        """Makes a position before an attack: a text per hand, the talon's first card drawn first."""
        return setup.setup(
            rules,
            hands,
            talon,
            Suit(trump),
            attacker,
            discard=discard,
            out=tuple(out),
            turn_up=turn_up,
            levels=tuple(levels),
        )

    @property
    def players(self) -> int:
        """How many seats the table has, those who are out included."""
        return len(self.hands)

    @property
    def actors(self) -> frozenset[Seat]:
        """Who may act, by public facts alone; some of them may find that they hold nothing to act with."""
        return turns.actors(self)

    @property
    def awaited(self) -> frozenset[Seat]:
        """Whom the game waits for: not those who merely may lay away, exchange or add early."""
        return turns.awaited(self)

    @property
    def throw_order(self) -> tuple[Seat, ...]:
        """The seats that may attack in this bout, first claim first."""
        return seating.throw_order(self)

    def place_in_line(self, seat: Seat) -> int:
        """Says how many may throw in before this seat if they want to at the same moment."""
        return turns.place_in_line(self, seat)

    @property
    def room_for(self) -> int | None:
        """How many more attack cards may be laid now; None: any number."""
        return turns.room_for(self)

    @property
    def unbeaten(self) -> int:
        """How many attack cards lie unbeaten."""
        return [pair.beat for pair in self.bout].count(None)

    def legal_moves(self, seat: Seat) -> tuple[Move, ...]:
        """Lists the moves of a seat, the least valuable cards first; nothing else is accepted by `apply`."""
        return legal.legal_moves(self, seat)

    def apply(self, seat: Seat, move: Move) -> play.Step:
        """Plays a move. Raises IllegalMoveError when it is not one of the seat's legal moves."""
        return play.apply(self, seat, move)

    def resign(self, seat: Seat) -> play.Step:
        """Ends the game as lost by this seat. Raises IllegalMoveError when it does not play any more."""
        return resign.resign(self, seat)

    def act(self, seat: Seat, action: Action) -> play.Step:
        """Does what a record tells: plays a move or resigns. Raises IllegalMoveError."""
        return self.resign(seat) if isinstance(action, Resign) else self.apply(seat, action)

    def public_view(self) -> views.PublicView:
        """Gives what everybody may see."""
        return views.public_view(self)

    def view_for(self, seat: Seat) -> views.SeatView:
        """Gives what one seat may see."""
        return views.seat_view(self, seat)

    def outcome(self) -> Outcome | None:
        """Says how the game ended; None while it runs."""
        return self.ended

    def problems(self) -> problems.Problem:
        """Lists every broken invariant; falsy when the position is sound."""
        return problems.find_problems(self)

    def to_text(self) -> str:
        """Writes the whole position, hidden cards included."""
        return position_text.to_text(self)

    @staticmethod
    def from_text(text: str) -> "State":
        """Reads what `to_text` wrote; raises InvalidTextError."""
        return position_text.from_text(text)
