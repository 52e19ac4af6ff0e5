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
    """Shows replies as privately as Telegram can: by a notice, an ephemeral message, or in private."""

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
        """Answers the query of a press, and shows the reply's messages at the same time."""
        occasion = Occasion(press.room, press.user.ref, query=press.id)
        delivery: port.Delivery = port.WAITS_IN_PRIVATE
        is_led = False

        # The query's answer may have to lead to the private chat, so that has to be found out first.
        if reply.secret is not None and not press.on_private_message:
            if self.messages.ephemeral.may_try(occasion):
                async with self.calls.turn(press.user.ref):
                    delivery = await self.messages.post_secret(occasion, reply.secret)
            is_led = delivery is port.WAITS_IN_PRIVATE
        elif reply.open_private and not press.on_private_message:
            is_led = not await self.messages.ephemeral.takes_secrets(occasion)

        link = self.link_to_private(press.room) if is_led else None
        toast = None if is_led and reply.open_private else reply.toast  # the toast is about staying here
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
            tasks.create_task(answer_query(query, toast, link))
            tasks.create_task(port.answer_press(press, reply, verbs, inbox))

    async def to_command(
        self, message: telegram.Message, command: port.Command, reply: port.Reply, inbox: port.Inbox
    ) -> None:
        """Shows the reply to a command: public parts in the room, private ones as privately as possible."""
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
        """Answers in the opened private chat; public parts go to the room that the person came from."""
        own = room_ref(int(event.user.ref.id))
        room = event.room or own
        verbs = CommandReply(
            replies=self,
            asker=port.Only(event.user.ref, room),
            room=port.Everyone(room),
            notices=port.Everyone(own),
        )
        await port.answer_private_chat_opened(event, reply, verbs, inbox)

    def link_to_private(self, room: port.RoomRef) -> str:
        """Returns the address that opens the private chat, and names the room it is opened from."""
        return deep_link(room, self.messages.bot_name)

    async def insist(self, message: OutgoingMessage) -> port.Delivery:
        """Sends a message that is not retried elsewhere: waits while the chat is throttled.

        A file is uploaded again only after a flood error, as other trouble may mean that it is too large.
        Finally an apology is sent in its place.
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
    """Implements `ReplyVerbs` for commands and opened private chats; notices are messages in `notices`."""

    platform = PLATFORM
    limits = LIMITS
    is_public_first = True

    replies: Replies
    asker: port.Only
    room: port.Everyone
    notices: port.Everyone
    occasion: Occasion | None = None

    async def notify(self, toast: str) -> port.Delivery | None:
        """Shows a notice as a message where the asker wrote."""
        return await self.show_ephemeral(port.Screen((port.Span(toast),)))

    async def show_ephemeral(self, screen: port.Screen) -> port.Delivery:
        """Shows a message where the asker wrote, to them alone if possible."""
        message = OutgoingMessage(self.notices, screen, occasion=self.occasion)
        return await self.replies.insist(message)

    async def show_secret(self, screen: port.Screen, document: port.Document | None) -> port.Delivery:
        """Shows a secret where the asker wrote, if only they see their command there."""
        if self.occasion is None or not self.occasion.hidden_command:
            return port.WAITS_IN_PRIVATE
        return await self.replies.messages.post_secret(self.occasion, screen, document)

    async def send_secret(self, screen: port.Screen, document: port.Document | None) -> port.Delivery:
        """Sends a message to the asker's private chat."""
        return await self.replies.insist(OutgoingMessage(self.asker, screen, document))

    async def send_public(self, screen: port.Screen, document: port.Document | None) -> port.Delivery:
        """Sends a message to the room."""
        return await self.replies.insist(OutgoingMessage(self.room, screen, document))


@dataclass(kw_only=True)
class PressReply(CommandReply):
    """Implements `PressVerbs`; a secret in the room was shown before, with the delivery `shown`."""

    occasion: Occasion
    press: port.Press
    reply: port.Reply
    shown: port.Delivery

    async def notify(self, toast: str) -> None:
        """Does nothing, as the answer to the query shows the notice."""

    async def show_secret(self, screen: port.Screen, document: port.Document | None) -> port.Delivery:
        """Returns the delivery of the secret, which was shown already."""
        del screen, document
        return self.shown

    async def replace(self, screen: port.Screen) -> port.Delivery:
        """Shows a screen in the pressed message; if that cannot be edited, in a new one for the asker.

        A picture cannot become text, so the message is then removed if it is the asker's own. A secret that
        the outbox keeps up to date is shown only if it need not wait (`NOT_SENT`).
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


async def answer_query(
    query: telegram.CallbackQuery, toast: str | None, link: str | None, *, is_alert: bool = False
) -> None:
    """Answers the query, without a retry: failures are harmless. An alert stays until it is closed."""
    try:
        text = toast[: LIMITS.toast] if toast else None
        await query.answer(text=text, url=link, show_alert=is_alert and text is not None)
    except TelegramError as error:
        log.debug("answer_lost", platform=PLATFORM, error=type(error).__name__)
