"""References to communities, rooms, people and messages."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class ServerRef:
    """A community of players with one leaderboard: a Discord server, a Telegram group."""

    platform: str
    id: str


@dataclass(frozen=True, slots=True)
class RoomRef:
    """A place that can have a table: a channel, a thread, a group, or a forum topic (if `topic` is set)."""

    server: ServerRef
    id: str
    topic: str = ""


@dataclass(frozen=True, slots=True)
class UserRef:
    """A person, by the platform's stable id; never by name."""

    platform: str
    id: str


@dataclass(frozen=True, slots=True)
class User:
    """A person in an event: `name` is raw and may be hostile, `locale` is like `de`; either may be empty.

    `handle` is the unique name by which others mention them, without its sign, in chats that have those. Not
    every sender `is_person`: in some chats people can write as a group or a channel, which cannot press
    buttons or receive messages.
    """

    ref: UserRef
    name: str
    locale: str = ""
    is_person: bool = True
    handle: str = ""


@dataclass(frozen=True, slots=True)
class MessageRef:
    """A message that can be edited or deleted; only its adapter reads `opaque` (at most 120 characters)."""

    platform: str
    opaque: str
