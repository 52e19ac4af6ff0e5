"""The connections to the chats: each is a task, so that its trouble affects no other chat."""

import asyncio
from collections.abc import Iterable
from functools import partial

import structlog

from adapters.port import AccessDeniedError, Adapter, Inbox
from bot.process.supervisor import Supervisor

log = structlog.get_logger()

START_SECONDS = 60.0  # if all tokens are refused within this time after the start, the settings are wrong

# A start is announced once the chats are connected, or after this many glances at them.
GLANCES = 200
GLANCE_SECONDS = 0.05  # the pause between two glances

CHECK_SECONDS = 1.0  # the pause between two checks of the connections
OUTAGE_SECONDS = 5.0  # a chat that was away for less has only reconnected

CONNECTING = "it has not answered yet"


class NoChatError(Exception):
    """Every platform refused its token at the start; the message is a sentence for the owner."""


class Connections:
    """Serves the chats, and reports each outage once, with its reason, and its end."""

    def __init__(self, adapters: Iterable[Adapter], supervisor: Supervisor) -> None:
        self._adapters = tuple(adapters)
        self.supervisor = supervisor
        self._running = set[str]()
        self._refused = dict[str, str]()
        self._began = 0.0
        self._away_since = dict[str, float]()
        self._reported = set[str]()

    @property
    def ready(self) -> list[str]:
        """The platforms that are connected."""
        return sorted(adapter.platform for adapter in self._adapters if self._is_ready(adapter))

    @property
    def missing(self) -> dict[str, str]:
        """The platforms that are not connected at the moment, each with its reason."""
        away = sorted(
            (adapter.platform, self._why(adapter))
            for adapter in self._adapters
            if not self._is_ready(adapter)
        )
        return dict(away)

    async def run(self, inbox: Inbox) -> None:
        """Serves every chat until cancelled.

        Raises:
            NoChatError: No chat accepted its token at the start.
        """
        self._began = asyncio.get_running_loop().time()
        async with asyncio.TaskGroup() as tasks:
            for adapter in self._adapters:
                serve = partial(self._serve, adapter, inbox)
                tasks.create_task(self.supervisor.keep(adapter.platform, serve, ends=(NoChatError,)))

    def suspend(self, is_suspended: bool) -> None:
        """Suspends or resumes calls to all chats, as another process may be sending meanwhile."""
        for adapter in self._adapters:
            if is_suspended:
                adapter.calls.suspend()
            else:
                adapter.calls.resume()

    async def settled(self) -> None:
        """Waits, but not for long, until each chat is connected or has a reason why it isn't."""
        for _ in range(GLANCES):
            if CONNECTING not in self.missing.values():
                return
            await asyncio.sleep(GLANCE_SECONDS)

    async def check(self) -> None:
        """Reports the chats that have been away for a while, and those that are back."""
        now = asyncio.get_running_loop().time()
        missing = self.missing

        for platform in self.ready:
            since = self._away_since.pop(platform, now)
            if platform in self._reported:
                self._reported.discard(platform)
                log.info("chat_in_reach_again", platform=platform, seconds=round(now - since))

        for platform, why in missing.items():
            since = self._away_since.setdefault(platform, now)
            if platform not in self._reported and now >= since + OUTAGE_SECONDS:
                self._reported.add(platform)
                log.warning("chat_out_of_reach", platform=platform, why=why)

    def _is_ready(self, adapter: Adapter) -> bool:
        return adapter.platform in self._running and adapter.ready

    def _why(self, adapter: Adapter) -> str:
        return self.supervisor.troubles.get(adapter.platform) or adapter.trouble or CONNECTING

    async def _serve(self, adapter: Adapter, inbox: Inbox) -> None:
        self._running.add(adapter.platform)
        try:
            await adapter.run(inbox)
        except AccessDeniedError as error:
            self._refused[adapter.platform] = str(error)
            is_starting = asyncio.get_running_loop().time() < self._began + START_SECONDS
            if is_starting and len(self._refused) == len(self._adapters):
                raise NoChatError(" ".join(self._refused.values())) from None

            raise
        finally:
            self._running.discard(adapter.platform)
