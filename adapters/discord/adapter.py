"""The Discord chat: its life cycle, sending, and who may do what."""

import asyncio
from collections.abc import Awaitable, Callable, Collection, Mapping, Sequence
from functools import partial
from types import MappingProxyType

import aiohttp
import discord
import structlog
import yarl
from cachetools import LRUCache
from discord.gateway import DiscordWebSocket
from discord.http import Route

from adapters import port
from adapters.discord import messages, places, refs
from adapters.discord.activity import CLIENTS, Activity
from adapters.discord.badges import DiscordBadges
from adapters.discord.client import DiscordClient
from adapters.discord.library import reconnects_noted
from adapters.discord.messages import Icons
from adapters.discord.outside import OutsideChats
from adapters.discord.portraits import Portraits
from adapters.discord.render import LIMITS, Rendered, suits_container

log = structlog.get_logger()

BUDGETS = port.Budgets(
    public=port.Budget(seconds=1.2, burst=4),
    private=port.Budget(seconds=1.0, burst=4),
    onlooker_pause=30.0,
    whole=port.Budget(seconds=1 / 44, burst=5),  # a start; Discord allows 50 a second, answers aside
)
NOT_CONNECTED = port.Throttled(1.0)
LOGINS = port.Backoff(first=1.0, most=60.0)  # between attempts to log in
BAD_TOKEN_CLOSED = 4004  # the gateway's code for a token that is no longer valid
MAX_DM_CHANNELS = 10_000  # private channels that are cached; others are requested again
MAX_UNSENT = 3  # messages in a row that fail without an answer before the chat counts as not ready

REFUSED = "Discord does not accept DURAK_DISCORD_TOKEN."
ENDPOINT_SET = (
    "No press arrives, as its Interactions Endpoint URL is set: empty that in the portal, under General "
    "Information."
)
NEEDS_CODE = "Nobody can invite it: switch off Requires OAuth2 Code Grant in the portal, under Bot."

NO_PNGS: Mapping[str, bytes] = MappingProxyType({})


