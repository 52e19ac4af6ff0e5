"""The hooks of features that handlers call; the fields of `Feature` say what each is for."""

from collections.abc import Awaitable, Sequence
from dataclasses import dataclass, field
from typing import Protocol

from adapters.port import RoomRef, ServerRef, UserRef
from bot.locale import Translator
from bot.model.server_choices import ServerChoice
from bot.screens.text import Line


class InStats(Protocol):
    """Adds a line to the statistics of a person."""

    def __call__(self, server: ServerRef, user: UserRef, translator: Translator) -> Awaitable[Line]:
        """Returns the line, empty where there is nothing to add."""


class Highlight(Protocol):
    """Adds a line to the report of a server's week."""

    def __call__(
        self, server: ServerRef, since: float, until: float, translator: Translator
    ) -> Awaitable[Line]:
        """Returns the line, empty where there is nothing to add."""


class InSeason(Protocol):
    """Adds lines to a season in the hall of fame."""

    def __call__(
        self, server: ServerRef, since: float, until: float, translator: Translator
    ) -> Awaitable[Sequence[Line]]:
        """Returns the lines."""


class OnMemberLeft(Protocol):
    """Reacts to somebody who has left a room."""

    def __call__(self, user: UserRef, room: RoomRef) -> Awaitable[None]:
        """Reacts once they are no longer at the room's tables."""


class RoomMoved(Protocol):
    """Follows a room that continues under a new id."""

    def __call__(self, old: RoomRef, new: RoomRef) -> None:
        """Follows it once its rows have moved."""


class BeforeChoice(Protocol):
    """Prepares a server for another value of a feature's setting."""

    def __call__(self, server: ServerRef, value: str) -> Awaitable[None]:
        """Prepares it before the value is stored."""


class Load(Protocol):
    """Reads what a feature keeps in memory."""

    def __call__(self) -> Awaitable[None]:
        """Reads it before anybody is answered."""


class Forget(Protocol):
    """Removes a forgotten person from the caches of a feature."""

    def __call__(self, user: UserRef) -> None:
        """Removes them; their rows are gone already."""


@dataclass(frozen=True, slots=True)
class Hooks:
    """All hooks, in the order of their features."""

    in_stats: list[InStats] = field(default_factory=list)
    highlight: list[Highlight] = field(default_factory=list)
    in_season: list[InSeason] = field(default_factory=list)
    member_left: list[OnMemberLeft] = field(default_factory=list)
    room_moved: list[RoomMoved] = field(default_factory=list)
    before_choice: list[tuple[ServerChoice, BeforeChoice]] = field(default_factory=list)
    load: list[Load] = field(default_factory=list)
    forget: list[Forget] = field(default_factory=list)
