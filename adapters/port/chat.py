"""The two sides of the port: the bot calls `ChatPort` and `Adapter`, a chat calls `Inbox`."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from enum import Enum, auto
from typing import Protocol, runtime_checkable

from adapters.port.badges import Badges
from adapters.port.events import (
    Command,
    MemberLeft,
    Offer,
    Press,
    PrivateChatOpened,
    Reply,
    Suggestion,
    Typing,
)
from adapters.port.limiter import Budgets, CallLimiter
from adapters.port.limits import Limits
from adapters.port.outcomes import Delivery, Throttled
from adapters.port.refs import MessageRef, RoomRef, ServerRef, User, UserRef
from adapters.port.screens import Audience, Document, Screen
from adapters.port.views import Door


class PinTrouble(Enum):
    """The reason why a message is not pinned."""

    NO_RIGHT = auto()  # the bot lacks `Limits.pin_right`
    FULL = auto()  # the room has as many pinned messages as it can
    REFUSED = auto()  # anything else


class ChatPort(Protocol):
    """A chat, as the bot uses it; the fate of a message is a result, never an exception."""

    @property
    def platform(self) -> str:
        """The platform's name in every ref: `discord`, `telegram`, `web`."""

    @property
    def limits(self) -> Limits:
        """What the chat can show, and the size of one message."""

    @property
    def budgets(self) -> Budgets:
        """The budgets of messages to one chat; the sender must keep to them."""

    @property
    def calls(self) -> "CallLimiter":
        """The limiter of the whole bot's calls; the sender must ask it before each call."""

    async def post(
        self, audience: Audience, screen: Screen, key: str = "", document: Document | None = None
    ) -> Delivery:
        """Sends a new message, leaving out the picture or file if the chat cannot take it.

        `key` (at most 25 characters) makes posts idempotent if the chat supports that: another post with a
        recent key returns the existing message, unchanged. The key is empty for posts that are never retried.
        """

    async def edit(self, ref: MessageRef, screen: Screen) -> Delivery:
        """Replaces the content of a message by `screen`; an unchanged message is `Delivered`.

        In a chat without edits (`Limits.edits`) this and `delete` always return `Gone`.
        """

    async def delete(self, ref: MessageRef) -> Delivery:
        """Removes a message; `Delivered` also if it is already gone."""

    async def pin(self, ref: MessageRef, *, is_pinned: bool) -> PinTrouble | Throttled | None:
        """Pins a message silently, or unpins it; returns None on success and for a message that is gone."""

    async def may_pin(self, room: RoomRef) -> bool | None:
        """Returns whether the bot may pin messages in the room; None if the chat can't tell."""

    def shows_alone_in(self, room: RoomRef) -> bool:
        """Returns whether the chat is known to answer a press in the room for the asker alone."""

    async def is_moderator(self, user: UserRef, room: RoomRef) -> bool:
        """Returns whether this person may manage messages in the room; False if the chat can't tell."""

    async def is_admin(self, user: UserRef, server: ServerRef) -> bool:
        """Returns whether this person moderates the whole server; False if the chat can't tell."""

    async def is_member(self, user: UserRef, room: RoomRef) -> bool | None:
        """Returns whether this person can read the room; None if the chat can't tell.

        In a room that the bot cannot see, or on a server that it has left, nobody counts as a reader.
        """


class Inbox(Protocol):
    """The bot, as a chat sees it.

    Methods should return within a second and not raise. Adapters must nevertheless survive one that is slow
    or raises.
    """

    async def command(self, command: Command) -> Reply:
        """Answers a typed command."""

    async def find_person(self, platform: str, handle: str) -> User | None:
        """Returns the person with this handle, if the bot has ever recorded them."""

    async def suggest(self, typing: Typing) -> Sequence[Suggestion]:
        """Suggests completions of an argument, the likeliest first."""

    async def offers(self, user: User, text: str) -> Sequence[Offer]:
        """Returns messages that a person who typed this `text` can send to any chat, the likeliest first."""

    async def press(self, press: Press) -> Reply:
        """Answers a pressed button."""

    async def table_in(self, room: RoomRef) -> int | None:
        """Returns the table that a room shows, for a frame opened there; None if there is none."""

    async def greet(self, room: RoomRef, locale: str) -> Reply:
        """Greets a room after the bot was added to it or to its server; `locale` is its language."""

    async def private_chat_opened(self, event: PrivateChatOpened) -> Reply:
        """Answers a person who opened their private chat."""

    def private_chat_answered(self, event: PrivateChatOpened, reply: Reply, delivery: Delivery) -> None:
        """Reports the delivery of `reply.secret` after a private chat was opened."""

    def press_answered(self, press: Press, reply: Reply, delivery: Delivery) -> None:
        """Reports the delivery of `reply.secret`, once for each press answered with one."""

    def command_answered(self, command: Command, reply: Reply, delivery: Delivery) -> None:
        """Reports the delivery of `reply.secret` in the room, after a command."""

    async def public_answered(self, event: Command | Press, reply: Reply, delivery: Delivery) -> None:
        """Reports the delivery of `reply.public`."""

    async def ephemeral_answered(self, event: Command | Press, reply: Reply, delivery: Delivery) -> None:
        """Reports the delivery of `reply.ephemeral`."""

    def event_skipped(self, platform: str, event: str, error: Exception) -> None:
        """Reports an unreadable event, by its id or kind and without its content."""

    async def room_moved(self, old: RoomRef, new: RoomRef) -> bool:
        """Moves a room to its new id; returns False if that failed and must be reported again."""

    async def bot_joined(self, outside: ServerRef, room: RoomRef) -> bool:
        """Moves the leaderboard of an outside chat to the chat of `room`, now that the bot is a member.

        Returns False if the caller has to report it again, as after an error or while a game runs outside.
        """

    async def rights_changed(self, server: ServerRef) -> None:
        """Records that the bot's rights or the badges on a server may have changed."""

    async def became_unreachable(self, where: RoomRef | UserRef) -> None:
        """Records that the bot may no longer write in this room and its topics, or to this person."""

    async def member_left(self, event: MemberLeft) -> None:
        """Records that a person is no longer in a room and its topics.

        A chat may report this twice, or never: then only `ChatPort.is_member` reveals it.
        """

    async def room_deleted(self, room: RoomRef) -> None:
        """Records that a room is gone for good, with its topics."""

    async def redraw_in_new_language(self, room: RoomRef) -> None:
        """Redraws the tables of a `Multilingual` chat's room, which gained a reader of a new language."""

    async def became_reachable(self, where: RoomRef | UserRef) -> None:
        """Records that the bot may (again) write in this room and its topics, or to this person."""


