"""Converts Discord's ids of places, people and messages into the port's references, and back.

A room's `id` is the channel; in a thread it is the thread's parent and `topic` is the thread. The direct
messages with a person are a server, `@me-<user id>`, so that only this person's results are counted there.
"""

from dataclasses import dataclass
from typing import Self

from adapters import port

PLATFORM = "discord"
OUTSIDE = "discord-outside"  # the platform of channels that the bot is not a member of
DIRECT = "@me"
EPHEMERAL = "~"
CONTAINER = "#"


@dataclass(frozen=True, slots=True)
class MessageLocation:
    """The location of a message: a guild's id or `@me`, the channel (or thread), the message."""

    guild: str
    channel: int
    message: int
    # Only the person whom it answers can see it, and only an interaction's token can edit it.
    is_ephemeral: bool = False
    # It was posted as a container; Discord does not let a message change its form.
    has_container: bool = False
    # It is in a channel that the bot is not a member of, where only an interaction's token can edit it.
    is_outside: bool = False

    @classmethod
    def of(cls, ref: port.MessageRef) -> Self:
        """Reads a reference written by `ref`.

        >>> MessageLocation.of(port.MessageRef("discord", "~1/2/3")).is_ephemeral
        True
        """
        after_mark = ref.opaque.removeprefix(EPHEMERAL)
        guild, channel, message = after_mark.removeprefix(CONTAINER).split("/")
        return cls(
            guild,
            int(channel),
            int(message),
            is_ephemeral=ref.opaque.startswith(EPHEMERAL),
            has_container=after_mark.startswith(CONTAINER),
            is_outside=ref.platform == OUTSIDE,
        )

    @property
    def ref(self) -> port.MessageRef:
        """The reference to hand to the bot."""
        marks = EPHEMERAL * self.is_ephemeral + CONTAINER * self.has_container
        platform = OUTSIDE if self.is_outside else PLATFORM
        return port.MessageRef(platform, f"{marks}{self.guild}/{self.channel}/{self.message}")

    @property
    def address(self) -> str:
        """The link that leads to the message."""
        return f"https://discord.com/channels/{self.guild}/{self.channel}/{self.message}"


ANSWERS = "i"  # the first character of the keys of answers to interactions, and of no other key


def answer_key(interaction: int) -> str:
    """Returns the key of the public answer to an interaction."""
    return f"{ANSWERS}{interaction}"


def interaction_of(key: str) -> int | None:
    """Returns the interaction that the message with this key answers, if it answers one."""
    number = key.removeprefix(ANSWERS)
    return int(number) if number != key and number.isdecimal() else None


def user_ref(user: int) -> port.UserRef:
    """Returns the reference to a person."""
    return port.UserRef(PLATFORM, str(user))


def guild_room(guild: int, channel: int, thread: int | None = None) -> port.RoomRef:
    """Returns the reference to a channel of a guild, or to a thread under it."""
    topic = "" if thread is None else str(thread)
    return port.RoomRef(port.ServerRef(PLATFORM, str(guild)), str(channel), topic)


def outside_room(guild: int | None, channel: int) -> port.RoomRef:
    """Returns the reference to a channel without the bot, in a guild or of a group of friends."""
    return port.RoomRef(outside_server(guild or channel), str(channel))


def outside_server(guild: int) -> port.ServerRef:
    """Returns the reference to a guild without the bot, or to a group of friends by its channel."""
    return port.ServerRef(OUTSIDE, str(guild))


def direct_room(user: int, channel: int) -> port.RoomRef:
    """Returns the reference to the direct messages with a person."""
    return port.RoomRef(direct_server(user), str(channel))


def direct_server(user: int) -> port.ServerRef:
    """Returns the reference to the pseudo-server of the direct messages with a person."""
    return port.ServerRef(PLATFORM, f"{DIRECT}-{user}")


def guild_of(server: port.ServerRef) -> int | None:
    """Returns the id of a server's guild; None for direct messages."""
    return None if server.id.startswith(DIRECT) else int(server.id)


def channel_of(room: port.RoomRef) -> int:
    """Returns the id of the channel or thread that messages for a room go to."""
    return int(room.topic or room.id)


def is_address(audience: port.Audience) -> bool:
    """Returns whether the audience's id can be one of Discord's, which are all numbers."""
    room = audience.room
    id_ = audience.user.id if isinstance(audience, port.Only) else room.topic or room.id
    return id_.isdecimal()
