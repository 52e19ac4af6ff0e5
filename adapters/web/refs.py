"""The bot's names for the page's rooms, guests and messages, and back."""

from adapters import port
from adapters.web.store import Guest, SavedMessage

PLATFORM = "web"
HERE = port.ServerRef(PLATFORM, "local")  # the one community of the page: all its rooms share a leaderboard
MAX_DIGITS = 18  # ids fit 64 bits


def room_ref(room: str) -> port.RoomRef:
    """Returns the neutral name of a room."""
    return port.RoomRef(HERE, room)


def user_ref(guest: Guest) -> port.UserRef:
    """Returns the neutral name of a guest."""
    return port.UserRef(PLATFORM, guest.id)


def message_ref(message: SavedMessage) -> port.MessageRef:
    """Returns the ref under which a message is edited."""
    return port.MessageRef(PLATFORM, str(message.id))


def message_id(ref: port.MessageRef) -> int | None:
    """Reads a ref of this adapter; None when it is none."""
    return parse_message_id(ref.opaque) if ref.platform == PLATFORM else None


def parse_message_id(text: str) -> int | None:
    """Reads a message's id as it is in refs and requests; None when it is none."""
    return int(text) if text.isascii() and text.isdigit() and len(text) <= MAX_DIGITS else None
