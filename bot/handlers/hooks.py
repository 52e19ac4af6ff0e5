"""What features add to the answers of the core."""

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field
from typing import Protocol

from adapters.port import MessageRef, RoomRef, Screen, ServerRef, UserRef
from bot.locale import Translator
from bot.model.buttons import Button
from bot.model.people import ServerChoice
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


class InSeason(Protocol):
    """Adds lines to a season in the hall of fame."""

    def __call__(
        self, server: ServerRef, since: float, until: float, translator: Translator
    ) -> Awaitable[Sequence[Line]]:
        """Returns them."""


class MemberLeft(Protocol):
    """Reacts to somebody who has left a room."""

    def __call__(self, user: UserRef, room: RoomRef) -> Awaitable[None]:
        """Does it once they are no longer at the room's tables."""


class ShownAbout(Protocol):
    """Looks up what names a person in the chats, before they are forgotten."""

    def __call__(self, user: UserRef) -> Awaitable[Callable[[], Awaitable[None]]]:
        """Returns a function that shows it again, without the name."""


class BeforeChoice(Protocol):
    """Prepares a server for another value of a feature's setting."""

    def __call__(self, server: ServerRef, value: str) -> Awaitable[None]:
        """Does it before the value is stored."""


class AnswerShown(Protocol):
    """Takes note of a message that an answer has made."""

    def __call__(
        self, screen: Screen, room: RoomRef, message: MessageRef, reader: UserRef | None
    ) -> Awaitable[None]:
        """Does it; `reader` is the one who alone sees it, None for the whole room."""


class Load(Protocol):
    """Reads what is kept in memory."""

    def __call__(self) -> Awaitable[None]:
        """Does it, before anybody is answered."""


class Forget(Protocol):
    """Drops a person, who is forgotten, from the memory of a feature."""

    def __call__(self, user: UserRef) -> None:
        """Drops them; their rows are gone already."""


@dataclass(frozen=True, slots=True)
class Hooks:
    """All additions, in the order of their features."""

    in_stats: list[InStats] = field(default_factory=list)
    highlights: list[Highlight] = field(default_factory=list)
    in_season: list[InSeason] = field(default_factory=list)
    member_left: list[MemberLeft] = field(default_factory=list)
    shown_about: list[ShownAbout] = field(default_factory=list)
    before_choice: list[tuple[ServerChoice, BeforeChoice]] = field(default_factory=list)
    answer_shown: dict[type[Button], AnswerShown] = field(default_factory=dict)  # by a button of the screen
    load: list[Load] = field(default_factory=list)
    forget: list[Forget] = field(default_factory=list)
