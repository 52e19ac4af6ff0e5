"""Badges: a tag or a role that a chat shows beside a person's name."""

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
    RANKED = auto()  # the person ranks too high, whatever rights the bot has
    LEFT = auto()  # the person is no member
    HAS_RIGHTS = auto()  # the badge gives its wearers rights
    NO_BADGE = auto()  # it was deleted, or never chosen
    FULL = auto()  # there can be no more badges
    NOT_HERE = auto()  # the bot is not there, or there are no badges there
    REFUSED = auto()  # anything else


BadgeProblem = BadgeTrouble | Throttled  # a refusal, or a refusal for now


@dataclass(frozen=True, slots=True)
class OfferedBadge:
    """A badge of a server that the bot may give, and its name there."""

    id: str
    name: str


class Badges(Protocol):
    """The badges of a chat. A member's mark is words, or the id of a badge; empty: nothing."""

    @property
    def right(self) -> str:
        """The right that the bot needs, in the words of the chat's own settings."""

    @property
    def are_chosen(self) -> bool:
        """Whether marks are badges of the server, one of which is chosen or made; else they are words."""

    async def offered(self, server: ServerRef) -> Sequence[OfferedBadge]:
        """Returns the badges that the bot may give; none where they can't be listed."""

    async def may_choose(self, server: ServerRef, user: UserRef, badge: str) -> bool:
        """Returns whether a person could give this badge to others by hand; False if the chat can't tell."""

    async def make(self, server: ServerRef, name: str) -> str | BadgeProblem:
        """Makes a badge that gives no rights; returns its id."""

    async def problem(self, server: ServerRef, badge: str) -> BadgeProblem | None:
        """Returns the obstacle to giving a badge to an ordinary member; None if there is none."""

    async def mark_of(self, server: ServerRef, user: UserRef, badge: str) -> str | BadgeProblem:
        """Returns the mark that a person wears; of badges only this one counts."""

    async def wear(self, server: ServerRef, user: UserRef, mark: str, before: str) -> BadgeProblem | None:
        """Replaces a person's mark `before` by another one, unless that one gives rights by now.

        Doing it twice changes nothing more.
        """
