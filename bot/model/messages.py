"""Messages that are kept up to date: what they show, their readers and urgencies."""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum, IntEnum, StrEnum, auto
from typing import Protocol, TypeVar

from adapters.port import Audience, MessageRef, RoomRef, Screen, UserRef


class AlreadyReportedError(Exception):
    """An error that has been logged already."""


TABLE = "table"  # the kind of subjects that are tables


@dataclass(frozen=True, slots=True)
class Subject:
    """What messages are about, by kind and number: a table, or something of a feature, such as a cup."""

    kind: str
    number: int

    @classmethod
    def of_table(cls, table_id: int) -> "Subject":
        """Returns a table as a subject."""
        return cls(TABLE, table_id)


class Slot(Protocol):
    """One message about a subject."""

    @property
    def subject(self) -> Subject:
        """What the message is about."""

    @property
    def part(self) -> str:
        """The purpose of the message, for logs and counters."""

    @property
    def user(self) -> UserRef | None:
        """The reader of a private message; None for a public one."""


@dataclass(frozen=True, slots=True)
class FeatureSlot:
    """One message about something of a feature, such as the list of a cup."""

    subject: Subject
    part: str
    user: UserRef | None = None


class MessageKind(StrEnum):
    """The purposes of the messages about a table."""

    TABLE = auto()  # the lobby, then the table: public
    HAND = auto()  # one player's cards and moves: private
    ROOM_HAND = auto()  # the same, shown in the room after that player's press, to them only
    CALL = auto()  # "we are waiting for …": public, gone after the move
    INVITATION = auto()  # "come and play …": public, gone once all called people have come or declined
    RESULT = auto()  # the fool: public
    REVIEW = auto()  # the cost of one player's moves: private, for the asker


HANDS = {MessageKind.HAND, MessageKind.ROOM_HAND}  # messages with one player's cards


@dataclass(frozen=True, slots=True)
class TableSlot:
    """One message of one game of a table; `user` is the reader of a private one, None for a public one."""

    table_id: int
    game: int
    kind: MessageKind
    user: UserRef | None = None

    @property
    def subject(self) -> Subject:
        """The table."""
        return Subject.of_table(self.table_id)

    @property
    def part(self) -> str:
        """The kind of the message."""
        return self.kind


@dataclass(frozen=True, slots=True)
class OnlyInRoom:
    """One person, in the room itself, where only the answer to their own press can show a message."""

    user: UserRef
    room: RoomRef


Reader = Audience | OnlyInRoom  # the reader of a slot
UNKNOWN = ""  # the digest of a message with unknown content


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
    """What happens to a message that has nothing new to show."""

    REMOVE = auto()  # it is deleted
    KEEP = auto()  # it stays as it is, for good


class Urgency(IntEnum):
    """How soon a slot shows a change; the least is the soonest."""

    PRESSED = auto()  # its reader waits for the effect of their press
    RINGS = auto()  # its reader has to notice it, in a new message if an edit would go unnoticed
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
        is_final: Whether it has changed for the last time; once up to date, it is not edited again.
        is_renewed: Whether its newest change is shown in a new message, so that its reader notices it.
        rings: Whether it mentions people: as an edit would notify nobody, each change of its words is posted
            as a new message.
        is_paced: Whether it changes so often that its edits are spaced out, to leave room for others in the
            chat.
        is_led_to: Whether other messages about the subject lead to it.
        leads_to: The slot that it leads people to, which is posted first.
        continues: An earlier slot; its message shows this slot from now on.
        news: In chats without edits, a text; if the text or a button changes, a new message is posted. None:
            no change is worth one.
    """

    reader: Reader
    urgency: Urgency = Urgency.ORDINARY
    is_pinned: bool = False
    is_final: bool = False
    is_renewed: bool = False
    rings: bool = False
    is_paced: bool = False
    is_led_to: bool = False
    leads_to: Slot | None = None
    continues: Slot | None = None
    news: str | None = ""


S = TypeVar("S", bound=Slot)


class ScreenSource(Protocol[S]):
    """Renders the slots of one kind of subjects."""

    async def places(self, subject: Subject) -> Mapping[S, Place]:
        """Returns every slot that shows the subject; called once after each change of the subject."""

    async def screen(self, slot: S) -> Screen | MessageAction:
        """Renders the current content of a slot."""

    def version(self, subject: Subject) -> int | None:
        """Returns the version of what is shown; None if it has none."""
        return None

    async def note_shown(self, slot: S, version: int | None) -> None:
        """Called when a slot shows this version."""
        return

    async def settled(self, subject: Subject, change: int) -> None:
        """Called when all messages about a feature's subject show its change with this number."""
        return
