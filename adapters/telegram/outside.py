"""Telegram's chats that the bot is no member of.

Somebody there mentions the bot (guest mode, Bot API 10.0). The bot answers with one message, which it can
edit for good; it can do nothing else there. That message is the room.

A press on the message comes with `chat_instance`, which stands for its chat, but without the message's text
and buttons. So the room's key is part of each button's token.
"""

from base64 import urlsafe_b64encode
from collections.abc import Collection, Mapping
from dataclasses import dataclass, replace
from hashlib import blake2b
from typing import Any

import telegram
from cachetools import LRUCache
from telegram import Bot, InlineQueryResultArticle, InputTextMessageContent
from telegram.constants import ParseMode
from telegram.error import TelegramError

from adapters import port
from adapters.telegram.inbound import sender_of, user_from
from adapters.telegram.messages import WITHOUT_PREVIEW
from adapters.telegram.mini_app import MiniApp
from adapters.telegram.outcomes import outcome_of
from adapters.telegram.refs import KEY_LENGTH, OUTSIDE, OutsideAddress, outside_room
from adapters.telegram.render import LIMITS, Keyboard, Rendered, render
from adapters.telegram.replies import CommandReply, PressReply, Replies, answer_query

OUTSIDE_LIMITS = replace(
    port.limits_outside(LIMITS),
    pictures=False,  # they could only be sent by the id of a file that Telegram has already
    documents=False,
)
OPENS_TABLE = "durak"  # the command of a mention that names none
MAX_REMEMBERED = 10_000
SOME_GROUP = -1  # in place of a group's id, which Telegram does not tell


class OutsideChats(port.OutsideChat):
    """Implements `port.Chat` for chats without the bot."""

    platform = OUTSIDE
    limits = OUTSIDE_LIMITS

    def __init__(self, bot: Bot, member: port.Chat, mini_app: MiniApp | None) -> None:
        super().__init__(member)
        self.bot_name = ""
        """The bot's username; empty until it has connected."""

        self._bot = bot
        self._mini_app = mini_app
        self._tokens = LRUCache[port.MessageRef, frozenset[str]](MAX_REMEMBERED)

    def tokens_on(self, ref: port.MessageRef) -> frozenset[str] | None:
        """Returns the tokens of a message's buttons; None if another process has sent it."""
        return self._tokens.get(ref)

    # --- the message of a room ------------------------------------------------------------------------------

    async def answer_mention(self, query: str, key: str, screen: port.Screen) -> port.Delivery:
        """Shows a screen in answer to a mention, which makes the room's message."""
        rendered = self._render(screen, key)
        content = InputTextMessageContent(rendered.html, ParseMode.HTML, api_kwargs=WITHOUT_PREVIEW)
        extras = {} if rendered.keyboard is None else {"reply_markup": rendered.keyboard}
        result = InlineQueryResultArticle(key, self.bot_name, content, api_kwargs=extras)
        try:
            sent = await self._bot.answer_guest_query(query, result)
        except TelegramError as error:
            return outcome_of(error, SOME_GROUP)

        ref = OutsideAddress(key, sent.inline_message_id).ref
        self._remember(ref, screen)
        return port.Delivered(ref)

    async def edit(self, ref: port.MessageRef, screen: port.Screen) -> port.Delivery:
        """Makes a message show `screen`."""
        if ref.platform != OUTSIDE:
            return await self.member.edit(ref, screen)

        address = OutsideAddress.of(ref)
        rendered = self._render(screen, address.key)
        extras: dict[str, Any] = {"reply_markup": rendered.keyboard, **WITHOUT_PREVIEW}
        try:
            await self._bot.edit_message_text(
                rendered.html,
                parse_mode=ParseMode.HTML,
                inline_message_id=address.inline_message,
                api_kwargs=extras,
            )
        except TelegramError as error:
            if "message is not modified" not in error.message.lower():
                return outcome_of(error, SOME_GROUP)

        self._remember(ref, screen)
        return port.Delivered(ref)

    async def delete(self, ref: port.MessageRef) -> port.Delivery:
        """Removes a private message; a message in the room only loses its buttons."""
        if ref.platform != OUTSIDE:
            return await self.member.delete(ref)

        address = OutsideAddress.of(ref)
        self._tokens.pop(ref, None)
        try:
            await self._bot.edit_message_reply_markup(inline_message_id=address.inline_message)
        except TelegramError as error:
            refusal = outcome_of(error, SOME_GROUP)
            return refusal if isinstance(refusal, port.Throttled) else port.Delivered(ref)

        return port.Delivered(ref)

    def _render(self, screen: port.Screen, key: str) -> Rendered:
        """Renders a screen with the room's key in the tokens of its buttons."""

        def table_action(table_id: int) -> Mapping[str, object] | None:
            if self._mini_app is None:
                return None
            return self._mini_app.button(table_id, is_private=False, bot_name=self.bot_name)

        rendered = render(screen, self.bot_name, takes_pictures=False, table_action=table_action)
        return replace(rendered, keyboard=_with_key(rendered.keyboard, key))

    def _remember(self, ref: port.MessageRef, screen: port.Screen) -> None:
        buttons = [button for row in screen.rows for button in row if isinstance(button, port.CallbackButton)]
        self._tokens[ref] = frozenset(button.token for button in buttons if button.enabled)


