"""Screens: messages with their buttons, pictures and forms, and their audiences."""

from dataclasses import dataclass, field, replace
from enum import Enum, auto

from adapters.port.boards import Board, HandBoard, LobbyBoard, OwnResult, ScreenFacts
from adapters.port.pages import RuleSketch
from adapters.port.refs import RoomRef, ServerRef, UserRef
from adapters.port.text import Span


class Tone(Enum):
    """The meaning of a button, for chats that colour them."""

    NEUTRAL = auto()
    PRIMARY = auto()
    GOOD = auto()
    DANGER = auto()


class Accent(Enum):
    """The state that a message about a table shows, for chats that colour its edge."""

    GATHERING = auto()  # players come together
    ATTACK = auto()  # somebody attacks, or may throw in; in a hand, its owner
    DEFENCE = auto()  # somebody beats cards; in a hand, its owner
    WAITING = auto()  # nobody's move, or that of others
    OVER = auto()  # the game has ended


@dataclass(frozen=True, slots=True)
class CallbackButton:
    """A button; `token` (at most 64 bytes of UTF-8) comes back in the `Press`.

    `icon` names a small picture, for chats with icons; the label is enough without it. `menu` is the question
    that the button answers: a chat with menus shows such buttons of a row as one menu with this title, in
    which the primary one is selected. The button works for its `readers`, or if they are None, for everyone
    except those `besides`. A chat that draws a message for each reader leaves it out for the others.
    """

    token: str
    label: str
    tone: Tone = Tone.NEUTRAL
    enabled: bool = True
    icon: str = ""
    menu: str = ""
    readers: tuple[UserRef, ...] | None = None
    besides: tuple[UserRef, ...] = ()


@dataclass(frozen=True, slots=True)
class ViewButton(CallbackButton):
    """A button that opens the live table: directly in a chat with its own door, elsewhere through a link.

    The page leaves it out, as it already shows the table.
    """

    table_id: int = 0


@dataclass(frozen=True, slots=True)
class PrivateChatButton:
    """A button that opens the private chat with the bot, which causes a `PrivateChatOpened` from `room`.

    Chats without this step leave it out.
    """

    label: str
    room: RoomRef


@dataclass(frozen=True, slots=True)
class AddToGroupButton:
    """A button that adds the bot to another group; chats without this step leave it out.

    With `marks` it asks that server, which has the bot already, for the right that `Badges` need.
    """

    label: str
    marks: ServerRef | None = None


@dataclass(frozen=True, slots=True)
class LinkButton:
    """A button that opens an address; a chat with its own way there leaves it out."""

    label: str
    url: str


@dataclass(frozen=True, slots=True)
class ShareButton(LinkButton):
    """A button that sends an address and a `text` to another chat, or opens it in chats that cannot."""

    text: str = ""


Button = ViewButton | CallbackButton | PrivateChatButton | AddToGroupButton | ShareButton | LinkButton


@dataclass(frozen=True, slots=True)
class Picture:
    """A PNG, and its alternative text."""

    png: bytes = field(repr=False)
    alt: str


@dataclass(frozen=True, slots=True)
class Document:
    """A file to keep; `apology` is shown in its place if the chat does not accept it.

    If `is_animation`, it is a GIF, which a chat plays in the message if it can.
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
    """A reference to a finished game, for chats with pages of games."""

    table_id: int
    game: int


@dataclass(frozen=True, slots=True)
class Screen:
    """One message: text, perhaps a picture, and rows of buttons; equal states give equal screens.

    `reaction` is an emoji, for chats with reactions; it is decoration and may get lost.
    `accent` is a colour that repeats what the text says; only messages about a table have one.
    `board` is the table or the hand that the text describes, for chats that draw these themselves.
    `details` are facts that the picture also shows: a chat that shows the picture folds them away, or leaves
    them to the alternative text.
    `finished_game` is the game whose end the screen shows, for chats with replays. `facts` are the text's
    facts, for chats that draw puzzles, statistics, help, rules or settings. `translations` are the screen in
    other languages, without its picture, for chats whose readers each see their own (`Multilingual`).
    """

    body: tuple[Span, ...]
    rows: tuple[tuple[Button, ...], ...] = ()
    picture: Picture | None = None
    reaction: str = ""
    accent: Accent | None = field(default=None, repr=False)  # the same fact is in the text
    board: Board | LobbyBoard | HandBoard | OwnResult | None = None
    details: tuple[Span, ...] = ()
    finished_game: GameRef | None = field(default=None, repr=False)  # the same fact is in the text
    facts: ScreenFacts | None = field(default=None, repr=False)  # the same facts are in the text
    translations: tuple[tuple[str, "Screen"], ...] = field(default=(), repr=False)

    @property
    def text(self) -> tuple[Span, ...]:
        """The whole text of the screen, for a chat that shows no picture."""
        between = (Span("\n\n"),) if self.details and self.body else ()
        return (*self.details, *between, *self.body)

    @property
    def beside_picture(self) -> tuple[Span, ...]:
        """The body without what is `in_picture`, for a chat that shows a picture with its own text."""
        spans = list[Span]()
        for span in self.body:
            if span.in_picture and spans and spans[-1].is_gap:
                spans.pop()  # the gap above what is left out
            elif not span.in_picture and (spans or not span.is_gap):
                spans.append(span)

        return tuple(spans)

    @property
    def pictured(self) -> tuple[Span, ...]:
        """What the picture shows: the details, or else what is `in_picture`; empty if nothing is marked."""
        if self.details:
            return self.details

        spans = list[Span]()
        for span in self.body:
            if span.in_picture or (span.is_gap and spans and not spans[-1].is_gap):
                spans.append(span)

        return tuple(spans[:-1] if spans and spans[-1].is_gap else spans)


@dataclass(frozen=True, slots=True)
class Everyone:
    """All readers of the room."""

    room: RoomRef


@dataclass(frozen=True, slots=True)
class Only:
    """One person; `room` is where they play, for chats that can show a message there to one person."""

    user: UserRef
    room: RoomRef


Audience = Everyone | Only


@dataclass(frozen=True, slots=True)
class Question:
    """Something to type, for chats that ask for it in a box; the text comes back in another `Press`.

    `label` says what to type, as in `example`.
    """

    title: str
    label: str
    example: str = ""


# --- Forms, for chats that have them -----------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class FormChoice:
    """A value of a field: `token` comes back in a `Press`, `about` explains the choice.

    Rules also have a `sketch`.
    """

    token: str
    label: str
    about: str = ""
    sketch: RuleSketch | None = None


@dataclass(frozen=True, slots=True)
class FormField:
    """Something to choose; `chosen` is the index of the current choice, None if it is not among them.

    If `is_switch`, the choices are on and off, in this order.
    """

    label: str
    choices: tuple[FormChoice, ...]
    chosen: int | None
    is_switch: bool = False


@dataclass(frozen=True, slots=True)
class Form:
    """Fields that belong together; `others` are buttons that lead to other forms."""

    title: str
    about: str
    fields: tuple[FormField, ...]
    others: tuple[CallbackButton, ...]
