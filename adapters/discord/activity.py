"""The entrance from Discord: an Activity, which is the page in a frame inside Discord.

The page in the frame gets a code from Discord, which is exchanged here for the person behind it. Discord also
names the channel in which the Activity runs, and the people there. The page's own claims about these are not
trusted.
"""

import base64
import binascii
import re
import time
from collections.abc import Awaitable, Callable, Mapping
from contextlib import suppress
from typing import Any

import aiohttp
import discord
from cachetools import LRUCache, TTLCache
from discord.http import Route

from adapters import port
from adapters.discord.inbound import AnyInteraction
from adapters.discord.messages import TROUBLE
from adapters.discord.places import place_in
from adapters.discord.refs import direct_room, guild_room, user_ref

NAME = "discord"
CLIENTS = ("https://discord.com", "https://ptb.discord.com", "https://canary.discord.com")

LAUNCHED_SECONDS = 12 * 60 * 60.0  # how long a channel's Activity shows the table opened there last
MAX_LAUNCHED = 20_000
EXCHANGE_TIMEOUT = 5.0  # seconds

# Discord bans an address after 10,000 refused requests in ten minutes, and everybody's codes are sent from
# our address. So refused requests are limited. Accepted ones are not, or busy people could keep everybody
# else out.
UNKNOWN_INSTANCES = port.Budget(seconds=0.1, burst=60)  # for everybody together
REFUSED_CODES = port.Budget(seconds=0.5, burst=60)  # for everybody together
SERVER_ERRORS = 500  # the lowest HTTP status of a failure at Discord
WRONG_CODES = port.Budget(seconds=6.0, burst=30)  # for one instance; all its people may come back at once
MAX_INSTANCES = 10_000

_TABLE = re.compile(r"\d{1,15}", re.ASCII)
_INSTANCE = re.compile(r"[\w-]+", re.ASCII)  # other text could lead to another address of Discord


