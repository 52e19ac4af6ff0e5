"""Events of a chat: commands and presses, and the replies to them."""

from collections.abc import Awaitable, Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from enum import Enum, auto

from adapters.port.limits import Limits
from adapters.port.refs import MessageRef, RoomRef, User, UserRef
from adapters.port.screens import Document, Form, GameRef, Screen


class ArgumentKind(Enum):
    """The kind of an argument of a command."""

    TEXT = auto()
    CHOICE = auto()
    PERSON = auto()
    SUGGESTED = auto()  # any text; the bot suggests some while it is typed, where a chat can ask
    FILE = auto()


@dataclass(frozen=True, slots=True)
class ArgumentChoice:
    """A value of an argument, with its label for people; `labels` holds the translations by locale."""

    value: str
    label: str
    labels: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class ArgumentSpec:
    """One optional argument of a command: `choices` for CHOICE only, `summaries` as for a command."""

    name: str
    summary: str
    kind: ArgumentKind = ArgumentKind.TEXT
    choices: tuple[ArgumentChoice, ...] = ()
    summaries: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Suggestion:
    """A completion of an argument: its text, and its label for the person typing."""

    label: str
    text: str


class CommandScope(Enum):
    """The readers of a menu of commands."""

    PRIVATE = auto()  # a person in their private chat with the bot
    GROUP = auto()  # the members of a group
    ADMIN = auto()  # its admins


@dataclass(frozen=True, slots=True)
class CommandSpec:
    """A command for the chat's menu; `summaries` holds the translations of `summary` by locale.

    `is_secret`: its answer is for the asker alone. `scopes` are those of the menus that offer it, for a chat
    with several; it also works where it isn't offered. `on_person` is its name in the menu on a person,
    who is mentioned then, where a chat has such menus; `on_person_in` translates that.
    """

    name: str
    summary: str
    arguments: tuple[ArgumentSpec, ...] = ()
    summaries: Mapping[str, str] = field(default_factory=dict)
    is_secret: bool = False
    scopes: Collection[CommandScope] = frozenset(CommandScope)
    on_person: str = ""
    on_person_in: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Translated:
    """A text in English, and its translations by locale."""

    text: str
    translations: Mapping[str, str] = field(default_factory=dict)


# --- Events and replies -----------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Attachment:
    """A file that came with a command, of so many bytes.

    `fetch` gives its content; it raises OSError where the chat does not.
    """

    name: str
    size: int
    fetch: Callable[[], Awaitable[bytes]] = field(repr=False, compare=False)


@dataclass(frozen=True, slots=True)
class Command:
    """A typed command: `name` without the slash, `args` split at spaces, people mentioned in it.

    `id` is the chat's own for this event: no spaces, at most 64 characters, not chosen by the sender.
    `missing_rights` names the rights that the bot lacks in the room though a table needs them, in the words
    of the chat's own settings; empty also where the chat does not report them. `can_reply_ephemerally`:
    the asker can be shown a message alone right there, in the room. `is_in_place`: it was a button, and the
    answer replaces the pressed message. `answer_key` is the key by which the chat recognizes the public
    part of the answer, as in `ChatPort.post`; empty where that is a message like any other. `attachment` is
    the file that came with it.
    """

    user: User
    room: RoomRef
    name: str
    args: tuple[str, ...] = ()
    mentioned: tuple[User, ...] = ()
    id: str = ""
    missing_rights: tuple[str, ...] = ()
    can_reply_ephemerally: bool = False
    is_in_place: bool = False
    answer_key: str = ""
    attachment: Attachment | None = None
    # Those mentioned of whom the chat doesn't say that they are there.
    strangers: frozenset[UserRef] = frozenset()


