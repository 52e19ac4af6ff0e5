"""Messages in a group that one member sees: Bot API 10.2 and 10.3, which the library does not speak yet.

A server that does not know them ignores what it is asked, and would show such a message to everybody. So the
bot's first begins with a sign that gives nothing away; what it has to say comes by an edit that no other
server understands. Once the server has honoured one, the next, in any group, come whole.
"""

import time
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, Self

from cachetools import TTLCache
from telegram import Bot, InputMediaDocument, MaybeInaccessibleMessage, Message
from telegram.constants import ParseMode
from telegram.error import BadRequest, ChatMigrated, EndPointNotFound, TelegramError

from adapters.port import Command, Document, MessageRef, Press, RoomRef, UserRef
from adapters.telegram.refs import Address
from adapters.telegram.render import Keyboard, Rendered

SIGN = "🂠"
"""What everybody may see."""

LONGEST_EDIT = 1024
"""Characters that an edit of such a message may have; what is longer could not be changed later."""

MOST_REMEMBERED = 1000
"""Groups of which is remembered that they take no such messages."""

ALL_GROUPS = 0
"""What stands among those groups for a server that ignores such messages; no chat has this id."""

ASK_AGAIN_AFTER = 60 * 60.0
"""Seconds after which a group, or a server, is asked again."""


@dataclass(frozen=True, slots=True)
class Occasion:
    """A person's action in a room that may be answered by an ephemeral message.

    Telegram lets any bot answer so a press (by its `query`) and a command that its sender alone sees (by its
    `command`, an ephemeral id), for 15 seconds. Without either, it lets administrators only.
    """

    room: RoomRef
    user: UserRef
    query: str = ""
    command: int = 0

    @classmethod
    def of_press(cls, press: Press) -> Self:
        """Return the occasion of a press."""
        return cls(press.room, press.user.ref, query=press.id)

    @classmethod
    def of_command(cls, command: Command, message: Message) -> Self:
        """Return the occasion of a command in this message."""
        return cls(command.room, command.user.ref, command=ephemeral_id_of(message) or 0)

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
        """What makes a message one that this person alone sees."""
        alone: dict[str, Any] = {"receiver_user_id": int(self.user.id)}
        if self.query:
            alone["callback_query_id"] = self.query
        asked: dict[str, Any] = {"ephemeral_message_parameters": alone}
        if self.command:
            asked["reply_parameters"] = {"ephemeral_message_id": self.command}
        return asked


class EphemeralMessages:
    """Shows members something alone, where the server can."""

    def __init__(self, bot: Bot) -> None:
        self._bot = bot
        self._is_known = False
        self._unknown = TTLCache[int, bool](MOST_REMEMBERED, ASK_AGAIN_AFTER, time.monotonic)
        self._uninvited = TTLCache[int, bool](MOST_REMEMBERED, ASK_AGAIN_AFTER, time.monotonic)

    async def are_known_in(self, occasion: Occasion) -> bool:
        """Return whether a person can be shown an ephemeral message in the room."""
        if self._is_known:
            return occasion.chat not in self._unknown
        if (address := await self._begin(occasion)) is not None:
            await self._give_up(address)
        return self._is_known

    async def open(
        self, occasion: Occasion, shown: Rendered, document: Document | None = None
    ) -> MessageRef | None:
        """Show an ephemeral message; None where that is impossible."""
        is_known = occasion.is_invitation and self._is_known
        if document is None and is_known and len(shown.html) <= LONGEST_EDIT:
            with suppress(BadRequest):  # then the sign finds out what is wrong
                address = await self._begin(occasion, shown)
                return None if address is None else address.ref
        address = await self._begin(occasion)
        if address is None:
            return None
        try:
            if document is None:
                await self.edit(address, shown)
            else:
                await self._fill(address, shown, document)
        except TelegramError:
            await self._give_up(address)
            return None
        return address.ref

    def may_hide(self, occasion: Occasion) -> bool:
        """Return whether an ephemeral message is worth a try where all may see it if it fails."""
        if occasion.chat > 0 or int(occasion.user.id) <= 0:
            return False
        if occasion.command:
            return True
        refusing = self._unknown if occasion.is_invitation else self._uninvited
        return occasion.chat not in refusing and ALL_GROUPS not in self._unknown

    def note_ignored(self, occasion: Occasion) -> None:
        """Record that an ephemeral message was seen by all: this server does not know them."""
        self._note_ignorant()

    def note_refused(self, occasion: Occasion) -> None:
        """Record a refused ephemeral message; one that answered nothing says that all are refused."""
        if not occasion.is_invitation:
            self._uninvited[occasion.chat] = True

    async def edit(self, address: Address, shown: Rendered) -> None:
        """Make a message show something else.

        Raises:
            TelegramError: It is gone, or does not take this.
        """
        await self._ask(
            "editEphemeralMessageText", address, shown.keyboard, text=shown.html, parse_mode=ParseMode.HTML
        )

    async def delete(self, address: Address) -> None:
        """Remove a message.

        Raises:
            TelegramError: It is gone.
        """
        await self._ask("deleteEphemeralMessage", address)

    async def _begin(self, occasion: Occasion, shown: Rendered | None = None) -> Address | None:
        """Send a message for one person, with the sign or what is to be `shown`; None if it is not for them.

        Raises:
            BadRequest: The server does not take what is to be shown.
        """
        asked, words = occasion.parameters, SIGN if shown is None else shown.html
        if shown is not None and shown.keyboard is not None:
            asked["reply_markup"] = shown.keyboard
        chat, user, topic = occasion.chat, int(occasion.user.id), occasion.room.topic
        is_refused = chat in self._unknown or ALL_GROUPS in self._unknown
        if chat > 0 or (is_refused and not occasion.command):
            return None
        try:
            sent = await self._bot.send_message(
                chat,
                words,
                None if shown is None else ParseMode.HTML,
                message_thread_id=int(topic) if topic else None,
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
            self._note_ignorant()
            with suppress(TelegramError):
                await self._bot.delete_message(sent.chat.id, sent.message_id)
            return None
        self._is_known = True
        self._unknown.pop(chat, None)
        return address

    def _note_ignorant(self) -> None:
        self._is_known = False
        self._unknown[ALL_GROUPS] = True

    async def _give_up(self, address: Address) -> None:
        with suppress(TelegramError):
            await self.delete(address)

    async def _fill(self, address: Address, shown: Rendered, document: Document) -> None:
        media = InputMediaDocument(document.content, shown.html, ParseMode.HTML, filename=document.name)
        await self._ask("editEphemeralMessageMedia", address, shown.keyboard, media=media)

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
            self._note_ignorant()
            raise


def ephemeral_id_of(message: MaybeInaccessibleMessage) -> int | None:
    """Return the id of a message that one person alone sees; None for any other."""
    number = message.api_kwargs.get("ephemeral_message_id")
    return number if isinstance(number, int) else None


def address_of(message: MaybeInaccessibleMessage) -> Address:
    """Return what names a message that was sent or pressed."""
    receiver, number = message.api_kwargs.get("receiver_user"), ephemeral_id_of(message)
    if not isinstance(receiver, dict) or number is None:
        return Address(message.chat.id, message.message_id)
    return Address(message.chat.id, number, int(receiver["id"]))
