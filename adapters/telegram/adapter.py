"""Implements the port for Telegram, with an `Application` of the client library."""

import logging
import time
from collections.abc import Callable, Collection, Sequence

import structlog
import telegram
from telegram import Bot, ChatMemberAdministrator
from telegram.error import BadRequest, ChatMigrated, Forbidden, InvalidToken, TelegramError

from adapters import port
from adapters.telegram.badges import TelegramBadges
from adapters.telegram.connection import Connection, reason_of
from adapters.telegram.ephemeral import Occasion
from adapters.telegram.inbound import is_present
from adapters.telegram.messages import MessageSender, OutgoingMessage
from adapters.telegram.mini_app import MiniApp, link_for_table
from adapters.telegram.outside import OutsideChats
from adapters.telegram.profile import BotProfile
from adapters.telegram.refs import PLATFORM, room_ref
from adapters.telegram.render import LIMITS
from adapters.telegram.replies import Replies
from adapters.telegram.request import BriefRequest, UpdatesRequest
from adapters.telegram.updates import Updates

log = structlog.get_logger()

# Telegram allows 20 messages and edits a minute in a group: the burst of 3, 16 more at one every 3.6 seconds,
# and 1 in reserve. It documents 30 a second for all chats together, where the limiter begins: the burst of 2,
# 27 more, and 1 in reserve for calls without the limiter.
BUDGETS = port.Budgets(
    public=port.Budget(seconds=3.6, burst=3),
    private=port.Budget(seconds=1.0, burst=3),
    onlooker_pause=30.0,
    whole=port.Budget(seconds=1 / 27, burst=2),
)
REFUSED = "Telegram does not accept the token in DURAK_TELEGRAM_TOKEN."
NO_GROUPS = (
    "It can't be added to further groups. "
    "If you want that, switch on Allow Groups at @BotFather, in the bot's settings."
)

# The errors of `getChatMember` that mean that the person or the bot is not in the chat.
NOT_THERE = frozenset({"user not found", "member not found", "participant_id_invalid", "chat not found"})
MANAGERS = frozenset({telegram.ChatMember.OWNER, telegram.ChatMember.ADMINISTRATOR})
PORTRAIT_WIDTH = 128  # dots that a profile photo should have at least; Telegram keeps several sizes
SILENT = logging.CRITICAL + 1


