"""The neutral vocabulary between the bot and the chats.

A chat adapter implements `Adapter`; the bot implements `Inbox`. Nothing here names a platform: what one chat
cannot do is an outcome (`NeedsOptIn`, `Gone`), never a special case in the bot.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import Enum, auto
from typing import Protocol

# --- who and where ---------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class ServerRef:
    """A community of players with one leaderboard: a Discord server, a Telegram group."""

    platform: str
    id: str


@dataclass(frozen=True, slots=True)
class RoomRef:
    """A place where a table can stand: a channel, a thread, a group, a forum topic (`topic` empty: none)."""

    server: ServerRef
    id: str
    topic: str = ""


@dataclass(frozen=True, slots=True)
class UserRef:
    """A person, by the platform's stable id; never by name."""

    platform: str
    id: str


@dataclass(frozen=True, slots=True)
class User:
    """A person in an event: `name` is raw and may be hostile, `locale` is like `de`; each may be empty."""

    ref: UserRef
    name: str
    locale: str = ""


@dataclass(frozen=True, slots=True)
class MessageRef:
    """A message that can be edited or deleted later; `opaque` (at most 120 characters) is its adapter's."""

    platform: str
    opaque: str


# --- what is shown ---------------------------------------------------------------------------------------


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
    message where the chat has addresses for messages, and is plain text elsewhere.
    """

    text: str
    mark: Mark = Mark.PLAIN
    mention: UserRef | None = None
    link: MessageRef | None = None


class Tone(Enum):
    """What a button means, for chats that colour them."""

    NEUTRAL = auto()
    PRIMARY = auto()
    GOOD = auto()
    DANGER = auto()


@dataclass(frozen=True, slots=True)
class Choice:
    """A button; `token` (at most 64 bytes of UTF-8) comes back in the `Press`."""

    token: str
    label: str
    tone: Tone = Tone.NEUTRAL
    enabled: bool = True


@dataclass(frozen=True, slots=True)
class OpenPrivate:
    """A button that opens the private chat with the bot and leads to a `Peek` from `room` there.

    A chat that needs no such step leaves it out.
    """

    label: str
    room: RoomRef


Button = Choice | OpenPrivate


@dataclass(frozen=True, slots=True)
class Picture:
    """A PNG and the same facts in words."""

    png: bytes = field(repr=False)
    alt: str


@dataclass(frozen=True, slots=True)
class Screen:
    """One message: text, perhaps a picture, rows of buttons; equal states give equal screens."""

    body: tuple[Span, ...]
    rows: tuple[tuple[Button, ...], ...] = ()
    picture: Picture | None = None


@dataclass(frozen=True, slots=True)
class Everyone:
    """Everybody who can read the room."""

    room: RoomRef


@dataclass(frozen=True, slots=True)
class Only:
    """One person; `room` is where they play, for chats that whisper inside a room."""

    user: UserRef
    room: RoomRef


Audience = Everyone | Only

# --- what comes in ---------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Command:
    """A typed command: `name` without the slash, `args` split at spaces, people mentioned in it."""

    user: User
    room: RoomRef
    name: str
    args: tuple[str, ...] = ()
    mentioned: tuple[User, ...] = ()


@dataclass(frozen=True, slots=True)
class Press:
    """A pressed button and the message it hung on."""

    user: User
    room: RoomRef
    token: str
    message: MessageRef


@dataclass(frozen=True, slots=True)
class Peek:
    """A wish to see the own hand: somebody opened the private chat, coming from `room` (or from nowhere)."""

    user: User
    room: RoomRef | None


@dataclass(frozen=True, slots=True)
class Reply:
    """The answer to a command, press or peek; what is None is not shown.

    Attributes:
        toast: A sentence for the asker alone, cut at `Limits.toast` characters in the answer to a press. A
            chat without private notices shows the toast of a command publicly, so it never holds a secret.
        private: A screen for the asker alone. It replaces the message of the press if only the asker sees
            that one, else it is sent as privately as the chat can; it is never shown publicly.
        public: A screen for the room.
        invitation: Shown publicly in place of `private` when the asker cannot be written to.
        open_private: Lead the asker to the private chat, where the chat has such a step.
    """

    toast: str | None = None
    private: Screen | None = None
    public: Screen | None = None
    invitation: Screen | None = None
    open_private: bool = False


# --- what became of a message ----------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Delivered:
    """It is there; `ref` edits it."""

    ref: MessageRef


@dataclass(frozen=True, slots=True)
class NeedsOptIn:
    """This person has not allowed the bot to write to them."""

    user: UserRef


@dataclass(frozen=True, slots=True)
class Throttled:
    """Not now: try again after `retry_after` seconds. Network trouble and server errors are this, too."""

    retry_after: float


class Lost(Enum):
    """What is gone."""

    MESSAGE = auto()  # post it again
    ROOM = auto()  # the bot was removed, the room deleted, the right to write taken away
    CONTENT = auto()  # the chat refuses this content: sending it again would be refused again


@dataclass(frozen=True, slots=True)
class Gone:
    """It cannot be delivered; `why` is for the log and holds nothing private."""

    what: Lost
    why: str


Delivery = Delivered | NeedsOptIn | Throttled | Gone

# --- what a chat can carry -------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Limits:
    """Numbers only: how much one message holds, in characters; read by paging and shortening alone."""

    buttons: int
    per_row: int
    label: int
    body: int
    toast: int


@dataclass(frozen=True, slots=True)
class Budget:
    """How often one chat may be written to: `burst` messages at once, then one each `seconds`."""

    seconds: float
    burst: int


@dataclass(frozen=True, slots=True)
class Budgets:
    """The budgets of one room and of one private chat."""

    public: Budget
    private: Budget


# --- commands, as the chats announce them ----------------------------------------------------------------


class ArgumentKind(Enum):
    """What a command's argument may be."""

    TEXT = auto()
    CHOICE = auto()
    PERSON = auto()


