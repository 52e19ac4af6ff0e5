"""Shows the bot's replies to commands, presses and opened private chats."""

import asyncio
import contextlib
from dataclasses import dataclass

import structlog
import telegram
from telegram.error import TelegramError

from adapters import port
from adapters.telegram.ephemeral import Occasion
from adapters.telegram.messages import NOT_TEXT, MessageSender, OutgoingMessage
from adapters.telegram.refs import PLATFORM, ephemeral_id_of, room_ref
from adapters.telegram.render import LIMITS, deep_link

log = structlog.get_logger()

ATTEMPTS = 3
MAX_WAIT_SECONDS = 60.0


class Replies:
    """Answers as privately as Telegram can: by a notice, by an edit in private, by a link to there."""

    def __init__(self, messages: MessageSender, calls: port.CallLimiter) -> None:
        self.messages = messages
        self.calls = calls
        self._closing = asyncio.Event()

    def close(self) -> None:
        """Stops waiting for chats that are throttled."""
        self._closing.set()

    async def to_press(
        self, query: telegram.CallbackQuery, press: port.Press, reply: port.Reply, inbox: port.Inbox
    ) -> None:
        """Answers the query, and shows the reply's messages at the same time."""
        occasion = Occasion(press.room, press.user.ref, query=press.id)
        delivery: port.Delivery = port.WAITS_IN_PRIVATE
        is_led = False

        # The query is answered once it is known whether its answer has to lead to the private chat.
        if reply.secret is not None and not press.on_private_message:
            if self.messages.ephemeral.may_try(occasion):
                async with self.calls.turn(press.user.ref):
                    delivery = await self.messages.post_secret(occasion, reply.secret)
            is_led = delivery is port.WAITS_IN_PRIVATE
        elif reply.open_private and not press.on_private_message:
            is_led = not await self.messages.ephemeral.takes_secrets(occasion)

        link = deep_link(press.room, self.messages.bot_name) if is_led else None
        toast = None if is_led and reply.open_private else reply.toast  # it explains how to continue here
        room = port.Everyone(press.room)
        verbs = PressReply(
            replies=self,
            asker=port.Only(press.user.ref, press.room),
            room=room,
            notices=room,
            occasion=occasion,
            press=press,
            reply=reply,
            shown=delivery,
        )

        async with asyncio.TaskGroup() as tasks:
            tasks.create_task(_answer(query, toast, link))
            tasks.create_task(port.answer_press(press, reply, verbs, inbox))

    async def to_command(
        self, message: telegram.Message, command: port.Command, reply: port.Reply, inbox: port.Inbox
    ) -> None:
        """Answers in the room, and private parts in private."""
        room = port.Everyone(command.room)
        asker = port.Only(command.user.ref, command.room)
        occasion = Occasion(
            command.room,
            command.user.ref,
            hidden_command=ephemeral_id_of(message) or 0,
            message=message.message_id,
        )

        verbs = CommandReply(replies=self, asker=asker, room=room, notices=room, occasion=occasion)
        await port.answer_command(command, reply, verbs, inbox)

    async def to_private_chat_opened(
        self, event: port.PrivateChatOpened, reply: port.Reply, inbox: port.Inbox
    ) -> None:
        """Answers in the private chat that was opened; public parts go to the room they came from."""
        own = room_ref(int(event.user.ref.id))
        room = event.room or own
        verbs = CommandReply(
            replies=self,
            asker=port.Only(event.user.ref, room),
            room=port.Everyone(room),
            notices=port.Everyone(own),
        )
        await port.answer_private_chat_opened(event, reply, verbs, inbox)

    async def insist(self, message: OutgoingMessage) -> port.Delivery:
        """Sends once; waits while the chat is throttled, as no one retries.

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
                await asyncio.wait_for(self._closing.wait(), min(delivery.retry_after, MAX_WAIT_SECONDS))

        if isinstance(delivery, port.Throttled) and message.document is not None:
            return await self.messages.post(message.without_document())

        return delivery


@dataclass(kw_only=True)
class CommandReply:
    """The reply to a command or to an opened private chat; a notice is a message where the asker wrote."""

    platform = PLATFORM
    limits = LIMITS
    is_public_first = True

    replies: Replies
    asker: port.Only
    room: port.Everyone
    notices: port.Everyone
    occasion: Occasion | None = None

    async def notify(self, toast: str) -> port.Delivery | None:
        """Shows a notice where the asker wrote: here that is a message."""
        return await self.show_ephemeral(port.Screen((port.Span(toast),)))

    async def show_ephemeral(self, screen: port.Screen) -> port.Delivery:
        """Shows the asker a message where they wrote."""
        message = OutgoingMessage(self.notices, screen, occasion=self.occasion)
        return await self.replies.insist(message)

    async def show_secret(self, screen: port.Screen, document: port.Document | None) -> port.Delivery:
        """Shows the asker a message where they wrote, if they alone see their own message there."""
        if self.occasion is None or not self.occasion.hidden_command:
            return port.WAITS_IN_PRIVATE
        return await self.replies.messages.post_secret(self.occasion, screen, document)

    async def send_secret(self, screen: port.Screen, document: port.Document | None) -> port.Delivery:
        """Sends the asker a message in their private chat."""
        return await self.replies.insist(OutgoingMessage(self.asker, screen, document))

    async def send_public(self, screen: port.Screen, document: port.Document | None) -> port.Delivery:
        """Sends the room a message."""
        return await self.replies.insist(OutgoingMessage(self.room, screen, document))


@dataclass(kw_only=True)
class PressReply(CommandReply):
    """The reply to a pressed button; its secret was shown in the room before the press was answered."""

    occasion: Occasion
    press: port.Press
    reply: port.Reply
    shown: port.Delivery

    async def notify(self, toast: str) -> None:
        """Does nothing: the answer to the query shows the notice."""

    async def show_secret(self, screen: port.Screen, document: port.Document | None) -> port.Delivery:
        """Returns the delivery of the secret that was shown already."""
        del screen, document
        return self.shown

    async def replace(self, screen: port.Screen) -> port.Delivery:
        """Shows a screen in the pressed message, or in a new one: a picture cannot become text.

        The picture goes only where the presser alone saw it. A secret that will be followed by newer ones is
        shown only if it need not wait.
        """
        messages = self.replies.messages
        calls = self.replies.calls
        is_secret = screen is self.reply.secret
        if is_secret and self.reply.is_followed and calls.would_wait():
            return port.NOT_SENT

        message = self.press.message
        is_own_message = is_secret and self.press.on_private_message
        show = messages.edit if is_own_message else messages.replace
        async with calls.turn(self.room):
            delivery = await show(message, screen)
            if delivery is NOT_TEXT and self.reply.ends_message:
                delivery = await messages.caption(message, screen)

        is_gone = isinstance(delivery, port.Gone) and delivery.what is port.Lost.MESSAGE
        if not is_gone:
            return delivery

        alone: port.Delivery | None
        if is_secret:
            alone = await messages.post_secret(self.occasion, screen)
        else:
            alone = await messages.post_notice(self.occasion, screen)

        if isinstance(alone, port.Delivered):
            return alone

        return await messages.post(OutgoingMessage(self.asker, screen))


async def _answer(query: telegram.CallbackQuery, toast: str | None, link: str | None) -> None:
    """Answers the query: once; failures are harmless."""
    try:
        text = toast[: LIMITS.toast] if toast else None
        await query.answer(text=text, url=link)
    except TelegramError as error:
        log.debug("answer_lost", platform=PLATFORM, error=type(error).__name__)