@dataclass(frozen=True, slots=True)
class Account:
    """The bot's own account on a platform.

    `problem` is a sentence about a platform setting that keeps the bot from working; empty if none does.
    `works_outside`: people can call the bot in chats that it is not a member of; None if the platform has
    none. `warning` is a sentence about a platform setting that an owner may have chosen on purpose.
    """

    name: str
    problem: str = ""
    works_outside: bool | None = None
    warning: str = ""


@runtime_checkable
class Multilingual(Protocol):
    """A chat that shows a public message to each reader in their language."""

    def languages_in(self, room: RoomRef) -> Collection[str]:
        """Returns the languages of a room's current readers."""


class Chat(ChatPort, Protocol):
    """A chat with everything that the bot needs from it."""

    @property
    def user_platform(self) -> str:
        """The platform in the refs of its people."""

    @property
    def badges(self) -> Badges | None:
        """The badges of this chat, if it has any."""

    @property
    def door(self) -> Door | None:
        """The chat's own way to its live tables, if it has one."""

    async def can_answer_alone(self, press: Press) -> bool:
        """Returns whether the room can show the asker alone the answer to a press on a public message.

        Asks the platform if that is not known yet.
        """

    def name_of(self, server: ServerRef) -> str:
        """Returns a community's display name; empty if it has none or it is unknown."""

    async def portrait_of(self, user: UserRef) -> bytes | None:
        """Fetches the picture that a person shows of themselves in this chat, as the platform keeps it.

        Returns None if they show none, or hide it. Where `Limits.portraits` is False, nobody shows any.

        Raises:
            OSError: It did not come, or has more than `MAX_PORTRAIT` bytes.
        """

    def way_to(self, table_id: int | None, room: RoomRef | None) -> str:
        """Returns an address that leads back into this chat, to where the bot gives a link to a live table.

        `room` is the room of the table. Without a table, returns the address of the bot or of the chat. Empty
        if there is none.
        """

    def private_server(self, user: UserRef) -> ServerRef | None:
        """Returns the community that is this person's private chat with the bot, if the chat has those."""

    async def forget_person(self, user: UserRef, names: Collection[str]) -> Collection[MessageRef]:
        """Deletes the chat's own data about a person who was shown under these `names`.

        The caller leaves out names that are words of the bot's own sentences, such as "the". Nothing reaches
        the person until they come back. Returns the messages that this changed.
        """


class Adapter(Chat, Protocol):
    """A connection to a platform. As a `Chat`, it covers the rooms that the bot is a member of."""

    @property
    def outside(self) -> Chat | None:
        """The rooms that the bot is not a member of, if people can call it there."""

    @property
    def ready(self) -> bool:
        """Whether the chat is connected and events arrive."""

    @property
    def trouble(self) -> str:
        """The reason why the chat isn't ready, as a clause for the owner; empty if it is not known yet."""

    async def run(self, inbox: Inbox) -> None:
        """Connects, announces the commands, and delivers events until cancelled.

        Reconnects by itself after network trouble; after any other error the caller calls it again.
        The commands and presses of one person are handed over and answered in order, unless an answer
        takes long (`AnswerOrder`). Different people do not wait for one another.

        Raises:
            AccessDeniedError: The platform does not accept the token.
        """

    async def account(self) -> Account:
        """Requests the bot's account from the platform, without connecting for events.

        Raises:
            AccessDeniedError: The platform does not accept the token.
            UnreachableError: The platform does not answer.
        """


class UnreachableError(Exception):
    """The platform cannot be reached; the message is the reason, as a clause."""


class AccessDeniedError(Exception):
    """The platform refused the credentials; the message names the setting to fix."""
