"""Sends, edits and deletes messages in Telegram's chats, and those in a group that one member sees."""

import os
import time
from collections.abc import Awaitable, Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import timedelta
from hashlib import blake2b
from typing import Any

import telegram
from cachetools import LRUCache, TTLCache
from telegram import Bot, MaybeInaccessibleMessage, Message
from telegram.constants import ParseMode
from telegram.error import BadRequest, ChatMigrated, EndPointNotFound, RetryAfter, TelegramError

from adapters import port
from adapters.telegram.mini_app import MiniApp
from adapters.telegram.refs import PLATFORM, Address
from adapters.telegram.render import Keyboard, Rendered, fits_caption, render

# The library warns whenever it meets a flood error, unless one asks for durations this way.
os.environ.setdefault("PTB_TIMEDELTA", "true")

REMEMBERED_PICTURES = 1024
PICTURES_AGAIN_AFTER = 600.0  # seconds for which a chat is remembered that took no picture
REMEMBERED_TOPICS = 10_000
NOT_TEXT = port.Gone(port.Lost.MESSAGE, "a picture cannot become text")
# A parameter as the Bot API describes it, which the library need not translate for each message.
WITHOUT_PREVIEW = {"link_preview_options": {"is_disabled": True}}


@dataclass(frozen=True, slots=True)
class Occasion:
    """A person's action in a room that may be answered by an ephemeral message.

    Telegram lets any bot answer so a press (by its `query`) and a command that its sender alone sees (by its
    `command`, an ephemeral id), for 15 seconds. Without either, it lets administrators only.
    """

    room: port.RoomRef
    user: port.UserRef
    query: str = ""
    command: int = 0

    @property
    def chat(self) -> int:
        """The chat's id."""
        return int(self.room.id)

    @property
    def is_invitation(self) -> bool:
        """Whether any bot may answer."""
        return bool(self.query or self.command)

    @property
    def parameters(self) -> dict[str, Any]:
        """Returns the parameters that let this person alone see a message."""
        alone: dict[str, Any] = {"receiver_user_id": int(self.user.id)}
        if self.query:
            alone["callback_query_id"] = self.query
        asked: dict[str, Any] = {"ephemeral_message_parameters": alone}
        if self.command:
            asked["reply_parameters"] = {"ephemeral_message_id": self.command}
        return asked


@dataclass(frozen=True, slots=True)
class OutgoingMessage:
    """A new message; `reply_to` is the id of the one that it answers.

    `alone`: it concerns one person, so it is hidden from all others where the server can do that.
    """

    audience: port.Audience
    screen: port.Screen
    document: port.Document | None = None
    reply_to: int | None = None
    alone: Occasion | None = None

    def without_document(self) -> "OutgoingMessage":
        """Returns the message with an apology for its document, which the chat does not take."""
        screen = self.document.left_out_of(self.screen) if self.document else self.screen
        return replace(self, screen=replace(screen, picture=None), document=None)


