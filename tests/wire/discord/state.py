"""The state of this Discord, shared by its gateway, its REST endpoints and its people."""

import asyncio
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import timedelta
from typing import Any

from tests.wire.discord.activities import Activities
from tests.wire.discord.errors import ApiError, Refusal
from tests.wire.discord.faults import Faults
from tests.wire.discord.interaction import Interaction
from tests.wire.discord.rate_limits import Limits
from tests.wire.discord.transcript import Transcript
from tests.wire.discord.world import Account, Channel, Emoji, Guild, Kind, Message, Right, snowflake

TOKEN = "MTAx.wire.discord-token"

# The type of the command that launches an Activity: Discord creates it when Activities are enabled.
ENTRY_POINT = 4
Publish = Callable[[str, dict[str, Any], Guild | None], None]


@dataclass
class Call:
    """One parsed REST request: path parameters, query, JSON, uploaded files, and the raw body."""

    params: dict[str, str]
    query: dict[str, str]
    body: Any
    files: dict[str, tuple[str, bytes]]
    raw: bytes
    person: Account | None = None  # the owner of the access token, if it has one


@dataclass(frozen=True)
class Request:
    """A request on record."""

    method: str
    path: str
    status: int
    raw: bytes = field(repr=False)


@dataclass
class DiscordState:
    """The accounts, guilds, channels, commands and interactions, and the record of the requests.

    Attributes:
        answer_within: Seconds a bot has for its first answer to an interaction.
        token_lives: Seconds for which an interaction's token is valid after that.
        nonce_lives: The lifetime of a message's nonce; Discord's words are "the past few minutes".
        deliveries: The number of deliveries of each interaction.
        spoil_interaction: Damages each interaction, as servers other than Discord's do.
        registrations: The number of times the commands were registered.
        violations: Requests that broke Discord's published schema.
        can_be_installed: Whether people can install the bot for themselves.
        avatars_fetched: The paths of the avatars that were asked for.
        files: The files that people have sent with commands, by name; they are served under `files_url`.
    """

    publish: Publish
    token: str = TOKEN
    bot: Account = field(default_factory=lambda: Account("Durak", bot=True))
    application: int = field(default_factory=snowflake)
    answer_within: float = 3.0
    deliveries: int = 1
    spoil_interaction: Callable[[dict[str, Any]], object] = field(default=lambda _: None)
    token_lives: float = 900.0
    nonce_lives: timedelta = timedelta(minutes=3)
    accounts: dict[int, Account] = field(default_factory=dict)
    guilds: dict[int, Guild] = field(default_factory=dict)
    channels: dict[int, Channel] = field(default_factory=dict)
    direct: dict[int, Channel] = field(default_factory=dict)
    commands: list[dict[str, Any]] = field(default_factory=list)
    registrations: int = 0
    emojis: dict[int, Emoji] = field(default_factory=dict)
    interactions: dict[str, Interaction] = field(default_factory=dict)
    transcript: Transcript = field(default_factory=Transcript)
    limits: Limits = field(default_factory=Limits)
    faults: Faults = field(default_factory=Faults)
    requests: list[Request] = field(default_factory=list)
    violations: list[str] = field(default_factory=list)
    activities: Activities = field(default_factory=Activities)
    avatars_fetched: list[str] = field(default_factory=list)
    files: dict[str, bytes] = field(default_factory=dict)
    files_url: str = ""
    can_be_installed: bool = False

    # --- people and places --------------------------------------------------------------------------------

    def guild(self, name: str, owner: Account) -> Guild:
        """Creates a guild with the bot in it."""
        guild = Guild(name, owner)
        guild.add_member(owner, Right.MODERATOR)
        guild.add_member(self.bot)
        self.guilds[guild.id] = guild
        return guild

    def channel(self, guild: Guild, name: str, parent: Channel | None = None) -> Channel:
        """Creates a channel, or a thread under one."""
        kind = Kind.TEXT if parent is None else Kind.THREAD
        channel = Channel(kind, name, guild, parent=parent)
        guild.channels.append(channel)
        self.channels[channel.id] = channel
        return channel

    def private_thread(self, name: str, parent: Channel, *people: Account) -> Channel:
        """Creates a thread under a channel for some people and the bot alone."""
        if parent.guild is None:
            raise ValueError("direct messages have no threads")

        thread = self.channel(parent.guild, name, parent)
        thread.kind = Kind.PRIVATE_THREAD
        thread.insiders = {self.bot.id, *(person.id for person in people)}
        return thread

    def direct_channel(self, account: Account) -> Channel:
        """Returns the direct messages between the bot and a person."""
        if account.id not in self.direct:
            channel = Channel(Kind.DIRECT, recipient=account)
            self.direct[account.id] = self.channels[channel.id] = channel
        return self.direct[account.id]

    def group(self, name: str, *friends: Account) -> Channel:
        """Creates a group of friends without a server, which no bot can join."""
        channel = Channel(Kind.GROUP, name, friends=list(friends))
        self.channels[channel.id] = channel
        return channel

    def enable_activities(self) -> None:
        """Enables Activities as the owner does, which creates the command that launches one."""
        self.activities.are_enabled = True

        self.commands.append(
            {
                "id": str(snowflake()),
                "application_id": str(self.application),
                "version": "1",
                "type": ENTRY_POINT,
                "handler": 2,
                "name": "launch",
                "description": "",
                "default_member_permissions": None,
                "contexts": [0],
                "integration_types": [0],
            }
        )

    # --- the reach of the bot -----------------------------------------------------------------------------

    def own_application(self, call: Call) -> None:
        """Checks that a request is about the bot's own application.

        Raises:
            ApiError: The request is about another one.
        """
        if call.params["application_id"] != str(self.application):
            raise ApiError(Refusal.MISSING_ACCESS)

    def readable_channel(self, number: str) -> Channel:
        """Returns a channel that the bot can see.

        Raises:
            ApiError: There is none, or the bot has no access.
        """
        channel = self.channels.get(int(number)) if number.isdigit() else None
        if channel is None:
            raise ApiError(Refusal.UNKNOWN_CHANNEL)
        is_in = not channel.is_outside
        is_shut = channel.kind is Kind.PRIVATE_THREAD and not channel.has(self.bot)
        if not is_in or is_shut or Right.VIEW_CHANNEL not in channel.rights:
            raise ApiError(Refusal.MISSING_ACCESS)
        return channel

    def writable_channel(self, number: str) -> Channel:
        """Returns a channel that the bot can write in.

        Raises:
            ApiError: There is none, or the bot has no right to.
        """
        channel = self.readable_channel(number)
        if channel.recipient is not None and not self.accepts(channel.recipient):
            raise ApiError(Refusal.CANNOT_MESSAGE_USER)

        needed = Right.SEND_MESSAGES if channel.parent is None else Right.SEND_IN_THREADS
        if needed not in channel.rights:
            raise ApiError(Refusal.MISSING_PERMISSIONS)
        if channel.locked:
            raise ApiError(Refusal.ARCHIVED_THREAD)

        return channel

    def accepts(self, account: Account) -> bool:
        """Returns whether the bot may write to this person: they allow it, and share a guild with it."""
        shared = any(guild.has_bot and account.id in guild.members for guild in self.guilds.values())
        return account.accepts_direct_messages and shared

    def own_message(self, channel: Channel, number: str) -> Message:
        """Returns a message of the bot in a channel; ephemeral ones are out of reach here.

        Raises:
            ApiError: There is none, or it is another account's.
        """
        message = channel.messages.get(int(number)) if number.isdigit() else None
        if message is None or message.deleted or message.only is not None:
            raise ApiError(Refusal.UNKNOWN_MESSAGE)
        if message.author is not self.bot:
            raise ApiError(Refusal.NOT_YOUR_MESSAGE)
        return message


async def until(holds: Callable[[], object], within: float = 10.0, what: str = "it") -> None:
    """Waits until `holds` returns something true, and fails after `within` seconds."""
    deadline = time.monotonic() + within
    while not holds():
        assert time.monotonic() < deadline, f"waited {within} s for {what} in vain"
        await asyncio.sleep(0.005)
