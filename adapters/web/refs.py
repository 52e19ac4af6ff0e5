"""Converts the page's rooms, guests and messages to the bot's refs, and message refs back."""

from adapters import port
from adapters.web.store import Guest, SavedMessage

PLATFORM = "web"
HERE = port.ServerRef(PLATFORM, "local")  # the page's only server: all rooms share a leaderboard
MAIN_ROOM = "main"  # where everybody comes who names no room
MAX_DIGITS = 18  # ids fit 64 bits


def room_ref(room: str) -> port.RoomRef:
    """Returns the ref of a room."""
    return port.RoomRef(HERE, room)


def user_ref(guest: Guest) -> port.UserRef:
    """Returns the ref of a guest."""
    return port.UserRef(PLATFORM, guest.id)


def message_ref(message: SavedMessage) -> port.MessageRef:
    """Returns the ref of a message."""
    return port.MessageRef(PLATFORM, str(message.id))


def message_id(ref: port.MessageRef) -> int | None:
    """Returns the message id in a ref; None if the ref is not one of the page's."""
    return parse_message_id(ref.opaque) if ref.platform == PLATFORM else None


def parse_message_id(text: str) -> int | None:
    """Reads a message id as written in refs and requests; None if it is malformed."""
    return int(text) if text.isascii() and text.isdigit() and len(text) <= MAX_DIGITS else None
