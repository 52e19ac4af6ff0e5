"""Activities that run, and people who tell the application who they are."""

import secrets
from dataclasses import dataclass, field

from aiohttp import web

from tests.wire.discord.world import Account, Channel

CLIENT_SECRET = "the-client-secret"


@dataclass
class Activities:
    """Activities that run, by their ids, and people who have let the application know who they are.

    Attributes:
        are_enabled: Whether the owner has switched Activities on.
    """

    are_enabled: bool = False
    instances: dict[str, tuple[Channel, list[Account]]] = field(default_factory=dict)
    codes: dict[str, Account] = field(default_factory=dict)
    accesses: dict[str, Account] = field(default_factory=dict)

    def opened(self, channel: Channel, *people: Account) -> str:
        """People open the Activity in a channel; gives the id of the instance."""
        instance = f"i-{secrets.token_hex(8)}"
        self.instances[instance] = (channel, list(people))
        return instance

    def authorized(self, person: Account) -> str:
        """A person tells the application who they are; gives the code that stands for that, once."""
        code = secrets.token_urlsafe(12)
        self.codes[code] = person
        return code

    async def token(self, request: web.Request) -> web.Response:
        """Exchange a code."""
        form = await request.post()
        person = self.codes.pop(str(form["code"]), None)
        if person is None or form["client_secret"] != CLIENT_SECRET:
            return web.json_response({"error": "invalid_grant"}, status=400)
        access = secrets.token_urlsafe(12)
        self.accesses[access] = person
        return web.json_response({"access_token": access, "token_type": "Bearer"})
