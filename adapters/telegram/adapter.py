"""The Telegram adapter: its life cycle, and the port's verbs."""

import asyncio
import contextlib
import logging
from collections.abc import Awaitable, Callable, Collection, Sequence
from dataclasses import replace
from datetime import timedelta

import structlog
import telegram
from cachetools import LRUCache
from telegram import Bot, BotCommand, Update
from telegram.error import BadRequest, ChatMigrated, Conflict, InvalidToken, RetryAfter, TelegramError

from adapters.port import (
    AccessDeniedError,
    Audience,
    Budget,
    Budgets,
    CommandSpec,
    Delivery,
    Inbox,
    MessageRef,
    RoomRef,
    Screen,
    ServerRef,
    UserRef,
)
from adapters.telegram.inbound import (
    command_from,
    is_present,
    may_write,
    press_from,
    private_chat_opened_from,
    reopens_topic,
    room_of,
    user_from,
)
from adapters.telegram.messages import MessageSender, OutgoingMessage, seconds_of
from adapters.telegram.refs import PLATFORM, room_ref
from adapters.telegram.render import LIMITS
from adapters.telegram.replies import Replies
from adapters.telegram.request import BriefRequest, UpdatesRequest

SILENT = logging.CRITICAL + 1


def build_bot(token: str, api_url: str, polls: UpdatesRequest) -> Bot:
    """Return a bot that sends at once: how often is for the outbox to limit, which knows what is stale.

    It fetches updates by `polls`, where they are to be had afterwards.
    """
    _keep_secrets_out_of_the_log()
    root = api_url.rstrip("/")
    return Bot(
        token,
        base_url=f"{root}/bot",
        base_file_url=f"{root}/file/bot",
        request=BriefRequest(api_url),
        get_updates_request=polls,
    )


def _keep_secrets_out_of_the_log() -> None:
    """Silence the library where it tells what it sent, or what it cannot read: what people wrote."""
    logging.getLogger("telegram").setLevel(logging.WARNING)
    for name in ("telegram.request", "telegram.Bot"):
        logging.getLogger(name).setLevel(SILENT)


# --- The menu of commands ---


async def announce(bot: Bot, commands: Sequence[CommandSpec], *, are_hidden: bool) -> None:
    """Fill the menu: in the default language, and in each that has summaries.

    `are_hidden`: in a group, personal commands are seen by their senders alone (Bot API 10.2).

    Raises:
        TelegramError: The server does not take the menu.
    """
    languages = {"", *(language for command in commands for language in command.summaries)}
    for language in sorted(languages):
        menu = [_entry(command, language, is_hidden=are_hidden) for command in commands]
        await bot.set_my_commands(menu, language_code=language or None)


def _entry(command: CommandSpec, language: str, *, is_hidden: bool) -> BotCommand:
    hidden = {"is_ephemeral": True} if is_hidden and command.is_personal else None
    return BotCommand(command.name, command.summaries.get(language, command.summary), api_kwargs=hidden)


# --- Handles the updates that come in ---


log = structlog.get_logger()

AT_A_TIME = 256


class UpdateTasks:
    """Handles each update in a task of its own, many at a time; what goes wrong in one concerns no other."""

    def __init__(self, handle: Callable[[Update], Awaitable[None]]) -> None:
        self._handle = handle
        self._tasks = set[asyncio.Task[None]]()
        self._places = asyncio.Semaphore(AT_A_TIME)

    def start(self, update: Update) -> None:
        """Begin to handle an update."""
        task = asyncio.create_task(self._handled(update))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def finish(self) -> None:
        """Wait until everything that was begun is done."""
        while self._tasks:
            await asyncio.wait(self._tasks)

    async def _handled(self, update: Update) -> None:
        try:
            async with self._places:
                await self._handle(update)
        except Exception:
            log.exception("update_failed", platform=PLATFORM)


# --- The Telegram adapter: its life cycle, and the port's verbs ---


BUDGETS = Budgets(
    public=Budget(seconds=3.2, burst=3), private=Budget(seconds=1.0, burst=3), onlooker_pause=10.0
)
WANTED = [Update.MESSAGE, Update.CALLBACK_QUERY, Update.MY_CHAT_MEMBER]
LONG_POLL = timedelta(seconds=30)
CONFIRM_WITHIN = 2.0
FIRST_PAUSE, LONGEST_PAUSE = 0.5, 30.0
MOST_CURRENT_IDS = 1000
"""Groups whose newest id is remembered; that of any other is asked for and reported again."""

