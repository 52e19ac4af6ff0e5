"""Sends, edits, deletes and pins messages in Telegram's chats."""

import time
from collections.abc import Awaitable, Callable
from contextlib import suppress
from dataclasses import dataclass, replace
from hashlib import blake2b
from typing import Any

import telegram
from cachetools import LRUCache, TTLCache
from telegram import Bot, Message
from telegram.constants import ParseMode
from telegram.error import BadRequest, ChatMigrated, EndPointNotFound, TelegramError

from adapters import port
from adapters.telegram.ephemeral import EphemeralMessages, Occasion
from adapters.telegram.mini_app import MiniApp, action_of
from adapters.telegram.outcomes import RETRY_SECONDS, is_content_refused, outcome_of, pin_trouble_of
from adapters.telegram.refs import Address, address_of
from adapters.telegram.render import Rendered, fits_caption, render

REMEMBERED_PICTURES = 1024
PICTURES_AGAIN_AFTER = 600.0  # seconds without pictures in a chat that refused one
REMEMBERED_TOPICS = 10_000
NOT_TEXT = port.Gone(port.Lost.MESSAGE, "a picture cannot become text")
# A raw parameter of the Bot API, to save the library's conversion for each message.
WITHOUT_PREVIEW = {"link_preview_options": {"is_disabled": True}}


@dataclass(frozen=True, slots=True)
class OutgoingMessage:
    """A new message.

    With an `occasion` it is a notice for one person, ephemeral if the server can do that.
    """

    audience: port.Audience
    screen: port.Screen
    document: port.Document | None = None
    occasion: Occasion | None = None

    def without_document(self) -> "OutgoingMessage":
        """Returns the message with an apology in place of its document, and without its picture."""
        screen = self.document.left_out_of(self.screen) if self.document else self.screen
        return replace(self, screen=replace(screen, picture=None), document=None)


