"""Connects to Telegram, polls for updates, and recovers after failures."""

import asyncio
from collections import Counter
from collections.abc import Sequence
from contextlib import suppress
from datetime import timedelta
from functools import partial
from itertools import count
from typing import Any, TypeAlias

import structlog
from telegram import Bot, Update, ext
from telegram.error import Conflict, InvalidToken, NetworkError, RetryAfter, TelegramError

from adapters import port
from adapters.telegram.outcomes import RETRY_SECONDS, seconds_of
from adapters.telegram.profile import BotProfile
from adapters.telegram.refs import PLATFORM
from adapters.telegram.request import UNSENT_WORDS, UpdatesRequest

log = structlog.get_logger()

App: TypeAlias = ext.Application[Any, Any, Any, Any, Any, Any]

# Telegram sends `CHAT_MEMBER` to administrators only; other bots get a message when somebody leaves.
WANTED = [
    Update.MESSAGE,
    Update.GUEST_MESSAGE,
    Update.INLINE_QUERY,
    Update.CALLBACK_QUERY,
    Update.MY_CHAT_MEMBER,
    Update.CHAT_MEMBER,
]
LONG_POLL = timedelta(seconds=30)
# Seconds between two polls without updates, as some servers answer at once instead of waiting.
MIN_POLL_SECONDS = 0.5

CONFIRM_WITHIN = 2.0
# Pauses between attempts: without an answer, and while another process polls.
OUTAGES = port.Backoff(first=0.5, most=2.5)
CONFLICTS = port.Backoff(first=0.5, most=30.0)

MAX_REFUSALS = 3  # refusals of the token before the adapter gives up; a single one may come from a proxy
MAX_UNSENT = 3  # unanswered messages in a row after which the chat is no longer ready
# Polling starts after at most this many seconds for the webhook, and for the profile.
PROFILE_WITHIN = 2.0
PROFILES = port.Backoff(first=60.0, most=24 * 60 * 60.0)  # pauses before the profile is retried


