"""References to people, rooms and messages."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class ServerRef:
    """A community of players with one leaderboard: a Discord server, a Telegram group."""

    platform: str
    id: str


@dataclass(frozen=True, slots=True)
class RoomRef:
    """A place that can have a table: a channel, a thread, a group, a forum topic (`topic` empty: none)."""

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
    """A person in an event: `name` is raw and may be hostile, `locale` is like `de`; each may be empty.

    `handle` is a unique name by which others mention them, without its sign, where the chat has such.
    Not every sender `is_person`: some chats let people speak in the name of a group or of a channel, which
    can neither press a button nor be written to.
    """

    ref: UserRef
    name: str
    locale: str = ""
    is_person: bool = True
    handle: str = ""


@dataclass(frozen=True, slots=True)
class MessageRef:
    """A message that can be edited or deleted later; `opaque` (at most 120 characters) is its adapter's."""

    platform: str
    opaque: str
