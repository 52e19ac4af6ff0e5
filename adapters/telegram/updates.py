"""Handles Telegram's updates: converts each to an event of the port, and shows the reply."""

import asyncio
import sys
from collections.abc import Awaitable, Callable, Coroutine, Hashable, Sequence
from contextlib import AsyncExitStack, suppress
from dataclasses import replace
from functools import partial
from typing import Any, TypeAlias
from weakref import WeakValueDictionary

import structlog
import telegram
from cachetools import LRUCache
from telegram import Bot, Chat, Update, User, ext
from telegram.constants import ChatType
from telegram.error import ChatMigrated, TelegramError
from telegram.ext import filters

from adapters import port
from adapters.telegram.connection import App
from adapters.telegram.inbound import (
    command_from,
    handles_in,
    is_present,
    may_write,
    press_from,
    room_of,
    user_from,
)
from adapters.telegram.messages import MessageSender, OutgoingMessage
from adapters.telegram.outside import OutsideChats
from adapters.telegram.outside_events import OutsideEvents
from adapters.telegram.refs import PLATFORM, outside_server, room_behind, room_ref, table_behind
from adapters.telegram.replies import Replies

log = structlog.get_logger()

Context: TypeAlias = ext.CallbackContext[Any, Any, Any, Any]

START = "start"  # sent by Telegram when somebody opens the private chat, or adds the bot by a link
MAX_CONCURRENT_UPDATES = 256  # updates handled at the same time
MAX_USERNAMES = 10_000

MAX_TITLES = 10_000  # groups whose titles are remembered
# Groups whose current id is remembered; for any other group it is looked up and reported again.
MAX_CURRENT_IDS = 1000


