"""Ephemeral messages, which only one member of a group sees (Bot API 10.2 and 10.3, newer than the library).

An older server ignores the parameter that hides a message, and shows it to everyone. So until a server has
honoured the parameter, the bot first posts a sign that gives nothing away, and then edits it into the secret
by a method that older servers lack. A notice is not secret: it is sent at once, and in the worst case
everyone sees it.
"""

import time
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

import telegram
from cachetools import TTLCache
from telegram import Bot
from telegram.constants import ParseMode
from telegram.error import BadRequest, ChatMigrated, EndPointNotFound, Forbidden, TelegramError

from adapters import port
from adapters.telegram.refs import Address, address_of
from adapters.telegram.render import Keyboard, Rendered

SIGN = Rendered("🂠", None, None)  # gives nothing away

# Characters allowed in an edit of an ephemeral message; a longer secret could not be changed later.
MAX_EDIT_LENGTH = 1024

MAX_REMEMBERED_REFUSALS = 1000
ASK_AGAIN_SECONDS = 60 * 60.0  # how long a refusal by a group or a server counts


@dataclass(frozen=True, slots=True)
class Occasion:
    """A person's action in a room that may be answered by an ephemeral message.

    Any bot may do so, within 15 seconds, after a press (`query` is its id) and after a command that only its
    sender sees (`hidden_command` is its ephemeral id). After a command that everybody sees (`message` is its
    id), only administrators may.
    """

    room: port.RoomRef
    user: port.UserRef
    query: str = ""
    hidden_command: int = 0
    message: int = 0

    @property
    def chat(self) -> int:
        """The chat's id."""
        return int(self.room.id)

    @property
    def is_invitation(self) -> bool:
        """Whether any bot may answer with an ephemeral message."""
        return bool(self.query or self.hidden_command)

    @property
    def parameters(self) -> dict[str, Any]:
        """The parameters that show a message to this person alone."""
        receiver: dict[str, Any] = {"receiver_user_id": int(self.user.id)}
        if self.query:
            receiver["callback_query_id"] = self.query

        parameters: dict[str, Any] = {"ephemeral_message_parameters": receiver}
        if self.hidden_command:
            parameters["reply_parameters"] = {"ephemeral_message_id": self.hidden_command}
        elif self.message:
            reply_to = {"message_id": self.message, "allow_sending_without_reply": True}
            parameters["reply_parameters"] = reply_to

        return parameters


