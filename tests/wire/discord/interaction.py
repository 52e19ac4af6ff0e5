"""A command or a press on its way to the bot, and its answers."""

import secrets
import time
from dataclasses import dataclass, field
from enum import IntEnum
from typing import Any

from tests.wire.discord.payloads import (
    SIZE_LIMIT,
    account_json,
    channel_json,
    member_json,
    message_json,
    rights_of,
)
from tests.wire.discord.world import Account, Channel, Kind, Message, snowflake


class Asked(IntEnum):
    """Interaction types."""

    COMMAND = 2
    PRESS = 3
    COMPLETION = 4
    TYPED = 5  # into a box that a press has opened


class Callback(IntEnum):
    """Types of the first answer."""

    MESSAGE = 4
    DEFERRED_MESSAGE = 5
    DEFERRED_UPDATE = 6
    UPDATE = 7
    CHOICES = 8
    BOX = 9
    LAUNCH = 12


IN_GUILD, IN_DIRECT_MESSAGES, IN_GROUP = range(3)  # the contexts of interactions
FOR_GUILD, FOR_USER = range(2)  # whom an application is installed for


def context_of(channel: Channel) -> int:
    """Returns the context of the interactions in a channel."""
    if channel.guild is not None:
        return IN_GUILD
    return IN_GROUP if channel.kind is Kind.GROUP else IN_DIRECT_MESSAGES


@dataclass(eq=False)
class Interaction:
    """A person's command or press, and the bot's answers to it.

    Attributes:
        data: The command and its options, or the button.
        message: The message of the button.
        callback: The first answer; None: none yet.
        original: The message the first answer made or edited.
        followups: Messages sent after the first answer.
        choices: The bot's suggestions while a player types.
        box: The bot's question, in a box of its own.
    """

    asked: Asked
    person: Account
    channel: Channel
    data: dict[str, Any]
    message: Message | None = None
    callback: Callback | None = None
    original: Message | None = None
    followups: list[Message] = field(default_factory=list)
    choices: list[tuple[str, str]] = field(default_factory=list)
    box: dict[str, Any] = field(default_factory=dict)
    id: int = field(default_factory=snowflake)
    token: str = field(default_factory=lambda: secrets.token_urlsafe(48))
    began: float = field(default_factory=time.monotonic)

    @property
    def age(self) -> float:
        return time.monotonic() - self.began

    @property
    def messages(self) -> list[Message]:
        """Every new message that answered it."""
        first = [self.original] if self.original is not None and self.original is not self.message else []
        return first + self.followups

    @property
    def ephemeral(self) -> list[Message]:
        """The new messages that only the person sees."""
        return [message for message in self.messages if message.only is self.person and not message.deleted]

    def payload(self, application: int, bot: Account) -> dict[str, Any]:
        """Returns the event as the gateway sends it."""
        guild = self.channel.guild
        owners = {"1": str(self.person.id)}
        if not self.channel.is_outside:
            owners = {"0": "0" if guild is None else str(guild.id)}

        payload: dict[str, Any] = {
            "id": str(self.id),
            "application_id": str(application),
            "type": int(self.asked),
            "token": self.token,
            "version": 1,
            "data": self.data,
            "channel_id": str(self.channel.id),
            "channel": channel_json(self.channel, bot),
            "locale": self.person.locale,
            "app_permissions": str(self.channel.rights.value),
            "entitlements": [],
            "attachment_size_limit": SIZE_LIMIT,
            "context": context_of(self.channel),
            "authorizing_integration_owners": owners,
        }

        if self.message is not None:
            payload["message"] = message_json(self.message)

        if guild is None:
            return payload | {"user": account_json(self.person)}

        member = member_json(guild, self.person) | {"permissions": str(rights_of(guild, self.person).value)}
        partial = {"id": str(guild.id), "locale": "en-US", "features": []}
        return payload | {
            "member": member,
            "guild_id": str(guild.id),
            "guild": partial,
            "guild_locale": "en-US",
        }
