"""The Telegram adapter: an `Application` of the client library behind the port's verbs."""

import asyncio
import contextlib
import logging
import math
import sys
import time
from collections import Counter
from collections.abc import Awaitable, Callable, Collection, Coroutine, Hashable, Sequence
from dataclasses import replace
from datetime import timedelta
from functools import partial
from typing import Any, TypeAlias
from weakref import WeakValueDictionary

import structlog
import telegram
from cachetools import LRUCache
from telegram import Bot, Chat, Update, User, ext
from telegram.constants import ChatType
from telegram.error import (
    BadRequest,
    ChatMigrated,
    Conflict,
    InvalidToken,
    NetworkError,
    RetryAfter,
    TelegramError,
)
from telegram.ext import filters

from adapters import port
from adapters.telegram.badges import TelegramBadges
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
from adapters.telegram.mini_app import MiniApp
from adapters.telegram.outcomes import RETRY_SECONDS, seconds_of
from adapters.telegram.profile import Profile
from adapters.telegram.refs import PLATFORM, room_behind, room_ref
from adapters.telegram.render import LIMITS
from adapters.telegram.replies import Replies
from adapters.telegram.request import UNSENT_WORDS, BriefRequest, UpdatesRequest

log = structlog.get_logger()

Context: TypeAlias = ext.CallbackContext[Any, Any, Any, Any]
App: TypeAlias = ext.Application[Any, Any, Any, Any, Any, Any]

# A group takes 20 messages and edits a minute: the burst, one each 3.6 seconds, and one question.
# All chats together begin with the 30 a second that Telegram names: the burst, 27, and one without a limiter.
BUDGETS = port.Budgets(
    public=port.Budget(seconds=3.6, burst=3),
    private=port.Budget(seconds=1.0, burst=3),
    onlooker_pause=30.0,
    whole=port.Budget(seconds=1 / 27, burst=2),
)
WANTED = [Update.MESSAGE, Update.CALLBACK_QUERY, Update.MY_CHAT_MEMBER]
LONG_POLL = timedelta(seconds=30)
# Seconds between two polls that bring nothing: some servers answer at once instead of holding them.
MIN_POLL_SECONDS = 0.5

CONFIRM_WITHIN = 2.0
# Seconds between tries: the first, the longest without an answer, and the longest beside another process.
MIN_PAUSE = 0.5
MAX_PAUSE = 2.5
MAX_CONFLICT_PAUSE = 30.0

MAX_REFUSALS = 3  # refusals of the token, one after another, that are believed: a proxy may answer so once
MAX_UNSENT = 3  # messages in a row that may fail before the chat is no longer called ready
MENU_RETRY = 60.0
START = "start"  # typed by Telegram when somebody opens the private chat, or adds the bot by a link
MAX_CONCURRENT_UPDATES = 256  # updates that are handled at the same time
MAX_USERNAMES = 10_000

MAX_TITLES = 10_000  # groups whose titles are remembered
# Groups whose newest id is remembered; that of any other is asked for and reported again.
MAX_CURRENT_IDS = 1000

REFUSED = "Telegram does not accept the token in DURAK_TELEGRAM_TOKEN."
NO_GROUPS = "It may not be added to groups: switch on Allow Groups at @BotFather, in the bot's settings."

MANAGERS = frozenset({telegram.ChatMember.OWNER, telegram.ChatMember.ADMINISTRATOR})
SILENT = logging.CRITICAL + 1


