"""Running Activities, and the authorization of their readers by OAuth2."""

import secrets
from dataclasses import dataclass, field

from aiohttp import web

from tests.wire.discord.world import Account, Channel

CLIENT_SECRET = "the-client-secret"


@dataclass
class Activities:
    """Running Activities by their ids, and the people who have authorized the application.

    Attributes:
        are_enabled: Whether the owner has enabled Activities.
        exchanges: The number of codes that were to be exchanged, right or wrong.
        outage: The HTTP status of every exchange while Discord has an outage; 0 otherwise.
    """

    are_enabled: bool = False
    exchanges: int = 0
    outage: int = 0
    instances: dict[str, tuple[Channel, list[Account]]] = field(default_factory=dict)
    codes: dict[str, Account] = field(default_factory=dict)
    accesses: dict[str, Account] = field(default_factory=dict)

    def opened(self, channel: Channel, *people: Account) -> str:
        """Opens the Activity for some people in a channel, and returns the id of the instance."""
        instance = f"i-{secrets.token_hex(8)}"
        self.instances[instance] = (channel, list(people))
        return instance

    def authorized(self, person: Account) -> str:
        """Authorizes the application to read a person's identity, and returns the code, valid once."""
        code = secrets.token_urlsafe(12)
        self.codes[code] = person
        return code

    async def token(self, request: web.Request) -> web.Response:
        """Exchanges a code for an access token."""
        form = await request.post()
        self.exchanges += 1
        if self.outage:
            return web.Response(status=self.outage)

        person = self.codes.pop(str(form["code"]), None)
        if person is None or form["client_secret"] != CLIENT_SECRET:
            return web.json_response({"error": "invalid_grant"}, status=400)
        access = secrets.token_urlsafe(12)
        self.accesses[access] = person
        return web.json_response({"access_token": access, "token_type": "Bearer"})
