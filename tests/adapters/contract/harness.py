"""The interface of each chat's harness, and the inbox that records the adapter's events."""

import asyncio
import time
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field
from enum import Enum, auto
from typing import Protocol

from adapters.port import (
    Adapter,
    Audience,
    Command,
    Delivery,
    Document,
    Limits,
    MemberLeft,
    MessageRef,
    Offer,
    PinTrouble,
    Press,
    PrivateChatOpened,
    Reply,
    RoomRef,
    Screen,
    ServerRef,
    Suggestion,
    Throttled,
    Typing,
    User,
    UserRef,
)


class Trait(Enum):
    """A feature of some chats only; the tests that need it are skipped in the others."""

    OPT_IN = auto()  # a person can forbid the bot to write to them
    THROTTLES = auto()  # the chat can answer "too many requests"
    EXPELS = auto()  # the bot can be removed from a room
    FORGETS = auto()  # a message can vanish behind the bot's back
    MODERATORS = auto()  # some people manage the room
    CONNECTION = auto()  # the line to the chat can break
    TOKENS = auto()  # the chat can refuse the bot's token
    RIGHTS = auto()  # each event names the rights that the bot lacks in its room
    KEYS = auto()  # the chat recognises a message by the key it was posted with
    MESSAGES = auto()  # messages follow one another, and people type some; a view shows one table alone


@dataclass(frozen=True)
class Seen:
    """A message as a person sees it now.

    Attributes:
        key: The same for the same message before and after an edit.
        text: Everything readable, without markup: body or caption.
        buttons: Labels of the enabled buttons, row by row.
        picture: The picture of the message.
        document: Name and content of the attached file.
    """

    key: str
    text: str
    buttons: tuple[tuple[str, ...], ...] = ()
    picture: bytes | None = None
    document: tuple[str, bytes] | None = None

    @property
    def labels(self) -> tuple[str, ...]:
        return tuple(label for row in self.buttons for label in row)


@dataclass(frozen=True)
class Answer:
    """The answer to a press: its private notice, and whether it led to the private chat."""

    toast: str | None = None
    led: bool = False


class Surface(Protocol):
    """The part of an adapter that the contract covers; a view has no other."""

    @property
    def platform(self) -> str:
        """The platform's name."""

    @property
    def limits(self) -> Limits:
        """The size of one message."""

    @property
    def ready(self) -> bool:
        """Whether the adapter receives events."""

    async def post(
        self, audience: Audience, screen: Screen, key: str = "", document: Document | None = None
    ) -> Delivery:
        """Sends a new message."""

    async def edit(self, ref: MessageRef, screen: Screen) -> Delivery:
        """Replaces the content of a message."""

    async def delete(self, ref: MessageRef) -> Delivery:
        """Removes a message."""

    async def is_moderator(self, user: UserRef, room: RoomRef) -> bool:
        """Returns whether this person may manage messages in the room."""

    async def is_member(self, user: UserRef, room: RoomRef) -> bool | None:
        """Returns whether this person can read the room."""

    async def portrait_of(self, user: UserRef) -> bytes | None:
        """Fetches the picture that a person shows of themselves."""

    async def may_pin(self, room: RoomRef) -> bool | None:
        """Returns whether the bot may pin messages in the room."""

    async def pin(self, ref: MessageRef, *, is_pinned: bool) -> PinTrouble | Throttled | None:
        """Pins a message, or unpins it."""


