"""Shows the bot's replies to commands, presses and opened private chats."""

import asyncio
import contextlib

import structlog
import telegram
from telegram.error import TelegramError

from adapters import port
from adapters.telegram.messages import MessageSender, Occasion, OutgoingMessage
from adapters.telegram.refs import PLATFORM, room_ref
from adapters.telegram.render import LIMITS, deep_link

log = structlog.get_logger()

ATTEMPTS = 3
LONGEST_WAIT = 60.0


class Replies:
    """Answers as privately as Telegram can: by a notice, by an edit in private, by a link to there."""

    def __init__(self, messages: MessageSender, calls: port.CallLimiter) -> None:
        self.messages = messages
        self.calls = calls
        self._closing = asyncio.Event()

    def open(self) -> None:
        """Wait for chats that are throttled."""
        self._closing.clear()

    def close(self) -> None:
        """Stop waiting for chats that are throttled."""
        self._closing.set()

    async def to_press(
        self, query: telegram.CallbackQuery, press: port.Press, reply: port.Reply, inbox: port.Inbox
    ) -> None:
        """Answer the query, and show the reply's messages at the same time."""
        alone: port.MessageRef | None = None
        is_led = False
        occasion = Occasion.of_press(press)
        if reply.private is not None and not press.is_private:
            if self.messages.ephemeral.may_hide(occasion):
                async with self.calls.turn(press.user.ref):  # the query is answered once this is known
                    alone = await self.messages.open_ephemeral(occasion, reply.private)
            is_led = alone is None
        elif reply.open_private and not press.is_private:
            is_led = not await self.messages.ephemeral.are_known_in(occasion)
        link = deep_link(press.room, self.messages.bot_name) if is_led else None
        toast = None if is_led and reply.open_private else reply.toast  # which says what to do here
        followed = reply.private if reply.is_followed else None
        verbs = PressReply(self, press, occasion, alone, followed)
        async with asyncio.TaskGroup() as tasks:
            tasks.create_task(_answer(query, toast, link))
            tasks.create_task(port.answer_press(press, reply, verbs, inbox))

    async def to_command(
        self, message: telegram.Message, command: port.Command, reply: port.Reply, inbox: port.Inbox
    ) -> None:
        """Answer in the room, and in private what is private."""
        room, asker = port.Everyone(command.room), port.Only(command.user.ref, command.room)
        occasion = Occasion.of_command(command, message)
        verbs = CommandReply(self, asker, room, room, occasion, reply_to=message.message_id)
        await port.answer_command(command, reply, verbs, inbox)

    async def to_private_chat_opened(self, event: port.PrivateChatOpened, reply: port.Reply) -> None:
        """Answer in the private chat that was opened; what is public goes to the room they came from."""
        own = room_ref(int(event.user.ref.id))
        room = event.room or own
        verbs = CommandReply(self, port.Only(event.user.ref, room), port.Everyone(room), port.Everyone(own))
        await port.answer_private_chat_opened(reply, verbs)

    async def to_arrival(self, room: port.RoomRef, reply: port.Reply) -> None:
        """Say in a room what belongs there first."""
        if reply.public is not None:
            await self.insist(OutgoingMessage(port.Everyone(room), reply.public))

    async def insist(self, message: OutgoingMessage) -> port.Delivery:
        """Send once; waits while the chat is throttled, as no one retries.

        A file is uploaded again only after a flood: any other trouble may be that it is too large.
        """
        for _ in range(ATTEMPTS):
            async with self.calls.turn(message.audience):
                delivery = await self.messages.post(message)
            if not isinstance(delivery, port.Throttled) or self._closing.is_set():
                break
            if message.document is not None and not delivery.is_flood:
                break
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(self._closing.wait(), min(delivery.retry_after, LONGEST_WAIT))
        if isinstance(delivery, port.Throttled) and message.document is not None:
            return await self.messages.post(message.without_document())
        return delivery


class CommandReply:
    """The reply to a command or to an opened private chat."""

    platform = PLATFORM
    limits = LIMITS
    is_public_first = True

    def __init__(
        self,
        replies: Replies,
        asker: port.Only,
        room: port.Everyone,
        notices: port.Everyone,
        occasion: Occasion | None = None,
        *,
        reply_to: int | None = None,
    ) -> None:
        self._replies = replies
        self._asker = asker
        self._room = room
        self._notices = notices
        self._occasion = occasion
        self._reply_to = reply_to

    async def notify(self, toast: str) -> port.Delivery | None:
        """Show a notice where the asker wrote: here that is a message."""
        return await self.send_personal(port.Screen((port.Span(toast),)))

    async def send_personal(self, screen: port.Screen) -> port.Delivery:
        """Show the asker a message where they wrote."""
        message = OutgoingMessage(self._notices, screen, reply_to=self._reply_to, alone=self._occasion)
        return await self._replies.insist(message)

    async def show_private(self, screen: port.Screen, document: port.Document | None) -> port.Delivery:
        """Show the asker a message where they wrote, if they alone see what they wrote."""
        if self._occasion is None or not self._occasion.command:
            return port.WAITS_IN_PRIVATE
        alone = await self._replies.messages.open_ephemeral(self._occasion, screen, document)
        return port.WAITS_IN_PRIVATE if alone is None else port.Delivered(alone)

    async def send_private(self, screen: port.Screen, document: port.Document | None) -> port.Delivery:
        """Send the asker a message in their private chat."""
        return await self._replies.insist(OutgoingMessage(self._asker, screen, document))

    async def send_public(self, screen: port.Screen, document: port.Document | None) -> port.Delivery:
        """Send the room a message."""
        return await self._replies.insist(OutgoingMessage(self._room, screen, document))


class PressReply(CommandReply):
    """The reply to a pressed button."""

    def __init__(
        self,
        replies: Replies,
        press: port.Press,
        occasion: Occasion,
        alone: port.MessageRef | None,
        followed: port.Screen | None,
    ) -> None:
        room = port.Everyone(press.room)
        super().__init__(replies, port.Only(press.user.ref, press.room), room, room, occasion)
        self._press = press
        self._alone = alone
        self._followed = followed

    async def notify(self, toast: str) -> None:
        """Do nothing: the answer to the query shows the notice."""

    async def show_private(self, screen: port.Screen, document: port.Document | None) -> port.Delivery:
        """Say where the presser was shown this: it had to be before their press was answered."""
        del screen, document
        return port.WAITS_IN_PRIVATE if self._alone is None else port.Delivered(self._alone)

    async def replace(self, screen: port.Screen) -> port.Delivery:
        """Show a screen in the pressed message, or in a new one: a picture cannot become text.

        One that is followed is shown only if it need not wait.
        """
        messages, calls = self._replies.messages, self._replies.calls
        if screen is self._followed and calls.would_wait():
            return port.NOT_SENT
        async with calls.turn(self._room):
            delivery = await messages.edit(self._press.message, screen)
        if not (isinstance(delivery, port.Gone) and delivery.what is port.Lost.MESSAGE):
            return delivery
        if (alone := await messages.open_ephemeral(Occasion.of_press(self._press), screen)) is not None:
            return port.Delivered(alone)
        return await messages.post(OutgoingMessage(self._asker, screen))


async def _answer(query: telegram.CallbackQuery, toast: str | None, link: str | None) -> None:
    """Answer the query: once; failures are harmless."""
    try:
        await query.answer(text=toast[: LIMITS.toast] if toast else None, url=link)
    except TelegramError as error:
        log.debug("answer_lost", platform=PLATFORM, error=type(error).__name__)
