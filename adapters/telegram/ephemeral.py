"""Messages in a group that one member sees: Bot API 10.2 and 10.3, which the library does not speak yet.

A server that does not know them ignores what it is asked, and would show such a message to everybody. So each
begins with a sign that gives nothing away; what it has to say comes by an edit that no other server
understands.
"""

import time
from contextlib import suppress

from cachetools import LRUCache, TTLCache
from telegram import Bot, Message
from telegram.constants import ParseMode
from telegram.error import BadRequest, ChatMigrated, EndPointNotFound, TelegramError

from adapters.port import MessageRef, Press
from adapters.telegram.refs import EphemeralParts, ephemeral_ref
from adapters.telegram.render import Keyboard, Rendered

SIGN = "🂠"
"""What everybody may see."""

MOST_REMEMBERED = 1000
"""Groups of which is remembered whether they know such messages."""

ASK_AGAIN_AFTER = 60 * 60.0
"""Seconds after which a group that did not know them is asked again."""


class EphemeralMessages:
    """Shows members something alone, where the server can."""

    def __init__(self, bot: Bot) -> None:
        self._bot = bot
        self._known = LRUCache[int, bool](MOST_REMEMBERED)
        self._unknown = TTLCache[int, bool](MOST_REMEMBERED, ASK_AGAIN_AFTER, time.monotonic)

    async def are_known_in(self, press: Press) -> bool:
        """Return whether whoever presses can be shown something alone where they pressed."""
        if int(press.room.id) not in self._known and (parts := await self._begin(press)) is not None:
            await self._give_up(parts)
        return int(press.room.id) in self._known

    async def open(self, press: Press, shown: Rendered) -> MessageRef | None:
        """Show the presser a message alone; None where that cannot be."""
        parts = await self._begin(press)
        if parts is None:
            return None
        try:
            await self.edit(parts, shown)
        except TelegramError:
            await self._give_up(parts)
            return None
        return ephemeral_ref(parts)

    async def edit(self, parts: EphemeralParts, shown: Rendered) -> None:
        """Make a message show something else.

        Raises:
            TelegramError: It is gone, or does not take this.
        """
        await self._ask("editEphemeralMessageText", parts, shown.html, shown.keyboard)

    async def delete(self, parts: EphemeralParts) -> None:
        """Remove a message.

        Raises:
            TelegramError: It is gone.
        """
        await self._ask("deleteEphemeralMessage", parts)

    async def _begin(self, press: Press) -> EphemeralParts | None:
        chat, user = int(press.room.id), int(press.user.ref.id)
        if chat > 0 or chat in self._unknown:
            return None
        alone = {"receiver_user_id": user, "callback_query_id": press.id}
        try:
            sent = await self._bot.send_message(
                chat,
                SIGN,
                message_thread_id=int(press.room.topic) if press.room.topic else None,
                disable_notification=True,
                api_kwargs={"ephemeral_message_parameters": alone},
            )
        except ChatMigrated:
            return None
        except BadRequest:
            self._note_unknown(chat)
            return None
        except TelegramError:
            return None
        parts = parts_in(sent)
        if parts is None or parts.receiver != user:
            self._note_unknown(chat)
            with suppress(TelegramError):
                await self._bot.delete_message(sent.chat.id, sent.message_id)
            return None
        self._known[chat] = True
        return parts

    def _note_unknown(self, chat: int) -> None:
        self._known.pop(chat, None)
        self._unknown[chat] = True

    async def _give_up(self, parts: EphemeralParts) -> None:
        with suppress(TelegramError):
            await self.delete(parts)

    async def _ask(
        self,
        method: str,
        parts: EphemeralParts,
        html: str | None = None,
        keyboard: Keyboard | None = None,
    ) -> None:
        asked: dict[str, object] = {
            "chat_id": parts.chat,
            "receiver_user_id": parts.receiver,
            "ephemeral_message_id": parts.message,
        }
        if html is not None:
            asked |= {"text": html, "parse_mode": ParseMode.HTML}
        if keyboard is not None:
            asked["reply_markup"] = keyboard
        try:
            await self._bot.do_api_request(method, api_kwargs=asked)
        except EndPointNotFound:
            self._note_unknown(parts.chat)
            raise


def parts_in(message: Message) -> EphemeralParts | None:
    """Return what names a message that one member sees; None for any other."""
    receiver, number = message.api_kwargs.get("receiver_user"), message.api_kwargs.get("ephemeral_message_id")
    if not isinstance(receiver, dict) or not isinstance(number, int):
        return None
    return EphemeralParts(message.chat.id, int(receiver["id"]), number)
