"""Outcomes of sending: a chat's refusals and troubles are values, not errors."""

import traceback
from dataclasses import dataclass
from enum import Enum, auto
from pathlib import Path

from adapters.port.refs import MessageRef, UserRef
from adapters.port.screens import Audience, Everyone, Only


@dataclass(frozen=True, slots=True)
class Delivered:
    """The message has arrived; `ref` edits it."""

    ref: MessageRef


@dataclass(frozen=True, slots=True)
class NeedsOptIn:
    """This person has not allowed the bot to write to them."""

    user: UserRef


@dataclass(frozen=True, slots=True)
class Throttled:
    """Not now: try again after `retry_after` seconds. This includes network trouble and server errors.

    `is_flood`: The platform refused it for too many calls, in this chat or of the whole bot.
    """

    retry_after: float
    is_flood: bool = False


# It was not tried, as the whole bot makes as many calls as it may: the newest is sent in its turn.
NOT_SENT = Throttled(0.0)


class Lost(Enum):
    """The part that is gone."""

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
    """Returns the outcome of a message to a person or a room whose id is none of the chat's."""
    match audience:
        case Only(user):
            return NeedsOptIn(user)
        case Everyone():
            return Gone(Lost.ROOM, "no such room")


def code_location(error: BaseException) -> str:
    """Returns the place in the code where an error was raised; unlike its message, it quotes nobody."""
    frames = traceback.extract_tb(error.__traceback__)[-2:]
    return "; ".join(f"{Path(frame.filename).name}:{frame.lineno} {frame.line}" for frame in frames)


def is_refused(delivery: Delivery) -> bool:
    """Returns whether the chat does not take this content."""
    return isinstance(delivery, Gone) and delivery.what is Lost.CONTENT