class MessageSender:
    """Sends for one bot.

    `on_migrated` is called with the new id of a group. `bot_name` is empty until the bot knows its
    name; nothing can be sent before.
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
        """Sends a new message; its document follows where text and document do not fit together."""
        screen = outgoing.screen
        document = outgoing.document
        alone = outgoing.alone

        if document is not None and (screen.picture is not None or not fits_caption(screen.text)):
            delivery = await self.post(replace(outgoing, document=None))
            if isinstance(delivery, port.Delivered):
                await self.post(OutgoingMessage(outgoing.audience, port.Screen(()), document))
            return delivery

        if alone is not None and self.ephemeral.may_hide(alone):
            delivery = await self._post(outgoing)
            if not isinstance(delivery, port.Gone):
                return delivery
            self.ephemeral.note_refused(alone)

        return await self._post(replace(outgoing, alone=None))

    async def _post(self, outgoing: OutgoingMessage) -> port.Delivery:
        if not self.bot_name:
            return port.Throttled(RETRY_SECONDS)

        audience = outgoing.audience
        screen = outgoing.screen
        room = outgoing.audience.room

        try:
            if isinstance(audience, port.Only):
                chat = int(audience.user.id)
                if chat <= 0:  # an anonymous administrator: their id is the whole group's
                    return port.NeedsOptIn(audience.user)
                topic = self.private_topics.get(chat)
            else:
                chat = int(room.id)
                topic = int(room.topic) if room.topic else None
        except ValueError:
            return port.unknown_recipient(audience)

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

        address = address_of(sent)
        if outgoing.alone is not None and address.receiver is None:  # all would see a message for one
            self.ephemeral.note_ignorant()

        self._remember(address.ref, shown)
        return port.Delivered(address.ref)

    async def edit(self, ref: port.MessageRef, screen: port.Screen) -> port.Delivery:
        """Makes a message show `screen`.

        Text can become a picture, and a picture another one. A picture cannot become text:
        the message is removed and reported gone.
        """
        delivery = await self.replace(ref, screen)
        if delivery is NOT_TEXT:
            removal = await self.delete(ref)
            return removal if isinstance(removal, port.Throttled) else NOT_TEXT
        return delivery

    async def replace(self, ref: port.MessageRef, screen: port.Screen) -> port.Delivery:
        """Makes a message show `screen`; one that cannot stays as it is, a picture as `NOT_TEXT`."""
        if not self.bot_name:
            return port.Throttled(RETRY_SECONDS)

        address = Address.of(ref)
        chat = address.chat
        shown = self._render(screen, chat)
        extras = dict[str, Any](reply_markup=shown.keyboard)
        place = dict[str, Any](chat_id=chat, message_id=address.message, api_kwargs=extras)

        try:
            if address.receiver is not None:
                await self.ephemeral.edit(address, shown)
            elif shown.png is None:
                extras |= WITHOUT_PREVIEW
                await self._bot.edit_message_text(shown.html, parse_mode=ParseMode.HTML, **place)
            elif self._pictures.get(ref) == _digest(shown.png):  # no need to upload it again
                await self._bot.edit_message_caption(caption=shown.html, parse_mode=ParseMode.HTML, **place)
            else:
                media = telegram.InputMediaPhoto(shown.png, shown.html, ParseMode.HTML)
                await self._bot.edit_message_media(media, **place)
        except TelegramError as error:
            words = error.message.lower()
            if "there is no text in the message" in words:  # it is a picture or a document
                return NOT_TEXT
            if "message is not modified" not in words:
                if shown.png is not None and is_content_refused(error, chat):
                    return await self._without_picture(chat, lambda: self.replace(ref, screen))
                return await self._refusal(error, address)

        self._remember(ref, shown)
        return port.Delivered(ref)

    async def _without_picture(
        self, chat: int, send: Callable[[], Awaitable[port.Delivery]]
    ) -> port.Delivery:
        """Sends a message as text after its picture was refused, and all else in that chat for a while."""
        self._without_pictures[chat] = True
        delivery = await send()
        if port.is_refused(delivery):
            del self._without_pictures[chat]  # the picture was not to blame
        return delivery

    async def delete(self, ref: port.MessageRef) -> port.Delivery:
        """Removes a message; one too old to be removed loses its buttons."""
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
            words = error.message.lower()
            if any(phrase in words for phrase in _MAY_NOT_PIN):
                return port.PinTrouble.NO_RIGHT
            if any(phrase in words for phrase in _PIN_GONE):
                return None
            refusal = await self._refusal(error, address)
            return refusal if isinstance(refusal, port.Throttled) else port.PinTrouble.REFUSED

        return None

    async def _refusal(self, error: TelegramError, address: Address) -> port.Delivery:
        if address.receiver is not None and isinstance(error, BadRequest | EndPointNotFound):
            return port.Gone(port.Lost.MESSAGE, error.message)  # in any case a new press helps
        if isinstance(error, ChatMigrated):  # old messages have no place in the new chat
            await self._on_migrated(address.chat, error.new_chat_id)
            return port.Gone(port.Lost.MESSAGE, error.message)
        return outcome_of(error, address.chat)

    async def _send(
        self, chat: int, topic: int | None, shown: Rendered, outgoing: OutgoingMessage
    ) -> Message:
        document = outgoing.document
        reply = None
        extras = dict[str, Any](reply_markup=shown.keyboard)

        if outgoing.alone is not None:
            extras |= outgoing.alone.parameters

        if outgoing.reply_to:
            reply = telegram.ReplyParameters(outgoing.reply_to, allow_sending_without_reply=True)

        options = dict[str, Any](
            parse_mode=ParseMode.HTML, api_kwargs=extras, message_thread_id=topic, reply_parameters=reply
        )

        if document is not None:
            send = self._bot.send_animation if document.is_animation else self._bot.send_document
            caption = shown.html or None
            return await send(chat, document.content, caption=caption, filename=document.name, **options)
        if shown.png is not None:
            return await self._bot.send_photo(chat, shown.png, caption=shown.html, **options)

        extras |= WITHOUT_PREVIEW
        return await self._bot.send_message(chat, shown.html, **options)

    async def _send_to(
        self, chat: int, topic: int | None, shown: Rendered, outgoing: OutgoingMessage
    ) -> Message:
        """Sends to a chat, under its new id if it has one, and beside a private topic that is gone."""
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

    async def open_ephemeral(
        self, occasion: Occasion, screen: port.Screen, document: port.Document | None = None
    ) -> port.MessageRef | None:
        """Shows a message to one person in the room; None where that cannot be."""
        if not self.bot_name:
            return None
        shown = self._render(screen, int(occasion.room.id))
        return await self.ephemeral.open(occasion, shown, document)

    def _render(self, screen: port.Screen, chat: int) -> Rendered:
        """Returns the message that shows a screen in a chat; people's own chats have positive ids."""

        def table_action(table_id: int) -> Mapping[str, object] | None:
            if self._mini_app is None:
                return None
            return self._mini_app.button(table_id, is_private=chat > 0, bot_name=self.bot_name)

        return render(
            screen,
            self.bot_name,
            takes_pictures=chat not in self._without_pictures,
            table_action=table_action,
        )

    def _remember(self, ref: port.MessageRef, shown: Rendered) -> None:
        if shown.png is None:
            self._pictures.pop(ref, None)
        else:
            self._pictures[ref] = _digest(shown.png)


