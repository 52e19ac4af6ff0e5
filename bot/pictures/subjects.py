"""The subjects of pictures: plain values, which do not need the code that draws them."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from enum import Enum, auto
from types import MappingProxyType
from typing import Self

from bot.pictures.deck import PAINTS
from engine import Card, Outcome, PublicView, Record, Rules, Seat, Suit

# A colour for each suit; red-green colour-blind people can also tell them apart.
FOUR_COLOURS: Mapping[Suit, str] = MappingProxyType(
    {Suit.SPADES: "#17191f", Suit.HEARTS: "#dd2c00", Suit.DIAMONDS: "#1f6fd6", Suit.CLUBS: "#006e50"}
)


@dataclass(frozen=True, slots=True)
class Style:
    """The colours of one kind of picture, as `#rrggbb`."""

    backdrop: str  # around the table
    felt: str  # the table's top
    rim: str  # the table's edge
    felt_ink: str  # names on the felt
    slot: str  # marks on the felt: an empty place for a pile
    plate: str  # behind a name
    ink: str  # names and numbers on a plate or on the backdrop
    faint: str  # the same for players who are out, and for details
    awaited: str  # the plate of a player whom the table waits for
    awaited_ink: str  # names and numbers on it
    attack: str  # the attacker's mark and arrow
    defend: str  # the defender's mark
    mark_ink: str  # the sign on a mark
    take: str  # the mark of a take
    face: str  # a card's front
    face_edge: str  # its outline
    dimmed: str  # a card's front when it may not be played
    back: str  # a card's back
    back_line: str  # the lines on it
    gold: str  # crowns, bells, the first place
    deep_gold: str  # the same for thin lines, and to stand out from the ground: trumps, the first bar
    suits: Mapping[Suit, str] = field(default_factory=lambda: FOUR_COLOURS, hash=False)

    @property
    def colours(self) -> tuple[str, ...]:
        """Every colour once."""
        plain = (getattr(self, part.name) for part in fields(self) if part.name != "suits")
        return tuple(dict.fromkeys((*plain, *self.suits.values(), *PAINTS.values())))


DARK = Style(
    backdrop="#141a21",
    felt="#1e5244",
    rim="#0f3a30",
    felt_ink="#f4f6f8",
    slot="#2c6a59",
    plate="#26303b",
    ink="#f4f6f8",
    faint="#8d99a6",
    awaited="#ffc53d",
    awaited_ink="#1b1503",
    attack="#ff7a45",
    defend="#69b1ff",
    mark_ink="#10161c",
    take="#ff6b6b",
    face="#fbfaf6",
    face_edge="#8f9794",
    dimmed="#cbd1cf",
    back="#7c2634",
    back_line="#c9808b",
    gold="#f5b82e",
    deep_gold="#f5b82e",
)

LIGHT = Style(
    backdrop="#f3f0e9",
    felt="#b0d6bc",
    rim="#7fb08f",
    felt_ink="#12291c",
    slot="#8fbd9e",
    plate="#ffffff",
    ink="#1d242b",
    faint="#5f6a73",
    awaited="#ffc53d",
    awaited_ink="#1b1503",
    attack="#c2410c",
    defend="#1864ab",
    mark_ink="#ffffff",
    take="#d6232a",
    face="#ffffff",
    face_edge="#7f8a85",
    dimmed="#cbd1cf",
    back="#93303f",
    back_line="#d99aa4",
    gold="#e0a100",
    deep_gold="#b97a00",
)


# --- How pictures look ---


@dataclass(frozen=True, slots=True)
class Look:
    """The colours of a picture, and the letters on its cards, from the two to the ace."""

    style: Style
    ranks: tuple[str, ...]


# --- The subjects of pictures ---


@dataclass(frozen=True, slots=True)
class TablePicture:
    """A running or finished game in public; `names` by seat, and the seats of absent people."""

    view: PublicView
    names: tuple[str, ...]
    away: frozenset[Seat] = frozenset()


@dataclass(frozen=True, slots=True)
class EndPicture:
    """How a game ended; `names` by seat, `left` are the cards in the hand of a single fool.

    `portraits` are the JPEGs of those players who show one, by seat; empty if nobody does.
    """

    outcome: Outcome
    names: tuple[str, ...]
    left: tuple[Card, ...] = ()
    portraits: tuple[bytes | None, ...] = field(default=(), repr=False)

    @classmethod
    def of(
        cls,
        names: tuple[str, ...],
        outcome: Outcome,
        rules: Rules,
        left: Sequence[Card] = (),
        portraits: tuple[bytes | None, ...] = (),
    ) -> Self:
        """Returns the end of a game by these rules; in team play, players have no places."""
        has_places = rules.teams == "off"
        shown = outcome if has_places else replace(outcome, order=())
        return cls(shown, names, tuple(left), portraits if any(portraits) else ())


FILMED_BOUTS = 2
MAX_FRAMES = 40


@dataclass(frozen=True, slots=True)
class Film:
    """The last positions of a game in order, up to its end; `names` by seat.

    `wrong_cards` has, for each position, the cards on the table that were played against the rules.
    """

    views: tuple[PublicView, ...]
    names: tuple[str, ...]
    wrong_cards: tuple[frozenset[Card], ...]

    @staticmethod
    def of(record: Record, names: tuple[str, ...]) -> "Film":
        """Returns the last two bouts of a finished game, at most the last `MAX_FRAMES` positions."""
        states = [record.opening.deal()]
        begun = [0]
        for step in record.steps():
            if states[-1].bouts < step.state.bouts and step.state.outcome() is None:
                begun.append(len(states))

            states.append(step.state)

        first = max(begun[-FILMED_BOUTS:][0], len(states) - MAX_FRAMES)
        views = tuple(state.public_view() for state in states[first:])
        wrong_cards = tuple(state.wrong_cards for state in states[first:])
        return Film(views, names, wrong_cards)


@dataclass(frozen=True, slots=True)
class HandPicture:
    """The cards of a hand in order; `playable` are those of its legal moves, None if there are no moves."""

    cards: tuple[Card, ...]
    trump: Suit
    playable: frozenset[Card] | None


@dataclass(frozen=True, slots=True)
class PuzzlePicture:
    """A position with two open hands; a pair of the bout is an attack card and its beating card, if any."""

    other: tuple[Card, ...]
    bout: tuple[tuple[Card, Card | None], ...]
    hand: tuple[Card, ...]  # the solver's
    trump: Suit


class Award(Enum):
    """The marks of the first bars of a chart."""

    CAP = auto()  # the fool's cap, only for the first
    MEDALS = auto()  # for the first bars above zero; the last bar gets the cap if it is below zero


@dataclass(frozen=True, slots=True)
class Bar:
    """One line of a chart: a name, the relative length of its bar, and the text beside it.

    A bar below zero extends to the left, away from the others.
    """

    name: str
    value: float
    label: str


@dataclass(frozen=True, slots=True)
class Chart:
    """The content of a chart."""

    bars: tuple[Bar, ...]  # the lines, the first at the top; no more than fifteen are drawn
    award: Award = Award.CAP  # the marks of the first bars
    title: str = ""  # a line above them
    note: str = ""  # a line below them, smaller
    goes_on: bool = False  # whether the tally has more lines after the last one


Subject = TablePicture | Film | EndPicture | HandPicture | PuzzlePicture | Chart
