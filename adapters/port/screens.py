"""What is shown: screens, and who sees them."""

from dataclasses import dataclass, field
from enum import Enum, auto

from adapters.port.refs import MessageRef, RoomRef, UserRef


class Mark(Enum):
    """How a piece of text looks."""

    PLAIN = auto()
    BOLD = auto()
    ITALIC = auto()
    CODE = auto()
    STRIKE = auto()


@dataclass(frozen=True, slots=True)
class Span:
    """A piece of text; the adapter escapes it, so it may hold anything.

    `mention` notifies that person where the chat can (the text then stands for their name); `link` leads to a
    message where the chat has addresses for messages, and is plain text elsewhere. `when` is the moment (in
    Unix seconds) that the text names: a chat that can shows it by the clock of whoever reads.
    """

    text: str
    mark: Mark = Mark.PLAIN
    mention: UserRef | None = None
    link: MessageRef | None = None
    when: float | None = None


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
class Screen:
    """One message: text, perhaps a picture, rows of buttons; equal states give equal screens.

    `reaction` is an emoji for chats in which one reacts to a message; it says nothing new, and may get lost.
    """

    body: tuple[Span, ...]
    rows: tuple[tuple[Button, ...], ...] = ()
    picture: Picture | None = None
    reaction: str = ""


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