def _digest(png: bytes) -> bytes:
    return blake2b(png, digest_size=16).digest()


# --- Messages in a group that one member sees ---------------------------------------------------------------

SIGN = "🂠"  # gives nothing away

# Characters that an edit of such a message may have; a longer one could not be changed later.
MAX_EDIT_LENGTH = 1024

MAX_REMEMBERED = 1000  # groups of which is remembered that they take no such messages
ALL_GROUPS = 0  # the entry among those groups for a server that ignores such messages; no chat has this id
ASK_AGAIN_AFTER = 60 * 60.0  # seconds after which a group, or a server, is asked again


class EphemeralMessages:
    """Shows members something alone, where the server can: Bot API 10.2 and 10.3, newer than the library.

    An older server ignores the parameter, and would show such a message to everyone. So the bot's first
    begins with a sign that gives nothing away; what it has to say comes by an edit that no other server
    understands. Once the server has honoured one, the next, in any group, come whole.
    """

    def __init__(self, bot: Bot) -> None:
        self._bot = bot
        self._is_known = False
        self._unknown = TTLCache[int, bool](MAX_REMEMBERED, ASK_AGAIN_AFTER, time.monotonic)
        self._uninvited = TTLCache[int, bool](MAX_REMEMBERED, ASK_AGAIN_AFTER, time.monotonic)

    async def are_known_in(self, occasion: Occasion) -> bool:
        """Returns whether a person can be shown an ephemeral message in the room."""
        if self._is_known:
            return occasion.chat not in self._unknown
        if (address := await self._begin(occasion)) is not None:
            with suppress(TelegramError):
                await self.delete(address)
        return self._is_known

    async def open(
        self, occasion: Occasion, shown: Rendered, document: port.Document | None = None
    ) -> port.MessageRef | None:
        """Shows an ephemeral message; None where that is impossible."""
        is_known = occasion.is_invitation and self._is_known
        if document is None and is_known and len(shown.html) <= MAX_EDIT_LENGTH:
            with suppress(BadRequest):  # then the sign finds out the cause
                address = await self._begin(occasion, shown)
                return None if address is None else address.ref

        address = await self._begin(occasion)
        if address is None:
            return None

        try:
            if document is None:
                await self.edit(address, shown)
            else:
                file = document.content
                name = document.name
                media = telegram.InputMediaDocument(file, shown.html, ParseMode.HTML, filename=name)
                await self._ask("editEphemeralMessageMedia", address, shown.keyboard, media=media)
        except TelegramError:
            with suppress(TelegramError):
                await self.delete(address)
            return None

        return address.ref

    def may_hide(self, occasion: Occasion) -> bool:
        """Returns whether an ephemeral message is worth a try where all may see it if it fails."""
        if occasion.chat > 0 or int(occasion.user.id) <= 0:
            return False
        if occasion.command:
            return True
        refusing = self._unknown if occasion.is_invitation else self._uninvited
        return occasion.chat not in refusing and ALL_GROUPS not in self._unknown

    def note_refused(self, occasion: Occasion) -> None:
        """Records a refused ephemeral message; if it answered nothing, all of its kind are refused."""
        if not occasion.is_invitation:
            self._uninvited[occasion.chat] = True

    async def edit(self, address: Address, shown: Rendered) -> None:
        """Makes a message show something else.

        Raises:
            TelegramError: It is gone, or does not take this.
        """
        await self._ask(
            "editEphemeralMessageText", address, shown.keyboard, text=shown.html, parse_mode=ParseMode.HTML
        )

    async def delete(self, address: Address) -> None:
        """Removes a message.

        Raises:
            TelegramError: It is gone.
        """
        await self._ask("deleteEphemeralMessage", address)

    async def _begin(self, occasion: Occasion, shown: Rendered | None = None) -> Address | None:
        """Sends a message for one person, with `shown` or the sign; None if others would see it.

        Raises:
            BadRequest: The server does not take the content.
        """
        asked = occasion.parameters
        words = SIGN if shown is None else shown.html
        if shown is not None and shown.keyboard is not None:
            asked["reply_markup"] = shown.keyboard

        chat = occasion.chat
        user = int(occasion.user.id)
        topic = occasion.room.topic
        is_refused = chat in self._unknown or ALL_GROUPS in self._unknown
        if chat > 0 or (is_refused and not occasion.command):
            return None

        try:
            thread = int(topic) if topic else None
            parse_mode = None if shown is None else ParseMode.HTML
            sent = await self._bot.send_message(
                chat,
                words,
                parse_mode,
                message_thread_id=thread,
                disable_notification=True,
                api_kwargs=asked,
            )
        except ChatMigrated:
            return None
        except BadRequest:
            if shown is not None:
                raise
            self._unknown[chat] = True
            return None
        except TelegramError:
            return None

        address = address_of(sent)
        if address.receiver != user:
            self.note_ignorant()
            with suppress(TelegramError):
                await self._bot.delete_message(sent.chat.id, sent.message_id)
            return None

        self._is_known = True
        self._unknown.pop(chat, None)
        return address

    def note_ignorant(self) -> None:
        """Records that the server has no ephemeral messages: it showed one to all, or lacks the methods."""
        self._is_known = False
        self._unknown[ALL_GROUPS] = True

    async def _ask(
        self, method: str, address: Address, keyboard: Keyboard | None = None, **content: object
    ) -> None:
        asked: dict[str, object] = {
            "chat_id": address.chat,
            "receiver_user_id": address.receiver,
            "ephemeral_message_id": address.message,
            **content,
        }

        if keyboard is not None:
            asked["reply_markup"] = keyboard

        try:
            await self._bot.do_api_request(method, api_kwargs=asked)
        except EndPointNotFound:
            self.note_ignorant()
            raise


