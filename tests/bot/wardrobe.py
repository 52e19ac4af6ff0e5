"""The marks of people in the chat in memory, with refusals and kills on demand."""

from collections.abc import Sequence
from dataclasses import dataclass, field

from adapters.port import BadgeProblem, BadgeTrouble, OfferedBadge, ServerRef, Throttled, UserRef


class KilledError(Exception):
    """The bot's process ends at this moment."""


@dataclass
class Wardrobe:
    """Implements `Badges` for the marks of one server.

    Attributes:
        tags: The marks that people wear.
        gone: The people who have left.
        admins: The people whom no bot may mark.
        givers: The people who may give roles.
        has_right: Whether the bot may mark anybody.
        troubles: The outcomes of the next requests, one each: a refusal, or None for none.
        kills: Whether the bot is killed before or after each of the next changes.
        asked: The number of requests.
    """

    right: str = "Mark people"
    are_chosen: bool = False
    tags: dict[UserRef, str] = field(default_factory=dict)
    gone: set[UserRef] = field(default_factory=set)
    admins: set[UserRef] = field(default_factory=set)
    givers: set[UserRef] = field(default_factory=set)
    has_right: bool = True
    roles: list[str] = field(default_factory=list)
    troubles: list[BadgeProblem | None] = field(default_factory=list)
    kills: list[str] = field(default_factory=list)
    asked: int = 0

    async def offered(self, server: ServerRef) -> Sequence[OfferedBadge]:
        return [OfferedBadge(role, role) for role in self.roles]

    async def may_choose(self, server: ServerRef, user: UserRef, badge: str) -> bool:
        return user in self.givers

    async def make(self, server: ServerRef, name: str) -> str | BadgeProblem:
        self.roles.append(name)
        return name

    async def problem(self, server: ServerRef, badge: str) -> BadgeProblem | None:
        return None if self.has_right else BadgeTrouble.NO_RIGHT

    async def mark_of(self, server: ServerRef, user: UserRef, badge: str) -> str | BadgeProblem:
        return self._trouble(user) or self.tags.get(user, "")

    async def wear(self, server: ServerRef, user: UserRef, mark: str, before: str) -> BadgeProblem | None:
        kill = self.kills.pop(0) if self.kills else ""
        if kill == "before":
            raise KilledError

        problem = self._trouble(user)
        if problem is None:
            if not self.has_right:
                return BadgeTrouble.NO_RIGHT
            assert self.tags.get(user, "") == before, "a mark that a person gave was overwritten"
            self.tags[user] = mark

        if kill == "after":
            raise KilledError

        return problem

    def _trouble(self, user: UserRef) -> BadgeProblem | None:
        self.asked += 1
        if self.troubles and (trouble := self.troubles.pop(0)) is not None:
            return trouble
        if user in self.gone:
            return BadgeTrouble.LEFT

        return BadgeTrouble.RANKED if user in self.admins else None

    def wearers(self, mark: str) -> list[UserRef]:
        """Returns the wearers of a mark that begins like this."""
        return [user for user, tag in self.tags.items() if tag.startswith(mark)]


def throttled() -> Throttled:
    """Returns the outcome of a request that has to be repeated."""
    return Throttled(1.0)
