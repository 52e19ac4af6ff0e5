"""Converts Telegram's ids of chats and messages to the port's refs, and back."""

import re
from dataclasses import dataclass
from typing import Self

from telegram import MaybeInaccessibleMessage

from adapters import port

PLATFORM = "telegram"
OUTSIDE = "telegram-outside"  # the platform of chats that the bot is not a member of
TABLE_PAYLOAD = "t"  # the prefix of a deep link's payload that asks for a table; its number follows
_TABLE_PAYLOAD = re.compile(rf"{TABLE_PAYLOAD}(\d{{1,15}})", re.ASCII)
KEY_LENGTH = 8  # characters of the key of a message outside
UNKNOWN_CHAT = "new-"  # the prefix of the id of a server outside whose chat is unknown
OUTSIDE_PAYLOAD = "o"  # the prefix of a deep link's payload that names a room outside
_OUTSIDE_PAYLOAD = re.compile(rf"{OUTSIDE_PAYLOAD}([\w-]{{{KEY_LENGTH}}})([\w-]{{1,40}})", re.ASCII)
_PAYLOAD = re.compile(r"(-?\d{1,20})(?:_(\d{1,19}))?")


def room_ref(chat: int, topic: int | None = None) -> port.RoomRef:
    """Returns the room of a chat; every chat is a server."""
    topic_id = "" if topic is None else str(topic)
    return port.RoomRef(port.ServerRef(PLATFORM, str(chat)), str(chat), topic_id)


@dataclass(frozen=True, slots=True)
class Address:
    """The address of a message; its id is unique only within its chat.

    For an ephemeral message, which only the member `receiver` sees, it is unique only among those of the
    receiver in this chat.
    """

    chat: int
    message: int
    receiver: int | None = None

    @property
    def ref(self) -> port.MessageRef:
        """The ref of the message."""
        place = (
            [self.chat, self.message] if self.receiver is None else [self.chat, self.receiver, self.message]
        )
        return port.MessageRef(PLATFORM, ":".join(map(str, place)))

    @classmethod
    def of(cls, ref: port.MessageRef) -> Self:
        """Returns the address of the message behind a ref."""
        chat, *receiver, message = map(int, ref.opaque.split(":"))
        return cls(chat, message, *receiver)


def outside_room(key: str, chat_instance: str = "") -> port.RoomRef:
    """Returns the room of a message outside, which has this key; its server is the chat.

    Until somebody has pressed a button of the message, its chat is unknown, and the message counts as a
    separate server.
    """
    return port.RoomRef(outside_server(chat_instance or f"{UNKNOWN_CHAT}{key}"), key)


def outside_server(chat_instance: str) -> port.ServerRef:
    """Returns the server of a chat outside, by the number that identifies the chat in presses."""
    return port.ServerRef(OUTSIDE, chat_instance)


@dataclass(frozen=True, slots=True)
class OutsideAddress:
    """The address of a message outside: the key of its room, and Telegram's id of the message."""

    key: str
    inline_message: str

    @property
    def ref(self) -> port.MessageRef:
        """The ref of the message."""
        return port.MessageRef(OUTSIDE, f"{self.key}{self.inline_message}")

    @classmethod
    def of(cls, ref: port.MessageRef) -> Self:
        """Returns the address of the message behind a ref."""
        return cls(ref.opaque[:KEY_LENGTH], ref.opaque[KEY_LENGTH:])


def ephemeral_id_of(message: MaybeInaccessibleMessage) -> int | None:
    """Returns the id of an ephemeral message; None for any other."""
    number = message.api_kwargs.get("ephemeral_message_id")
    return number if isinstance(number, int) else None


def address_of(message: MaybeInaccessibleMessage) -> Address:
    """Returns the address of a message that was sent or pressed."""
    receiver = message.api_kwargs.get("receiver_user")
    number = ephemeral_id_of(message)
    if not isinstance(receiver, dict) or number is None:
        return Address(message.chat.id, message.message_id)
    return Address(message.chat.id, number, int(receiver["id"]))


def payload_of(room: port.RoomRef) -> str:
    """Returns the deep link's payload that leads back to this room."""
    if room.server.platform == OUTSIDE:
        return f"{OUTSIDE_PAYLOAD}{room.id}{room.server.id}"
    return f"{room.id}_{room.topic}" if room.topic else room.id


def room_behind(payload: str) -> port.RoomRef | None:
    """Returns the room that a deep link names; anybody can type a payload, so it proves nothing."""
    outside = _OUTSIDE_PAYLOAD.fullmatch(payload)
    if outside is not None:
        return outside_room(outside[1], outside[2])

    match = _PAYLOAD.fullmatch(payload)
    return room_ref(int(match[1]), int(match[2]) if match[2] else None) if match else None


def table_behind(payload: str) -> int | None:
    """Returns the table that a deep link asks for; anybody can type one."""
    match = _TABLE_PAYLOAD.fullmatch(payload)
    return int(match[1]) if match else None