class Harness(Protocol):
    """A chat with simulated people, and a real adapter in it that runs and reports to `inbox`.

    The `UserRef` that `newcomer` returns identifies a person. Newcomers are in the room and accept messages.
    """

    @property
    def traits(self) -> frozenset[Trait]:
        """The features of this chat."""

    @property
    def adapter(self) -> Surface:
        """The running adapter."""

    @property
    def inbox(self) -> "ListeningInbox":
        """The inbox that it reports to."""

    @property
    def room(self) -> RoomRef:
        """The room of everyone."""

    async def newcomer(self, name: str, *, moderator: bool = False) -> UserRef:
        """Adds a person to the room; they accept private messages of the bot."""

    async def types(self, who: UserRef, text: str) -> None:
        """Types a command such as `/stats week` in the room; a chat without typing fills its fields."""

    async def presses(self, who: UserRef, seen: Seen, label: str) -> Answer:
        """Presses the button with this label, and returns when the chat has shown the answer."""

    async def opens_private(self, who: UserRef) -> None:
        """Opens the private chat from the room, as `PrivateChatButton` or a lead does."""

    def room_sees(self) -> tuple[Seen, ...]:
        """Returns the messages that everyone in the room sees now, oldest first."""

    def sees_alone(self, who: UserRef) -> tuple[Seen, ...]:
        """Returns the messages that only this person sees, private and ephemeral ones, oldest first."""

    async def block_private_messages(self, who: UserRef) -> None:
        """Forbids the bot to write to this person (trait OPT_IN)."""

    async def throttle(self, seconds: float) -> None:
        """Refuses the next message or edit in the room until `seconds` have passed (trait THROTTLES)."""

    async def forget(self, seen: Seen) -> None:
        """Deletes a message behind the bot's back (trait FORGETS)."""

    async def expel(self) -> None:
        """Removes the bot from the room (trait EXPELS)."""

    async def readmit(self) -> None:
        """Brings the bot back into the room (trait EXPELS)."""

    async def let_pin(self, *, is_allowed: bool) -> None:
        """Gives the bot the right to pin messages in the room, or takes it away (`Limits.pin_right`)."""

    async def let_write(self, *, is_allowed: bool) -> None:
        """Gives the bot the right to write in the room, or takes it away (trait RIGHTS)."""

    async def show_portrait(self, who: UserRef, picture: bytes) -> None:
        """Gives a person this picture (`Limits.portraits`)."""

    async def break_connection(self) -> None:
        """Breaks the connection; the adapter can reconnect at once (trait CONNECTION)."""

    async def restart(self) -> None:
        """Cancels the adapter, and runs a new one with the same settings and inbox."""

    def stranger(self) -> Adapter:
        """Returns an adapter with a token that the chat refuses (trait TOKENS)."""


