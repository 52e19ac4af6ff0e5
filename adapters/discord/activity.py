"""The door of Discord: an Activity, which is the page in a frame of Discord's own.

A page in the frame asks Discord for a code, which this exchanges for the person behind it; Discord also says
in which channel the Activity runs, and who is there. What the page says about either is not believed.
"""

import base64
import binascii
from collections.abc import Callable
from typing import Any

import aiohttp
import discord
from cachetools import TTLCache
from discord.http import Route

from adapters import port
from adapters.discord.inbound import AnyInteraction
from adapters.discord.messages import TROUBLE
from adapters.discord.refs import PLATFORM

NAME = "discord"
CLIENTS = ("https://discord.com", "https://ptb.discord.com", "https://canary.discord.com")

LAUNCHED_SECONDS = 12 * 60 * 60.0  # for so long a channel's Activity shows the table that was opened in it
MAX_LAUNCHED = 20_000
EXCHANGE_TIMEOUT = 5.0  # seconds


class Activity:
    """Discord's frame for the page, where the owner has switched Activities on."""

    name = NAME
    framed_by = CLIENTS

    def __init__(self, token: str, client_secret: str, client: Callable[[], discord.Client | None]) -> None:
        """Takes the bot's token, the application's client secret, and the present connection."""
        self._application = application_of(token)
        self._client_secret = client_secret
        self._client = client
        self._launched: TTLCache[int, int] = TTLCache(MAX_LAUNCHED, LAUNCHED_SECONDS)  # tables, by channel

    @property
    def origins(self) -> tuple[str, ...]:
        """The origin of Discord's proxy, behind which the page runs."""
        return (f"https://{self._application}.discordsays.com",)

    async def launch(self, interaction: AnyInteraction, table_id: int) -> bool:
        """Answers a press by launching the Activity; returns False where Discord refuses to."""
        channel = interaction.channel_id
        if channel is None or interaction.response.is_done():
            return False

        self._launched[channel] = table_id
        try:
            await interaction.response.launch_activity()
        except TROUBLE:  # Activities are switched off, or not allowed on this server
            return False

        return True

    async def visit(self, proof: str, wanted: str) -> port.Visit:
        """Returns the visit of the person for whom Discord gave the code `proof`, in the instance `wanted`.

        Raises:
            ProofRefusedError: It opens nothing.
        """
        client = self._client()
        if client is None:
            raise port.ProofRefusedError(port.ProofProblem.OLD)

        user = await self._person_with(proof, client.application_id)
        channel = await self._channel_of(client, wanted, user)
        table_id = self._launched.get(channel)
        if table_id is None:
            raise port.ProofRefusedError(port.ProofProblem.NO_TABLE)

        return port.Visit(user, table_id, NAME)

    async def _person_with(self, code: str, application: int | None) -> port.User:
        """Exchanges a code for the person behind it, and forgets what else Discord gives.

        Raises:
            ProofRefusedError: Discord does not know the code.
        """
        asked = {
            "client_id": str(application),
            "client_secret": self._client_secret,
            "grant_type": "authorization_code",
            "code": code,
        }
        timeout = aiohttp.ClientTimeout(total=EXCHANGE_TIMEOUT)
        try:
            async with aiohttp.ClientSession(timeout=timeout, raise_for_status=True) as session:
                async with session.post(f"{Route.BASE}/oauth2/token", data=asked) as response:
                    access = (await response.json())["access_token"]

                authorization = {"Authorization": f"Bearer {access}"}
                async with session.get(f"{Route.BASE}/users/@me", headers=authorization) as response:
                    person: Any = await response.json()
        except (aiohttp.ClientError, TimeoutError, LookupError, TypeError, ValueError):
            raise port.ProofRefusedError(port.ProofProblem.FORGED) from None

        return port.User(
            port.UserRef(PLATFORM, str(person["id"])),
            person.get("global_name") or person["username"],
            person.get("locale", ""),
            handle=person["username"],
        )

    async def _channel_of(self, client: discord.Client, instance: str, user: port.User) -> int:
        """Returns the channel in which an instance runs.

        Raises:
            ProofRefusedError: There is no such instance, or the person is not in it.
        """
        route = Route(
            "GET",
            "/applications/{application_id}/activity-instances/{instance_id}",
            application_id=client.application_id,
            instance_id=instance,
        )
        try:
            found: Any = await client.http.request(route)
            people = found["users"]
            channel = int(found["location"]["channel_id"])
        except (*TROUBLE, LookupError, TypeError, ValueError):
            raise port.ProofRefusedError(port.ProofProblem.OLD) from None

        if user.ref.id not in people:
            raise port.ProofRefusedError(port.ProofProblem.STRANGER)

        return channel


def application_of(token: str) -> int:
    """Returns the id of the application, which its bot's token begins with; 0 for no token at all."""
    first = token.partition(".")[0]
    try:
        return int(base64.b64decode(first + "=" * (-len(first) % 4)))
    except (binascii.Error, ValueError):
        return 0
