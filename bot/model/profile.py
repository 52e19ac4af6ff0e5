"""A person's choices: how they hold their cards, how they are called, their language."""

from dataclasses import dataclass
from enum import StrEnum, auto


class HandOrder(StrEnum):
    """The order of cards in a hand; trumps come last either way."""

    RANK = auto()
    SUIT = auto()


class Calling(StrEnum):
    """When a private message rings a person's phone for their turn."""

    BY_CHAT = auto()  # depends on where the chat shows cards best; the default, which nobody can choose
    AT_ONCE = auto()
    LATER = auto()  # only once the table would call them
    TABLE = auto()  # never; only the table's own call mentions them
    NEVER = auto()  # never, and no other private messages either, except those they need


@dataclass(frozen=True, slots=True)
class Profile:
    """A person's choices, and the facts that their chat reports.

    The columns have the names of these fields; an empty one was not chosen.
    """

    language: str = ""  # the one they chose, else the locale of their chat; empty if neither is known
    hand_order: HandOrder = HandOrder.RANK  # how they hold their cards
    calling: Calling = Calling.BY_CHAT  # how they are called when it's their turn
    company: bool = False  # whether the last company may call them to a new game
    # Whether one tap on a card of a drawn table plays it, if the tap can mean only one move.
    one_tap: bool = False
    reachable: bool | None = None  # whether the bot can write to them; None if that was never tried
    wears_mark: bool = True  # whether they wear the fool's mark where a server marks the fool
    shows_portrait: bool = True  # whether tables and results show their picture from the chat


NO_CHOICES = Profile()
