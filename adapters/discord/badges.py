"""Badges of members: roles that give no rights."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import discord

from adapters import port
from adapters.discord.messages import RETRY_SECONDS, TROUBLE, outcome

REASON = "Durak: who was the fool last wears it"  # in a server's audit log

# The meaning of Discord's refusals.
_TROUBLE = {
    10004: port.BadgeTrouble.NOT_HERE,  # unknown guild
    10007: port.BadgeTrouble.LEFT,
    10011: port.BadgeTrouble.NO_BADGE,
    10013: port.BadgeTrouble.LEFT,  # unknown user
    30005: port.BadgeTrouble.FULL,
    50001: port.BadgeTrouble.NOT_HERE,
    50013: port.BadgeTrouble.NO_RIGHT,
}


@dataclass(frozen=True)
class _Roles:
    """The roles of a server, the position of a member's highest, and whether they may give those below."""

    all: Sequence[Any]
    top: int
    may_give: bool

    def find(self, role_id: str) -> Any | None:
        """Returns a role; None if there is none with this id."""
        return next((role for role in self.all if role["id"] == role_id), None)


class DiscordBadges:
    """Implements `Badges`: a mark is the id of a role."""

    right = port.gettext_noop("Manage Roles")
    are_chosen = True

    def __init__(self, client: Callable[[], discord.Client | None]) -> None:
        """`client` returns the current connection: each login makes another one."""
        self._client = client

    async def offered(self, server: port.ServerRef) -> Sequence[port.OfferedBadge]:
        """Returns the roles below the bot's highest that give no rights and that nothing else manages."""
        roles = await self._roles(server)
        if not isinstance(roles, _Roles):
            return ()

        return [
            port.OfferedBadge(role["id"], role["name"])
            for role in roles.all
            if role["id"] != server.id
            and not role["managed"]
            and int(role["permissions"]) == 0
            and role["position"] < roles.top
        ]

    async def may_choose(self, server: port.ServerRef, user: port.UserRef, badge: str) -> bool:
        """Returns whether a member may manage roles in the whole server, and has a role above this one."""
        client = self._client_of(server)
        guild = None if client is None else client.get_guild(int(server.id))
        if guild is None:
            return False
        if str(guild.owner_id) == user.id:
            return True

        roles = await self._roles(server, int(user.id))
        if not isinstance(roles, _Roles) or not roles.may_give:
            return False

        role = roles.find(badge)
        return role is not None and role["position"] < roles.top

    async def make(self, server: port.ServerRef, name: str) -> str | port.BadgeProblem:
        """Makes a role that has no permissions and cannot be mentioned."""
        if (client := self._client_of(server)) is None:
            return port.BadgeTrouble.NOT_HERE

        try:
            role = await client.http.create_role(
                int(server.id), reason=REASON, name=name, permissions=0, mentionable=False, hoist=False
            )
        except TROUBLE as error:
            return _problem(error)

        return str(role["id"])

    async def problem(self, server: port.ServerRef, badge: str) -> port.BadgeProblem | None:
        """Returns why the bot cannot give this role as a badge; None if it can."""
        roles = await self._roles(server)
        if not isinstance(roles, _Roles):
            return roles
        if not roles.may_give:
            return port.BadgeTrouble.NO_RIGHT

        role = roles.find(badge)
        if role is None:
            return port.BadgeTrouble.NO_BADGE
        if int(role["permissions"]):
            return port.BadgeTrouble.HAS_RIGHTS

        return port.BadgeTrouble.ABOVE if role["position"] >= roles.top else None

    async def mark_of(
        self, server: port.ServerRef, user: port.UserRef, badge: str
    ) -> str | port.BadgeProblem:
        """Returns the role if the member has it, else an empty text; or why that is not known."""
        if (client := self._client_of(server)) is None:
            return port.BadgeTrouble.NOT_HERE
        if not badge:
            return port.BadgeTrouble.NO_BADGE

        try:
            member = await client.http.get_member(int(server.id), int(user.id))
        except TROUBLE as error:
            return _problem(error)

        return badge if badge in map(str, member["roles"]) else ""

    async def wear(
        self, server: port.ServerRef, user: port.UserRef, mark: str, before: str
    ) -> port.BadgeProblem | None:
        """Gives a role if it still gives no rights, and takes away the one before; returns any problem."""
        if (client := self._client_of(server)) is None:
            return port.BadgeTrouble.NOT_HERE
        if mark and (problem := await self.problem(server, mark)) is not None:
            return problem

        person = int(server.id), int(user.id)
        try:
            if before and before != mark:
                await client.http.remove_role(*person, int(before), reason=REASON)
            if mark:
                await client.http.add_role(*person, int(mark), reason=REASON)
        except TROUBLE as error:
            trouble = _problem(error)
            if trouble is not port.BadgeTrouble.NO_RIGHT:
                return trouble

            # Discord reports only that a permission is missing, not which one.
            return await self.problem(server, mark or before) or trouble

        return None

    def _client_of(self, server: port.ServerRef) -> discord.Client | None:
        return self._client() if server.id.isdecimal() else None

    async def _roles(self, server: port.ServerRef, member: int | None = None) -> _Roles | port.BadgeProblem:
        """Returns the roles, with a member's (None: the bot's) rank and rights, or why they are unknown."""
        client = self._client_of(server)
        if client is None or client.user is None:
            return port.BadgeTrouble.NOT_HERE if client is None else port.Throttled(RETRY_SECONDS)

        try:
            roles: Sequence[Any] = list(await client.http.get_roles(int(server.id)))
            holder = await client.http.get_member(int(server.id), member or client.user.id)
        except TROUBLE as error:
            return _problem(error)

        own = [role for role in roles if role["id"] in {server.id, *map(str, holder["roles"])}]
        rights = discord.Permissions(0)
        for role in own:
            rights |= discord.Permissions(int(role["permissions"]))

        top = max((role["position"] for role in own), default=0)
        return _Roles(roles, top, rights.administrator or rights.manage_roles)


def _problem(error: BaseException) -> port.BadgeProblem:
    if isinstance(error, discord.HTTPException) and error.code in _TROUBLE:
        return _TROUBLE[error.code]
    became = outcome(error)
    return became if isinstance(became, port.Throttled) else port.BadgeTrouble.REFUSED
