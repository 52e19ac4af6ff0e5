"""What pictures show: values that are there before anything is drawn, and without what draws."""

from dataclasses import dataclass
from enum import Enum, auto

from engine import Card, Outcome, PublicView, Seat, Suit


@dataclass(frozen=True, slots=True)
class TablePicture:
    """A running or finished game for everybody; `names` by seat, and the seats of people who are away."""

    view: PublicView
    names: tuple[str, ...]
    away: frozenset[Seat] = frozenset()


@dataclass(frozen=True, slots=True)
class EndPicture:
    """How a game ended; `names` by seat."""

    outcome: Outcome
    names: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class HandPicture:
    """The cards of a hand in this order; what cannot be played stands back, if a card is asked for."""

    cards: tuple[Card, ...]
    trump: Suit
    playable: frozenset[Card] | None


class Award(Enum):
    """What the first ones of a tally wear."""

    CAP = auto()  # the fool's, for the first one alone
    MEDALS = auto()


@dataclass(frozen=True, slots=True)
class Bar:
    """One line of a chart: how long the bar is against the others, and what is written beside it.

    A bar below zero goes to the left, away from the others.
    """

    name: str
    value: float
    label: str


@dataclass(frozen=True, slots=True)
class Chart:
    """What a chart shows.

    Attributes:
        bars: The lines, the first at the top; no more than fifteen are drawn.
        award: What the first ones wear.
        title: A line above them.
        note: A line below them, smaller.
    """

    bars: tuple[Bar, ...]
    award: Award = Award.CAP
    title: str = ""
    note: str = ""


Subject = TablePicture | EndPicture | HandPicture | Chart
