"""Telegram's chats that the bot is not a member of.

Somebody there mentions the bot (guest mode, Bot API 10.0), or sends one of its offers (inline mode). Either
way the bot has one message there, which counts as the room. It can edit that message at any time, and do
nothing else.

A press on the message comes with `chat_instance`, which identifies its chat, but without the message's text
and buttons. So the room's key is part of each button's token.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from cachetools import LRUCache
from telegram import Bot, InlineQueryResultArticle, InputTextMessageContent
from telegram.constants import ParseMode
from telegram.error import TelegramError

from adapters import port
from adapters.telegram.messages import WITHOUT_PREVIEW
from adapters.telegram.mini_app import MiniApp, action_of
from adapters.telegram.outcomes import outcome_of
from adapters.telegram.refs import OUTSIDE, OutsideAddress
from adapters.telegram.render import LIMITS, Keyboard, Rendered, render

OUTSIDE_LIMITS = replace(
    port.limits_outside(LIMITS),
    pictures=False,  # they could only be sent by the id of a file that Telegram has already
    documents=False,
)
MAX_REMEMBERED = 10_000
SOME_GROUP = -1  # in place of a group's id, which Telegram does not reveal


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
        try:
            sent = await self._bot.answer_guest_query(query, self._article(key, self.bot_name, "", screen))
        except TelegramError as error:
            return outcome_of(error, SOME_GROUP)

        ref = OutsideAddress(key, sent.inline_message_id).ref
        self._remember(ref, screen)
        return port.Delivered(ref)

    async def show_offers(self, query: str, offers: Sequence[tuple[str, port.Offer]]) -> None:
        """Shows offers, each with the key of its room, to somebody who types the bot's name.

        Raises:
            TelegramError: They typed on in the meantime.
        """
        articles = [self._article(key, offer.title, offer.summary, offer.screen) for key, offer in offers]
        await self._bot.answer_inline_query(query, articles, cache_time=0, is_personal=True)

    def _article(self, key: str, title: str, summary: str, screen: port.Screen) -> InlineQueryResultArticle:
        """Returns a screen in the form that Telegram calls a result, with its title and summary in a list."""
        rendered = self._render(screen, key)
        content = InputTextMessageContent(rendered.html, ParseMode.HTML, api_kwargs=WITHOUT_PREVIEW)
        extras = {} if rendered.keyboard is None else {"reply_markup": rendered.keyboard}
        return InlineQueryResultArticle(key, title, content, description=summary or None, api_kwargs=extras)

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
        table_action = action_of(self._mini_app, is_private=False, bot_name=self.bot_name)
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
