"""Passes events from Telegram's chats without the bot to the bot, and shows the replies."""

from base64 import urlsafe_b64encode
from collections.abc import Awaitable, Callable, Collection
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from hashlib import blake2b

import telegram
from cachetools import LRUCache
from telegram.error import TelegramError

from adapters import port
from adapters.telegram.inbound import sender_of, user_from
from adapters.telegram.outside import MAX_REMEMBERED, OUTSIDE_LIMITS, OutsideChats
from adapters.telegram.refs import KEY_LENGTH, OUTSIDE, OutsideAddress, outside_room
from adapters.telegram.replies import CommandReply, PressReply, Replies, answer_query

OPENS_TABLE = "durak"  # the command of a mention that names none


class OutsideEvents:
    """Handles mentions of the bot, offers, and presses on the messages that come from either."""

    def __init__(
        self, chats: OutsideChats, replies: Replies, inbox: port.Inbox, commands: Collection[str]
    ) -> None:
        self._chats = chats
        self._replies = replies
        self._inbox = inbox
        self._commands = commands
        self._heard = LRUCache[str, bool](MAX_REMEMBERED)  # mentions, as one may be reported twice
        self._with_known_chat = LRUCache[port.RoomRef, bool](MAX_REMEMBERED)

    # --- mentions and offers --------------------------------------------------------------------------------

    async def on_mention(self, message: telegram.Message, bot: telegram.User) -> None:
        """Answers a mention of the bot.

        Without the name of a command, the words open a table, as in `@durak_bot perevodnoy bots`.
        """
        sender = sender_of(message)
        query = message.guest_query_id
        if sender is None or not query:
            return

        key = key_of(query)
        if key in self._heard:
            return

        self._heard[key] = True
        own_name = f"@{bot.username}".lower()
        words = [word for word in (message.text or "").split() if word.lower() != own_name]
        command = self._command(sender, outside_room(key), words, event=key)
        await self._answer(command, partial(self._chats.answer_mention, query, key))

    async def on_inline_query(self, query: telegram.InlineQuery) -> None:
        """Shows the messages that somebody who types the bot's name can send to the chat."""
        offers = await self._inbox.offers(user_from(query.from_user), query.query)
        with_keys = [(key_of(f"{query.id} {number}"), offer) for number, offer in enumerate(offers)]
        with suppress(TelegramError):  # they typed on
            await self._chats.show_offers(query.id, with_keys)

    def _command(
        self, sender: port.User, room: port.RoomRef, words: Collection[str], *, event: str
    ) -> port.Command:
        first, *others = words or ("",)
        name = first.lower().removeprefix("/").partition("@")[0]
        if name not in self._commands:
            name = OPENS_TABLE
            others = list(words)

        return port.Command(sender, room, name, tuple(others), id=f"outside.{event}", answer_key=room.id)

    async def _answer(
        self, command: port.Command, show: Callable[[port.Screen], Awaitable[port.Delivery]]
    ) -> None:
        """Answers a command by one message, with `show`."""
        reply = await self._inbox.command(command)
        asker = port.Only(command.user.ref, command.room)
        room = port.Everyone(command.room)
        verbs = _OneAnswer(replies=self._replies, asker=asker, room=room, notices=room, show=show)
        await port.answer_command(command, reply, verbs, self._inbox)

    # --- presses --------------------------------------------------------------------------------------------

    async def on_press(self, query: telegram.CallbackQuery) -> None:
        """Answers a press; a press on an offer runs the offer's command."""
        data = query.data or ""
        if not query.inline_message_id or len(data) <= KEY_LENGTH:
            return

        key = data[:KEY_LENGTH]
        token = data[KEY_LENGTH:]

        room = outside_room(key, query.chat_instance)
        ref = OutsideAddress(key, query.inline_message_id).ref
        user = user_from(query.from_user)
        if token.startswith(port.COMMAND_SIGN):
            await answer_query(query, None, None)
            command = self._command(user, room, token.split(), event=query.id)
            await self._answer(command, partial(self._chats.edit, ref))
            return

        await self._report_chat(outside_room(key), room)
        press = port.Press(user, room, token, ref, query.id, tokens=self._chats.tokens_on(ref))
        await self._show_press_answer(query, press, await self._inbox.press(press))

    async def _report_chat(self, before: port.RoomRef, room: port.RoomRef) -> None:
        """Reports the chat of a room, which becomes known at the first press."""
        if room in self._with_known_chat:
            return
        if await self._inbox.room_moved(before, room):
            self._with_known_chat[room] = True

    async def _show_press_answer(
        self, query: telegram.CallbackQuery, press: port.Press, reply: port.Reply
    ) -> None:
        """Shows the reply to a press; parts for the asker alone wait in the private chat."""
        is_led = reply.secret is not None or reply.open_private
        toast = None if is_led and reply.open_private else reply.toast
        alert = None if reply.ephemeral is None else "".join(span.text for span in reply.ephemeral.text)

        room = port.Everyone(press.room)
        verbs = _OutsidePressReply(
            replies=self._replies,
            asker=port.Only(press.user.ref, press.room),
            room=room,
            notices=room,
            press=press,
            reply=reply,
            shown=port.WAITS_IN_PRIVATE,
            chats=self._chats,
        )
        link = self._replies.link_to_private(press.room) if is_led else None
        await answer_query(query, toast or alert, link, is_alert=not toast)
        await port.answer_press(press, reply, verbs, self._inbox)


def key_of(query: str) -> str:
    """Returns the key of the room that a query opens; the same if Telegram reports the query again."""
    digest = blake2b(query.encode(), digest_size=KEY_LENGTH * 6 // 8).digest()
    return urlsafe_b64encode(digest).decode()


@dataclass(kw_only=True)
class _OneAnswer(CommandReply):
    """Implements `ReplyVerbs` for commands outside, each of which has one public answer."""

    platform = OUTSIDE
    limits = OUTSIDE_LIMITS

    show: Callable[[port.Screen], Awaitable[port.Delivery]]
    is_answered: bool = False

    async def show_ephemeral(self, screen: port.Screen) -> port.Delivery:
        """Shows a message as the answer, or in private if the command has its answer."""
        if self.is_answered:
            return await self.send_secret(screen, None)
        return await self.send_public(screen, None)

    async def show_secret(self, screen: port.Screen, document: port.Document | None) -> port.Delivery:
        """Returns that the secret has to wait: everybody sees the answer."""
        del screen, document
        return port.WAITS_IN_PRIVATE

    async def send_public(self, screen: port.Screen, document: port.Document | None) -> port.Delivery:
        """Answers the command, once."""
        del document
        if self.is_answered:
            return port.NO_POSTS

        self.is_answered = True
        return await self.show(screen)


@dataclass(kw_only=True)
class _OutsidePressReply(PressReply):
    """Implements `PressVerbs` for presses on a message outside."""

    platform = OUTSIDE
    limits = OUTSIDE_LIMITS

    occasion: None = None  # type: ignore[assignment] # nothing can be shown to one person there
    chats: OutsideChats

    async def show_ephemeral(self, screen: port.Screen) -> port.Delivery:
        """Returns that no message was sent: the query's answer contains the text."""
        del screen
        return port.NOT_SENT

    async def send_public(self, screen: port.Screen, document: port.Document | None) -> port.Delivery:
        """Returns that nothing can be posted."""
        del screen, document
        return port.NO_POSTS

    async def replace(self, screen: port.Screen) -> port.Delivery:
        """Shows a screen in the pressed message."""
        async with self.replies.calls.turn(self.room):
            return await self.chats.edit(self.press.message, screen)
