"""The bot's names for Telegram's chats, people and messages, and back."""

import re
from dataclasses import dataclass, fields

from adapters.port import MessageRef, RoomRef, ServerRef

PLATFORM = "telegram"
_PAYLOAD = re.compile(r"(-?\d{1,20})(?:_(\d{1,19}))?")


def room_ref(chat: int, topic: int | None = None) -> RoomRef:
    """Return the room of a chat; every chat is a server of its own."""
    return RoomRef(ServerRef(PLATFORM, str(chat)), str(chat), "" if topic is None else str(topic))


def message_ref(chat: int, message: int) -> MessageRef:
    """Return the ref of a message: ids are unique within a chat only."""
    return MessageRef(PLATFORM, f"{chat}:{message}")


def chat_of(ref: MessageRef) -> int:
    """Return the chat that a message stands in, ephemeral ones included."""
    return int(ref.opaque.partition(":")[0])


def parts_of(ref: MessageRef) -> tuple[int, int]:
    """Return the chat and the message id behind a ref."""
    chat, _, message = ref.opaque.partition(":")
    return int(chat), int(message)


@dataclass(frozen=True, slots=True)
class EphemeralParts:
    """What names a message that one member of a chat sees."""

    chat: int
    receiver: int
    message: int


def ephemeral_ref(parts: EphemeralParts) -> MessageRef:
    """Return the ref of a message that one member sees: ids are unique for a chat and a member only."""
    return MessageRef(PLATFORM, f"{parts.chat}:{parts.receiver}:{parts.message}")


def ephemeral_parts_of(ref: MessageRef) -> EphemeralParts | None:
    """Return what names the message behind a ref, if one member alone sees it."""
    parts = ref.opaque.split(":")
    return EphemeralParts(*map(int, parts)) if len(parts) == len(fields(EphemeralParts)) else None


def payload_of(room: RoomRef) -> str:
    """Return the deep link's payload that leads back to this room."""
    return f"{room.id}_{room.topic}" if room.topic else room.id


def room_behind(payload: str) -> RoomRef | None:
    """Return the room a deep link came from; anybody can type a payload, so it proves nothing."""
    match = _PAYLOAD.fullmatch(payload)
    return room_ref(int(match[1]), int(match[2]) if match[2] else None) if match else None
