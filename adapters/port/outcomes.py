"""Outcomes of sending; refusals and failures of a chat are values, not exceptions."""

import traceback
from dataclasses import dataclass
from enum import Enum, auto
from pathlib import Path

from adapters.port.refs import MessageRef, UserRef
from adapters.port.screens import Audience, Everyone, Only


@dataclass(frozen=True, slots=True)
class Delivered:
    """The message has arrived; edit it by its `ref`."""

    ref: MessageRef


@dataclass(frozen=True, slots=True)
class NeedsOptIn:
    """This person has not allowed the bot to write to them."""

    user: UserRef


@dataclass(frozen=True, slots=True)
class Throttled:
    """Not now: try again after `retry_after` seconds. Includes network trouble and server errors.

    `is_flood`: the platform refused the call because there were too many, in this chat or by the whole bot.
    """

    retry_after: float
    is_flood: bool = False


# Not even tried, as the whole bot has used up its calls; the newest state is sent when its turn comes.
NOT_SENT = Throttled(0.0)


class Lost(Enum):
    """The consequence of a message that cannot be delivered."""

    MESSAGE = auto()  # only the message: post it again
    ROOM = auto()  # the bot was removed, or the room deleted, or the right to write withdrawn
    CONTENT = auto()  # the chat refuses this content, and would do so again


@dataclass(frozen=True, slots=True)
class Gone:
    """The message cannot be delivered; `why` is for the log and contains nothing private."""

    what: Lost
    why: str


Delivery = Delivered | NeedsOptIn | Throttled | Gone


def unknown_recipient(audience: Audience) -> Delivery:
    """Returns the outcome of a message to a person or a room whose id is invalid on this chat."""
    match audience:
        case Only(user):
            return NeedsOptIn(user)
        case Everyone():
            return Gone(Lost.ROOM, "no such room")


def code_location(error: BaseException) -> str:
    """Returns where in the code an error was raised; unlike the error's message, this quotes nobody."""
    frames = traceback.extract_tb(error.__traceback__)[-2:]
    return "; ".join(f"{Path(frame.filename).name}:{frame.lineno} {frame.line}" for frame in frames)


def is_refused(delivery: Delivery) -> bool:
    """Returns whether the chat refused the content of the message."""
    return isinstance(delivery, Gone) and delivery.what is Lost.CONTENT
