"""What features add to the answers of the core."""

from collections.abc import Awaitable
from dataclasses import dataclass, field
from typing import Protocol

from adapters.port import ServerRef, UserRef
from bot.locale import Translator
from bot.screens.text import Line


class InStats(Protocol):
    """Adds a line to the statistics of a person."""

    def __call__(self, server: ServerRef, user: UserRef, translator: Translator) -> Awaitable[Line]:
        """Returns it, empty where there is nothing to add."""


class Highlight(Protocol):
    """Adds a line to the report of a server's week."""

    def __call__(
        self, server: ServerRef, since: float, until: float, translator: Translator
    ) -> Awaitable[Line]:
        """Returns it, empty where there is nothing to add."""


class BeforeChoice(Protocol):
    """Prepares a server for another value of a feature's setting."""

    def __call__(self, server: ServerRef, value: str) -> Awaitable[None]:
        """Does it before the value is stored."""


class Forget(Protocol):
    """Drops a person, who is forgotten, from the memory of a feature."""

    def __call__(self, user: UserRef) -> None:
        """Drops them; their rows are gone already."""


@dataclass(frozen=True, slots=True)
class Hooks:
    """All additions, in the order of their features."""

    in_stats: list[InStats] = field(default_factory=list)
    highlights: list[Highlight] = field(default_factory=list)
    before_choice: dict[str, BeforeChoice] = field(default_factory=dict)  # by the name of the setting
    forget: list[Forget] = field(default_factory=list)
