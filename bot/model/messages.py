"""The messages that show a table: their kinds, readers and urgencies."""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum, IntEnum, StrEnum, auto
from typing import Protocol

from adapters.port import Audience, MessageRef, RoomRef, Screen, UserRef


class AlreadyReportedError(Exception):
    """An error that has been logged already."""


class MessageKind(StrEnum):
    """The purposes of messages."""

    TABLE = auto()  # the lobby, then the table: public
    HAND = auto()  # one player's cards and moves: private
    ROOM_HAND = auto()  # the same in the room, where that player has pressed: for them alone
    CALL = auto()  # "we are waiting for …": public, gone after the move
    INVITATION = auto()  # "come and play …": public, gone once all called people have come or declined
    RESULT = auto()  # the fool: public
    REVIEW = auto()  # the cost of one player's moves: private, for the asker


HANDS = {MessageKind.HAND, MessageKind.ROOM_HAND}  # messages with one player's cards


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


Reader = Audience | OnlyInRoom  # the reader of a slot
UNKNOWN = ""  # the digest of a message that may show anything


@dataclass(frozen=True, slots=True)
class SentMessage:
    """The message in a slot: its ref, the digest of its screen, and whether the bot has pinned it."""

    ref: MessageRef
    digest: str
    is_pinned: bool = False


@dataclass(frozen=True, slots=True)
class PendingMessage:
    """A message that is being posted: its key, by which the chat recognizes it, and its screen's digest."""

    key: str
    digest: str


class MessageAction(Enum):
    """The end of a message that has nothing new to show."""

    REMOVE = auto()  # it should not be there
    KEEP = auto()  # it stays as it is, for ever


class Urgency(IntEnum):
    """How soon a slot shows a change; the least is the soonest."""

    PRESSED = auto()  # its reader waits for the effect of their press
    RINGS = auto()  # its reader has to notice it: in a new message, where an edit would not be
    ASKED_FOR = auto()  # its readers wait to see it, because they have just changed it
    ORDINARY = auto()
    UNHURRIED = auto()  # its reader may act, or has got cards, but the game does not wait for them
    CAN_WAIT = auto()  # its reader only looks on


@dataclass(frozen=True, slots=True)
class Place:
    """The reader of a slot, and how it is shown to them.

    Attributes:
        urgency: The urgency of its newest change.
        is_pinned: Whether it should be pinned.
        is_final: Whether it changes no more: once it is up to date, it is left alone.
        continues: A slot of an earlier game, whose message shows this one from now on.
    """

    reader: Reader
    urgency: Urgency = Urgency.ORDINARY
    is_pinned: bool = False
    is_final: bool = False
    continues: MessageSlot | None = None


class ScreenSource(Protocol):
    """Renders slots."""

    async def places(self, table_id: int) -> Mapping[MessageSlot, Place]:
        """Returns every slot the table is shown in; called once after each change of the table."""

    async def screen(self, slot: MessageSlot) -> Screen | MessageAction:
        """Renders the present content of a slot."""

    def version(self, table_id: int) -> int | None:
        """Returns the version of the table's game; None where it cannot be read."""

    def shown(self, slot: MessageSlot, version: int) -> None:
        """Records that a slot shows this version of the table's game from now on."""