class MessageSender:
    """Sends messages for one bot.

    `on_migrated` is called with the old and the new id of a group. `bot_name` is empty until the bot has
    connected; nothing can be sent before.
    """

    def __init__(
        self,
        bot: Bot,
        on_migrated: Callable[[int, int], Awaitable[None]],
        mini_app: MiniApp | None = None,
    ) -> None:
        self._bot = bot
        self.ephemeral = EphemeralMessages(bot)
        self._on_migrated = on_migrated
        self._pictures = LRUCache[port.MessageRef, bytes](REMEMBERED_PICTURES)
        self._without_pictures = TTLCache[int, bool](
            REMEMBERED_PICTURES, PICTURES_AGAIN_AFTER, time.monotonic
        )
        self.private_topics = LRUCache[int, int](REMEMBERED_TOPICS)
        self._mini_app = mini_app
        self.bot_name = ""

    async def post(self, outgoing: OutgoingMessage) -> port.Delivery:
        """Sends a new message; the document follows separately if text and document do not fit together."""
        screen = outgoing.screen
        document = outgoing.document

        if document is not None and (screen.picture is not None or not fits_caption(screen.text)):
            delivery = await self.post(replace(outgoing, document=None))
            if isinstance(delivery, port.Delivered):
                await self.post(OutgoingMessage(outgoing.audience, port.Screen(()), document))
            return delivery

        if outgoing.occasion is not None:
            notice = await self.post_notice(outgoing.occasion, screen)
            if notice is not None:
                return notice

        return await self._post(outgoing)

    async def post_notice(self, occasion: Occasion, screen: port.Screen) -> port.Delivery | None:
        """Shows a message that is not secret to one person in a room; None if the room refuses it."""
        chat = int(occasion.room.id)
        try:
            address = await self.ephemeral.post_notice(occasion, self._render(screen, chat))
        except TelegramError as error:
            return outcome_of(error, chat)

        return None if address is None else port.Delivered(address.ref)

    async def post_secret(
        self, occasion: Occasion, screen: port.Screen, document: port.Document | None = None
    ) -> port.Delivery:
        """Shows a message to one person in a room; `WAITS_IN_PRIVATE` if others would see it."""
        rendered = self._render(screen, int(occasion.room.id))
        address = await self.ephemeral.post_secret(occasion, rendered, document)
        return port.WAITS_IN_PRIVATE if address is None else port.Delivered(address.ref)

    async def _post(self, outgoing: OutgoingMessage) -> port.Delivery:
        if not self.bot_name:
            return port.Throttled(RETRY_SECONDS)

        audience = outgoing.audience
        screen = outgoing.screen
        room = outgoing.audience.room

        try:
            if isinstance(audience, port.Only):
                chat = int(audience.user.id)
                if chat <= 0:  # an anonymous administrator, who has the group's id
                    return port.NeedsOptIn(audience.user)
                topic = self.private_topics.get(chat)
            else:
                chat = int(room.id)
                topic = int(room.topic) if room.topic else None
        except ValueError:
            return port.unknown_recipient(audience)

        rendered = self._render(screen, chat)
        try:
            message = await self._send_to(chat, topic, rendered, outgoing)
        except TelegramError as error:
            if outgoing.document is not None and is_content_refused(error, chat):
                return await self._post(outgoing.without_document())
            if rendered.png is not None and is_content_refused(error, chat):
                return await self._without_picture(chat, lambda: self._post(outgoing))

            return outcome_of(error, chat)

        if screen.reaction:
            with suppress(TelegramError):  # the group may not allow reactions
                await self._bot.set_message_reaction(message.chat.id, message.message_id, screen.reaction)

        ref = address_of(message).ref
        self._remember(ref, rendered)
        return port.Delivered(ref)

    async def edit(self, ref: port.MessageRef, screen: port.Screen) -> port.Delivery:
        """Makes a message show `screen`.

        Text can become a picture, and a picture another one. As a picture cannot become text, the message is
        then removed and reported gone.
        """
        delivery = await self.replace(ref, screen)
        if delivery is NOT_TEXT:
            removal = await self.delete(ref)
            return removal if isinstance(removal, port.Throttled) else NOT_TEXT
        return delivery

    async def replace(self, ref: port.MessageRef, screen: port.Screen) -> port.Delivery:
        """Makes a message show `screen`, without removing it on failure; `NOT_TEXT` if it is a picture."""
        if not self.bot_name:
            return port.Throttled(RETRY_SECONDS)

        address = Address.of(ref)
        chat = address.chat
        rendered = self._render(screen, chat)
        extras = dict[str, Any](reply_markup=rendered.keyboard)
        place = dict[str, Any](chat_id=chat, message_id=address.message, api_kwargs=extras)

        try:
            if address.receiver is not None:
                await self.ephemeral.edit(address, rendered)
            elif rendered.png is None:
                extras |= WITHOUT_PREVIEW
                await self._bot.edit_message_text(rendered.html, parse_mode=ParseMode.HTML, **place)
            elif self._pictures.get(ref) == _digest(rendered.png):  # no need to upload it again
                await self._bot.edit_message_caption(
                    caption=rendered.html, parse_mode=ParseMode.HTML, **place
                )
            else:
                media = telegram.InputMediaPhoto(rendered.png, rendered.html, ParseMode.HTML)
                await self._bot.edit_message_media(media, **place)
        except TelegramError as error:
            words = error.message.lower()
            if "there is no text in the message" in words:  # the message is a picture or a document
                return NOT_TEXT

            if "message is not modified" not in words:
                if rendered.png is not None and is_content_refused(error, chat):
                    return await self._without_picture(chat, lambda: self.replace(ref, screen))
                return await self._refusal(error, address)

        self._remember(ref, rendered)
        return port.Delivered(ref)

    async def caption(self, ref: port.MessageRef, screen: port.Screen) -> port.Delivery:
        """Shows a screen as the caption of a message, whose picture stays."""
        address = Address.of(ref)
        rendered = self._render(screen, address.chat)
        extras = {"reply_markup": rendered.keyboard}

        try:
            await self._bot.edit_message_caption(
                chat_id=address.chat,
                message_id=address.message,
                caption=rendered.html,
                parse_mode=ParseMode.HTML,
                api_kwargs=extras,
            )
        except TelegramError as error:
            if "message is not modified" not in error.message.lower():
                return await self._refusal(error, address)

        return port.Delivered(ref)

    async def _without_picture(
        self, chat: int, send: Callable[[], Awaitable[port.Delivery]]
    ) -> port.Delivery:
        """Sends a message as text after its picture was refused; the chat gets no pictures for a while."""
        self._without_pictures[chat] = True
        delivery = await send()
        if port.is_refused(delivery):
            del self._without_pictures[chat]  # the picture was not the cause
        return delivery

    async def delete(self, ref: port.MessageRef) -> port.Delivery:
        """Removes a message; if it is too old for that, removes its buttons."""
        if not self.bot_name:
            return port.Throttled(RETRY_SECONDS)

        self._pictures.pop(ref, None)
        address = Address.of(ref)
        try:
            try:
                if address.receiver is not None:
                    await self.ephemeral.delete(address)
                else:
                    await self._bot.delete_message(address.chat, address.message)
            except BadRequest as error:
                if address.receiver is not None or "can't be deleted" not in error.message:
                    raise
                await self._bot.edit_message_reply_markup(address.chat, address.message)
        except TelegramError as error:
            refusal = await self._refusal(error, address)
            gone = isinstance(refusal, port.Gone) and refusal.what is port.Lost.MESSAGE
            return port.Delivered(ref) if gone else refusal

        return port.Delivered(ref)

    async def pin(self, ref: port.MessageRef, *, is_pinned: bool) -> port.PinTrouble | port.Throttled | None:
        """Pins a message without a notification, or unpins it."""
        address = Address.of(ref)
        try:
            if is_pinned:
                await self._bot.pin_chat_message(address.chat, address.message, disable_notification=True)
            else:
                await self._bot.unpin_chat_message(address.chat, address.message)
        except TelegramError as error:
            refusal = await self._refusal(error, address)
            return refusal if isinstance(refusal, port.Throttled) else pin_trouble_of(error)

        return None

    async def _refusal(self, error: TelegramError, address: Address) -> port.Delivery:
        if address.receiver is not None and isinstance(error, BadRequest | EndPointNotFound):
            return port.Gone(port.Lost.MESSAGE, error.message)  # another press creates a new one anyway

        if isinstance(error, ChatMigrated):  # old messages cannot be edited in the new chat
            await self._on_migrated(address.chat, error.new_chat_id)
            return port.Gone(port.Lost.MESSAGE, error.message)

        return outcome_of(error, address.chat)

    async def _send(
        self, chat: int, topic: int | None, rendered: Rendered, outgoing: OutgoingMessage
    ) -> Message:
        document = outgoing.document
        occasion = outgoing.occasion
        reply = None
        extras = dict[str, Any](reply_markup=rendered.keyboard)

        if occasion is not None and occasion.message:
            reply = telegram.ReplyParameters(occasion.message, allow_sending_without_reply=True)

        options = dict[str, Any](
            parse_mode=ParseMode.HTML, api_kwargs=extras, message_thread_id=topic, reply_parameters=reply
        )

        if document is not None:
            send = self._bot.send_animation if document.is_animation else self._bot.send_document
            caption = rendered.html or None
            return await send(chat, document.content, caption=caption, filename=document.name, **options)

        if rendered.png is not None:
            return await self._bot.send_photo(chat, rendered.png, caption=rendered.html, **options)

        extras |= WITHOUT_PREVIEW
        return await self._bot.send_message(chat, rendered.html, **options)

    async def _send_to(
        self, chat: int, topic: int | None, rendered: Rendered, outgoing: OutgoingMessage
    ) -> Message:
        """Sends to a chat; retries under a migrated group's new id, or without a deleted private topic."""
        try:
            return await self._send(chat, topic, rendered, outgoing)
        except ChatMigrated as error:
            await self._on_migrated(chat, error.new_chat_id)
            elsewhere = replace(outgoing, occasion=None)
            return await self._send(error.new_chat_id, topic, rendered, elsewhere)
        except BadRequest as error:
            if self.private_topics.pop(chat, None) is None or "thread not found" not in error.message:
                raise
            return await self._send(chat, None, rendered, outgoing)

    def _render(self, screen: port.Screen, chat: int) -> Rendered:
        """Renders a screen for a chat; private chats have positive ids."""
        return render(
            screen,
            self.bot_name,
            takes_pictures=chat not in self._without_pictures,
            table_action=action_of(self._mini_app, is_private=chat > 0, bot_name=self.bot_name),
        )

    def _remember(self, ref: port.MessageRef, rendered: Rendered) -> None:
        if rendered.png is None:
            self._pictures.pop(ref, None)
        else:
            self._pictures[ref] = _digest(rendered.png)


def _digest(png: bytes) -> bytes:
    return blake2b(png, digest_size=16).digest()