class Activity:
    """The page as an Activity of Discord, for owners who have switched Activities on."""

    name = NAME
    framed_by = CLIENTS

    def __init__(
        self,
        token: str,
        client_secret: str,
        client: Callable[[], discord.Client | None],
        table_in: Callable[[port.RoomRef], Awaitable[int | None]],
        monotonic: Callable[[], float] = time.monotonic,
    ) -> None:
        """Reads the application's id from the bot's token.

        `client` returns the current connection, `table_in` the table that a room shows.
        """
        self._application = application_of(token)
        self._client_secret = client_secret
        self._client = client
        self._table_in = table_in
        self.monotonic = monotonic
        self._unknown = port.TokenBucket(UNKNOWN_INSTANCES)
        self._refused = port.TokenBucket(REFUSED_CODES)
        self._known: TTLCache[str, bool] = TTLCache(MAX_INSTANCES, LAUNCHED_SECONDS)  # instances
        self._wrong = LRUCache[str, port.TokenBucket](MAX_INSTANCES)
        self._launched: TTLCache[int, int] = TTLCache(MAX_LAUNCHED, LAUNCHED_SECONDS)  # tables, by channel

    @property
    def origins(self) -> tuple[str, ...]:
        """The origin of Discord's proxy, behind which the page runs."""
        return (f"https://{self._application}.discordsays.com",)

    def link(self, table_id: int) -> str | None:
        """Returns the address that opens a table in the Activity; None if not everybody may launch it.

        Until Discord has verified the bot, only the owner's team can launch its Activity.
        """
        client = self._client()
        bot = None if client is None else client.user
        if bot is None or not bot.public_flags.verified_bot:
            return None

        return f"{CLIENTS[0]}/activities/{self._application}?custom_id={table_id}"

    async def launch(self, interaction: AnyInteraction, table_id: int) -> bool:
        """Answers a press by launching the Activity; returns False if that is impossible or refused."""
        channel = interaction.channel_id
        if channel is None or interaction.response.is_done():
            return False

        self._launched[channel] = table_id
        try:
            await interaction.response.launch_activity()
        except TROUBLE:  # Activities are switched off, or not allowed on this server
            return False

        return True

    def way(self, proof: str, destination: str) -> str:
        """Returns an empty address: in the chat, the next press on the same button gives a link."""
        del proof, destination
        return ""

    def use(self, proof: str, network: str) -> None:
        """Does nothing: Discord exchanges each code once."""
        del proof, network

    async def visit(self, proof: str, destination: str, network: str) -> port.Visit:
        """Returns the visit of the person for whom Discord gave the code `proof`.

        `destination` is the instance of the Activity, and after a space the table of the link that opened it.
        Without such a link it is the table that was opened in that channel last, or that the channel shows.
        The visit contains the place in which the instance runs: the page may name only tables of that place.

        Raises:
            ProofRefusedError: The code, the instance or the table is not found, the person is not in the
                instance, or too much was refused before.
        """
        del network  # that of Discord's proxy
        client = self._client()
        if client is None:
            raise port.ProofRefusedError(port.ProofProblem.OLD)

        instance, _, linked = destination.partition(" ")
        running = await self._running(client, instance)
        user = await self._person_in(instance, proof, client.application_id)
        if user.ref.id not in running["users"]:
            raise port.ProofRefusedError(port.ProofProblem.STRANGER)

        location: Mapping[str, Any] = running["location"]
        place = await self._room_at(client, location, user)

        table_id: int | None
        if _TABLE.fullmatch(linked) is not None:
            table_id = int(linked)
        else:
            table_id = self._launched.get(int(location["channel_id"])) or await self._table_in(place)

        if table_id is None:
            raise port.ProofRefusedError(port.ProofProblem.NO_TABLE)

        return port.Visit(user, table_id, NAME, place=place)

    async def _person_with(self, code: str, application: int | None) -> port.User:
        """Exchanges a code for the person behind it, and keeps nothing else that Discord returns.

        Raises:
            ProofRefusedError: Discord does not know the code, or does not answer.
        """
        form = {
            "client_id": str(application),
            "client_secret": self._client_secret,
            "grant_type": "authorization_code",
            "code": code,
        }
        timeout = aiohttp.ClientTimeout(total=EXCHANGE_TIMEOUT)
        try:
            async with aiohttp.ClientSession(timeout=timeout, raise_for_status=True) as session:
                async with session.post(f"{Route.BASE}/oauth2/token", data=form) as response:
                    access = (await response.json())["access_token"]

                authorization = {"Authorization": f"Bearer {access}"}
                async with session.get(f"{Route.BASE}/users/@me", headers=authorization) as response:
                    person: Any = await response.json()

            return port.User(
                user_ref(int(person["id"])),
                person.get("global_name") or person["username"],
                person.get("locale", "").partition("-")[0],
                handle=person["username"],
            )
        except (aiohttp.ClientError, TimeoutError, LookupError, TypeError, ValueError) as error:
            is_refused = isinstance(error, aiohttp.ClientResponseError) and error.status < SERVER_ERRORS
            problem = port.ProofProblem.FORGED if is_refused else port.ProofProblem.BUSY
            raise port.ProofRefusedError(problem) from None

    async def _running(self, client: discord.Client, instance: str) -> Mapping[str, Any]:
        """Returns what Discord knows about an instance: the people in it, and its place.

        Raises:
            ProofRefusedError: There is no such instance, or too many unknown ones were asked for.
        """
        if _INSTANCE.fullmatch(instance) is None:
            raise port.ProofRefusedError(port.ProofProblem.OLD)

        is_known = instance in self._known
        if not is_known:
            _take(self._unknown, self.monotonic())

        route = Route(
            "GET",
            "/applications/{application_id}/activity-instances/{instance_id}",
            application_id=client.application_id,
            instance_id=instance,
        )
        try:
            reply: Any = await client.http.request(route)
            int(reply["location"]["channel_id"])
            list(reply["users"])
        except (*TROUBLE, LookupError, TypeError, ValueError):
            self._known.pop(instance, None)
            raise port.ProofRefusedError(port.ProofProblem.OLD) from None

        self._known[instance] = True
        if not is_known:
            self._unknown.give_back()

        running: Mapping[str, Any] = reply
        return running

    async def _person_in(self, instance: str, code: str, application: int | None) -> port.User:
        """Exchanges a code for the person behind it; counts wrong codes by instance and in total.

        Raises:
            ProofRefusedError: Discord does not know the code, or too many were wrong.
        """
        now = self.monotonic()
        wrong = self._wrong.setdefault(instance, port.TokenBucket(WRONG_CODES))
        _take(wrong, now)
        _take(self._refused, now)

        is_wrong = False
        try:
            return await self._person_with(code, application)
        except port.ProofRefusedError as refusal:
            is_wrong = refusal.problem is port.ProofProblem.FORGED
            raise

        finally:
            if not is_wrong:
                wrong.give_back()
                self._refused.give_back()

    async def _room_at(
        self, client: discord.Client, location: Mapping[str, Any], user: port.User
    ) -> port.RoomRef:
        """Returns the room at the place of an instance.

        Raises:
            ProofRefusedError: The bot can't see that place, so it has no table there.
        """
        channel = int(location["channel_id"])
        guild = location.get("guild_id")
        if guild is None:
            return direct_room(int(user.ref.id), channel)

        server = client.get_guild(int(guild))
        place = None
        if server is not None:
            with suppress(*TROUBLE):
                place = await place_in(server, channel)

        if place is None:
            raise port.ProofRefusedError(port.ProofProblem.NO_TABLE)
        if isinstance(place, discord.Thread):
            return guild_room(int(guild), place.parent_id, channel)

        return guild_room(int(guild), channel)


def _take(bucket: port.TokenBucket, now: float) -> None:
    """Takes a token before a request, so that simultaneous requests are limited like successive ones.

    Raises:
        ProofRefusedError: No token is left.
    """
    if bucket.wait(now):
        raise port.ProofRefusedError(port.ProofProblem.BUSY)
    bucket.take(now)


def application_of(token: str) -> int:
    """Returns the application's id, with which its bot's token begins; 0 if the token is invalid."""
    first = token.partition(".")[0]
    try:
        return int(base64.b64decode(first + "=" * (-len(first) % 4)))
    except (binascii.Error, ValueError):
        return 0
