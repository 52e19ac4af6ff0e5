"""Shows the bot's replies to commands, presses and opened private chats."""

import asyncio
import contextlib

import structlog
import telegram
from telegram.error import TelegramError

from adapters.port import (
    Command,
    Delivery,
    Document,
    Everyone,
    Gone,
    Inbox,
    Lost,
    NeedsOptIn,
    Only,
    Press,
    PrivateChatOpened,
    Reply,
    Screen,
    Span,
    Throttled,
)
from adapters.telegram.messages import MessageSender, OutgoingMessage
from adapters.telegram.refs import PLATFORM, room_ref
from adapters.telegram.render import LIMITS, deep_link

log = structlog.get_logger()

ATTEMPTS = 3
LONGEST_WAIT = 60.0


class Replies:
    """Answers as privately as Telegram can: by a notice, by an edit in private, by a link to there."""

    def __init__(self, messages: MessageSender) -> None:
        self._messages = messages
        self._closing = asyncio.Event()

    def open(self) -> None:
        """Wait for chats that are throttled."""
        self._closing.clear()

    def close(self) -> None:
        """Stop waiting for chats that are throttled."""
        self._closing.set()

    async def to_press(self, query: telegram.CallbackQuery, press: Press, reply: Reply, inbox: Inbox) -> None:
        """Answer the query, and show what belongs to the answer."""
        is_private = press.is_private
        leads = not is_private and (reply.open_private or reply.private is not None)
        link = deep_link(press.room, self._messages.bot_name) if leads else None
        async with asyncio.TaskGroup() as tasks:
            tasks.create_task(_answer(query, reply.toast, link))
            if is_private and reply.private is not None:
                tasks.create_task(self._replace(press, reply, reply.private, inbox))
            elif reply.private is not None:
                # It is shown behind the link that the presser was given.
                inbox.press_answered(press, reply, Gone(Lost.MESSAGE, "the private chat has to be opened"))
            if reply.public is not None:
                tasks.create_task(
                    self._insist(OutgoingMessage(Everyone(press.room), reply.public, reply.document))
                )
            elif reply.document is not None:
                tasks.create_task(self._hand_over(press, reply, reply.document, is_private=is_private))

    async def to_command(self, message_id: int, command: Command, reply: Reply) -> None:
        """Answer in the room, and in private what is private."""
        room = Everyone(command.room)
        if reply.toast:
            await self._insist(OutgoingMessage(room, _notice(reply.toast), reply_to=message_id))
        if reply.public is not None:
            await self._insist(OutgoingMessage(room, reply.public, reply.public_document))
        delivery: Delivery | None = None
        if reply.private_message is not None:
            asker = Only(command.user.ref, command.room)
            delivery = await self._insist(
                OutgoingMessage(asker, reply.private_message, reply.private_document)
            )
        wants_private = isinstance(delivery, NeedsOptIn) or (
            reply.private_message is None and reply.open_private
        )
        if wants_private and reply.invitation is not None:
            await self._insist(OutgoingMessage(room, reply.invitation))

    async def to_private_chat_opened(self, event: PrivateChatOpened, reply: Reply) -> None:
        """Answer in the private chat that was opened; what is public goes to the room they came from."""
        own = room_ref(int(event.user.ref.id))
        if reply.toast:
            await self._insist(OutgoingMessage(Everyone(own), _notice(reply.toast)))
        if reply.private_message is not None:
            await self._insist(
                OutgoingMessage(
                    Only(event.user.ref, event.room or own), reply.private_message, reply.private_document
                )
            )
        if reply.public is not None:
            await self._insist(
                OutgoingMessage(Everyone(event.room or own), reply.public, reply.public_document)
            )

    async def _replace(self, press: Press, reply: Reply, screen: Screen, inbox: Inbox) -> None:
        """Show the private part of an answer in the pressed message, or anew: no picture becomes text."""
        delivery = await self._messages.edit(press.message, screen)
        if isinstance(delivery, Gone) and delivery.what is Lost.MESSAGE:
            delivery = await self._messages.post(OutgoingMessage(Only(press.user.ref, press.room), screen))
        inbox.press_answered(press, reply, delivery)

    async def _hand_over(self, press: Press, reply: Reply, document: Document, *, is_private: bool) -> None:
        """Send a document to the presser alone; in private its screen stands there already."""
        screen = None if is_private else reply.private
        asker = Only(press.user.ref, press.room)
        delivery = await self._insist(OutgoingMessage(asker, screen or Screen(()), document))
        if isinstance(delivery, NeedsOptIn) and reply.invitation is not None:
            await self._insist(OutgoingMessage(Everyone(press.room), reply.invitation))

    async def _insist(self, letter: OutgoingMessage) -> Delivery:
        """Send what nobody will send again: wait while the chat is throttled."""
        for _ in range(ATTEMPTS):
            delivery = await self._messages.post(letter)
            if not isinstance(delivery, Throttled) or self._closing.is_set():
                break
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(self._closing.wait(), min(delivery.retry_after, LONGEST_WAIT))
        if isinstance(delivery, Gone | Throttled):
            log.debug("reply_lost", platform=PLATFORM, outcome=type(delivery).__name__)
        return delivery


async def _answer(query: telegram.CallbackQuery, toast: str | None, link: str | None) -> None:
    """Answer the query: once, and whatever happens to it later is nobody's loss."""
    try:
        await query.answer(text=toast[: LIMITS.toast] if toast else None, url=link)
    except TelegramError as error:
        log.debug("answer_lost", platform=PLATFORM, error=type(error).__name__)


def _notice(text: str) -> Screen:
    return Screen((Span(text),))