class EphemeralMessages:
    """Posts, edits and deletes ephemeral messages, and remembers which chats and servers refuse them."""

    def __init__(self, bot: Bot) -> None:
        self._bot = bot
        self._is_honoured = False
        self._ask_server_at = 0.0  # by the monotonic clock
        self._refusals = TTLCache[tuple[int, bool], bool](
            MAX_REMEMBERED_REFUSALS, ASK_AGAIN_SECONDS, time.monotonic
        )

    def may_try(self, occasion: Occasion) -> bool:
        """Returns whether an ephemeral message may succeed, as far as is known."""
        is_group = occasion.chat < 0
        is_anonymous = int(occasion.user.id) <= 0
        if is_anonymous or not is_group:
            return False
        if occasion.hidden_command:  # the command was ephemeral itself
            return True

        is_refused = (occasion.chat, occasion.is_invitation) in self._refusals
        return not is_refused and time.monotonic() >= self._ask_server_at

    def shows_in(self, chat: int) -> bool:
        """Returns whether answers to presses in a chat are known to be visible to the asker alone."""
        return self._is_honoured and chat < 0 and (chat, True) not in self._refusals

    async def takes_secrets(self, occasion: Occasion) -> bool:
        """Returns whether a person can be shown a secret in the room; tests the server if that is unknown."""
        if not self._is_honoured and self.may_try(occasion):
            sign = await self._post_sign(occasion)
            if sign is not None:
                await self._discard(sign)

        return self._is_honoured and self.may_try(occasion)

    async def post_notice(self, occasion: Occasion, rendered: Rendered) -> Address | None:
        """Posts a message that is not secret, so an older server may show it to everyone.

        Returns None if the room refuses it.

        Raises:
            TelegramError: Another attempt may succeed.
        """
        if not self.may_try(occasion):
            return None

        try:
            return await self._send(occasion, rendered)
        except (BadRequest, ChatMigrated, Forbidden):
            if not occasion.is_invitation:  # the next would be refused as well
                self._note_refusal(occasion)
            return None

    async def post_secret(
        self, occasion: Occasion, rendered: Rendered, document: port.Document | None = None
    ) -> Address | None:
        """Posts a message that only one person sees; returns None if that is impossible."""
        if not self.may_try(occasion):
            return None

        can_go_whole = document is None and len(rendered.html) <= MAX_EDIT_LENGTH
        if self._is_honoured and can_go_whole:
            with suppress(BadRequest):  # posting the sign reveals whether the room is the cause
                return await self._post_hidden(occasion, rendered)

        address = await self._post_sign(occasion)
        if address is None:
            return None

        try:
            if document is None:
                await self.edit(address, rendered)
            else:
                await self._attach(address, rendered, document)
        except TelegramError:
            await self._discard(address)
            return None

        return address

    async def edit(self, address: Address, rendered: Rendered) -> None:
        """Replaces the content of a message.

        Raises:
            TelegramError: The message is gone, or the content was refused.
        """
        await self._call(
            "editEphemeralMessageText",
            address,
            rendered.keyboard,
            text=rendered.html,
            parse_mode=ParseMode.HTML,
        )

    async def delete(self, address: Address) -> None:
        """Removes a message.

        Raises:
            TelegramError: The message is gone.
        """
        await self._call("deleteEphemeralMessage", address)

    async def _attach(self, address: Address, rendered: Rendered, document: port.Document) -> None:
        """Replaces the content of a message by a document with a caption.

        Raises:
            TelegramError: The message is gone, or the document was refused.
        """
        media = telegram.InputMediaDocument(
            document.content, rendered.html, ParseMode.HTML, filename=document.name
        )
        await self._call("editEphemeralMessageMedia", address, rendered.keyboard, media=media)

    async def _discard(self, address: Address) -> None:
        """Removes a useless message, if possible; otherwise it does no harm."""
        with suppress(TelegramError):
            await self.delete(address)

    async def _post_sign(self, occasion: Occasion) -> Address | None:
        """Posts the sign to one person; returns None if others would see it, or the room refuses it."""
        try:
            return await self._post_hidden(occasion, SIGN)
        except BadRequest:
            self._note_refusal(occasion)
            return None

    async def _post_hidden(self, occasion: Occasion, rendered: Rendered) -> Address | None:
        """Posts to one person; if others see the message, deletes it and returns None.

        Returns None also after any other error than this:

        Raises:
            BadRequest: The room or the server refused the message.
        """
        try:
            address = await self._send(occasion, rendered)
        except BadRequest:
            raise
        except TelegramError:
            return None

        if address.receiver is None:
            with suppress(TelegramError):
                await self._bot.delete_message(address.chat, address.message)
            return None

        return address

    async def _send(self, occasion: Occasion, rendered: Rendered) -> Address:
        """Sends a message, and records whether the server hid it.

        Raises:
            TelegramError: The server refused it, or didn't answer.
        """
        parameters = occasion.parameters
        if rendered.keyboard is not None:
            parameters["reply_markup"] = rendered.keyboard

        topic = occasion.room.topic
        message = await self._bot.send_message(
            occasion.chat,
            rendered.html,
            ParseMode.HTML,
            message_thread_id=int(topic) if topic else None,
            disable_notification=True,
            api_kwargs=parameters,
        )

        address = address_of(message)
        if address.receiver is None:
            self._note_older_server()
        else:
            self._is_honoured = True
            self._ask_server_at = 0.0
            self._refusals.pop((occasion.chat, occasion.is_invitation), None)

        return address

    def _note_refusal(self, occasion: Occasion) -> None:
        """Records that a group refuses ephemeral messages of this kind, for a while."""
        self._refusals[occasion.chat, occasion.is_invitation] = True

    def _note_older_server(self) -> None:
        """Records that the server has no ephemeral messages: it showed one to all, or lacks a method."""
        self._is_honoured = False
        self._ask_server_at = time.monotonic() + ASK_AGAIN_SECONDS

    async def _call(
        self, method: str, address: Address, keyboard: Keyboard | None = None, **content: object
    ) -> None:
        parameters: dict[str, object] = {
            "chat_id": address.chat,
            "receiver_user_id": address.receiver,
            "ephemeral_message_id": address.message,
            **content,
        }
        if keyboard is not None:
            parameters["reply_markup"] = keyboard

        try:
            await self._bot.do_api_request(method, api_kwargs=parameters)
        except EndPointNotFound:
            self._note_older_server()
            raise
