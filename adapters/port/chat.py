"""The two sides: `ChatPort` and `Adapter` for the bot, `Inbox` for a chat."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from enum import Enum, auto
from typing import Protocol, runtime_checkable

from adapters.port.badges import Badges
from adapters.port.events import Command, MemberLeft, Press, PrivateChatOpened, Reply, Suggestion, Typing
from adapters.port.limiter import Budgets, CallLimiter
from adapters.port.limits import Limits
from adapters.port.outcomes import Delivery, Throttled
from adapters.port.refs import MessageRef, RoomRef, ServerRef, User, UserRef
from adapters.port.screens import Audience, Document, Screen
from adapters.port.views import Door


class PinTrouble(Enum):
    """The reason why a message is not pinned."""

    NO_RIGHT = auto()  # the bot lacks `Limits.pin_right`
    FULL = auto()  # there can be no more pinned messages
    REFUSED = auto()  # anything else


class ChatPort(Protocol):
    """A chat, as the bot uses it; what becomes of a message is a result and never an exception."""

    @property
    def platform(self) -> str:
        """The platform's name in every ref: `discord`, `telegram`, `web`."""

    @property
    def limits(self) -> Limits:
        """What the chat can show, and the size of one message."""

    @property
    def budgets(self) -> Budgets:
        """The rate of messages to a chat; the sender keeps to it."""

    @property
    def calls(self) -> "CallLimiter":
        """Admits the calls of the whole bot; the sender asks it first."""

    async def post(
        self, audience: Audience, screen: Screen, key: str = "", document: Document | None = None
    ) -> Delivery:
        """Sends a new message, leaving out the picture or file if the chat cannot take it.

        `key` (at most 25 characters) makes posts idempotent where the chat supports that: another post with
        a recent key returns the existing message, unchanged. It is empty for posts that are never retried.
        """

    async def edit(self, ref: MessageRef, screen: Screen) -> Delivery:
        """Replaces the content of a message by `screen`; an unchanged message is `Delivered`.

        Where nothing can be edited (`Limits.edits`), each message is `Gone` for this, and for `delete`.
        """

    async def delete(self, ref: MessageRef) -> Delivery:
        """Removes a message; one that is gone already is `Delivered`."""

    async def pin(self, ref: MessageRef, *, is_pinned: bool) -> PinTrouble | Throttled | None:
        """Pins a message without a sound, or unpins it; None also for a message that is gone."""

    async def may_pin(self, room: RoomRef) -> bool | None:
        """Returns whether the bot may pin messages in the room; None if the chat can't tell."""

    def shows_alone_in(self, room: RoomRef) -> bool:
        """Returns whether a press in the room is known to be answered for the presser alone."""

    async def is_moderator(self, user: UserRef, room: RoomRef) -> bool:
        """Returns whether this person may manage messages in the room; False if the chat can't tell."""

    async def is_admin(self, user: UserRef, server: ServerRef) -> bool:
        """Returns whether this person moderates the whole server; False if the chat can't tell."""

    async def is_member(self, user: UserRef, room: RoomRef) -> bool | None:
        """Returns whether this person can read the room; None if the chat can't tell.

        In a room that the bot can't see, or whose server it has left, nobody counts as a reader.
        """