def ephemeral_id_of(message: MaybeInaccessibleMessage) -> int | None:
    """Returns the id of a message that one person alone sees; None for any other."""
    number = message.api_kwargs.get("ephemeral_message_id")
    return number if isinstance(number, int) else None


def address_of(message: MaybeInaccessibleMessage) -> Address:
    """Returns the address of a message that was sent or pressed."""
    receiver = message.api_kwargs.get("receiver_user")
    number = ephemeral_id_of(message)
    if not isinstance(receiver, dict) or number is None:
        return Address(message.chat.id, message.message_id)
    return Address(message.chat.id, number, int(receiver["id"]))


# --- The outcome of a delivery ------------------------------------------------------------------------------

RETRY_SECONDS = 3.0  # seconds to wait after an answer that did not come or made no sense

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
_MAY_NOT_PIN = (
    "not enough rights to manage pinned",
    "not enough rights to pin",
    "chat_admin_required",
    "pin_restricted",
)
_PIN_GONE = ("message to pin not found", "message to unpin not found", "chat_not_modified", *_MESSAGE_GONE)
_FILES_FORBIDDEN = (
    "not enough rights to send photos",
    "not enough rights to send documents",
    "not enough rights to send animations",
    "chat_send_photos_forbidden",
    "chat_send_docs_forbidden",
    "chat_send_gifs_forbidden",
)


def outcome_of(error: TelegramError, chat: int) -> port.Throttled | port.NeedsOptIn | port.Gone:
    """Returns the outcome of a message that Telegram refused; a private chat's id is positive."""
    words = error.message.lower()
    closed = isinstance(error, telegram.error.Forbidden) or any(phrase in words for phrase in _ROOM_GONE)
    if isinstance(error, RetryAfter):
        return port.Throttled(seconds_of(error), is_flood=True)
    if closed and chat > 0:
        return port.NeedsOptIn(port.UserRef(PLATFORM, str(chat)))
    if closed:
        return port.Gone(port.Lost.ROOM, error.message)
    if any(phrase in words for phrase in _MESSAGE_GONE):
        return port.Gone(port.Lost.MESSAGE, error.message)
    if isinstance(error, BadRequest) or "entity too large" in words:
        return port.Gone(port.Lost.CONTENT, error.message)

    return port.Throttled(RETRY_SECONDS)  # a refused token, too: that ends the polling, which reports it


def seconds_of(error: RetryAfter) -> float:
    """Returns how long Telegram wants to be left alone."""
    asked = error.retry_after
    return asked.total_seconds() if isinstance(asked, timedelta) else float(asked)


def is_content_refused(error: TelegramError, chat: int) -> bool:
    """Returns whether the message may be accepted without its file, or by another method."""
    words = error.message.lower()
    is_unknown_method = isinstance(error, telegram.error.InvalidToken) and "not found" in words
    is_forbidden = any(phrase in words for phrase in _FILES_FORBIDDEN)
    return is_unknown_method or is_forbidden or port.is_refused(outcome_of(error, chat))
