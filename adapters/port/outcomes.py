"""What became of a message."""

from dataclasses import dataclass
from enum import Enum, auto

from adapters.port.refs import MessageRef, UserRef
from adapters.port.screens import Audience, Everyone, Only, Screen


@dataclass(frozen=True, slots=True)
class Delivered:
    """It is there; `ref` edits it."""

    ref: MessageRef


@dataclass(frozen=True, slots=True)
class NeedsOptIn:
    """This person has not allowed the bot to write to them."""

    user: UserRef


@dataclass(frozen=True, slots=True)
class Throttled:
    """Not now: try again after `retry_after` seconds. Network trouble and server errors are this, too."""

    retry_after: float


class Lost(Enum):
    """What is gone."""

    MESSAGE = auto()  # post it again
    ROOM = auto()  # the bot was removed, the room deleted, the right to write taken away
    CONTENT = auto()  # the chat refuses this content: sending it again would be refused again


@dataclass(frozen=True, slots=True)
class Gone:
    """It cannot be delivered; `why` is for the log and holds nothing private."""

    what: Lost
    why: str


Delivery = Delivered | NeedsOptIn | Throttled | Gone


def unknown_recipient(audience: Audience) -> Delivery:
    """Return what becomes of a message to a person or a room whose id is none of the chat's."""
    match audience:
        case Only(user):
            return NeedsOptIn(user)
        case Everyone():
            return Gone(Lost.ROOM, "no such room")


def is_refused_picture(delivery: Delivery, screen: Screen | None) -> bool:
    """Return whether the chat does not take this screen as it is, but perhaps without its picture."""
    return screen is not None and screen.picture is not None and is_refused(delivery)


def is_refused(delivery: Delivery) -> bool:
    """Return whether the chat does not take this content."""
    return isinstance(delivery, Gone) and delivery.what is Lost.CONTENT
