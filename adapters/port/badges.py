"""Badges: tags or roles that a chat shows beside a person's name."""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum, auto
from typing import Protocol

from adapters.port.outcomes import Throttled
from adapters.port.refs import ServerRef, UserRef


class BadgeTrouble(Enum):
    """The reason why a badge can't be given or taken away."""

    NO_RIGHT = auto()  # the bot lacks `Badges.right`
    ABOVE = auto()  # the badge is above the bot's own
    RANKED = auto()  # the person ranks too high, whatever the bot's rights
    LEFT = auto()  # the person is not a member
    HAS_RIGHTS = auto()  # the badge gives its wearers rights
    NO_BADGE = auto()  # the badge was deleted, or never chosen
    FULL = auto()  # the server has as many badges as it can
    NOT_HERE = auto()  # the bot is not on the server, or the server has no badges
    REFUSED = auto()  # anything else


BadgeProblem = BadgeTrouble | Throttled  # a lasting or a temporary refusal


@dataclass(frozen=True, slots=True)
class OfferedBadge:
    """A badge that the bot may give on a server, and its name there."""

    id: str
    name: str


class Badges(Protocol):
    """The badges of a chat. A member's mark is a text or a badge id, see `are_chosen`; empty means none."""

    @property
    def right(self) -> str:
        """The right that the bot needs, as the chat's own settings call it."""

    @property
    def are_chosen(self) -> bool:
        """Whether marks are ids of badges that admins choose or make; if not, marks are free text."""

    async def offered(self, server: ServerRef) -> Sequence[OfferedBadge]:
        """Returns the badges that the bot may give; empty if they cannot be listed."""

    async def may_choose(self, server: ServerRef, user: UserRef, badge: str) -> bool:
        """Returns whether a person could give this badge to others by hand; False if the chat can't tell."""

    async def make(self, server: ServerRef, name: str) -> str | BadgeProblem:
        """Creates a badge that gives no rights; returns its id."""

    async def problem(self, server: ServerRef, badge: str) -> BadgeProblem | None:
        """Returns what prevents the bot from giving this badge to an ordinary member, if anything does."""

    async def mark_of(self, server: ServerRef, user: UserRef, badge: str) -> str | BadgeProblem:
        """Returns the mark that a person wears; where marks are badges, only this `badge` counts."""

    async def wear(self, server: ServerRef, user: UserRef, mark: str, before: str) -> BadgeProblem | None:
        """Replaces a person's mark `before` by `mark`, unless the new badge gives rights by now.

        Idempotent.
        """