class TelegramAdapter:
    """Telegram, by long polling; `api_url` is the root of the Bot API."""

    platform = PLATFORM
    limits = LIMITS
    budgets = BUDGETS

    def __init__(
        self,
        token: str,
        *,
        api_url: str = "https://api.telegram.org",
        commands: Sequence[port.CommandSpec],
        description: port.Translated | None = None,
        short_description: port.Translated | None = None,
        public_url: str = "",
        app: str = "",
        now: Callable[[], float] = time.time,
        calls: int | None = None,
    ) -> None:
        """Speaks for the bot with a token.

        Args:
            token: The token from @BotFather.
            api_url: The root of the Bot API.
            commands: The commands of the menus.
            description: The text in the private chat before it begins.
            short_description: The text in the bot's profile.
            public_url: The address of the page, as in `https://durak.example`; empty: it has none.
            app: The name of the page at @BotFather, for direct links in groups.
            now: Returns Unix seconds.
            calls: How many calls a second are made; None: what Telegram turns out to take.
        """
        # Silence the library where it logs its requests, or updates that it cannot read: words of people.
        logging.getLogger("telegram").setLevel(logging.WARNING)
        for name in ("telegram.request", "telegram.Bot"):
            logging.getLogger(name).setLevel(SILENT)

        root = api_url.rstrip("/")
        self._polls = UpdatesRequest(api_url)
        self._bot = Bot(  # it sends at once: the outbox limits how often, as it can drop stale screens
            token,
            base_url=f"{root}/bot",
            base_file_url=f"{root}/file/bot",
            request=BriefRequest(api_url),
            get_updates_request=self._polls,
        )
        self._is_polling = False
        self._unsent = 0
        self._trouble = ""
        self._commands = commands
        self._profile = Profile(self._bot, commands, description, short_description)
        self.door = MiniApp(token, public_url, app, now) if public_url else None
        self._messages = MessageSender(self._bot, self._room_moved, self.door)
        self.calls = port.limiter_of(self.budgets, calls)
        self.badges = TelegramBadges(self._bot)
        self._current_ids = LRUCache[int, int](MAX_CURRENT_IDS)
        self._usernames = LRUCache[str, port.User](MAX_USERNAMES)
        self._titles = LRUCache[str, str](MAX_TITLES)
        self._inbox: port.Inbox  # since `run`, as are the replies: nothing comes in before
        self._replies: Replies
        self._announce_at = 0.0  # by the loop's clock
        self._failures = Counter[type[TelegramError]]()

    @property
    def ready(self) -> bool:
        """Whether Telegram sends updates and takes messages."""
        return self._is_polling and self._unsent < MAX_UNSENT

    @property
    def trouble(self) -> str:
        """The reason why Telegram isn't ready."""
        return "it answers no messages" if self._is_polling and not self.ready else self._trouble

    async def post(
        self,
        audience: port.Audience,
        screen: port.Screen,
        key: str = "",
        document: port.Document | None = None,
    ) -> port.Delivery:
        """Sends a new message; Telegram has no keys, so a second post makes a second message."""
        del key
        return self._count_unsent(await self._messages.post(OutgoingMessage(audience, screen, document)))

    async def edit(self, ref: port.MessageRef, screen: port.Screen) -> port.Delivery:
        """Makes a message show `screen`."""
        return self._count_unsent(await self._messages.edit(ref, screen))

    def _count_unsent(self, delivery: port.Delivery) -> port.Delivery:
        """Counts the messages in a row that Telegram did not answer."""
        self._unsent = self._unsent + 1 if delivery == port.Throttled(RETRY_SECONDS) else 0
        return delivery

    async def delete(self, ref: port.MessageRef) -> port.Delivery:
        """Removes a message."""
        return await self._messages.delete(ref)

    async def is_moderator(self, user: port.UserRef, room: port.RoomRef) -> bool:
        """Returns whether this person manages the chat, as anyone does in private, and the group itself."""
        if user.id == room.id:
            return True

        try:
            member = await self._bot.get_chat_member(int(room.id), int(user.id))
        except (TelegramError, ValueError):
            return False

        return member.status in MANAGERS

    async def is_admin(self, user: port.UserRef, server: port.ServerRef) -> bool:
        """Returns whether this person manages the chat: a group is a server of its own."""
        return await self.is_moderator(user, port.RoomRef(server, server.id))

    async def is_member(self, user: port.UserRef, room: port.RoomRef) -> bool | None:
        """Returns whether this person is in the chat; None if Telegram doesn't say so to the bot."""
        if user.id == room.id:
            return True

        try:
            member = await self._bot.get_chat_member(int(room.id), int(user.id))
        except BadRequest as error:
            return False if "user not found" in error.message.lower() else None
        except (TelegramError, ValueError):
            return None

        return is_present(member)

    async def pin(self, ref: port.MessageRef, *, is_pinned: bool) -> port.PinTrouble | port.Throttled | None:
        """Pins a message without a notification, or unpins it."""
        return await self._messages.pin(ref, is_pinned=is_pinned)

    def name_of(self, server: port.ServerRef) -> str:
        """Returns the title of a group, once anything has come from there."""
        return self._titles.get(server.id, "")

    def private_server(self, user: port.UserRef) -> port.ServerRef | None:
        """Returns the private chat with a person, which has their id; a group that writes has none."""
        return room_ref(int(user.id)).server if int(user.id) > 0 else None

    async def forget_person(self, user: port.UserRef, names: Collection[str]) -> Collection[port.MessageRef]:
        """Forgets whose username it was; Telegram's copies are not the bot's."""
        del names
        for username in [username for username, known in self._usernames.items() if known.ref == user]:
            del self._usernames[username]
        return ()

    async def run(self, inbox: port.Inbox) -> None:
        """Connects, announces the commands, and delivers events until cancelled.

        Raises:
            AccessDeniedError: Telegram does not accept the token, or gives the bot no username.
        """
        self._inbox = inbox
        self._announce_at = 0.0
        self._failures.clear()
        self._replies = Replies(self._messages, self.calls)
        application = self._application()
        is_refused = False

        try:
            await self._connect(application)
            await application.start()
            await self._poll(application)
        except InvalidToken:
            is_refused = True  # raised below, because the library's own exception spells out the token
        finally:
            self._is_polling = False
            self._replies.close()
            if application.running:
                await application.stop()

            await application.shutdown()
            await self._bot.shutdown()

        if is_refused:
            raise port.AccessDeniedError(REFUSED)

    async def account(self) -> port.Account:
        """Asks Telegram for the bot's account.

        Raises:
            AccessDeniedError: Telegram does not accept the token.
            UnreachableError: There is no answer.
        """
        trouble = ""
        is_refused = False
        try:
            await self._bot.initialize()
        except InvalidToken:
            is_refused = True  # raised below, because the library's own exception spells out the token
        except TelegramError as error:
            trouble = _why(error)
        finally:
            await self._bot.shutdown()

        if is_refused:
            raise port.AccessDeniedError(REFUSED)
        if trouble:
            raise port.UnreachableError(trouble)

        account = self._bot.bot
        problem = "" if account.can_join_groups else NO_GROUPS
        return port.Account(f"@{account.username}" if account.username else account.full_name, problem)

    # --- the connection to Telegram -----------------------------------------------------------------------

    async def _connect(self, application: App) -> None:
        while True:
            try:
                await application.initialize()
                break
            except TelegramError as error:
                await self._recover(error)

        if not self._bot.bot.username:
            raise port.AccessDeniedError("Telegram gives this bot no username: choose one at @BotFather.")

        self._messages.bot_name = self._bot.username
        await self._remove_webhook()

    async def _remove_webhook(self) -> None:
        """Removes a webhook, while there is one polling is refused; where that fails polling reports it."""
        with contextlib.suppress(TelegramError):
            await self._bot.delete_webhook()

    async def _poll(self, application: App) -> None:
        clock = asyncio.get_running_loop().time
        offset = 0
        try:
            while True:
                if self._announce_at <= clock():
                    await self._announce()

                began = clock()
                was_polling = self._is_polling
                # The first answer only proves the connection.
                wait = LONG_POLL if was_polling else timedelta(0)

                try:
                    await self._bot.get_updates(offset, timeout=wait, allowed_updates=WANTED)
                except TelegramError as error:
                    await self._recover(error)
                    continue

                self._is_polling = True
                self._trouble = ""
                conflicts = self._failures[Conflict]
                self._failures.clear()

                if not was_polling:  # a first answer proves little where another process polls, too
                    self._failures[Conflict] = conflicts
                    self._unsent = 0

                updates = self._polls.newest(self._bot, partial(self._inbox.event_skipped, PLATFORM))
                for update in updates:
                    await application.update_queue.put(update)
                    offset = update.update_id + 1

                if was_polling and not updates:
                    await asyncio.sleep(began + MIN_POLL_SECONDS - clock())
        finally:
            if self._is_polling:  # confirm the updates, so that the next start does not get them again
                with contextlib.suppress(TelegramError, TimeoutError):
                    async with asyncio.timeout(CONFIRM_WITHIN):
                        await self._bot.get_updates(
                            offset, timeout=timedelta(0), limit=1, allowed_updates=WANTED
                        )

    async def _recover(self, error: TelegramError) -> None:
        """Waits after a failure, the longer the more of its kind there were.

        Raises:
            InvalidToken: The token was refused again and again.
        """
        self._is_polling = False
        self._trouble = _why(error)
        kind = next(known for known in (Conflict, InvalidToken, TelegramError) if isinstance(error, known))
        longest = MAX_CONFLICT_PAUSE if kind is Conflict else MAX_PAUSE
        pause = min(MIN_PAUSE * 2 ** self._failures[kind], longest)
        self._failures[kind] += 1
        if self._failures[InvalidToken] >= MAX_REFUSALS:
            raise error

        if isinstance(error, Conflict) and "webhook" in error.message.lower():
            log.error("webhook_removed", platform=PLATFORM, why="a webhook was set for this bot")
            await self._remove_webhook()
        else:  # whoever watches the chats reports the outage, once
            log.debug("telegram_unreachable", why=self._trouble, pause=pause)

        seconds = seconds_of(error) if isinstance(error, RetryAfter) else pause
        await asyncio.sleep(seconds)

    async def _announce(self) -> None:
        """Brings the profile up to date; all works without it, so after a failure it is tried again later."""
        self._announce_at = math.inf
        try:
            await self._profile.announce()
        except TelegramError as error:
            log.warning("profile_not_announced", platform=PLATFORM, error=type(error).__name__)
            self._announce_at = asyncio.get_running_loop().time() + MENU_RETRY

    # --- incoming updates -----------------------------------------------------------------------------------

    def _application(self) -> App:
        """Returns the library's application with a handler for each kind of update that matters."""
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
                ext.ChatMemberHandler(self._on_membership, ext.ChatMemberHandler.MY_CHAT_MEMBER),
            ]
        )
        application.add_handler(ext.TypeHandler(Update, self._note_sender), group=-1)
        application.add_error_handler(self._on_error)

        return application

    async def _note_sender(self, update: Update, context: Context) -> None:
        """Remembers, in memory alone, usernames, titles of groups, and the chat of a person.

        A mention does not say whom it means; and in a private chat with topics their cards follow a person.
        """
        del context
        user = update.effective_user
        message = update.effective_message

        if user is not None and user.username and not user.is_bot:
            self._usernames[user.username.lower()] = user_from(user)

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
        if query is None or (press := press_from(query)) is None:
            return
        if query.message is not None and query.message.chat.type == ChatType.GROUP:
            press = replace(press, room=room_ref(await self._current_id(query.message.chat.id)))

        reply = await self._inbox.press(press)
        await _show(context, update, self._replies.to_press(query, press, reply, self._inbox))

    async def _on_start(self, update: Update, context: Context) -> None:
        if update.message is not None and update.message.from_user is not None:
            came_from = room_behind(context.args[0]) if context.args else None
            opened = port.PrivateChatOpened(user_from(update.message.from_user), came_from)
            reply = await self._inbox.private_chat_opened(opened)
            await _show(context, update, self._replies.to_private_chat_opened(opened, reply))

    async def _on_command(self, update: Update, context: Context) -> None:
        if update.message is None:
            return

        names = {command.name for command in self._commands}

        await self._find_mentioned(update.message)
        command = command_from(update.message, self._bot.bot, names, self._usernames)
        if command is None:
            return

        if command.name == START:
            await self._greet(update, context, command.room, command.user.locale)
            return

        reply = await self._inbox.command(command)
        replying = self._replies.to_command(update.message, command, reply, self._inbox)
        await _show(context, update, replying)

    async def _find_mentioned(self, message: telegram.Message) -> None:
        """Looks up the mentioned people whose usernames were last seen before a restart."""
        for handle in handles_in(message) - self._usernames.keys():
            person = await self._inbox.find_person(PLATFORM, handle)
            if person is not None:
                self._usernames[handle] = person

    async def _on_migrated(self, update: Update, context: Context) -> None:
        del context
        if update.message is not None and update.message.migrate_to_chat_id:
            await self._room_moved(update.message.chat.id, update.message.migrate_to_chat_id)

    async def _on_pinned(self, update: Update, context: Context) -> None:
        """Removes the group's notices of the bot's own pins: pins are seen without them."""
        del context
        notice = update.message
        if notice is not None and notice.from_user is not None and notice.from_user.id == self._bot.id:
            with contextlib.suppress(TelegramError):
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

    async def _greet(self, update: Update, context: Context, room: port.RoomRef, locale: str) -> None:
        """Says hello in a group, after a link may have added the bot by writing `/start` there."""
        greeting = (await self._inbox.added(room, locale)).public
        if greeting is not None:
            message = OutgoingMessage(port.Everyone(room), greeting)
            await _show(context, update, self._replies.insist(message))

    async def _on_error(self, update: object, context: Context) -> None:
        del update
        log.error("update_failed", platform=PLATFORM, exc_info=context.error)

    async def _current_id(self, group: int) -> int:
        """Returns a group's current id: old messages keep the one it had when they were sent."""
        if group not in self._current_ids:
            try:
                await self._bot.get_chat_member(group, self._bot.id)
            except ChatMigrated as error:
                await self._room_moved(group, error.new_chat_id)
                return error.new_chat_id
            except TelegramError:
                return group
            else:
                self._current_ids[group] = group

        return self._current_ids[group]

    async def _room_moved(self, old: int, new: int) -> None:
        """Reports a new id until the bot has it; Telegram reports it by an update and by each refusal."""
        if self._current_ids.get(old) == new:
            return

        self._current_ids[old] = new
        if not await self._inbox.room_moved(room_ref(old), room_ref(new)):
            self._current_ids.pop(old, None)


