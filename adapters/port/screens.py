"""Screens: messages with their buttons, pictures and forms, and their audiences."""

from dataclasses import dataclass, field, replace
from enum import Enum, auto

from adapters.port.boards import Board, HandBoard, LobbyBoard, ScreenFacts
from adapters.port.pages import RuleSketch
from adapters.port.refs import RoomRef, ServerRef, UserRef
from adapters.port.text import Span


class Tone(Enum):
    """The meaning of a button, for chats that colour them."""

    NEUTRAL = auto()
    PRIMARY = auto()
    GOOD = auto()
    DANGER = auto()


@dataclass(frozen=True, slots=True)
class CallbackButton:
    """A button; `token` (at most 64 bytes of UTF-8) comes back in the `Press`.

    `icon` names a small picture, for chats that have such; the label is enough without it. `readers` are
    those whom it works for, None if it works for all `besides` some: a chat that draws a message for each
    reader leaves it out for the others.
    """

    token: str
    label: str
    tone: Tone = Tone.NEUTRAL
    enabled: bool = True
    icon: str = ""
    readers: tuple[UserRef, ...] | None = None
    besides: tuple[UserRef, ...] = ()


@dataclass(frozen=True, slots=True)
class ViewButton(CallbackButton):
    """A button that opens the live table: at once, where a chat has its own door to it.

    Elsewhere its press is answered with a link. The page, which shows the table anyway, leaves it out.
    """

    table_id: int = 0


@dataclass(frozen=True, slots=True)
class PrivateChatButton:
    """A button that opens the private chat with the bot and leads to a `PrivateChatOpened` from `room` there.

    A chat that needs no such step leaves it out.
    """

    label: str
    room: RoomRef


@dataclass(frozen=True, slots=True)
class AddToGroupButton:
    """A button that adds the bot to another group; a chat without such a step leaves it out.

    With `marks` it asks this server, where the bot is already, for the right that `Badges` need as well.
    """

    label: str
    marks: ServerRef | None = None


@dataclass(frozen=True, slots=True)
class LinkButton:
    """A button that opens an address; a chat that has its own way there leaves it out."""

    label: str
    url: str


Button = ViewButton | CallbackButton | PrivateChatButton | AddToGroupButton | LinkButton


@dataclass(frozen=True, slots=True)
class Picture:
    """A PNG and the same facts in words."""

    png: bytes = field(repr=False)
    alt: str


@dataclass(frozen=True, slots=True)
class Document:
    """A file to keep; `apology` takes its place where the chat does not take it.

    One that `is_animation` is a GIF, which a chat plays in the message if it can.
    """

    name: str
    content: bytes = field(repr=False)
    apology: str = ""
    is_animation: bool = False

    def left_out_of(self, screen: "Screen") -> "Screen":
        """Returns the screen with the apology in place of this document."""
        if not self.apology:
            return screen
        gap = (Span("\n\n"),) if screen.body else ()
        return replace(screen, body=(*screen.body, *gap, Span(self.apology)))


@dataclass(frozen=True, slots=True)
class GameRef:
    """A game that is over, as a chat with pages of games names it."""

    table_id: int
    game: int


@dataclass(frozen=True, slots=True)
class Screen:
    """One message: text, perhaps a picture, rows of buttons; equal states give equal screens.

    `reaction` is an emoji for chats in which one reacts to a message; it adds nothing, and may get lost.
    `board` is the table or the hand of the text, for a chat that draws these itself.
    `details` are the facts that a picture shows as well: a chat that shows the picture folds them away, or
    leaves them to its alternative text.
    `finished_game` is the game whose end the screen shows, for chats with replays. `facts` are those of the
    text, for a chat that draws a puzzle, a player's statistics or the help. `translations` are the same
    screen in other languages and without its picture, for a chat whose readers each have their own
    (`Multilingual`).
    """

    body: tuple[Span, ...]
    rows: tuple[tuple[Button, ...], ...] = ()
    picture: Picture | None = None
    reaction: str = ""
    board: Board | LobbyBoard | HandBoard | None = None
    details: tuple[Span, ...] = ()
    finished_game: GameRef | None = field(default=None, repr=False)  # the same fact is in the text
    facts: ScreenFacts | None = field(default=None, repr=False)  # the same facts are in the text
    translations: tuple[tuple[str, "Screen"], ...] = field(default=(), repr=False)

    @property
    def text(self) -> tuple[Span, ...]:
        """The whole text of the screen, for a chat that shows no picture."""
        between = (Span("\n\n"),) if self.details and self.body else ()
        return (*self.details, *between, *self.body)


@dataclass(frozen=True, slots=True)
class Everyone:
    """All readers of the room."""

    room: RoomRef


@dataclass(frozen=True, slots=True)
class Only:
    """One person; `room` is where they play, for chats that can show one person a message there."""

    user: UserRef
    room: RoomRef


Audience = Everyone | Only


# --- Forms, for chats that show choices so ----------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class FormChoice:
    """A value of a field: `token` comes back in a `Press`, `about` explains the choice.

    Rules have a `sketch` besides.
    """

    token: str
    label: str
    about: str = ""
    sketch: RuleSketch | None = None


@dataclass(frozen=True, slots=True)
class FormField:
    """Something to choose; `chosen` is the place of the choice that holds now, None if it is none of them.

    A field `is_switch` if it is on or off, in this order.
    """

    label: str
    choices: tuple[FormChoice, ...]
    chosen: int | None
    is_switch: bool = False


@dataclass(frozen=True, slots=True)
class Form:
    """Fields that belong together; `others` are buttons that lead to further ones."""

    title: str
    about: str
    fields: tuple[FormField, ...]
    others: tuple[CallbackButton, ...]
