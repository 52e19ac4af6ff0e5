"""The two sides: what the bot asks of a chat, and what a chat reports to the bot."""

from collections.abc import Collection, Sequence
from typing import Protocol

from adapters.port.commands import Suggestion
from adapters.port.events import Command, Press, PrivateChatOpened, Reply, Typing
from adapters.port.limits import Budgets, Limits
from adapters.port.outcomes import Delivery
from adapters.port.refs import MessageRef, RoomRef, ServerRef, UserRef
from adapters.port.screens import Audience, Screen


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

    async def post(self, audience: Audience, screen: Screen, key: str = "") -> Delivery:
        """Send a new message.

        `key` (at most 25 characters) names it: a chat that can tell gives back the message that it got with
        this key a moment ago, as it was, and shows no second one. Empty: nobody will ask again.
        """
        ...

    async def edit(self, ref: MessageRef, screen: Screen) -> Delivery:
        """Make a message show `screen` and nothing of what it showed; an unchanged message is `Delivered`."""
        ...

    async def delete(self, ref: MessageRef) -> Delivery:
        """Remove a message; one that is gone already is `Delivered`."""
        ...

    async def is_moderator(self, user: UserRef, room: RoomRef) -> bool:
        """Return whether this person may manage messages in the room; False when the chat cannot say."""
        ...


class Inbox(Protocol):
    """What a chat reports. The bot answers within a second; it raises nothing."""

    async def command(self, command: Command) -> Reply:
        """Somebody typed a command."""
        ...

    async def suggest(self, typing: Typing) -> Sequence[Suggestion]:
        """Say what somebody could be typing, the likeliest first."""
        ...

    async def press(self, press: Press) -> Reply:
        """Somebody pressed a button."""
        ...

    async def added(self, room: RoomRef, locale: str) -> Reply:
        """Somebody has added the bot to a room, or to the server that it belongs to; they speak `locale`."""
        ...

    async def private_chat_opened(self, event: PrivateChatOpened) -> Reply:
        """Somebody opened the private chat."""
        ...

    def press_answered(self, press: Press, reply: Reply, delivery: Delivery) -> None:
        """Report what became of a press's `reply.private`: once after each press that was given one."""
        ...

    def command_answered(self, command: Command, reply: Reply, delivery: Delivery) -> None:
        """Report what became of a command's `reply.private` that was shown where it was typed."""
        ...

    def public_answered(self, command: Command, reply: Reply, delivery: Delivery) -> None:
        """Report what became of `reply.public`, the answer to a command that has an `answer_key`."""
        ...

    def event_skipped(self, platform: str, event: str, error: Exception) -> None:
        """Report an event that could not be read, by its id or kind; nothing of what it held."""
        ...

    async def room_moved(self, old: RoomRef, new: RoomRef) -> None:
        """A room goes on under a new id."""
        ...

    async def became_unreachable(self, where: RoomRef | UserRef) -> None:
        """The bot may no longer write in this room (its topics included), or to this person."""
        ...

    async def became_reachable(self, where: RoomRef | UserRef) -> None:
        """The bot may write in this room (and in its topics), or to this person, perhaps again."""
        ...


class Adapter(ChatPort, Protocol):
    """A chat with its life cycle."""

    @property
    def ready(self) -> bool:
        """Whether the chat is connected and events arrive."""
        ...

    async def run(self, inbox: Inbox) -> None:
        """Connect, announce the commands, and deliver events until cancelled.

        Reconnects by itself after network trouble. After anything unforeseen it is called again.

        Raises:
            AccessDeniedError: The platform does not accept the token.
        """
        ...

    def private_server(self, user: UserRef) -> ServerRef | None:
        """Return the community that is this person's own chat with the bot, where the chat has such."""
        ...

    async def forget_person(self, user: UserRef, names: Collection[str]) -> Collection[MessageRef]:
        """Forget what the chat itself keeps about a person who was shown under these `names`.

        Nothing reaches them any more until they come again. Gives the messages that do not show any more what
        they were sent to show.
        """
        ...


class AccessDeniedError(Exception):
    """The platform refused the credentials; the message names the setting to mend."""