class Connection:
    """The connection of one bot, by long polling."""

    def __init__(self, bot: Bot, polls: UpdatesRequest, profile: BotProfile) -> None:
        self._bot = bot
        self._polls = polls
        self._profile = profile
        self._is_polling = False
        self._unsent = 0
        self._trouble = ""
        self._failures = Counter[type[TelegramError]]()

    @property
    def ready(self) -> bool:
        """Whether Telegram sends updates and accepts messages."""
        return self._is_polling and self._unsent < MAX_UNSENT

    @property
    def trouble(self) -> str:
        """The reason why Telegram isn't ready."""
        return "it answers no messages" if self._is_polling and not self.ready else self._trouble

    def count_unsent(self, delivery: port.Delivery) -> port.Delivery:
        """Counts the messages in a row that Telegram did not answer."""
        self._unsent = self._unsent + 1 if delivery == port.Throttled(RETRY_SECONDS) else 0
        return delivery

    async def open(self, application: App) -> None:
        """Connects, and retries until that succeeds.

        Raises:
            AccessDeniedError: Telegram gives the bot no username.
            InvalidToken: Telegram does not accept the token.
        """
        self._failures.clear()
        while True:
            try:
                await application.initialize()
                break
            except TelegramError as error:
                await self._recover(error)

        if not self._bot.bot.username:
            raise port.AccessDeniedError("Telegram gives this bot no username: choose one at @BotFather.")

        await self._remove_webhook()

    async def _remove_webhook(self) -> None:
        """Removes a webhook, which would block polling; after a failure here, polling reports it."""
        with suppress(Exception):  # a server without webhooks may answer anything
            async with asyncio.timeout(PROFILE_WITHIN):
                await self._bot.delete_webhook()

    async def poll(self, application: App, inbox: port.Inbox) -> None:
        """Feeds updates to the application until cancelled; updates the bot's profile at the same time.

        Raises:
            InvalidToken: Telegram no longer accepts the token.
        """
        clock = asyncio.get_running_loop().time
        offset = 0
        announcing = asyncio.create_task(self._announce())
        try:
            await asyncio.wait({announcing}, timeout=PROFILE_WITHIN)
            while True:
                began = clock()
                was_polling = self._is_polling
                try:
                    updates = await self._fetch(offset, inbox)
                except TelegramError as error:
                    await self._recover(error)
                    continue

                for update in updates:
                    await application.update_queue.put(update)
                    offset = update.update_id + 1

                if was_polling and not updates:
                    await asyncio.sleep(began + MIN_POLL_SECONDS - clock())
        finally:
            announcing.cancel()
            was_polling = self._is_polling
            self._is_polling = False
            if was_polling:
                await self._confirm(offset)

    async def _fetch(self, offset: int, inbox: port.Inbox) -> Sequence[Update]:
        """Returns new updates; waits for them, except in the first poll, which only tests the connection."""
        was_polling = self._is_polling
        wait = LONG_POLL if was_polling else timedelta(0)
        await self._bot.get_updates(offset, timeout=wait, allowed_updates=WANTED)

        self._is_polling = True
        self._trouble = ""
        conflicts = self._failures[Conflict]
        self._failures.clear()
        if not was_polling:  # if another process also polls, one answer proves little
            self._failures[Conflict] = conflicts
            self._unsent = 0

        return self._polls.newest(self._bot, partial(inbox.event_skipped, PLATFORM))

    async def _confirm(self, offset: int) -> None:
        """Confirms the updates, so that the next start does not get them again."""
        with suppress(TelegramError, TimeoutError):
            async with asyncio.timeout(CONFIRM_WITHIN):
                await self._bot.get_updates(offset, timeout=timedelta(0), limit=1, allowed_updates=WANTED)

    async def _recover(self, error: TelegramError) -> None:
        """Waits after a failure, longer after each failure of the same kind.

        Raises:
            InvalidToken: The token was refused `MAX_REFUSALS` times.
        """
        self._is_polling = False
        self._trouble = reason_of(error)
        kind = next(known for known in (Conflict, InvalidToken, TelegramError) if isinstance(error, known))
        self._failures[kind] += 1
        backoff = CONFLICTS if kind is Conflict else OUTAGES
        pause = backoff.pause(self._failures[kind])
        if self._failures[InvalidToken] >= MAX_REFUSALS:
            raise error

        if isinstance(error, Conflict) and "webhook" in error.message.lower():
            log.error("webhook_removed", platform=PLATFORM, why="a webhook was set for this bot")
            await self._remove_webhook()
        else:  # the code that watches `ready` reports the outage, once
            log.debug("telegram_unreachable", why=self._trouble, pause=pause)

        seconds = seconds_of(error) if isinstance(error, RetryAfter) else pause
        await asyncio.sleep(seconds)

    async def _announce(self) -> None:
        """Updates the profile, and retries until that succeeds; everything works without it.

        A self-hosted older server or a proxy may answer unknown methods in any way.
        """
        for failures in count(1):
            try:
                await self._profile.announce()
            except Exception as error:
                kind = type(error).__name__
                pause = PROFILES.pause(failures)
                log.warning("profile_not_announced", platform=PLATFORM, error=kind, pause=pause)
                await asyncio.sleep(pause)
            else:
                return


def reason_of(error: TelegramError) -> str:
    """Returns the reason why no updates arrive, as a clause for the owner."""
    match error:
        case Conflict():
            return "another process uses this token: end that one, or make a separate token for it"
        case InvalidToken():
            return "it does not accept the token in DURAK_TELEGRAM_TOKEN"
        case RetryAfter():
            return "it asks for a pause"
        case NetworkError():
            return error.message.removesuffix(UNSENT_WORDS)
        case _:
            return "its answers cannot be read"
