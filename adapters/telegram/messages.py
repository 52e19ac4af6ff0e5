"""Sends, edits and deletes messages in Telegram's chats."""

import os
import time
from collections.abc import Awaitable, Callable
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import timedelta
from hashlib import blake2b
from typing import Any

from cachetools import LRUCache, TTLCache
from telegram import Bot, InputMediaPhoto, Message, ReplyParameters
from telegram.constants import ParseMode
from telegram.error import (
    BadRequest,
    ChatMigrated,
    EndPointNotFound,
    Forbidden,
    InvalidToken,
    RetryAfter,
    TelegramError,
)

from adapters.port import (
    Audience,
    Delivered,
    Delivery,
    Document,
    Gone,
    Lost,
    MessageRef,
    NeedsOptIn,
    Only,
    Screen,
    Throttled,
    UserRef,
    is_refused,
    unknown_recipient,
)
from adapters.telegram.ephemeral import EphemeralMessages, Occasion, address_of
from adapters.telegram.refs import PLATFORM, Address
from adapters.telegram.render import Rendered, fits_caption, render

# The library warns whenever it meets a flood error, unless one asks for durations this way.
os.environ.setdefault("PTB_TIMEDELTA", "true")

AFTER_TROUBLE = 3.0
"""Seconds to wait after an answer that did not come or made no sense."""

_MESSAGE_GONE = (
    "message to edit not found",
    "message to delete not found",
    "message can't be edited",
    "message can't be deleted",
    "message_id_invalid",
    "message not found",
)
_ROOM_GONE = (
    "chat not found",
    "peer_id_invalid",
    "message thread not found",
    "topic_deleted",
    "topic_closed",
    "not enough rights to send",
    "have no rights to send",
    "chat_write_forbidden",
    "chat_restricted",
    "chat_admin_required",
    "channel_private",
    "group chat was deactivated",
    "group is deactivated",
    "group chat was upgraded to a supergroup",
    "not in the chat",
    "chat_send_plain_forbidden",
    "user not found",
    "user_is_blocked",
    "input_user_deactivated",
)
_FILES_FORBIDDEN = (
    "not enough rights to send photos",
    "not enough rights to send documents",
    "not enough rights to send animations",
    "chat_send_photos_forbidden",
    "chat_send_docs_forbidden",
    "chat_send_gifs_forbidden",
)


def outcome_of(error: TelegramError, chat: int) -> Throttled | NeedsOptIn | Gone:
    """Return what became of a message that Telegram refused; a private chat's id is positive."""
    words = error.message.lower()
    closed = isinstance(error, Forbidden) or any(each in words for each in _ROOM_GONE)
    if isinstance(error, RetryAfter):
        return Throttled(seconds_of(error), is_flood=True)
    if closed and chat > 0:
        return NeedsOptIn(UserRef(PLATFORM, str(chat)))
    if closed:
        return Gone(Lost.ROOM, error.message)
    if any(each in words for each in _MESSAGE_GONE):
        return Gone(Lost.MESSAGE, error.message)
    if isinstance(error, BadRequest) or "entity too large" in words:
        return Gone(Lost.CONTENT, error.message)
    return Throttled(AFTER_TROUBLE)  # a refused token, too: that ends the polling, which says so


def seconds_of(error: RetryAfter) -> float:
    """Return how long Telegram wants to be left alone."""
    asked = error.retry_after
    return asked.total_seconds() if isinstance(asked, timedelta) else float(asked)


def is_unchanged(error: TelegramError) -> bool:
    """Return whether the message shows that already."""
    return "message is not modified" in error.message.lower()


def is_content_refused(error: TelegramError, chat: int) -> bool:
    """Return whether the same message without its file may be taken, or by another method."""
    words = error.message.lower()
    is_unknown_method = isinstance(error, InvalidToken) and "not found" in words
    is_forbidden = any(each in words for each in _FILES_FORBIDDEN)
    return is_unknown_method or is_forbidden or is_refused(outcome_of(error, chat))


def has_no_text(error: TelegramError) -> bool:
    """Return whether text was meant for a message that is a picture or a document."""
    return "there is no text in the message" in error.message.lower()


# --- Sends, edits and deletes messages in Telegram's chats ---


REMEMBERED_PICTURES = 1024
PICTURES_AGAIN_AFTER = 600.0
"""Seconds for which a chat is remembered that took no picture."""

REMEMBERED_TOPICS = 10_000
WITHOUT_PREVIEW = {"link_preview_options": {"is_disabled": True}}
"""A parameter as the Bot API describes it, which the library need not translate for each message."""


@dataclass(frozen=True, slots=True)
class OutgoingMessage:
    """A new message; `reply_to` is the id of the one that it answers.

    `alone`: it concerns one person, so it is hidden from all others where the server can do that.
    """

    audience: Audience
    screen: Screen
    document: Document | None = None
    reply_to: int | None = None
    alone: Occasion | None = None

    def without_document(self) -> "OutgoingMessage":
        """Return the message with an apology for its document, which the chat does not take."""
        screen = self.document.left_out_of(self.screen) if self.document else self.screen
        return replace(self, screen=replace(screen, picture=None), document=None)


