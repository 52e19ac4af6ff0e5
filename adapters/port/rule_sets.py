"""Rules to choose from, for chats that can show them side by side."""

from dataclasses import dataclass
from enum import StrEnum, auto


class RuleTrait(StrEnum):
    """Something that rules have and the plainest have not."""

    TRANSFER = auto()  # attacks can be passed on
    SHOW = auto()  # by showing the trump as well
    TEAMS = auto()
    POINTS = auto()
    EPAULETTES = auto()
    NEIGHBOURS = auto()  # none but the defender's neighbours throw in
    ALONE = auto()  # nobody throws in but the attacker, or nobody at all
    UNLIMITED = auto()  # no limit to an attack but the defender's cards
    REDEAL = auto()  # some hands give the right to a new deal
    EQUAL = auto()  # an attack may begin with several equal cards
    CLOSED = auto()  # nothing is thrown in once the defender takes


@dataclass(frozen=True, slots=True)
class RuleSketch:
    """What a small picture of rules shows: the lowest card's rank, the size of the deck, what is special."""

    lowest: str
    size: int
    traits: tuple[RuleTrait, ...]


@dataclass(frozen=True, slots=True)
class RuleSetCard:
    """Rules to open a table by.

    Attributes:
        name: What is typed after `/durak`.
        title: What people call them.
        cards: How many cards and players they are for, in a sentence.
        special: What distinguishes them most, in a few sentences; empty for the plainest.
        sketch: A picture of them.
    """

    name: str
    title: str
    cards: str
    special: str
    sketch: RuleSketch
