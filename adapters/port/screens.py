"""What is shown: screens, and who sees them."""

from dataclasses import dataclass, field
from enum import Enum, auto

from adapters.port.boards import Board, HandBoard, LobbyBoard
from adapters.port.refs import RoomRef, UserRef
from adapters.port.spans import Span


class Tone(Enum):
    """What a button means, for chats that colour them."""

    NEUTRAL = auto()
    PRIMARY = auto()
    GOOD = auto()
    DANGER = auto()


@dataclass(frozen=True, slots=True)
class CallbackButton:
    """A button; `token` (at most 64 bytes of UTF-8) comes back in the `Press`.

    `icon` names a small picture, for chats that were given such and can show them; the label says the same.
    """

    token: str
    label: str
    tone: Tone = Tone.NEUTRAL
    enabled: bool = True
    icon: str = ""


@dataclass(frozen=True, slots=True)
class PrivateChatButton:
    """A button that opens the private chat with the bot and leads to a `PrivateChatOpened` from `room` there.

    A chat that needs no such step leaves it out.
    """

    label: str
    room: RoomRef


Button = CallbackButton | PrivateChatButton


@dataclass(frozen=True, slots=True)
class Picture:
    """A PNG and the same facts in words."""

    png: bytes = field(repr=False)
    alt: str


@dataclass(frozen=True, slots=True)
class Document:
    """A file for somebody to keep."""

    name: str
    content: bytes = field(repr=False)


@dataclass(frozen=True, slots=True)
class FinishedGame:
    """A game that is over, as a chat with pages of games names it."""

    table_id: int
    game: int


@dataclass(frozen=True, slots=True)
class Screen:
    """One message: text, perhaps a picture, rows of buttons; equal states give equal screens.

    `reaction` is an emoji for chats in which one reacts to a message; it says nothing new, and may get lost.
    `board` is the table or the hand that the text tells of, where a chat draws these itself.
    `details` are the facts that a picture shows as well: a chat that shows the picture folds them away, or
    leaves them to its alternative text.
    `ended` is the game whose end the screen tells of, for chats in which one can look at it again.
    """

    body: tuple[Span, ...]
    rows: tuple[tuple[Button, ...], ...] = ()
    picture: Picture | None = None
    reaction: str = ""
    board: Board | LobbyBoard | HandBoard | None = None
    details: tuple[Span, ...] = ()
    ended: FinishedGame | None = field(default=None, repr=False)  # the text tells the same

    @property
    def text(self) -> tuple[Span, ...]:
        """Everything the screen says in words: what a chat shows that shows no picture."""
        between = (Span("\n\n"),) if self.details and self.body else ()
        return (*self.details, *between, *self.body)


@dataclass(frozen=True, slots=True)
class Everyone:
    """Everybody who can read the room."""

    room: RoomRef


@dataclass(frozen=True, slots=True)
class Only:
    """One person; `room` is where they play, for chats that can show somebody a message alone there."""

    user: UserRef
    room: RoomRef


Audience = Everyone | Only