class Updates:
    """Handles updates, and keeps the usernames, titles and ids that they bring, in memory only."""

    def __init__(self, bot: Bot, commands: Sequence[port.CommandSpec]) -> None:
        self._bot = bot
        self._commands = frozenset(command.name for command in commands)

        self._current_ids = LRUCache[int, int](MAX_CURRENT_IDS)
        self._joined = LRUCache[str, bool](MAX_CURRENT_IDS)
        self._usernames = LRUCache[str, port.User](MAX_USERNAMES)
        self._titles = LRUCache[str, str](MAX_TITLES)
        self._order = port.AnswerOrder()

        # Set by `application`; no update arrives before.
        self._inbox: port.Inbox
        self._outside: OutsideEvents
        self._messages: MessageSender
        self._replies: Replies

    def title_of(self, server: port.ServerRef) -> str:
        """Returns the title of a group; empty until an update from the group arrives."""
        return self._titles.get(server.id, "")

    def forget(self, user: port.UserRef) -> None:
        """Forgets the usernames of this person."""
        for username in [username for username, known in self._usernames.items() if known.ref == user]:
            del self._usernames[username]

    def application(
        self, inbox: port.Inbox, messages: MessageSender, replies: Replies, outside: OutsideChats
    ) -> App:
        """Returns the library's application with a handler for each kind of update that matters."""
        self._outside = OutsideEvents(outside, replies, inbox, self._commands)
        self._inbox = inbox
        self._messages = messages
        self._replies = replies

        application = (
            ext.ApplicationBuilder()
            .bot(self._bot)
            .updater(None)
            .job_queue(None)
            .concurrent_updates(UpdatesInOrder(MAX_CONCURRENT_UPDATES))
            .build()
        )
        status = filters.StatusUpdate
        application.add_handlers(
            [
                ext.CallbackQueryHandler(self._on_press),
                ext.MessageHandler(filters.UpdateType.GUEST_MESSAGE, self._on_mention),
                ext.InlineQueryHandler(self._on_offer),
                ext.CommandHandler(START, self._on_start, filters.ChatType.PRIVATE),
                ext.MessageHandler(filters.COMMAND & filters.UpdateType.MESSAGE, self._on_command),
                ext.MessageHandler(
                    filters.Document.ALL & filters.CaptionRegex("^/") & filters.UpdateType.MESSAGE,
                    self._on_command,
                ),
                ext.MessageHandler(status.MIGRATE, self._on_migrated),
                ext.MessageHandler(status.PINNED_MESSAGE, self._on_pinned),
                ext.MessageHandler(
                    status.FORUM_TOPIC_REOPENED | status.GENERAL_FORUM_TOPIC_UNHIDDEN, self._on_reopened
                ),
                ext.MessageHandler(status.LEFT_CHAT_MEMBER, self._on_left),
                ext.ChatMemberHandler(self._on_membership, ext.ChatMemberHandler.MY_CHAT_MEMBER),
                ext.ChatMemberHandler(self._on_member, ext.ChatMemberHandler.CHAT_MEMBER),
            ]
        )
        application.add_handler(ext.TypeHandler(Update, self._note_sender), group=-1)
        application.add_error_handler(self._on_error)

        return application

    async def _note_sender(self, update: Update, context: Context) -> None:
        """Remembers usernames, titles of groups, and the topic in which a person last wrote in private.

        Mentions have only a username. In a private chat with topics, cards go to the topic used last.
        """
        del context
        user = update.effective_user
        message = update.effective_message

        if user is not None and user.username and not user.is_bot:
            self._usernames[user.username.lower()] = user_from(user)

        if update.guest_message is not None:  # its chat may have the id of another one
            return

        chat = update.effective_chat
        if chat is not None and chat.title:
            self._titles[room_ref(chat.id).server.id] = chat.title

        if message is not None and message.chat.type == ChatType.PRIVATE:
            topic = message.message_thread_id if message.is_topic_message else None
            self._messages.private_topics.pop(message.chat.id, None)
            if topic is not None:
                self._messages.private_topics[message.chat.id] = topic

    async def _on_press(self, update: Update, context: Context) -> None:
        query = update.callback_query
        if query is not None and query.inline_message_id:
            await self._answer_outside(update, context, partial(self._outside.on_press, query))
            return
        if query is None or (press := press_from(query)) is None:
            return

        if query.message is not None and query.message.chat.type == ChatType.GROUP:
            press = replace(press, room=room_ref(await self._current_id(query.message.chat.id)))

        reply = await self._inbox.press(press)
        show = partial(self._replies.to_press, query, press, reply, self._inbox)
        await _show(context, update, self._in_order(press.user.ref, show))

        if not press.on_private_message:  # after the answer, which need not wait for it
            await self._join_outside(query.chat_instance, press.room)

    async def _join_outside(self, chat_instance: str, room: port.RoomRef) -> None:
        """Reports that the bot is a member of this chat, in which people may have played before it joined."""
        if chat_instance in self._joined:
            return
        if await self._inbox.bot_joined(outside_server(chat_instance), room):
            self._joined[chat_instance] = True

    async def _on_mention(self, update: Update, context: Context) -> None:
        """Answers a mention of the bot in a chat that it is not a member of."""
        message = update.guest_message
        if message is not None:
            await self._answer_outside(
                update, context, partial(self._outside.on_mention, message, self._bot.bot)
            )

    async def _on_offer(self, update: Update, context: Context) -> None:
        """Answers somebody who types the bot's name in any chat."""
        del context
        if update.inline_query is not None:
            await self._outside.on_inline_query(update.inline_query)

    async def _answer_outside(
        self, update: Update, context: Context, answer: Callable[[], Awaitable[None]]
    ) -> None:
        user = update.effective_user
        if user is not None:
            await _show(context, update, self._in_order(user_from(user).ref, answer))

    async def _on_start(self, update: Update, context: Context) -> None:
        if update.message is not None and update.message.from_user is not None:
            payload = context.args[0] if context.args else ""
            user = user_from(update.message.from_user)
            event = port.PrivateChatOpened(user, room_behind(payload), table_behind(payload))
            reply = await self._inbox.private_chat_opened(event)
            show = partial(self._replies.to_private_chat_opened, event, reply, self._inbox)
            await _show(context, update, self._in_order(user.ref, show))

    async def _on_command(self, update: Update, context: Context) -> None:
        if update.message is None:
            return

        await self._find_mentioned(update.message)
        command = command_from(update.message, self._bot.bot, self._commands, self._usernames)
        if command is None:
            return

        if command.name == START:
            await self._greet(update, context, command.room, command.user.locale)
            return

        reply = await self._inbox.command(command)
        show = partial(self._replies.to_command, update.message, command, reply, self._inbox)
        await _show(context, update, self._in_order(command.user.ref, show))

    async def _in_order(self, user: port.UserRef, show: Callable[[], Awaitable[None]]) -> None:
        """Shows a reply after the replies to the same person's earlier updates."""
        async with self._order.turn(user):
            await show()

    async def _find_mentioned(self, message: telegram.Message) -> None:
        """Looks up mentioned people whose usernames have not been seen since the start."""
        for handle in handles_in(message) - self._usernames.keys():
            person = await self._inbox.find_person(PLATFORM, handle)
            if person is not None:
                self._usernames[handle] = person

    async def _on_migrated(self, update: Update, context: Context) -> None:
        del context
        if update.message is not None and update.message.migrate_to_chat_id:
            await self.room_moved(update.message.chat.id, update.message.migrate_to_chat_id)

    async def _on_pinned(self, update: Update, context: Context) -> None:
        """Removes the group's notices about the bot's own pins, as the pins are visible anyway."""
        del context
        notice = update.message
        if notice is not None and notice.from_user is not None and notice.from_user.id == self._bot.id:
            with suppress(TelegramError):
                await self._bot.delete_message(notice.chat.id, notice.message_id)

    async def _on_reopened(self, update: Update, context: Context) -> None:
        del context
        if update.message is not None:
            await self._inbox.became_reachable(room_of(update.message))

    async def _on_membership(self, update: Update, context: Context) -> None:
        change = update.my_chat_member
        if change is None or change.chat.type == ChatType.CHANNEL:
            return

        before = may_write(change.old_chat_member)
        after = may_write(change.new_chat_member)
        if not (before or after):
            return

        room = room_ref(change.chat.id)
        report = self._inbox.became_reachable if after else self._inbox.became_unreachable
        await report(room)

        if change.chat.type != ChatType.PRIVATE:
            await self._inbox.rights_changed(room.server)

        if change.chat.type == ChatType.PRIVATE:
            await report(user_from(change.from_user).ref)
        elif after and not is_present(change.old_chat_member):
            await self._greet(update, context, room, change.from_user.language_code or "")

    async def _on_left(self, update: Update, context: Context) -> None:
        """Reports a person who left or was removed, according to a notice in the group."""
        del context
        notice = update.message
        if notice is not None and notice.left_chat_member is not None:
            await self._report_left(notice.left_chat_member, notice.chat)

    async def _on_member(self, update: Update, context: Context) -> None:
        """Reports a person who is no longer a member, in a group with the bot as an administrator."""
        del context
        change = update.chat_member
        if change is not None and not is_present(change.new_chat_member):
            await self._report_left(change.new_chat_member.user, change.chat)

    async def _report_left(self, user: User, chat: Chat) -> None:
        if not user.is_bot:
            await self._inbox.member_left(port.MemberLeft(user_from(user).ref, room_ref(chat.id)))

    async def _greet(self, update: Update, context: Context, room: port.RoomRef, locale: str) -> None:
        """Posts the greeting in a group, after the bot was added or somebody sent `/start` there."""
        greeting = (await self._inbox.greet(room, locale)).public
        if greeting is not None:
            message = OutgoingMessage(port.Everyone(room), greeting)
            await _show(context, update, self._replies.insist(message))

    async def _on_error(self, update: object, context: Context) -> None:
        del update
        log.error("update_failed", platform=PLATFORM, exc_info=context.error)

    async def _current_id(self, group: int) -> int:
        """Returns a group's current id, as old messages keep the id that the group had then."""
        if group not in self._current_ids:
            try:
                await self._bot.get_chat_member(group, self._bot.id)
            except ChatMigrated as error:
                await self.room_moved(group, error.new_chat_id)
                return error.new_chat_id
            except TelegramError:
                return group
            else:
                self._current_ids[group] = group

        return self._current_ids[group]

    async def room_moved(self, old: int, new: int) -> None:
        """Reports a group's new id to the bot, once; Telegram reports it in an update and in each refusal.

        If the bot could not move the room, the next report is passed on again.
        """
        if self._current_ids.get(old) == new:
            return

        self._current_ids[old] = new
        if not await self._inbox.room_moved(room_ref(old), room_ref(new)):
            self._current_ids.pop(old, None)