@dataclass
class ListeningInbox:
    """An inbox that records every event, and replies as the test has set."""

    reply: Reply = field(default_factory=Reply)
    private_chat_reply: Reply = field(default_factory=Reply)
    welcome: Reply = field(default_factory=Reply)
    slow_for: UserRef | None = None
    answer: Callable[[Command | Press], Awaitable[Reply]] | None = None  # in place of `reply`
    may_answer: asyncio.Event = field(default_factory=asyncio.Event)
    commands: list[Command] = field(default_factory=list)
    pressed: list[Press] = field(default_factory=list)
    rooms_added: list[tuple[RoomRef, str]] = field(default_factory=list)
    private_chats_opened: list[PrivateChatOpened] = field(default_factory=list)
    answers: list[tuple[Press, Reply, Delivery]] = field(default_factory=list)
    shown_alone: list[tuple[Command, Reply, Delivery]] = field(default_factory=list)
    typed: list[Typing] = field(default_factory=list)
    suggestions: Sequence[Suggestion] = ()
    asked_for_offers: list[tuple[User, str]] = field(default_factory=list)
    to_offer: Sequence[Offer] = ()
    on_record: dict[tuple[str, str], User] = field(default_factory=dict)
    tables: dict[RoomRef, int] = field(default_factory=dict)
    shown_to_all: list[tuple[Command, Reply, Delivery]] = field(default_factory=list)
    shown_to_all_by_press: list[tuple[Press, Reply, Delivery]] = field(default_factory=list)
    shown_ephemerally: list[tuple[Press, Reply, Delivery]] = field(default_factory=list)
    rights_changed_on: list[ServerRef] = field(default_factory=list)
    languages_came_to: list[RoomRef] = field(default_factory=list)
    moved_rooms: list[tuple[RoomRef, RoomRef]] = field(default_factory=list)
    joined_rooms: list[tuple[ServerRef, RoomRef]] = field(default_factory=list)
    takes_moves: bool = True
    unreachable: list[RoomRef | UserRef] = field(default_factory=list)
    deleted: list[RoomRef] = field(default_factory=list)
    left: list[MemberLeft] = field(default_factory=list)
    shown_in_private: list[tuple[PrivateChatOpened, Reply, Delivery]] = field(default_factory=list)
    reachable: list[RoomRef | UserRef] = field(default_factory=list)
    skipped: list[tuple[str, str, str]] = field(default_factory=list)

    async def command(self, command: Command) -> Reply:
        self.commands.append(command)
        return self.reply if self.answer is None else await self.answer(command)

    async def suggest(self, typing: Typing) -> Sequence[Suggestion]:
        self.typed.append(typing)
        return self.suggestions

    async def offers(self, user: User, text: str) -> Sequence[Offer]:
        self.asked_for_offers.append((user, text))
        return self.to_offer

    async def slow_command(self, command: Command) -> Reply:
        await self.may_answer.wait()
        return await ListeningInbox.command(self, command)

    async def press(self, press: Press) -> Reply:
        self.pressed.append(press)
        if press.user.ref == self.slow_for:
            await self.may_answer.wait()
        return self.reply if self.answer is None else await self.answer(press)

    async def greet(self, room: RoomRef, locale: str) -> Reply:
        self.rooms_added.append((room, locale))
        return self.welcome

    async def find_person(self, platform: str, handle: str) -> User | None:
        return self.on_record.get((platform, handle))

    async def table_in(self, room: RoomRef) -> int | None:
        return self.tables.get(room)

    async def private_chat_opened(self, event: PrivateChatOpened) -> Reply:
        self.private_chats_opened.append(event)
        return self.private_chat_reply

    def private_chat_answered(self, event: PrivateChatOpened, reply: Reply, delivery: Delivery) -> None:
        self.shown_in_private.append((event, reply, delivery))

    def press_answered(self, press: Press, reply: Reply, delivery: Delivery) -> None:
        self.answers.append((press, reply, delivery))

    def command_answered(self, command: Command, reply: Reply, delivery: Delivery) -> None:
        self.shown_alone.append((command, reply, delivery))

    async def ephemeral_answered(self, event: Command | Press, reply: Reply, delivery: Delivery) -> None:
        if isinstance(event, Press):
            self.shown_ephemerally.append((event, reply, delivery))

    async def public_answered(self, event: Command | Press, reply: Reply, delivery: Delivery) -> None:
        if isinstance(event, Press):
            self.shown_to_all_by_press.append((event, reply, delivery))
        else:
            self.shown_to_all.append((event, reply, delivery))

    def event_skipped(self, platform: str, event: str, error: Exception) -> None:
        self.skipped.append((platform, event, type(error).__name__))

    async def room_moved(self, old: RoomRef, new: RoomRef) -> bool:
        self.moved_rooms.append((old, new))
        return self.takes_moves

    async def bot_joined(self, outside: ServerRef, room: RoomRef) -> bool:
        self.joined_rooms.append((outside, room))
        return self.takes_moves

    async def redraw_in_new_language(self, room: RoomRef) -> None:
        self.languages_came_to.append(room)

    async def rights_changed(self, server: ServerRef) -> None:
        self.rights_changed_on.append(server)

    async def became_unreachable(self, where: RoomRef | UserRef) -> None:
        self.unreachable.append(where)

    async def room_deleted(self, room: RoomRef) -> None:
        self.deleted.append(room)

    async def member_left(self, event: MemberLeft) -> None:
        self.left.append(event)

    async def became_reachable(self, where: RoomRef | UserRef) -> None:
        self.reachable.append(where)


async def eventually(holds: Callable[[], object], *, within: float = 10.0) -> None:
    """Waits until `holds` returns something true, and fails after `within` seconds."""
    deadline = time.monotonic() + within
    while not holds():
        assert time.monotonic() < deadline, "waited in vain"
        await asyncio.sleep(0.01)
