"""A person's choices: how they hold their cards, how they are called, their language."""

from dataclasses import dataclass
from enum import StrEnum, auto


class HandOrder(StrEnum):
    """The order of cards in a hand; trumps come last either way."""

    RANK = auto()
    SUIT = auto()


class Calling(StrEnum):
    """When a private message rings a person's phone for their turn."""

    BY_CHAT = auto()  # where the chat shows cards best; nobody chooses it, it is what they begin with
    AT_ONCE = auto()
    LATER = auto()  # once the table has waited for them as long as until it calls them
    TABLE = auto()  # never: the table's own call has to do
    NEVER = auto()  # nor is anything else written to them in private, where they can do without


@dataclass(frozen=True, slots=True)
class Profile:
    """A person's choices, and the facts that their chat reports.

    They are kept by the names of these fields; what is empty there was not chosen.
    """

    language: str = ""  # the one they chose, else the locale of their chat; empty when neither is known
    hand_order: HandOrder = HandOrder.RANK  # how they hold their cards
    calling: Calling = Calling.BY_CHAT  # how they are called when it's their turn
    company: bool = False  # whether the last company may call them to a new game
    # Whether one tap on a card plays it, where tables are drawn and it can mean one thing.
    one_tap: bool = False
    reachable: bool | None = None  # whether the bot can write to them; None when that was never tried
    wears_mark: bool = True  # whether they wear the fool's mark where a server marks the fool


NO_CHOICES = Profile()
