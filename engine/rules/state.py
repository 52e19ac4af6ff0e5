"""`State`: an immutable position, and everything that can be done with it.

Its methods delegate to other files:

- legal.py: who may act, and the legal moves
- play.py: what a move does, and how a bout ends
- deal.py: the deal
- views.py: what each seat sees
- position_text.py: the text form
"""

from collections.abc import Iterable, Sequence
from typing import NamedTuple, NoReturn

from engine.rules import deal, legal, play, position_text
from engine.rules.cards import Card, Suit
from engine.rules.cheating import wrong_cards
from engine.rules.deal import Cards
from engine.rules.events import Event, Outcome, Seat
from engine.rules.moves import Action, Move, Resign
from engine.rules.position import Position, throw_order
from engine.rules.position_text import Problem
from engine.rules.settings import Rules
from engine.rules.views import PublicView, SeatView, diagram, public_view


class Step(NamedTuple):
    """The result of a move: the next position, and the events on the way to it."""

    state: "State"
    events: tuple[Event, ...]


class State(Position):
    """An immutable position; a move returns another one."""

    def __str__(self) -> str:
        """Writes the position for a person to read, with all hands."""
        return diagram(self.public_view(), dict(enumerate(self.hands)))

    def __setattr__(self, name: str, value: object) -> NoReturn:
        raise AttributeError(f"a position does not change: {name}")

    def __delattr__(self, name: str) -> NoReturn:
        raise AttributeError(f"a position does not change: {name}")

    def __hash__(self) -> int:
        return hash((self.hands, self.talon, self.bout, self.attacker, self.declined))

    @staticmethod
    def deal(
        rules: Rules,
        seats: int,
        deck: Sequence[Card | str],
        *,
        dealer: Seat | None = None,
        starters: Iterable[Seat] = (),
        levels: Iterable[int] = (),
        edition: int = deal.EDITION,
    ) -> "State":
        """Deals a game from a deck; by default the last seat deals, so seat 0 gets the first card.

        From edition 2 on, if the rules allow a new deal, every player is asked about it first.

        Raises:
            InvalidRulesError: The rules clash, or do not fit the number of seats.
            ValueError: The deck does not contain exactly the cards of these rules.
        """
        position = deal.deal(
            rules,
            seats,
            deck,
            dealer=dealer,
            starters=tuple(starters),
            levels=tuple(levels),
            edition=edition,
        )
        return frozen(position)

    @staticmethod
    def setup(
        rules: Rules,
        *,
        hands: Sequence[Cards],
        talon: Cards,
        trump: Suit | str,
        attacker: Seat,
        discard: Cards = "",
        out: Iterable[Seat] = (),
        turn_up: Card | str | None = None,
        levels: Iterable[int] = (),
    ) -> "State":
        """Makes a position before an attack, with `hands` by seat; the talon's first card is drawn first."""
        position = deal.setup(
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
        return frozen(position)

    @property
    def throw_order(self) -> tuple[Seat, ...]:
        """The seats that may attack in this bout, in the order of rule 4.9."""
        return throw_order(self)

    def place_in_line(self, seat: Seat) -> int:
        """Returns how many seats come before this one if they throw in at the same moment (rule 4.10)."""
        return legal.place_in_line(self, seat)

    @property
    def attack_cards_left(self) -> int | None:
        """How many more attack cards may be laid now; None: any number."""
        return legal.attack_cards_left(self)

    def legal_moves(self, seat: Seat) -> tuple[Move, ...]:
        """Lists a seat's moves, which are the only ones that `apply` accepts.

        Within each kind, low cards come first and trumps last. Sly moves come after all others.
        """
        return legal.legal_moves(self, seat)

    def fair_moves(self, seat: Seat) -> tuple[Move, ...]:
        """Lists a seat's moves that neither cheat nor accuse anybody; house players choose from these."""
        return legal.fair_moves(self, seat)

    def sly_moves(self, seat: Seat) -> tuple[Move, ...]:
        """Lists a seat's moves that cheat or accuse somebody: all except the fair ones."""
        return legal.sly_moves(self, seat)

    @property
    def wrong_cards(self) -> frozenset[Card]:
        """The cards on the table that were played against the rules (rule 16.1), which no view shows."""
        return wrong_cards(self)

    def apply(self, seat: Seat, move: Move) -> Step:
        """Plays a move; raises IllegalMoveError if it is not one of the seat's legal moves."""
        after, events = play.apply(self, seat, move)
        return Step(frozen(after), events)

    def resign(self, seat: Seat) -> Step:
        """Ends the game as lost by this seat or its team; raises IllegalMoveError if it is not playing."""
        after, events = play.resign(self, seat)
        return Step(frozen(after), events)

    def act(self, seat: Seat, action: Action) -> Step:
        """Plays an action of a record, a move or a resignation; raises IllegalMoveError."""
        return self.resign(seat) if isinstance(action, Resign) else self.apply(seat, action)

    def public_view(self) -> PublicView:
        """Returns the public facts."""
        if self.known_view is None:
            object.__setattr__(self, "known_view", public_view(self))
        view: PublicView = self.known_view
        return view

    def view_for(self, seat: Seat) -> SeatView:
        """Returns the view of one seat."""
        return SeatView(public=self.public_view(), seat=seat, hand=self.hands[seat])

    def outcome(self) -> Outcome | None:
        """Returns how the game ended; None while it runs."""
        return self.ended

    def problems(self) -> Problem:
        """Returns the broken invariants; falsy if the position is sound."""
        return position_text.find_problems(self)

    def to_text(self) -> str:
        """Writes the whole position, hidden cards included."""
        return position_text.to_text(self)

    @staticmethod
    def from_text(text: str) -> "State":
        """Reads the text of `to_text`; raises InvalidTextError."""
        return frozen(position_text.from_text(text))


def frozen(position: Position) -> State:
    """Turns a finished position into an immutable `State`, in place."""
    position.__class__ = State
    assert isinstance(position, State)
    return position