class TelegramAdapter:
    """Telegram, by long polling; `api_url` is the root of the Bot API."""

    platform = PLATFORM
    user_platform = PLATFORM
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
        """Creates the adapter of one bot.

        Args:
            token: The token from @BotFather.
            api_url: The root of the Bot API.
            commands: The commands of the menus.
            description: The text in an empty private chat.
            short_description: The text in the bot's profile.
            public_url: The address of the page, such as `https://durak.example`; empty if it has none.
            app: The name of the page at @BotFather, for direct links in groups.
            now: Returns Unix seconds.
            calls: The calls per second; None to learn how many Telegram accepts.
        """
        # The library logs its requests and unreadable updates, which contain what people wrote.
        logging.getLogger("telegram").setLevel(logging.WARNING)
        for name in ("telegram.request", "telegram.Bot"):
            logging.getLogger(name).setLevel(SILENT)

        root = api_url.rstrip("/")
        polls = UpdatesRequest(api_url)
        self._bot = Bot(  # no rate limiter of the library: only the outbox can drop stale screens
            token,
            base_url=f"{root}/bot",
            base_file_url=f"{root}/file/bot",
            request=BriefRequest(api_url),
            get_updates_request=polls,
        )
        profile = BotProfile(self._bot, commands, description, short_description)
        self._connection = Connection(self._bot, polls, profile)
        self._updates = Updates(self._bot, commands)
        self.door = MiniApp(token, public_url, app, now) if public_url else None
        self._messages = MessageSender(self._bot, self._updates.room_moved, self.door)
        self.calls = port.limiter_of(self.budgets, calls)
        self.badges = TelegramBadges(self._bot)
        self.outside = OutsideChats(self._bot, self, self.door)

    @property
    def ready(self) -> bool:
        """Whether Telegram sends updates and accepts messages."""
        return self._connection.ready

    @property
    def trouble(self) -> str:
        """The reason why Telegram isn't ready."""
        return self._connection.trouble

    async def post(
        self,
        audience: port.Audience,
        screen: port.Screen,
        key: str = "",
        document: port.Document | None = None,
    ) -> port.Delivery:
        """Sends a new message; Telegram has no keys, so a second post makes a second message."""
        del key
        return self._connection.count_unsent(
            await self._messages.post(OutgoingMessage(audience, screen, document))
        )

    async def edit(self, ref: port.MessageRef, screen: port.Screen) -> port.Delivery:
        """Makes a message show `screen`."""
        delivery = await self._messages.edit(ref, screen)
        return self._connection.count_unsent(delivery)

    async def delete(self, ref: port.MessageRef) -> port.Delivery:
        """Removes a message."""
        return await self._messages.delete(ref)

    def shows_alone_in(self, room: port.RoomRef) -> bool:
        """Returns whether the server is known to show ephemeral answers to presses in the group."""
        return self._messages.ephemeral.shows_in(int(room.id))

    async def is_moderator(self, user: port.UserRef, room: port.RoomRef) -> bool:
        """Returns whether this person manages the chat; True in a private chat and for the group itself."""
        if user.id == room.id:
            return True

        try:
            member = await self._bot.get_chat_member(int(room.id), int(user.id))
        except (TelegramError, ValueError):
            return False

        return member.status in MANAGERS

    async def is_admin(self, user: port.UserRef, server: port.ServerRef) -> bool:
        """Returns whether this person manages the group, as each group counts as a server."""
        return await self.is_moderator(user, port.RoomRef(server, server.id))

    async def is_member(self, user: port.UserRef, room: port.RoomRef) -> bool | None:
        """Returns whether this person is in the chat; None if Telegram doesn't tell the bot.

        Only its owner is in a private chat, and nobody counts as a member of a chat without the bot.
        """
        try:
            chat = int(room.id)
            person = int(user.id)
        except ValueError:
            return False

        if chat == person:
            return True
        if chat > 0:  # the private chat of another person
            return False

        return await self._is_in(chat, person)

    async def _is_in(self, group: int, person: int) -> bool | None:
        try:
            return is_present(await self._bot.get_chat_member(group, person))
        except ChatMigrated as error:
            return await self._is_in(error.new_chat_id, person)
        except Forbidden:  # the bot was removed
            return False
        except BadRequest as error:
            return False if error.message.lower() in NOT_THERE else None
        except TelegramError:
            return None

    async def can_answer_alone(self, press: port.Press) -> bool:
        """Returns whether the group can show the asker an ephemeral message."""
        occasion = Occasion(press.room, press.user.ref, query=press.id)
        return await self._messages.ephemeral.takes_secrets(occasion)

    async def pin(self, ref: port.MessageRef, *, is_pinned: bool) -> port.PinTrouble | port.Throttled | None:
        """Pins a message without a notification, or unpins it."""
        return await self._messages.pin(ref, is_pinned=is_pinned)

    async def may_pin(self, room: port.RoomRef) -> bool | None:
        """Returns whether the bot is an administrator with that right; True in a private chat."""
        try:
            chat = int(room.id)
        except ValueError:
            return False

        return True if chat > 0 else await self._may_pin_in(chat)

    async def _may_pin_in(self, group: int) -> bool | None:
        try:
            me = await self._bot.get_chat_member(group, self._bot.id)
        except ChatMigrated as error:
            return await self._may_pin_in(error.new_chat_id)
        except Forbidden:  # the bot was removed
            return False
        except TelegramError:
            return None

        return isinstance(me, ChatMemberAdministrator) and bool(me.can_pin_messages)

    def name_of(self, server: port.ServerRef) -> str:
        """Returns the title of a group; empty until an update from the group arrives."""
        return self._updates.title_of(server)

    def way_to(self, table_id: int | None, room: port.RoomRef | None) -> str:
        """Returns the address of the private chat, in which the bot gives a link to the table."""
        del room
        name = self._messages.bot_name
        if not name:
            return ""
        return f"https://t.me/{name}" if table_id is None else link_for_table(name, table_id)

    def private_server(self, user: port.UserRef) -> port.ServerRef | None:
        """Returns the private chat with a person, whose id is the person's; None if the sender is a group."""
        return room_ref(int(user.id)).server if int(user.id) > 0 else None

    async def portrait_of(self, user: port.UserRef) -> bytes | None:
        """Fetches the newest profile photo that a person shows to everybody.

        Raises:
            OSError: It did not come, or is too large.
        """
        person = int(user.id)
        if person < 0:  # a group
            return None

        try:
            shown = await self._bot.get_user_profile_photos(person, limit=1)
            sizes = next(iter(shown.photos), ())
            if not sizes:
                return None

            photo = min(sizes, key=lambda size: (size.width < PORTRAIT_WIDTH, size.width))
            if (photo.file_size or 0) > port.MAX_PORTRAIT:
                raise OSError("the photo is too large")

            return bytes(await (await photo.get_file()).download_as_bytearray())
        except TelegramError:  # its words may contain the address, and so the token
            raise OSError("the photo did not come") from None

    async def forget_person(self, user: port.UserRef, names: Collection[str]) -> Collection[port.MessageRef]:
        """Forgets the person's username; the adapter keeps nothing else, and no message changes."""
        del names
        self._updates.forget(user)
        return ()

    async def run(self, inbox: port.Inbox) -> None:
        """Connects, announces the commands, and delivers events until cancelled.

        Raises:
            AccessDeniedError: Telegram does not accept the token, or gives the bot no username.
        """
        replies = Replies(self._messages, self.calls)
        application = self._updates.application(inbox, self._messages, replies, self.outside)
        is_refused = False

        try:
            await self._connection.open(application)
            self._messages.bot_name = self.outside.bot_name = self._bot.username
            if self.door is not None:
                self.door.bot_name = self._bot.username
            await application.start()
            await self._connection.poll(application, inbox)
        except InvalidToken:
            is_refused = True  # raised below, as the library's exception contains the token
        finally:
            replies.close()
            if application.running:
                await application.stop()

            await application.shutdown()
            await self._bot.shutdown()

        if is_refused:
            raise port.AccessDeniedError(REFUSED)

    async def account(self) -> port.Account:
        """Requests the bot's account from Telegram.

        Raises:
            AccessDeniedError: Telegram does not accept the token.
            UnreachableError: Telegram does not answer.
        """
        trouble = ""
        is_refused = False
        try:
            await self._bot.initialize()
        except InvalidToken:
            is_refused = True  # raised below, as the library's exception contains the token
        except TelegramError as error:
            trouble = reason_of(error)
        finally:
            await self._bot.shutdown()

        if is_refused:
            raise port.AccessDeniedError(REFUSED)
        if trouble:
            raise port.UnreachableError(trouble)

        account = self._bot.bot
        warning = "" if account.can_join_groups else NO_GROUPS
        name = f"@{account.username}" if account.username else account.full_name
        return port.Account(name, works_outside=bool(account.supports_guest_queries), warning=warning)