def _with_key(keyboard: Keyboard | None, key: str) -> Keyboard | None:
    if keyboard is None:
        return None

    rows = [[_button_with_key(button, key) for button in row] for row in keyboard["inline_keyboard"]]
    return {"inline_keyboard": rows}


def _button_with_key(button: Mapping[str, object], key: str) -> Mapping[str, object]:
    token = button.get("callback_data")
    return button if token is None else {**button, "callback_data": f"{key}{token}"}


# --- Events -------------------------------------------------------------------------------------------------


class OutsideEvents:
    """Passes mentions and presses outside to the bot, and shows the replies."""

    def __init__(
        self, chats: OutsideChats, replies: Replies, inbox: port.Inbox, commands: Collection[str]
    ) -> None:
        self._chats = chats
        self._replies = replies
        self._inbox = inbox
        self._commands = commands
        self._at_home = LRUCache[port.RoomRef, bool](MAX_REMEMBERED)

    def command_from(self, message: telegram.Message, bot: telegram.User) -> port.Command | None:
        """Returns the command in a mention of the bot; None if no person has sent it.

        Without the name of a command, the words open a table, as in `@durak_bot perevodnoy bots`.
        """
        sender = sender_of(message)
        if sender is None or not message.guest_query_id:
            return None

        key = key_of(message.guest_query_id)
        own_name = f"@{bot.username}".lower()
        words = [word for word in (message.text or "").split() if word.lower() != own_name]
        name = words[0].lower().removeprefix("/").partition("@")[0] if words else ""
        if name in self._commands:
            words = words[1:]
        else:
            name = OPENS_TABLE

        return port.Command(
            sender, outside_room(key), name, tuple(words), id=f"outside.{key}", answer_key=key
        )

    async def show_answer(self, query: str, command: port.Command, reply: port.Reply) -> None:
        """Shows the reply to a mention."""
        asker = port.Only(command.user.ref, command.room)
        room = port.Everyone(command.room)
        verbs = _MentionReply(
            replies=self._replies, asker=asker, room=room, notices=room, chats=self._chats, query=query
        )
        await port.answer_command(command, reply, verbs, self._inbox)

    async def press_from(self, query: telegram.CallbackQuery) -> port.Press | None:
        """Returns a press on a message outside; None if Telegram left out a part of it."""
        data = query.data or ""
        if not query.inline_message_id or len(data) <= KEY_LENGTH:
            return None

        key = data[:KEY_LENGTH]
        room = outside_room(key, query.chat_instance)
        if room not in self._at_home:
            self._at_home[room] = await self._inbox.room_moved(outside_room(key), room)

        ref = OutsideAddress(key, query.inline_message_id).ref
        user = user_from(query.from_user)
        return port.Press(user, room, data[KEY_LENGTH:], ref, query.id, tokens=self._chats.tokens_on(ref))

    async def show_press_answer(
        self, query: telegram.CallbackQuery, press: port.Press, reply: port.Reply
    ) -> None:
        """Shows the reply to a press; what only the presser may see waits in the private chat."""
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
    """Returns the key of the room that a mention opens; the same if Telegram reports the mention again."""
    digest = blake2b(query.encode(), digest_size=KEY_LENGTH * 6 // 8).digest()
    return urlsafe_b64encode(digest).decode()


@dataclass(kw_only=True)
class _MentionReply(CommandReply):
    """Implements `ReplyVerbs` for mentions, each of which has one public answer."""

    platform = OUTSIDE
    limits = OUTSIDE_LIMITS

    chats: OutsideChats
    query: str
    is_answered: bool = False

    async def show_ephemeral(self, screen: port.Screen) -> port.Delivery:
        """Shows a message in answer to the mention, or in private if that has its answer."""
        if self.is_answered:
            return await self.send_secret(screen, None)
        return await self.send_public(screen, None)

    async def show_secret(self, screen: port.Screen, document: port.Document | None) -> port.Delivery:
        """Returns that the secret has to wait: everybody sees the answer to a mention."""
        del screen, document
        return port.WAITS_IN_PRIVATE

    async def send_public(self, screen: port.Screen, document: port.Document | None) -> port.Delivery:
        """Answers the mention, once."""
        del document
        if self.is_answered:
            return port.NO_POSTS

        self.is_answered = True
        return await self.chats.answer_mention(self.query, self.room.room.id, screen)


@dataclass(kw_only=True)
class _OutsidePressReply(PressReply):
    """Implements `PressVerbs` for presses on a message outside."""

    platform = OUTSIDE
    limits = OUTSIDE_LIMITS

    occasion: None = None  # type: ignore[assignment] # nothing can be shown to one person there
    chats: OutsideChats

    async def show_ephemeral(self, screen: port.Screen) -> port.Delivery:
        """Returns that no message was sent: the query's answer has the words."""
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