class DiscordAdapter:
    """Discord as a chat for the bot.

    Args:
        token: The bot's token.
        commands: The slash commands to announce.
        icons: PNGs for buttons, by the names that `CallbackButton.icon` uses.
        api_url: The REST base ending in `/api/v10`; None: Discord's own. It applies to the whole process.
        cdn_url: The root of the server of avatars; None: Discord's own.
        gateway_url: The gateway to connect to; None: Discord's own. It applies to the whole process.
        shard_ids: The shards this process serves; None: all.
        shard_count: How many shards there are; None: as many as Discord recommends.
        calls: How many calls a second are made; None: as many as Discord accepts, which the bot finds out.
        client_secret: The application's client secret, for live tables in an Activity; empty: no Activity.
    """

    platform = refs.PLATFORM
    user_platform = refs.PLATFORM
    limits = LIMITS
    budgets = BUDGETS

    def __init__(
        self,
        token: str,
        *,
        commands: Sequence[port.CommandSpec],
        icons: Mapping[str, bytes] = NO_PNGS,
        api_url: str | None = None,
        cdn_url: str | None = None,
        gateway_url: str | None = None,
        shard_ids: Sequence[int] | None = None,
        shard_count: int | None = None,
        calls: int | None = None,
        client_secret: str = "",
    ) -> None:
        self._token = token
        self._icons = Icons(icons)
        self.calls = port.limiter_of(self.budgets, calls)
        self.door = (
            Activity(token, client_secret, lambda: self._client, self._table_in) if client_secret else None
        )
        if self.door is not None:
            self._icons.table_link = self.door.link

        self._portraits = Portraits((cdn_url or discord.Asset.BASE).rstrip("/"))
        self._new_client = partial(
            DiscordClient,
            commands,
            self._icons,
            shard_ids=shard_ids,
            shard_count=shard_count,
            on_throttled=self.calls.throttle,
            activity=self.door,
            portraits=self._portraits,
        )
        self._api_url = api_url
        self._gateway_url = gateway_url

        self._client: DiscordClient | None = None
        self._inbox: port.Inbox | None = None
        self._unsent = 0
        self._trouble = ""

        self.badges = DiscordBadges(lambda: self._client)
        self.outside = OutsideChats(self)
        self._dm_channels = LRUCache[int, int](MAX_DM_CHANNELS)

    @property
    def ready(self) -> bool:
        """Whether Discord accepted the login, sends events, and takes messages."""
        return self._client is not None and self._client.is_up and self._unsent < MAX_UNSENT

    @property
    def trouble(self) -> str:
        """The reason why Discord isn't ready; empty if it is."""
        if self.ready:
            return ""
        is_up = self._client is not None and self._client.is_up
        return "it answers no messages" if is_up else self._trouble

    # --- life ---------------------------------------------------------------------------------------------

    async def account(self) -> port.Account:
        """Asks Discord for the bot's account.

        Raises:
            AccessDeniedError: Discord does not accept the token.
            UnreachableError: There is no answer.
        """
        self._use_addresses()
        try:
            async with discord.Client(intents=discord.Intents.none()) as client:
                await client.login(self._token)
                application = client.application
                name = str(client.user)
        except discord.LoginFailure:
            raise port.AccessDeniedError(REFUSED) from None
        except (discord.DiscordException, aiohttp.ClientError, OSError, TimeoutError) as error:
            self._note_trouble(error)
            raise port.UnreachableError(self._trouble) from None

        if application is None:
            return port.Account(name)
        if application.interactions_endpoint_url:
            return port.Account(name, ENDPOINT_SET)
        if application.bot_require_code_grant:
            return port.Account(name, NEEDS_CODE)

        return port.Account(name, works_outside=application.user_integration_config is not None)

    def _use_addresses(self) -> None:
        if self._api_url is not None:  # discord.py keeps the addresses of Discord in its classes
            Route.BASE = self._api_url.rstrip("/")

        if self._gateway_url is not None:
            DiscordWebSocket.DEFAULT_GATEWAY = yarl.URL(self._gateway_url)

    async def run(self, inbox: port.Inbox) -> None:
        """Connects, announces the commands, and delivers events until cancelled.

        Raises:
            AccessDeniedError: Discord does not accept the token.
        """
        self._inbox = inbox
        self._use_addresses()
        discord.VoiceClient.warn_nacl = discord.VoiceClient.warn_dave = False  # voice isn't used here
        with reconnects_noted(self._note_trouble):
            await self._connect(inbox)

    async def _table_in(self, room: port.RoomRef) -> int | None:
        return None if self._inbox is None else await self._inbox.table_in(room)

    async def _connect(self, inbox: port.Inbox) -> None:
        """Logs in, and logs in again after each lost connection, with growing pauses after failures."""
        failures = 0
        while True:
            started_at = asyncio.get_running_loop().time()
            try:
                await self._serve(inbox)
            except discord.LoginFailure:
                raise port.AccessDeniedError(REFUSED) from None
            except (discord.DiscordException, aiohttp.ClientError, OSError, TimeoutError) as error:
                if isinstance(error, discord.ConnectionClosed) and error.code == BAD_TOKEN_CLOSED:
                    raise port.AccessDeniedError("Discord no longer accepts DURAK_DISCORD_TOKEN.") from None
                self._note_trouble(error)  # the bot reports the outage, once
                log.debug("connection_failed", platform=refs.PLATFORM, why=self._trouble)

            if asyncio.get_running_loop().time() - started_at > LOGINS.most:
                failures = 0

            failures += 1
            await asyncio.sleep(LOGINS.pause(failures))

    def _note_trouble(self, error: BaseException) -> None:
        if isinstance(error, discord.HTTPException):
            self._trouble = port.why_answered_so(error.status)
        elif isinstance(error, discord.GatewayNotFound | discord.ConnectionClosed):
            self._trouble = "its gateway lets nobody in, which is trouble of its own and passes"
        else:
            self._trouble = port.why_unreachable(error)

    async def _serve(self, inbox: port.Inbox) -> None:
        """Logs in once, and stays until the connection is lost for good."""
        trouble: Exception | None = None
        async with asyncio.TaskGroup() as tasks:
            client = self._new_client(inbox, tasks)
            try:
                async with client:
                    await client.login(self._token)
                    self._client = client
                    await client.connect()
            except (discord.DiscordException, aiohttp.ClientError, OSError, TimeoutError) as error:
                trouble = error  # raised below, outside the group, which would wrap it
            finally:
                self._client = None

        if trouble is not None:
            raise trouble

    # --- sending ------------------------------------------------------------------------------------------

    async def post(
        self,
        audience: port.Audience,
        screen: port.Screen,
        key: str = "",
        document: port.Document | None = None,
    ) -> port.Delivery:
        """Sends a new message to a channel, or to one person as a direct message.

        Discord remembers each `key` for a few minutes, and sends no second message with it.
        """
        client = self._client
        if client is None:
            return NOT_CONNECTED
        if not refs.is_address(audience):
            return port.unknown_recipient(audience)

        match audience:
            case port.Everyone(room):
                guild = refs.guild_of(room.server)
                channel = refs.channel_of(room)
                place = refs.DIRECT if guild is None else str(guild), channel
                post = partial(messages.send_message, client, place, key)
                sending = self._icons.send(
                    post,
                    screen,
                    document,
                    channel=channel,
                    is_direct=guild is None,
                    in_container=suits_container(screen),
                )
                return self._count_unsent(await sending)
            case port.Only(user):  # no container, so that the notification shows the text
                post = partial(self._post_to_person, client, user, key)
                return self._count_unsent(await self._icons.send(post, screen, document, to=user))

    def _count_unsent(self, delivery: port.Delivery) -> port.Delivery:
        """Counts the messages in a row that Discord did not answer; returns the delivery."""
        self._unsent = self._unsent + 1 if delivery == port.Throttled(messages.RETRY_SECONDS) else 0
        return delivery

    async def _post_to_person(
        self, client: DiscordClient, user: port.UserRef, key: str, rendered: Rendered
    ) -> port.MessageRef:
        person = int(user.id)
        dm_channel = self._dm_channels.get(person)
        if dm_channel is None:
            dm_channel = self._dm_channels[person] = (await client.create_dm(discord.Object(person))).id
        return await messages.send_message(client, (refs.DIRECT, dm_channel), key, rendered)

    async def edit(self, ref: port.MessageRef, screen: port.Screen) -> port.Delivery:
        """Replaces everything that a message shows by the screen."""
        client = self._client
        location = refs.MessageLocation.of(ref)
        if client is None:
            return NOT_CONNECTED

        if not (location.is_ephemeral or location.is_outside):
            send = partial(_edit_in_channel, client, ref)
            is_direct = location.guild == refs.DIRECT
            sending = self._icons.send(
                send,
                screen,
                channel=location.channel,
                is_direct=is_direct,
                in_container=location.has_container,
            )
            return self._count_unsent(await sending)

        if (webhook := client.webhooks.get(location.message)) is None:
            return port.Gone(port.Lost.MESSAGE, "it could be edited for fifteen minutes after the last press")

        send = partial(messages.edit_ephemeral, webhook, ref)
        delivery = await self._icons.send(send, screen, in_container=location.has_container)
        return (
            port.Gone(port.Lost.MESSAGE, "its interaction is over")
            if delivery == messages.TOO_LATE
            else delivery
        )

    async def delete(self, ref: port.MessageRef) -> port.Delivery:
        """Removes a message; one that is gone already, or an ephemeral one out of reach, is `Delivered`."""
        client = self._client
        location = refs.MessageLocation.of(ref)
        if client is None:
            return NOT_CONNECTED

        if not (location.is_ephemeral or location.is_outside):
            delivery = await messages.deliver(
                messages.change_message(client, ref, discord.PartialMessage.delete)
            )
        elif (webhook := client.webhooks.get(location.message)) is not None:
            delivery = await messages.deliver(messages.delete_ephemeral(webhook, ref))
        else:
            return port.Delivered(ref)

        match delivery:
            case port.Gone(port.Lost.MESSAGE):
                return port.Delivered(ref)
            case port.Gone(port.Lost.ROOM) if location.guild == refs.DIRECT:
                return port.Delivered(ref)
            case _:
                return delivery

    async def pin(self, ref: port.MessageRef, *, is_pinned: bool) -> port.PinTrouble | port.Throttled | None:
        """Pins a message, or unpins it."""
        if self._client is None:
            return NOT_CONNECTED
        pin = discord.PartialMessage.pin if is_pinned else discord.PartialMessage.unpin
        return messages.pin_trouble(await messages.deliver(messages.change_message(self._client, ref, pin)))

    def shows_alone_in(self, room: port.RoomRef) -> bool:
        """Returns whether presses are answered ephemerally, which Discord always does."""
        del room
        return True

    async def is_moderator(self, user: port.UserRef, room: port.RoomRef) -> bool:
        """Returns whether this person may manage messages (or the server) in the room."""
        return await self._moderates(user, room.server, refs.channel_of(room))

    async def is_admin(self, user: port.UserRef, server: port.ServerRef) -> bool:
        """Returns whether this person may manage messages (or the server) in the whole server."""
        return await self._moderates(user, server, None)

    async def _moderates(self, user: port.UserRef, server: port.ServerRef, channel: int | None) -> bool:
        client = self._client
        guild = refs.guild_of(server)
        if user.id.isdecimal() and self.private_server(user) == server:
            return True
        if client is None or guild is None or not user.id.isdecimal():
            return False

        return await client.moderators.is_moderator(client, int(user.id), guild, channel)

    async def can_answer_alone(self, press: port.Press) -> bool:
        """Returns True: every press can be answered by an ephemeral message."""
        del press
        return True

    async def is_member(self, user: port.UserRef, room: port.RoomRef) -> bool | None:
        """Returns whether this person can read the channel; None while Discord doesn't answer.

        False for the direct messages of others, and for places that the bot can't see or on servers that it
        has left.
        """
        guild = refs.guild_of(room.server)
        if not user.id.isdecimal():
            return False
        if guild is None:
            return self.private_server(user) == room.server

        return await self._ask_about(int(user.id), guild, refs.channel_of(room), places.can_read)

    async def may_pin(self, room: port.RoomRef) -> bool | None:
        """Returns whether the bot may pin messages in the channel; None while Discord doesn't answer."""
        guild = refs.guild_of(room.server)
        client = self._client
        if guild is None:
            return True
        if client is None or client.user is None:
            return None

        return await self._ask_about(client.user.id, guild, refs.channel_of(room), places.can_pin)

    async def _ask_about(
        self,
        user: int,
        guild: int,
        channel: int,
        question: Callable[[places.Place | None, discord.Member], Awaitable[bool]],
    ) -> bool | None:
        """Asks a question about a member in a channel; False if either is missing, None without an answer."""
        if self._client is None or not self._client.is_up:
            return None

        server = self._client.get_guild(guild)
        if server is None:
            return False
        if server.unavailable:
            return None

        try:
            member = await server.fetch_member(user)
            place = await places.place_in(server, channel)
            return await question(place, member)
        except (discord.NotFound, discord.Forbidden):
            return False
        except messages.TROUBLE:
            return None

    def name_of(self, server: port.ServerRef) -> str:
        """Returns the name of a guild; direct messages have none."""
        guild = refs.guild_of(server)
        cached_guild = None if self._client is None or guild is None else self._client.get_guild(guild)
        return "" if cached_guild is None else cached_guild.name

    def way_to(self, table_id: int | None, room: port.RoomRef | None) -> str:
        """Returns the address of a room's channel; without a guild, that of a person's page at Discord."""
        del table_id
        guild = None if room is None else refs.guild_of(room.server)
        if room is None or guild is None:
            return f"{CLIENTS[0]}/channels/{refs.DIRECT}"
        return f"{CLIENTS[0]}/channels/{guild}/{refs.channel_of(room)}"

    def private_server(self, user: port.UserRef) -> port.ServerRef | None:
        """Returns the pseudo-server of the direct messages with a person."""
        return refs.direct_server(int(user.id))

    async def portrait_of(self, user: port.UserRef) -> bytes | None:
        """Fetches a person's global avatar.

        Raises:
            OSError: It did not come, or is too large.
        """
        if self._client is None:
            raise OSError("not connected")
        return await self._portraits.of(int(user.id), self._client) if user.id.isdecimal() else None

    async def forget_person(self, user: port.UserRef, names: Collection[str]) -> Collection[port.MessageRef]:
        """Forgets which avatar a person has; Discord's copies of messages are not the bot's."""
        del names
        if user.id.isdecimal():
            self._portraits.forget(int(user.id))
        return ()


async def _edit_in_channel(
    client: DiscordClient, ref: port.MessageRef, rendered: Rendered
) -> port.MessageRef:
    return await messages.change_message(client, ref, lambda message: message.edit(**rendered.changes()))
