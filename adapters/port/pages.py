"""What a chat of our own can show around its rooms, beside messages."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from adapters.port.refs import ServerRef


@dataclass(frozen=True, slots=True)
class RuleSetCard:
    """Rules to open a table by.

    Attributes:
        name: What is typed after `/durak`.
        title: What people call them.
        cards: How many cards and players they are for, in a sentence.
        special: What distinguishes them most, in a few sentences; empty for the plainest.
    """

    name: str
    title: str
    cards: str
    special: str


class Pages(Protocol):
    """What the bot tells a chat of our own; `locale` is what its reader speaks, as in `de`."""

    async def rule_sets(self, server: ServerRef, locale: str) -> Sequence[RuleSetCard]:
        """Return the rules that one can open a table by, those that are played by default first."""
        ...