@dataclass(frozen=True, slots=True)
class ArgumentSpec:
    """One optional argument of a command: `choices` for CHOICE only."""

    name: str
    summary: str
    kind: ArgumentKind = ArgumentKind.TEXT
    choices: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class CommandSpec:
    """A command for the chat's menu; `summaries` holds the translations of `summary` by locale."""

    name: str
    summary: str
    arguments: tuple[ArgumentSpec, ...] = ()
    summaries: Mapping[str, str] = field(default_factory=dict)


# --- the two sides ---------------------------------------------------------------------------------------


class ChatPort(Protocol):
    """What the bot may ask of a chat. Four verbs; none raises for what a chat can do to a message."""

    @property
    def platform(self) -> str:
        """The platform's name in every ref: `discord`, `telegram`, `web`."""
        ...

    @property
    def limits(self) -> Limits:
        """How much one message holds."""
        ...

    @property
    def budgets(self) -> Budgets:
        """How often a chat may be written to; who sends keeps to it."""
        ...

    async def post(self, audience: Audience, screen: Screen) -> Delivery:
        """Send a new message."""
        ...

    async def edit(self, ref: MessageRef, screen: Screen) -> Delivery:
        """Make a message show `screen` and nothing of what it showed; an unchanged message is `Delivered`."""
        ...

    async def delete(self, ref: MessageRef) -> Delivery:
        """Remove a message; one that is gone already is `Delivered`."""
        ...

    async def is_moderator(self, user: UserRef, room: RoomRef) -> bool:
        """Whether this person may manage messages (or more) in the room; False when the chat cannot say."""
        ...


class Inbox(Protocol):
    """What a chat reports. The bot answers within a second; it raises nothing."""

    async def command(self, command: Command) -> Reply:
        """Somebody typed a command."""
        ...

    async def press(self, press: Press) -> Reply:
        """Somebody pressed a button."""
        ...

    async def peek(self, peek: Peek) -> Reply:
        """Somebody opened the private chat."""
        ...

    def answered(self, press: Press, reply: Reply, delivery: Delivery) -> None:
        """Report what became of a press's `reply.private`: once after each press that was given one."""
        ...

    async def moved(self, old: RoomRef, new: RoomRef) -> None:
        """A room goes on under a new id."""
        ...

    async def removed(self, where: RoomRef | UserRef) -> None:
        """The bot may no longer write in this room (its topics included), or to this person."""
        ...

    async def returned(self, where: RoomRef | UserRef) -> None:
        """The bot may write in this room, or to this person, again."""
        ...


class Adapter(ChatPort, Protocol):
    """A chat with its life cycle."""

    @property
    def ready(self) -> bool:
        """Whether the chat is connected and events arrive."""
        ...

    async def run(self, inbox: Inbox) -> None:
        """Connect, announce the commands, and deliver events until cancelled.

        Reconnects by itself after network trouble.

        Raises:
            AccessDenied: The platform does not accept the token.
        """
        ...


class AccessDenied(Exception):  # noqa: N818 - it names an outcome, like the others
    """The platform refused the credentials; the message names the setting to mend."""