@dataclass(frozen=True, slots=True)
class Typing:
    """An argument that is being typed, so far `text`; `others` are the other arguments."""

    user: User
    room: RoomRef
    command: str
    argument: str
    text: str
    others: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Press:
    """A pressed button and the message it hung on; `id` and `missing_rights` are as in `Command`.

    `room` is the room of that message, as the chat reports it; the token may be anything.
    `on_private_message`: only the presser sees the message. `shown` holds the tokens of its buttons, as the
    chat reports them now; empty where the chat doesn't, and None if then only the presser sees the message.
    `view` are the limits of the view in which it was pressed. A view is no message of the chat: the chat
    cannot edit it, and a press there does not show where the bot may write.
    """

    user: User
    room: RoomRef
    token: str
    message: MessageRef
    id: str = ""
    on_private_message: bool = False
    tokens: frozenset[str] | None = frozenset()
    missing_rights: tuple[str, ...] = ()
    view: Limits | None = None

    @property
    def is_shown(self) -> bool:
        """Whether the message has this button, and not only a client that claims it."""
        return self.tokens is None or self.token in self.tokens


@dataclass(frozen=True, slots=True)
class PrivateChatOpened:
    """A person opened the private chat to see their hand, coming from `room` if that is known.

    Or they ask there for a link to the live table `table_id`.
    """

    user: User
    room: RoomRef | None
    table_id: int | None = None


@dataclass(frozen=True, slots=True)
class MemberLeft:
    """A person left a room with all its topics, or was removed from it."""

    user: UserRef
    room: RoomRef


@dataclass(frozen=True, slots=True)
class Reply:
    """The answer to a command, press or opened private chat; parts that are None are not shown."""

    # A sentence for the asker alone, cut at `Limits.toast` characters in the answer to a press. A chat
    # without private notices shows the toast of a command publicly, so it never holds a secret.
    toast: str | None = None
    # A screen for the asker alone. It replaces the message of the press if only the asker sees that one,
    # else it is sent as privately as the chat can; it is never shown publicly.
    secret: Screen | None = None
    public: Screen | None = None  # a screen for the room
    # Shown publicly in place of `secret` when the asker cannot be written to.
    invitation: Screen | None = None
    # A file that goes with `public`, or else to the asker alone with `secret`.
    document: Document | None = None
    open_private: bool = False  # lead the asker to the private chat, where the chat has such a step
    # A screen that concerns the asker alone, though it is no secret: shown to them alone in the room
    # where the chat can, else to the room.
    ephemeral: Screen | None = None
    # A screen in place of the pressed message, for all readers of that one: it is no secret.
    replacement: Screen | None = None
    # Whether the pressed message is no longer of use: `replacement` is beside a picture that a chat
    # can't take away without the message.
    ends_message: bool = False
    form: Form | None = None  # choices for the asker alone, in a chat that shows forms (`Limits.forms`)
    # The language that the asker has just chosen, in which a chat continues with its own sentences.
    language: str = ""
    review: GameRef | None = None  # the game whose review a chat with pages of games opens for the asker
    # Whether `secret` is in a message that the bot keeps up to date: a chat that is busy may leave
    # it out (`NOT_SENT`), and the newest is sent in its turn.
    is_followed: bool = False
    # The table to which a link in `secret` or `ephemeral` leads: a chat that frames live tables itself shows
    # it in place of the link.
    live_table: int | None = None
    # The reason why nothing was done, as a word for counters and the log; empty where something was.
    refusal: str = field(default="", compare=False)
    # Gives more replies, to be shown one after the other; that may take long, and begins when this reply
    # has been shown.
    later: Callable[[], Awaitable[Sequence["Reply"]]] | None = None

    @property
    def public_document(self) -> Document | None:
        """The document, if it goes to the room."""
        return self.document if self.public is not None else None

    @property
    def secret_document(self) -> Document | None:
        """The document, if it is for the asker alone."""
        return self.document if self.public is None else None

    @property
    def secret_message(self) -> Screen | None:
        """The new message for the asker alone: a document needs one, though it may be empty."""
        return Screen(()) if self.secret is None and self.secret_document is not None else self.secret
