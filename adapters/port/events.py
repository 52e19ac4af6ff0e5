"""Events of a chat, such as commands and presses, and the replies to them."""

from collections.abc import Awaitable, Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from enum import Enum, auto

from adapters.port.limits import Limits
from adapters.port.refs import MessageRef, RoomRef, User, UserRef
from adapters.port.screens import Document, Form, GameRef, Question, Screen


class ArgumentKind(Enum):
    """The kind of a command's argument."""

    TEXT = auto()
    CHOICE = auto()
    PERSON = auto()
    SUGGESTED = auto()  # any text; the bot suggests completions, in chats that ask for them
    FILE = auto()


@dataclass(frozen=True, slots=True)
class ArgumentChoice:
    """A value of an argument, with its label for people; `labels` holds the translations by locale."""

    value: str
    label: str
    labels: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class ArgumentSpec:
    """An optional argument of a command. Only CHOICE has `choices`; `CommandSpec` explains `summaries`."""

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


COMMAND_SIGN = "/"  # the first character of a button's token in an offer; a command follows


@dataclass(frozen=True, slots=True)
class Offer:
    """A message that somebody can send to any chat, with its title and summary in a list of such messages.

    The token of a `CallbackButton` on the screen begins with `COMMAND_SIGN`; a press gives that command.
    """

    title: str
    summary: str
    screen: Screen


class CommandScope(Enum):
    """The readers of a command menu."""

    PRIVATE = auto()  # a person in their private chat with the bot
    GROUP = auto()  # the members of a group
    ADMIN = auto()  # the admins of a group


@dataclass(frozen=True, slots=True)
class CommandSpec:
    """A command for the chat's menu; `summaries` holds the translations of `summary` by locale.

    The answer to a command that `is_secret` is for the asker alone. `scopes` are the menus that offer the
    command, in a chat with several; it works even where no menu offers it. `on_person` is its name in the
    menu on a person (who then counts as mentioned), in chats with such menus; `on_person_in` holds its
    translations.
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
    """A file that came with a command; `size` is in bytes.

    `fetch` returns its content, and raises OSError if the chat does not provide it.
    """

    name: str
    size: int
    fetch: Callable[[], Awaitable[bytes]] = field(repr=False, compare=False)


@dataclass(frozen=True, slots=True)
class Command:
    """A typed command: `name` without the slash, `args` split at spaces, and the people mentioned.

    `id` is the chat's own id of this event: no spaces, at most 64 characters, not chosen by the sender.
    `missing_rights` are the rights that a table needs and the bot lacks in the room, as the chat's own
    settings call them; empty also if the chat does not report them. `can_reply_ephemerally`: the chat can
    show a message in the room to the asker alone. `is_in_place`: a button gave the command, and the answer
    replaces the pressed message. `answer_key` is the key by which the chat recognizes the public part of the
    answer, as in `ChatPort.post`; empty if that part is a message like any other.
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
    # The mentioned people whom the chat does not confirm to be in the room.
    strangers: frozenset[UserRef] = frozenset()


@dataclass(frozen=True, slots=True)
class Typing:
    """An argument that is being typed, with the `text` so far; `others` are the command's other arguments."""

    user: User
    room: RoomRef
    command: str
    argument: str
    text: str
    others: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Press:
    """A pressed button and its message; `id` and `missing_rights` are as in `Command`.

    `room` is the message's room, as the chat reports it; `token` may be forged. `on_private_message`: only
    the asker sees the message. `tokens` are those of the message's buttons, as the chat reports them now;
    if it does not, they are empty, or None for a message that only the asker sees. `text` answers the
    `Reply.question` of an earlier press on this button; it is empty at first. `view` holds the limits of the
    view in which the button was pressed. A view is not a message of the chat: the chat cannot edit it, and a
    press there does not show where the bot may write.
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
    text: str = ""

    @property
    def is_shown(self) -> bool:
        """Whether the message really has this button; a client could claim any."""
        return self.tokens is None or self.token in self.tokens


@dataclass(frozen=True, slots=True)
class PrivateChatOpened:
    """A person opened the private chat, to see their hand or to get a link to the live table `table_id`.

    They came from `room`, if that is known.
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

    # A sentence for the asker alone, cut at `Limits.toast` characters after a press. A chat without private
    # notices shows the toast of a command publicly, so a toast never contains a secret.
    toast: str | None = None
    # A screen for the asker alone, never shown publicly. It replaces the pressed message if only the asker
    # sees that; otherwise it is sent as privately as the chat can.
    secret: Screen | None = None
    public: Screen | None = None  # a screen for the room
    # Shown publicly in place of `secret` if the bot cannot write to the asker.
    invitation: Screen | None = None
    # A file, sent with `public` if there is one, and otherwise to the asker alone, with `secret`.
    document: Document | None = None
    open_private: bool = False  # whether to lead the asker to the private chat, if that has to be opened
    # A screen that concerns only the asker but is not secret: shown in the room, to them alone if possible.
    ephemeral: Screen | None = None
    # A screen in place of the pressed message, for all its readers; never a secret.
    replacement: Screen | None = None
    # Whether the pressed message is of no further use: a chat that cannot remove its picture without the
    # message then shows `replacement` beside the picture.
    ends_message: bool = False
    # A question for the asker to answer in a box, in chats that have those (`Limits.questions`). Nothing else
    # is then shown.
    question: Question | None = None
    form: Form | None = None  # choices for the asker alone, in a chat that shows forms (`Limits.forms`)
    # The language that the asker has just chosen, for the chat's own sentences from now on.
    language: str = ""
    review: GameRef | None = None  # a game: a chat with pages of games opens its review for the asker
    # Whether the bot keeps the message with `secret` up to date. A busy chat may then leave the screen
    # out (`NOT_SENT`); the newest one is sent when its turn comes.
    is_followed: bool = False
    # The table that a link in `secret` or `ephemeral` leads to; a chat that frames live tables shows the
    # table in place of the link.
    live_table: int | None = None
    # The reason why nothing was done, as a word for counters and the log; empty after a success.
    refusal: str = field(default="", compare=False)
    # Returns more replies, to be shown in order. It is called after this reply was shown, and may take long.
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
        """The screen for the asker alone; an empty one if there is only a document."""
        return Screen(()) if self.secret is None and self.secret_document is not None else self.secret
