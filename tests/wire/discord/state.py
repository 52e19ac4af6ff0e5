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

# The type of the command that launches an Activity: Discord makes it when Activities are switched on.
ENTRY_POINT = 4
Publish = Callable[[str, dict[str, Any], Guild | None], None]


@dataclass
class Call:
    """One REST request, read: path parameters, query, JSON, uploaded files, and the body as it came."""

    params: dict[str, str]
    query: dict[str, str]
    body: Any
    files: dict[str, tuple[str, bytes]]
    raw: bytes
    person: Account | None = None  # who let the application ask in their name


@dataclass(frozen=True)
class Request:
    """A request on record."""

    method: str
    path: str
    status: int
    raw: bytes = field(repr=False)


@dataclass
class DiscordState:
    """Everything there is.

    Attributes:
        answer_within: Seconds a bot has for its first answer to an interaction.
        token_lives: Seconds an interaction's token can be used after that.
        nonce_lives: How long a message is known by its nonce; Discord's words are "the past few minutes".
        deliveries: How often each interaction is delivered.
        spoil_interaction: Changes each interaction, as servers send it that are not Discord's own.
        registrations: How often the commands were registered.
        violations: Requests that broke Discord's published schema.
        files: What people have sent with commands, by name, to be had under `files_url`.
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
    files: dict[str, bytes] = field(default_factory=dict)
    files_url: str = ""

    # --- people and places --------------------------------------------------------------------------------

    def guild(self, name: str, owner: Account) -> Guild:
        """Found a server with the bot in it."""
        guild = Guild(name, owner)
        guild.add_member(owner, Right.MODERATOR)
        guild.add_member(self.bot)
        self.guilds[guild.id] = guild
        return guild

    def channel(self, guild: Guild, name: str, parent: Channel | None = None) -> Channel:
        """Opens a channel, or a thread under one."""
        channel = Channel(Kind.TEXT if parent is None else Kind.THREAD, name, guild, parent=parent)
        guild.channels.append(channel)
        self.channels[channel.id] = channel
        return channel

    def direct_channel(self, account: Account) -> Channel:
        """The direct messages between the bot and a person."""
        if account.id not in self.direct:
            channel = Channel(Kind.DIRECT, recipient=account)
            self.direct[account.id] = self.channels[channel.id] = channel
        return self.direct[account.id]

    def enable_activities(self) -> None:
        """The owner switches Activities on, which makes the command that launches one."""
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

    # --- what the bot may reach ---------------------------------------------------------------------------

    def own_application(self, call: Call) -> None:
        """Lets a request pass that is about the bot's own application.

        Raises:
            ApiError: It is about another one.
        """
        if call.params["application_id"] != str(self.application):
            raise ApiError(Refusal.MISSING_ACCESS)

    def readable_channel(self, number: str) -> Channel:
        """A channel the bot can see.

        Raises:
            ApiError: There is none, or the bot has no access.
        """
        channel = self.channels.get(int(number)) if number.isdigit() else None
        if channel is None:
            raise ApiError(Refusal.UNKNOWN_CHANNEL)
        is_in = channel.guild is None or channel.guild.has_bot
        if not is_in or Right.VIEW_CHANNEL not in channel.rights:
            raise ApiError(Refusal.MISSING_ACCESS)
        return channel

    def writable_channel(self, number: str) -> Channel:
        """A channel the bot can write in.

        Raises:
            ApiError: It cannot.
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
        """Returns whether the bot may write to this person: they allow it and share a server with it."""
        shared = any(guild.has_bot and account.id in guild.members for guild in self.guilds.values())
        return account.accepts_direct_messages and shared

    def own_message(self, channel: Channel, number: str) -> Message:
        """A message of the bot in a channel; ephemeral ones are not reached this way.

        Raises:
            ApiError: There is none, or another player wrote it.
        """
        message = channel.messages.get(int(number)) if number.isdigit() else None
        if message is None or message.deleted or message.only is not None:
            raise ApiError(Refusal.UNKNOWN_MESSAGE)
        if message.author is not self.bot:
            raise ApiError(Refusal.NOT_YOUR_MESSAGE)
        return message


async def until(holds: Callable[[], object], within: float = 10.0, what: str = "it") -> None:
    """Waits until something holds; fail when it does not in time."""
    deadline = time.monotonic() + within
    while not holds():
        assert time.monotonic() < deadline, f"waited {within} s for {what} in vain"
        await asyncio.sleep(0.005)
