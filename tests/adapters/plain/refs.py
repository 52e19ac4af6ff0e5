"""The names of rooms, people and messages in a plain chat."""

from uuid import uuid4

from adapters.port import MessageRef, RoomRef, ServerRef, UserRef

PLATFORM = "plain"


def room_ref(name: str) -> RoomRef:
    """Returns a room, which is a community, or the private chat of the person with this id."""
    return RoomRef(ServerRef(PLATFORM, name), name)


def user_ref(person: str) -> UserRef:
    return UserRef(PLATFORM, person)


def new_message() -> MessageRef:
    """Names some lines that are about to be printed."""
    return MessageRef(PLATFORM, uuid4().hex)
