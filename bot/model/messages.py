"""Errors that whoever found them has logged."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from enum import Enum, IntEnum, StrEnum, auto
from hashlib import blake2b
from typing import Protocol

from adapters.port import (
    AddToGroupButton,
    Audience,
    Button,
    CallbackButton,
    Mark,
    MessageRef,
    RoomRef,
    Screen,
    Span,
    Tone,
    UserRef,
)


class AlreadyReportedError(Exception):
    """An error that was logged by whoever found it; those it passes by have nothing to add."""


# --- Digests of screens: they tell whether a message shows what it should, after a restart and an update,
#     too ---


_MARKS = {mark: repr(mark) for mark in Mark}
_TONES = {tone: repr(tone) for tone in Tone}


def digest_of(screen: Screen) -> str:
    """Return a short text that is equal for equal screens."""
    png = b"" if screen.picture is None else screen.picture.png
    return blake2b(_recorded(screen).encode() + png, digest_size=16).hexdigest()


def _recorded(screen: Screen) -> str:
    rows = _tuple(_tuple(map(_button, row)) for row in screen.rows)
    written = f"body={_body(screen.body)}, rows={rows}, picture={screen.picture!r}, cheer={screen.reaction!r}"
    if screen.details:
        written += f", board={screen.board!r}, details={_body(screen.details)}"
    elif screen.board is not None:
        written += f", board={screen.board!r}"
    return f"Screen({written})"


def _body(spans: Iterable[Span]) -> str:
    return _tuple(
        f"Span(text={span.text!r}, mark={_MARKS[span.mark]}, mention={span.mention!r}, link={span.link!r}, "
        f"when={span.when!r})"
        for span in spans
    )


def _button(button: Button) -> str:
    if isinstance(button, AddToGroupButton):
        return f"AddToGroup(label={button.label!r})"
    if not isinstance(button, CallbackButton):
        return f"OpenPrivate(label={button.label!r}, room={button.room!r})"
    return (
        f"Choice(token={button.token!r}, label={button.label!r}, tone={_TONES[button.tone]}, "
        f"enabled={button.enabled!r}, icon={button.icon!r})"
    )


def _tuple(written: Iterable[str]) -> str:
    parts = list(written)
    return f"({parts[0]},)" if len(parts) == 1 else f"({', '.join(parts)})"


# --- The places where a table shows itself, and who says what ---


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

    async def version(self, table_id: int) -> int | None:
        """The version of the table's game, for logs; None where it cannot be read."""
        ...
