"""Messages in a Telegram group that one member sees: Bot API 10.2 and 10.3, newer than the library.

An older server ignores the parameter that hides a message, and shows it to everyone. So until a server has
honoured one, a secret begins as a sign that gives nothing away, and follows by an edit that an older server
doesn't understand. A notice is no secret: it is sent at once, and at worst the whole group sees it.
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

# Characters that an edit of such a message may have; a longer secret could not be changed later.
MAX_EDIT_LENGTH = 1024

MAX_REMEMBERED_REFUSALS = 1000
ASK_AGAIN_SECONDS = 60 * 60.0  # after which a group or a server that refused is asked again


@dataclass(frozen=True, slots=True)
class Occasion:
    """A person's action in a room that may be answered by an ephemeral message.

    Telegram lets any bot answer so a press (by its `query`) and a command that its sender alone sees (by its
    `hidden_command`, an ephemeral id), for 15 seconds. A command that all see (`message`, its id) may be
    answered so by administrators only.
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
        """Whether any bot may answer."""
        return bool(self.query or self.hidden_command)

    @property
    def parameters(self) -> dict[str, Any]:
        """Returns the parameters that let this person alone see a message."""
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
    """Posts, edits and deletes ephemeral messages, and remembers where they are refused."""

    def __init__(self, bot: Bot) -> None:
        self._bot = bot
        self._is_honoured = False
        self._ask_server_at = 0.0  # by the monotonic clock
        self._refusals = TTLCache[tuple[int, bool], bool](
            MAX_REMEMBERED_REFUSALS, ASK_AGAIN_SECONDS, time.monotonic
        )

    def may_try(self, occasion: Occasion) -> bool:
        """Returns whether nothing is known that speaks against an ephemeral message."""
        is_group = occasion.chat < 0
        is_anonymous = int(occasion.user.id) <= 0
        if is_anonymous or not is_group:
            return False
        if occasion.hidden_command:  # it was ephemeral itself
            return True

        is_refused = (occasion.chat, occasion.is_invitation) in self._refusals
        return not is_refused and time.monotonic() >= self._ask_server_at

    def shows_in(self, chat: int) -> bool:
        """Returns whether the answers to presses in a chat are known to be seen by the presser alone."""
        return self._is_honoured and chat < 0 and (chat, True) not in self._refusals

    async def takes_secrets(self, occasion: Occasion) -> bool:
        """Returns whether a person can be shown a secret in the room; asks a server that hasn't shown it."""
        if not self._is_honoured and self.may_try(occasion):
            sign = await self._post_sign(occasion)
            if sign is not None:
                await self._discard(sign)

        return self._is_honoured and self.may_try(occasion)

    async def post_notice(self, occasion: Occasion, rendered: Rendered) -> Address | None:
        """Shows a message that an older server may show to everyone; None where the room refuses it.

        Raises:
            TelegramError: It may arrive if it's sent again.
        """
        if not self.may_try(occasion):
            return None

        try:
            return await self._send(occasion, rendered)
        except (BadRequest, ChatMigrated, Forbidden):
            if not occasion.is_invitation:  # and it will not take the next
                self._note_refusal(occasion)
            return None

    async def post_secret(
        self, occasion: Occasion, rendered: Rendered, document: port.Document | None = None
    ) -> Address | None:
        """Shows a message to one person and to nobody else; None where that is impossible."""
        if not self.may_try(occasion):
            return None

        can_go_whole = document is None and len(rendered.html) <= MAX_EDIT_LENGTH
        if self._is_honoured and can_go_whole:
            with suppress(BadRequest):  # then the sign finds out the cause
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
        """Makes a message show something else.

        Raises:
            TelegramError: It is gone, or does not take this.
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
            TelegramError: It is gone.
        """
        await self._call("deleteEphemeralMessage", address)

    async def _attach(self, address: Address, rendered: Rendered, document: port.Document) -> None:
        """Makes a message show a document with a caption.

        Raises:
            TelegramError: It is gone, or does not take this.
        """
        media = telegram.InputMediaDocument(
            document.content, rendered.html, ParseMode.HTML, filename=document.name
        )
        await self._call("editEphemeralMessageMedia", address, rendered.keyboard, media=media)

    async def _discard(self, address: Address) -> None:
        """Removes a message that is of no use; one that stays does no harm."""
        with suppress(TelegramError):
            await self.delete(address)

    async def _post_sign(self, occasion: Occasion) -> Address | None:
        """Posts the sign to one person; None where others would see it, or the room refuses it."""
        try:
            return await self._post_hidden(occasion, SIGN)
        except BadRequest:
            self._note_refusal(occasion)
            return None

    async def _post_hidden(self, occasion: Occasion, rendered: Rendered) -> Address | None:
        """Posts to one person; takes the message back, and returns None, if others see it.

        Raises:
            BadRequest: The room or the server does not take it.
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
        """Records that a group takes no ephemeral message of this kind for a while."""
        self._refusals[occasion.chat, occasion.is_invitation] = True

    def _note_older_server(self) -> None:
        """Records that the server has no ephemeral messages: it showed one to all, or lacks the methods."""
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