def _why(error: TelegramError) -> str:
    """Returns the reason why no updates come, in a clause for the owner."""
    match error:
        case Conflict():
            return "another process uses this token: end that one, or make a token of its own for it"
        case InvalidToken():
            return "it does not accept the token in DURAK_TELEGRAM_TOKEN"
        case RetryAfter():
            return "it asks for a pause"
        case NetworkError():
            return error.message.removesuffix(UNSENT_WORDS)
        case _:
            return "its answers cannot be read"


class UpdatesInOrder(ext.SimpleUpdateProcessor):
    """Handles many updates at a time, but those of one chat, and those of one person, in order.

    The library counts an update from its arrival. Here only those being handled are counted: else what waits
    in one chat would leave no room for the other chats.
    """

    def __init__(self, most: int) -> None:
        super().__init__(sys.maxsize)
        self._handling = asyncio.Semaphore(most)
        self._locks = WeakValueDictionary[Hashable, asyncio.Lock]()

    async def do_process_update(self, update: object, coroutine: Awaitable[Any]) -> None:
        """Handles an update when those before it are done."""
        order = list[Chat | User | None]()
        if isinstance(update, Update):
            # The chat before the person, for all alike: so none waits for another in a circle.
            order = [None if update.callback_query else update.effective_chat, update.effective_user]

        locks = [
            self._locks.setdefault((type(party), party.id), asyncio.Lock())
            for party in order
            if party is not None
        ]

        async with contextlib.AsyncExitStack() as held:
            for lock in (*locks, self._handling):
                await held.enter_async_context(lock)
            await coroutine


async def _show(context: Context, update: Update, replying: Coroutine[Any, Any, object]) -> None:
    """Shows a reply without holding up the next update: its chat may be throttled."""
    if context.application.running:
        context.application.create_task(replying, update=update)
    else:  # it is being stopped, and waits only for updates being handled
        await replying
