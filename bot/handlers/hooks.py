"""The hooks of features that handlers call; `Feature` explains each."""

from collections.abc import Awaitable, Sequence
from dataclasses import dataclass, field
from typing import Protocol

from adapters.port import Offer, PuzzleBoard, RoomRef, ServerRef, UserRef
from bot.locale import Translator
from bot.model.server_choices import ServerChoice
from bot.screens.text import Line


class InStats(Protocol):
    """Adds a line to the statistics of a person."""

    def __call__(self, server: ServerRef, user: UserRef, translator: Translator) -> Awaitable[Line]:
        """Returns the line; empty if there is nothing to add."""


class Highlight(Protocol):
    """Adds a line to the report of a server's week."""

    def __call__(
        self, server: ServerRef, since: float, until: float, translator: Translator
    ) -> Awaitable[Line]:
        """Returns the line; empty if there is nothing to add."""


class InSeason(Protocol):
    """Adds lines to a season in the hall of fame."""

    def __call__(
        self, server: ServerRef, since: float, until: float, translator: Translator
    ) -> Awaitable[Sequence[Line]]:
        """Returns the lines."""


class PuzzleByNumber(Protocol):
    """Finds a puzzle for a page beside the chats."""

    def __call__(self, number: int, token: str, translator: Translator) -> Awaitable[PuzzleBoard | None]:
        """Returns the puzzle, with the answer whose token is given; None if nobody has been shown it."""


class OfferToSend(Protocol):
    """Offers a message that a person can send to any chat."""

    def __call__(self, user: UserRef, translator: Translator) -> Awaitable[Offer | None]:
        """Returns the offer; None if there is none."""


class OnMemberLeft(Protocol):
    """Reacts when a person has left a room."""

    def __call__(self, user: UserRef, room: RoomRef) -> Awaitable[None]:
        """Called after the person was removed from the room's tables."""


class RoomMoved(Protocol):
    """Reacts when a room has a new id."""

    def __call__(self, old: RoomRef, new: RoomRef) -> None:
        """Called after the room's rows were moved."""


class BeforeChoice(Protocol):
    """Prepares a server for a new value of a feature's setting."""

    def __call__(self, server: ServerRef, value: str) -> Awaitable[None]:
        """Called before the value is stored."""


class Load(Protocol):
    """Loads the data that a feature keeps in memory."""

    def __call__(self) -> Awaitable[None]:
        """Called at the start, before anybody is answered."""


class Forget(Protocol):
    """Removes a forgotten person from a feature's caches."""

    def __call__(self, user: UserRef) -> None:
        """Called after the person's rows were deleted."""


@dataclass(frozen=True, slots=True)
class Hooks:
    """All hooks, in the order of their features."""

    in_stats: list[InStats] = field(default_factory=list)
    highlight: list[Highlight] = field(default_factory=list)
    in_season: list[InSeason] = field(default_factory=list)
    puzzle: list[PuzzleByNumber] = field(default_factory=list)
    offer: list[OfferToSend] = field(default_factory=list)
    member_left: list[OnMemberLeft] = field(default_factory=list)
    room_moved: list[RoomMoved] = field(default_factory=list)
    before_choice: list[tuple[ServerChoice, BeforeChoice]] = field(default_factory=list)
    load: list[Load] = field(default_factory=list)
    forget: list[Forget] = field(default_factory=list)
