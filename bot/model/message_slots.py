"""The places where a table shows itself, and who says what."""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum, IntEnum, StrEnum, auto
from typing import Protocol

from adapters.port import Audience, MessageRef, RoomRef, Screen, UserRef
from bot.model.digests import digest_of


class MessageKind(StrEnum):
    """What a message is for."""

    TABLE = auto()  # the lobby, then the table: public
    HAND = auto()  # one player's cards and moves: private
    ROOM_HAND = auto()  # the same in the room, where that player has pressed: for them alone
    CALL = auto()  # "we are waiting for …": public, gone after the move
    RESULT = auto()  # who is the fool: public
    REVIEW = auto()  # what one player's moves cost: private, for who has asked

    @property
    def notifies(self) -> bool:
        """Whether it has to be noticed, which an edited message is not: each text is a message of its own."""
        return self is MessageKind.CALL

    @property
    def is_hand(self) -> bool:
        """Whether it shows one player's cards."""
        return self in {MessageKind.HAND, MessageKind.ROOM_HAND}


@dataclass(frozen=True, slots=True)
class MessageSlot:
    """One message of one game of a table; `user` is whose private message it is, None for public ones."""

    table_id: int
    game: int
    kind: MessageKind
    user: UserRef | None = None


@dataclass(frozen=True, slots=True)
class OnlyInRoom:
    """One person, in the room itself: only the answer to a press of theirs can bring a message there."""

    user: UserRef
    room: RoomRef


Reader = Audience | OnlyInRoom
"""Who sees a slot."""

UNKNOWN = ""
"""The digest of a message of which nobody knows what it shows."""


@dataclass(frozen=True, slots=True)
class SentMessage:
    """What shows a slot: the message, and the digest of its screen."""

    ref: MessageRef
    digest: str


@dataclass(frozen=True, slots=True)
class PendingMessage:
    """A message that is being posted: its key, by which the chat knows it again, and its screen's digest."""

    key: str
    digest: str


class MessageAction(Enum):
    """What becomes of a message that has nothing new to show."""

    REMOVE = auto()  # it should not be there
    KEEP = auto()  # it stays as it is, for ever


def is_news(slot: MessageSlot, seen: SentMessage, screen: Screen | MessageAction) -> bool:
    """Whether a slot has something new to show that an edit of its message would hide."""
    return slot.kind.notifies and not isinstance(screen, MessageAction) and digest_of(screen) != seen.digest


class Urgency(IntEnum):
    """How soon a slot shows what has changed; the least is the soonest."""

    RINGS = auto()  # its reader has to notice it: in a new message, where an edit would not be
    ASKED_FOR = auto()  # its readers wait to see it, because they have just changed it
    ORDINARY = auto()
    CAN_WAIT = auto()  # its reader only looks on


class ScreenSource(Protocol):
    """Says what should be seen."""

    async def places(self, table_id: int) -> Mapping[MessageSlot, Reader]:
        """Everything the table may be seen on, and by whom."""
        ...

    async def urgencies(self, table_id: int) -> Mapping[MessageSlot, Urgency]:
        """How soon the slots are to change for which that is not the ordinary."""
        ...

    async def screen(self, slot: MessageSlot) -> Screen | MessageAction:
        """What the slot should show now."""
        ...