class Inbox(Protocol):
    """The bot, as a chat sees it. It should answer within a second and not raise; adapters survive both."""

    async def command(self, command: Command) -> Reply:
        """Answers a typed command."""

    async def find_person(self, platform: str, handle: str) -> User | None:
        """Returns the person with this handle, as far as they were ever put on record."""

    async def suggest(self, typing: Typing) -> Sequence[Suggestion]:
        """Suggests completions of an argument, the likeliest first."""

    async def press(self, press: Press) -> Reply:
        """Answers a pressed button."""

    async def table_in(self, room: RoomRef) -> int | None:
        """Returns the table that a room shows, for a frame that was opened there; None if it has none."""

    async def greet(self, room: RoomRef, locale: str) -> Reply:
        """Greets the room to which, or to whose server, the bot was added; they speak `locale` there."""

    async def private_chat_opened(self, event: PrivateChatOpened) -> Reply:
        """Answers a person in the private chat they have opened."""

    def private_chat_answered(self, event: PrivateChatOpened, reply: Reply, delivery: Delivery) -> None:
        """Reports the delivery of the `reply.secret` to an opened private chat."""

    def press_answered(self, press: Press, reply: Reply, delivery: Delivery) -> None:
        """Reports the delivery of a press's `reply.secret`: once after each press that got one."""

    def command_answered(self, command: Command, reply: Reply, delivery: Delivery) -> None:
        """Reports the delivery of a command's `reply.secret` in the room."""

    async def public_answered(self, event: Command | Press, reply: Reply, delivery: Delivery) -> None:
        """Reports the delivery of a `reply.public`."""

    async def ephemeral_answered(self, event: Command | Press, reply: Reply, delivery: Delivery) -> None:
        """Reports the delivery of a `reply.ephemeral`."""

    def event_skipped(self, platform: str, event: str, error: Exception) -> None:
        """Reports an unreadable event, by its id or kind and without its content."""

    async def room_moved(self, old: RoomRef, new: RoomRef) -> bool:
        """Moves a room to its new id; returns False where that failed and is to be reported again."""

    async def rights_changed(self, server: ServerRef) -> None:
        """Records that the bot's rights on a server may have changed, or its badges."""

    async def became_unreachable(self, where: RoomRef | UserRef) -> None:
        """Records that the bot may no longer write in this room and its topics, or to this person."""

    async def member_left(self, event: MemberLeft) -> None:
        """Records that a person is no longer in a room and its topics.

        A chat may report it twice, or not at all: then only `ChatPort.is_member` shows it.
        """

    async def room_deleted(self, room: RoomRef) -> None:
        """Records that a room is gone for good, with its topics."""

    async def language_came(self, room: RoomRef) -> None:
        """Records that a room of a `Multilingual` chat has a reader of another language than before."""

    async def became_reachable(self, where: RoomRef | UserRef) -> None:
        """Records that the bot may write in this room and its topics, or to this person, perhaps again."""


@dataclass(frozen=True, slots=True)
class Account:
    """The bot's own account on a platform.

    `problem` is the setting there that keeps the bot from working, in a sentence; empty if there is none.
    """

    name: str
    problem: str = ""


@runtime_checkable
class Multilingual(Protocol):
    """A chat that shows a public message to each reader in their language."""

    def languages_in(self, room: RoomRef) -> Collection[str]:
        """Returns the languages of those who read a room now."""


class Adapter(ChatPort, Protocol):
    """A chat with its life cycle."""

    @property
    def ready(self) -> bool:
        """Whether the chat is connected and events arrive."""

    @property
    def trouble(self) -> str:
        """The reason why the chat isn't ready, in a clause for the owner; empty where none is known yet."""

    async def run(self, inbox: Inbox) -> None:
        """Connects, announces the commands, and delivers events until cancelled.

        Reconnects by itself after network trouble. After anything unforeseen it is called again.
        The lines and presses of one person are handed over and answered in their order, unless an answer
        takes long (`AnswerOrder`); different people do not wait for one another.

        Raises:
            AccessDeniedError: The platform does not accept the token.
        """

    async def account(self) -> Account:
        """Asks the platform for the bot's account, without connecting for events.

        Raises:
            AccessDeniedError: The platform does not accept the token.
            UnreachableError: There is no answer.
        """

    @property
    def badges(self) -> Badges | None:
        """The badges of this chat, if it has any."""

    @property
    def door(self) -> Door | None:
        """The chat's own way to its live tables, where it has one."""

    async def can_answer_alone(self, press: Press) -> bool:
        """Returns whether the room can show the answer to a press on a public message to its presser alone.

        A chat that has not found out yet asks its server.
        """

    def name_of(self, server: ServerRef) -> str:
        """Returns the name that a community shows; empty where it isn't known, or there is none."""

    def way_to(self, table_id: int | None, room: RoomRef | None) -> str:
        """Returns the address at which a person asks this chat for the live table, if it has one.

        Without a table it is that of the bot, or of the chat; empty where there is none.
        """

    def private_server(self, user: UserRef) -> ServerRef | None:
        """Returns the community that is this person's own chat with the bot, where the chat has such."""

    async def forget_person(self, user: UserRef, names: Collection[str]) -> Collection[MessageRef]:
        """Deletes the chat's own data about a person shown under these `names`.

        A name that the bot's own sentences hold as a word, such as "the", is not among them. Nothing
        reaches the person until they come again. Returns the messages whose content was changed by that.
        """


class UnreachableError(Exception):
    """The platform can't be reached; the message is the reason, in a clause."""


class AccessDeniedError(Exception):
    """The platform refused the credentials; the message names the setting to mend."""