class MessageSender:
    """Sends for one bot.

    `on_migrated` is told when a group turns out to have a new id. `bot_name` is empty until the bot knows its
    name; nothing can be sent before.
    """

    def __init__(self, bot: Bot, on_migrated: Callable[[int, int], Awaitable[None]]) -> None:
        self._bot = bot
        self.ephemeral = EphemeralMessages(bot)
        self._on_migrated = on_migrated
        self._pictures = LRUCache[MessageRef, bytes](REMEMBERED_PICTURES)
        self._without_pictures = TTLCache[int, bool](
            REMEMBERED_PICTURES, PICTURES_AGAIN_AFTER, time.monotonic
        )
        self.private_topics = LRUCache[int, int](REMEMBERED_TOPICS)
        self.bot_name = ""

    async def post(self, outgoing: OutgoingMessage) -> Delivery:
        """Send a new message; its document follows where text and document do not fit together."""
        if outgoing.alone is not None and self.ephemeral.may_hide(outgoing.alone):
            delivery = await self._post(outgoing)
            if not isinstance(delivery, Gone):
                return delivery
            self.ephemeral.note_refused(outgoing.alone)
        return await self._post(replace(outgoing, alone=None))

    async def _post(self, outgoing: OutgoingMessage) -> Delivery:
        audience, screen = outgoing.audience, outgoing.screen
        if outgoing.document is not None and (screen.picture is not None or not fits_caption(screen.text)):
            delivery = await self.post(replace(outgoing, document=None))
            if isinstance(delivery, Delivered):
                await self.post(OutgoingMessage(audience, Screen(()), outgoing.document))
            return delivery
        if not self.bot_name:
            return Throttled(AFTER_TROUBLE)
        try:
            chat, topic = self._address(audience)
        except ValueError:
            return unknown_recipient(audience)
        if isinstance(audience, Only) and chat <= 0:
            return NeedsOptIn(audience.user)  # an anonymous administrator: their id is the whole group's
        shown = self._render(screen, chat)
        try:
            sent = await self._send_to(chat, topic, shown, outgoing)
        except TelegramError as error:
            if outgoing.document is not None and is_content_refused(error, chat):
                return await self.post(outgoing.without_document())
            if shown.png is not None and is_content_refused(error, chat):
                return await self._without_picture(chat, lambda: self.post(outgoing))
            return outcome_of(error, chat)
        if screen.reaction:
            with suppress(TelegramError):  # the group may not want reactions
                await self._bot.set_message_reaction(sent.chat.id, sent.message_id, screen.reaction)
        ref = self._ref_of(sent, outgoing.alone)
        self._remember(ref, shown)
        return Delivered(ref)

    async def edit(self, ref: MessageRef, screen: Screen) -> Delivery:
        """Make a message show `screen`.

        Text can become a picture, and a picture another one. A picture cannot become text:
        the message is removed and reported gone.
        """
        if not self.bot_name:
            return Throttled(AFTER_TROUBLE)
        address = Address.of(ref)
        chat, shown = address.chat, self._render(screen, address.chat)
        try:
            await self._edit(address, shown)
        except TelegramError as error:
            if has_no_text(error):
                removal = await self.delete(ref)
                return removal if isinstance(removal, Throttled) else Gone(Lost.MESSAGE, error.message)
            if shown.png is not None and not is_unchanged(error) and is_content_refused(error, chat):
                return await self._without_picture(chat, lambda: self.edit(ref, screen))
            if not is_unchanged(error):
                return await self._refusal(error, ref)
        self._remember(ref, shown)
        return Delivered(ref)

    def _render(self, screen: Screen, chat: int) -> Rendered:
        """Return the message that shows `screen` in a chat, as text where no picture is taken."""
        if chat in self._without_pictures:
            screen = replace(screen, picture=None)
        return render(screen, self.bot_name)

    async def _without_picture(self, chat: int, send: Callable[[], Awaitable[Delivery]]) -> Delivery:
        """Send as text what was refused with its picture, as all else in that chat for a while."""
        self._without_pictures[chat] = True
        delivery = await send()
        if is_refused(delivery):
            del self._without_pictures[chat]  # the picture was not to blame
        return delivery

    async def delete(self, ref: MessageRef) -> Delivery:
        """Remove a message; one too old to be removed loses its buttons."""
        if not self.bot_name:
            return Throttled(AFTER_TROUBLE)
        self._pictures.pop(ref, None)
        try:
            await self._delete(Address.of(ref))
        except TelegramError as error:
            refusal = await self._refusal(error, ref)
            gone = isinstance(refusal, Gone) and refusal.what is Lost.MESSAGE
            return Delivered(ref) if gone else refusal
        return Delivered(ref)

    async def _refusal(self, error: TelegramError, ref: MessageRef) -> Delivery:
        address = Address.of(ref)
        if address.receiver is not None and isinstance(error, BadRequest | EndPointNotFound):
            return Gone(Lost.MESSAGE, error.message)  # whatever it is, a new press helps
        if isinstance(error, ChatMigrated):  # old messages have no place in the new chat
            await self._on_migrated(address.chat, error.new_chat_id)
            return Gone(Lost.MESSAGE, error.message)
        return outcome_of(error, address.chat)

    async def _send(
        self, chat: int, topic: int | None, shown: Rendered, outgoing: OutgoingMessage
    ) -> Message:
        document = outgoing.document
        reply, extras = None, dict[str, Any](reply_markup=shown.keyboard)
        if outgoing.alone is not None:
            extras |= outgoing.alone.parameters
        if outgoing.reply_to:
            reply = ReplyParameters(outgoing.reply_to, allow_sending_without_reply=True)
        if document is not None:
            send = self._bot.send_animation if document.is_animation else self._bot.send_document
            return await send(
                chat,
                document.content,
                caption=shown.html or None,
                filename=document.name,
                parse_mode=ParseMode.HTML,
                api_kwargs=extras,
                message_thread_id=topic,
                reply_parameters=reply,
            )
        if shown.png is None:
            return await self._bot.send_message(
                chat,
                shown.html,
                ParseMode.HTML,
                api_kwargs=extras | WITHOUT_PREVIEW,
                message_thread_id=topic,
                reply_parameters=reply,
            )
        return await self._bot.send_photo(
            chat,
            shown.png,
            caption=shown.html,
            parse_mode=ParseMode.HTML,
            api_kwargs=extras,
            message_thread_id=topic,
            reply_parameters=reply,
        )

    async def _send_to(
        self, chat: int, topic: int | None, shown: Rendered, outgoing: OutgoingMessage
    ) -> Message:
        """Send to a chat, under its new id if it has one, and beside a private topic that is gone."""
        try:
            return await self._send(chat, topic, shown, outgoing)
        except ChatMigrated as error:
            await self._on_migrated(chat, error.new_chat_id)
            moved = replace(outgoing, reply_to=None, alone=None)
            return await self._send(error.new_chat_id, topic, shown, moved)
        except BadRequest as error:
            if self.private_topics.pop(chat, None) is None or "thread not found" not in error.message:
                raise
            return await self._send(chat, None, shown, outgoing)

    def _ref_of(self, sent: Message, alone: Occasion | None) -> MessageRef:
        address = address_of(sent)
        if alone is not None and address.receiver is None:
            self.ephemeral.note_ignored(alone)
        return address.ref

    async def open_ephemeral(
        self, occasion: Occasion, screen: Screen, document: Document | None = None
    ) -> MessageRef | None:
        """Show a message to one person in the room; None where that cannot be."""
        if not self.bot_name:
            return None
        return await self.ephemeral.open(occasion, render(screen, self.bot_name), document)

    async def _edit(self, address: Address, shown: Rendered) -> None:
        if address.receiver is not None:
            await self.ephemeral.edit(address, shown)
        elif shown.png is None:
            await self._bot.edit_message_text(
                shown.html,
                address.chat,
                address.message,
                parse_mode=ParseMode.HTML,
                api_kwargs={"reply_markup": shown.keyboard, **WITHOUT_PREVIEW},
            )
        elif self._pictures.get(address.ref) == _digest(shown.png):  # no need to upload it again
            await self._bot.edit_message_caption(
                address.chat,
                address.message,
                caption=shown.html,
                parse_mode=ParseMode.HTML,
                api_kwargs={"reply_markup": shown.keyboard},
            )
        else:
            media = InputMediaPhoto(shown.png, shown.html, ParseMode.HTML)
            await self._bot.edit_message_media(
                media, address.chat, address.message, api_kwargs={"reply_markup": shown.keyboard}
            )

    async def _delete(self, address: Address) -> None:
        if address.receiver is not None:
            await self.ephemeral.delete(address)
            return
        try:
            await self._bot.delete_message(address.chat, address.message)
        except BadRequest as error:
            if "can't be deleted" not in error.message:
                raise
            await self._bot.edit_message_reply_markup(address.chat, address.message)

    def _address(self, audience: Audience) -> tuple[int, int | None]:
        """Return the chat's id, and the topic's: in private the one where the person last was."""
        if isinstance(audience, Only):
            person = int(audience.user.id)
            return person, self.private_topics.get(person)
        return int(audience.room.id), int(audience.room.topic) if audience.room.topic else None

    def _remember(self, ref: MessageRef, shown: Rendered) -> None:
        if shown.png is None:
            self._pictures.pop(ref, None)
        else:
            self._pictures[ref] = _digest(shown.png)


def _digest(png: bytes) -> bytes:
    return blake2b(png, digest_size=16).digest()