MANAGERS = frozenset({telegram.ChatMember.OWNER, telegram.ChatMember.ADMINISTRATOR})


class TelegramAdapter:
    """Telegram, by long polling.

    Args:
        token: The bot's token.
        api_url: Root of the Bot API, for a server of one's own.
        commands: What the menu of commands announces.
    """

    platform = PLATFORM
    limits = LIMITS
    budgets = BUDGETS

    def __init__(
        self, token: str, *, api_url: str = "https://api.telegram.org", commands: Sequence[CommandSpec]
    ) -> None:
        self.ready = False
        self._commands = commands
        self._names = frozenset(command.name for command in commands)
        self._polls = UpdatesRequest(api_url, self._on_skipped)
        self._bot = build_bot(token, api_url, self._polls)
        self._updates = UpdateTasks(self._on_update)
        self._messages = MessageSender(self._bot, self._room_moved)
        self._replies = Replies(self._messages)
        self._current_ids = LRUCache[int, int](MOST_CURRENT_IDS)
        self._inbox: Inbox | None = None

    async def post(self, audience: Audience, screen: Screen, key: str = "") -> Delivery:
        """Send a new message; Telegram knows no keys, so posted again it stands there twice."""
        del key
        return await self._messages.post(OutgoingMessage(audience, screen))

    async def edit(self, ref: MessageRef, screen: Screen) -> Delivery:
        """Make a message show `screen`."""
        return await self._messages.edit(ref, screen)

    async def delete(self, ref: MessageRef) -> Delivery:
        """Remove a message."""
        return await self._messages.delete(ref)

    async def is_moderator(self, user: UserRef, room: RoomRef) -> bool:
        """Return whether this person manages the chat, as anybody does in private, and the group itself."""
        if user.id == room.id:
            return True
        try:
            member = await self._bot.get_chat_member(int(room.id), int(user.id))
        except (TelegramError, ValueError):
            return False
        return member.status in MANAGERS

    def private_server(self, user: UserRef) -> ServerRef | None:
        """Return the private chat with a person, which has their id; a group that writes has none."""
        return room_ref(int(user.id)).server if int(user.id) > 0 else None

    async def forget_person(self, user: UserRef, names: Collection[str]) -> Collection[MessageRef]:
        """Do nothing: what Telegram keeps is not the bot's."""
        del user, names
        return ()

    async def run(self, inbox: Inbox) -> None:
        """Connect, announce the commands, and deliver events until cancelled.

        Raises:
            AccessDeniedError: Telegram does not accept the token.
        """
        self._inbox = inbox
        self._replies.open()
        refused = False
        try:
            await self._connect()
            # A webhook would be served here instead: it, too, only starts to handle updates.
            await self._poll()
        except InvalidToken:
            refused = True  # raised below, because the library's own exception spells out the token
        finally:
            self.ready = False
            await self._disconnect()
        if refused:
            raise AccessDeniedError("Telegram does not accept the token in DURAK_TELEGRAM_TOKEN.")

    # --- the connection to Telegram -----------------------------------------------------------------------

    async def _connect(self) -> None:
        pause = FIRST_PAUSE
        while True:
            try:
                await self._bot.initialize()
                await self._bot.delete_webhook()  # polling is refused while there is one
                break
            except InvalidToken:
                raise
            except TelegramError as error:
                pause = await self._back_off(error, pause)
        self._messages.bot_name = self._bot.username
        await self._announce()

    async def _announce(self) -> None:
        """Fill the menu of commands, where the server allows it with some that their senders alone see."""
        try:
            try:
                await announce(self._bot, self._commands, are_hidden=True)
            except BadRequest:
                await announce(self._bot, self._commands, are_hidden=False)
        except InvalidToken:
            raise
        except TelegramError as error:  # the commands work without the menu
            log.warning("commands_not_announced", platform=PLATFORM, error=type(error).__name__)

    async def _poll(self) -> None:
        offset, pause = 0, FIRST_PAUSE
        try:
            while True:
                was_ready = self.ready
                # The first answer only says: we are there.
                wait = LONG_POLL if was_ready else timedelta(0)
                try:
                    await self._bot.get_updates(offset, timeout=wait, allowed_updates=WANTED)
                except InvalidToken:
                    raise
                except TelegramError as error:
                    pause = await self._back_off(error, pause)
                    continue
                self.ready = True
                if was_ready:  # a first answer proves little where another process polls, too
                    pause = FIRST_PAUSE
                for update in self._polls.newest(self._bot):
                    self._updates.start(update)
                    offset = update.update_id + 1
        finally:
            if self.ready:
                await self._confirm(offset)

    async def _confirm(self, offset: int) -> None:
        """Tell Telegram what was received, so that the next start does not get it again."""
        with contextlib.suppress(TelegramError, TimeoutError):
            async with asyncio.timeout(CONFIRM_WITHIN):
                await self._bot.get_updates(offset, timeout=timedelta(0), limit=1, allowed_updates=WANTED)

    async def _back_off(self, error: TelegramError, pause: float) -> float:
        """Wait after trouble, and say how long the next wait may be."""
        self.ready = False
        if isinstance(error, Conflict):
            log.error("token_in_use", platform=PLATFORM, why="another process uses this token", pause=pause)
        else:
            log.warning("telegram_unreachable", error=type(error).__name__, pause=pause)
        await asyncio.sleep(seconds_of(error) if isinstance(error, RetryAfter) else pause)
        return min(2 * pause, LONGEST_PAUSE)

    async def _disconnect(self) -> None:
        self._replies.close()
        await self._updates.finish()
        await self._bot.shutdown()

    # --- what comes in ------------------------------------------------------------------------------------

    async def _on_update(self, update: Update) -> None:
        if update.callback_query is not None:
            await self._on_press(update.callback_query)
        elif update.my_chat_member is not None:
            await self._on_membership(update.my_chat_member)
        elif update.message is not None and update.message.migrate_to_chat_id:
            await self._room_moved(update.message.chat.id, update.message.migrate_to_chat_id)
        elif update.message is not None and reopens_topic(update.message):
            await self._on_reopened(update.message)
        elif update.message is not None:
            await self._on_message(update.message)

    def _on_skipped(self, update: int, error: Exception) -> None:
        if self._inbox is not None:
            self._inbox.event_skipped(PLATFORM, str(update), error)

    async def _on_press(self, query: telegram.CallbackQuery) -> None:
        press = press_from(query)
        if press is None or self._inbox is None:
            return
        if query.message is not None and query.message.chat.type == telegram.constants.ChatType.GROUP:
            press = replace(press, room=room_ref(await self._current_id(query.message.chat.id)))
        reply = await self._inbox.press(press)
        await self._replies.to_press(query, press, reply, self._inbox)

    async def _on_message(self, message: telegram.Message) -> None:
        if self._inbox is None:
            return
        if opened := private_chat_opened_from(message):
            await self._replies.to_private_chat_opened(opened, await self._inbox.private_chat_opened(opened))
        elif command := command_from(message, self._bot.bot, self._names):
            reply = await self._inbox.command(command)
            await self._replies.to_command(message, command, reply, self._inbox)

    async def _on_reopened(self, message: telegram.Message) -> None:
        if self._inbox is not None:
            await self._inbox.became_reachable(room_of(message))

    async def _on_membership(self, change: telegram.ChatMemberUpdated) -> None:
        before, after = may_write(change.old_chat_member), may_write(change.new_chat_member)
        if self._inbox is None or not (before or after):
            return
        report = self._inbox.became_reachable if after else self._inbox.became_unreachable
        await report(room_ref(change.chat.id))
        if change.chat.type == telegram.constants.ChatType.PRIVATE:
            await report(user_from(change.from_user).ref)
        elif after and not is_present(change.old_chat_member):
            reply = await self._inbox.added(room_ref(change.chat.id), change.from_user.language_code or "")
            await self._replies.to_arrival(room_ref(change.chat.id), reply)

    async def _current_id(self, group: int) -> int:
        """Return the id under which a group goes on: old messages keep the one it had when they were sent."""
        if group not in self._current_ids:
            try:
                await self._bot.get_chat_member(group, self._bot.id)
            except ChatMigrated as error:
                await self._room_moved(group, error.new_chat_id)
            except TelegramError:
                return group
            else:
                self._current_ids[group] = group
        return self._current_ids[group]

    async def _room_moved(self, old: int, new: int) -> None:
        """Report a new id once, though Telegram tells it by an update and by every refusal."""
        if self._inbox is not None and self._current_ids.get(old) != new:
            self._current_ids[old] = new
            await self._inbox.room_moved(room_ref(old), room_ref(new))