class UpdatesInOrder(ext.SimpleUpdateProcessor):
    """Handles updates concurrently, but one person's in order, and one chat's in order except for presses.

    The library limits the updates that have arrived. Here the limit is on those being handled, so that
    updates waiting in one chat do not block the other chats.
    """

    def __init__(self, most: int) -> None:
        super().__init__(sys.maxsize)
        self._handling = asyncio.Semaphore(most)
        self._locks = WeakValueDictionary[Hashable, asyncio.Lock]()

    async def do_process_update(self, update: object, coroutine: Awaitable[Any]) -> None:
        """Handles an update after the earlier ones of its person and its chat."""
        order = list[Chat | User | None]()
        if isinstance(update, Update):
            # Locking the chat before the person prevents deadlocks.
            order = [None if update.callback_query else update.effective_chat, update.effective_user]

        locks = [
            self._locks.setdefault((type(party), party.id), asyncio.Lock())
            for party in order
            if party is not None
        ]

        async with AsyncExitStack() as held:
            for lock in (*locks, self._handling):
                await held.enter_async_context(lock)
            await coroutine


async def _show(context: Context, update: Update, replying: Coroutine[Any, Any, object]) -> None:
    """Shows a reply without delaying the next update, as the reply's chat may be throttled."""
    if context.application.running:
        context.application.create_task(replying, update=update)
    else:  # the application is being stopped, and waits only for updates that are being handled
        await replying
