"""The events of a game.

`seen_by` reduces an event to the part that one seat, or a spectator (None), may see.
"""

from collections.abc import Iterable
from dataclasses import dataclass, replace

from engine.rules.cards import Card, Pair, Rank
from engine.rules.moves import Move

Seat = int


@dataclass(frozen=True, slots=True)
class Cheat:
    """A move against the rules: `bout` counts the bouts of the game from 1."""

    bout: int
    seat: Seat
    move: Move


@dataclass(frozen=True, slots=True)
class Outcome:
    """The end of one game.

    `fool` is the only loser of a game without teams; `losers` are the fool, the losing team, or the seats
    without a place. `order` is the order of going out, `points` the points of each seat in this game.
    `epaulettes` counts those that the losers wear, all of rank `epaulette_rank`: sixes, or one step of the
    ladder. `winner` is set if the rules name one. `unseen` are the cheats that nobody caught.
    """

    fool: Seat | None
    losers: tuple[Seat, ...]
    is_draw: bool
    order: tuple[Seat, ...]
    points: tuple[int, ...]
    epaulettes: int = 0
    epaulette_rank: Rank | None = None
    winner: Seat | None = None
    unseen: tuple[Cheat, ...] = ()


@dataclass(frozen=True, slots=True)
class Event:
    """An event of a game; unless overridden, it is seen by all."""

    def seen_by(self, seat: Seat | None) -> "Event":  # overridden to hide cards
        """Returns the event as this seat (None: a spectator) may see it."""
        return self


@dataclass(frozen=True, slots=True)
class BoutOpened(Event):
    """A new bout waits for its first card."""

    attacker: Seat
    defender: Seat


@dataclass(frozen=True, slots=True)
class Attacked(Event):
    """Cards were laid against the defender, at the opening or thrown in."""

    seat: Seat
    cards: tuple[Card, ...]


@dataclass(frozen=True, slots=True)
class Defended(Event):
    """The defender beat `attack` with `card`."""

    seat: Seat
    attack: Card
    card: Card


@dataclass(frozen=True, slots=True)
class Transferred(Event):
    """The defender added cards and handed the attack on to `defender`."""

    seat: Seat
    cards: tuple[Card, ...]
    defender: Seat


@dataclass(frozen=True, slots=True)
class TrumpShown(Event):
    """The defender showed a trump and handed the attack on to `defender`."""

    seat: Seat
    card: Card
    defender: Seat


@dataclass(frozen=True, slots=True)
class TakeDeclared(Event):
    """The defender gave up; cards may still be added."""

    seat: Seat


@dataclass(frozen=True, slots=True)
class Declined(Event):
    """A seat said "done": it adds nothing more for now."""

    seat: Seat


@dataclass(frozen=True, slots=True)
class BeatenOff(Event):
    """The bout was beaten off; its cards went to the discard heap."""

    defender: Seat
    count: int


@dataclass(frozen=True, slots=True)
class TakenUp(Event):
    """The defender picked up every card of the bout."""

    defender: Seat
    cards: tuple[Card, ...]


@dataclass(frozen=True, slots=True)
class Drew(Event):
    """A seat drew; other seats see None for `cards`. `turn_up` is the face-up card if it was drawn."""

    seat: Seat
    count: int
    cards: tuple[Card, ...] | None
    turn_up: Card | None = None

    def seen_by(self, seat: Seat | None) -> "Drew":
        """Hides the cards from all others."""
        return self if seat == self.seat else replace(self, cards=None)


@dataclass(frozen=True, slots=True)
class WentOut(Event):
    """A seat is out of the game as the `place`-th (from 1)."""

    seat: Seat
    place: int


@dataclass(frozen=True, slots=True)
class LaidAway(Event):
    """A seat put all cards of a rank on the discard heap."""

    seat: Seat
    cards: tuple[Card, ...]


@dataclass(frozen=True, slots=True)
class Exchanged(Event):
    """A seat gave the trump six (`given`) for the turn-up (`taken`)."""

    seat: Seat
    given: Card
    taken: Card


@dataclass(frozen=True, slots=True)
class Kept(Event):
    """A seat keeps its cards, whether or not it could have asked for a new deal."""

    seat: Seat


@dataclass(frozen=True, slots=True)
class Redealt(Event):
    """A seat asked for a new deal, and the cards were dealt again."""

    seat: Seat


@dataclass(frozen=True, slots=True)
class Caught(Event):
    """A seat pointed at a wrong card, laid by seat `by` with `move`, and the card went back.

    `returned` are all cards that went back, each with its owner. `bout` is what remains on the table.
    Attacker and defender have changed if a transfer was undone.
    """

    seat: Seat
    by: Seat
    move: Move
    returned: tuple[tuple[Seat, Card], ...]
    bout: tuple[Pair, ...]
    attacker: Seat
    defender: Seat


@dataclass(frozen=True, slots=True)
class AccusedWrongly(Event):
    """A seat pointed at a right card that `by` had laid with `move`."""

    seat: Seat
    by: Seat
    move: Move


@dataclass(frozen=True, slots=True)
class Resigned(Event):
    """A seat resigned."""

    seat: Seat


@dataclass(frozen=True, slots=True)
class GameOver(Event):
    """The game has ended."""

    outcome: Outcome


def seen_by(events: Iterable[Event], seat: Seat | None) -> tuple[Event, ...]:
    """Returns the events as this seat (None: a spectator) may see them."""
    return tuple([event.seen_by(seat) for event in events])
