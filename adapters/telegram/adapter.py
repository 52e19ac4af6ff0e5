"""The Telegram adapter: its life cycle, and the port's verbs."""

import asyncio
import contextlib
from collections.abc import Collection, Sequence
from dataclasses import replace
from datetime import timedelta

import structlog
import telegram
from cachetools import LRUCache
from telegram import Update
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
from adapters.telegram.answers import UpdatesRequest
from adapters.telegram.bot import build_bot
from adapters.telegram.commands import announce
from adapters.telegram.errors import seconds_of
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
from adapters.telegram.messages import MessageSender, OutgoingMessage
from adapters.telegram.refs import PLATFORM, room_ref
from adapters.telegram.render import LIMITS
from adapters.telegram.replies import Replies
from adapters.telegram.updates import UpdateTasks

log = structlog.get_logger()

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
