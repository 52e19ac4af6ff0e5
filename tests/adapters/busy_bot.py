"""A simulation of a bot that always has something to send, on a platform that hides its global limit."""

import asyncio
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from itertools import count
from typing import ClassVar, Protocol

from adapters.discord.adapter import BUDGETS as DISCORD_BUDGETS
from adapters.port import Budgets, CallLimiter
from adapters.telegram.adapter import BUDGETS as TELEGRAM_BUDGETS
from tests.adapters.skipping_loop import SkippingLoop
from tests.wire.discord.rate_limits import Flooded, Limits
from tests.wire.telegram.errors import ApiError
from tests.wire.telegram.faults import Faults

CHATS = 3000  # more than the fastest bot writes to before each may be written to again
SENDERS = 400  # calls that always wait
WAY_SECONDS = 0.05  # of a call to the platform, and of its answer


class Platform(Protocol):
    """A platform with a hidden limit of calls a second, and none at first."""

    budgets: ClassVar[Budgets]

    def change(self, limit: int | None) -> None:
        """Changes the limit; None: any number."""

    def refusal(self, chat: int) -> float | None:
        """Counts a call; returns the seconds for which it is refused, if it is."""

    def report(self, calls: CallLimiter, chat: int, seconds: float) -> None:
        """Reports a refusal to the bot's limiter, as the platform's adapter does."""


class HiddenTelegram:
    """A Telegram, whose refusals don't name the limit that was reached."""

    budgets: ClassVar[Budgets] = TELEGRAM_BUDGETS

    def __init__(self, now: Callable[[], float]) -> None:
        self._faults = Faults(now)
        self._faults.budgets_enforced = True
        self._faults.whole_bot = None

    def change(self, limit: int | None) -> None:
        self._faults.whole_bot = limit

    def refusal(self, chat: int) -> float | None:
        try:
            self._faults.spend("sendMessage", chat)
        except ApiError as error:
            return float(error.parameters["retry_after"])
        return None

    def report(self, calls: CallLimiter, chat: int, seconds: float) -> None:
        calls.note_refusal(chat, seconds, kept_limits=True)


class HiddenDiscord:
    """A Discord, whose refusals name the limit that was reached."""

    budgets: ClassVar[Budgets] = DISCORD_BUDGETS

    def __init__(self, now: Callable[[], float]) -> None:
        self._limits = Limits(now=now)
        self._limits.enforce()
        self._limits.overall = None

    def change(self, limit: int | None) -> None:
        self._limits.overall = limit

    def refusal(self, chat: int) -> float | None:
        answer = self._limits.count("POST", "/channels/{channel_id}/messages", {"channel_id": str(chat)})
        return answer.retry_after if isinstance(answer, Flooded) else None

    def report(self, calls: CallLimiter, chat: int, seconds: float) -> None:
        del chat
        calls.throttle(seconds)


Maker = type[HiddenTelegram] | type[HiddenDiscord]


@dataclass
class Busy:
    """The bot.

    Attributes:
        taken: When calls were taken, in seconds since it began.
        refused: When calls were refused.
    """

    platform: Platform
    calls: CallLimiter
    began: float
    taken: list[float] = field(default_factory=list)
    refused: list[float] = field(default_factory=list)
    _chats: "count[int]" = field(default_factory=count)

    async def send(self) -> None:
        """Sends one message after another, each to another chat."""
        loop = asyncio.get_running_loop()
        while True:
            chat = 1 + next(self._chats) % CHATS
            async with self.calls.turn(chat):
                await asyncio.sleep(WAY_SECONDS)
                refusal = self.platform.refusal(chat)
                when = self.taken if refusal is None else self.refused
                when.append(loop.time() - self.began)
                await asyncio.sleep(WAY_SECONDS)

            if refusal is not None:
                self.platform.report(self.calls, chat, refusal)

    def throughput(self, since: float, until: float) -> float:
        """Returns the accepted calls per second within a span of time."""
        return sum(since <= at < until for at in self.taken) / (until - since)

    @property
    def refusals(self) -> float:
        """The share of the calls that was refused."""
        return len(self.refused) / (len(self.taken) + len(self.refused))


def played(on: Maker, seconds: float, limits: Mapping[float, int | None]) -> Busy:
    """Runs a busy bot for so many seconds, and changes the platform's limit at these times."""

    async def play() -> Busy:
        loop = asyncio.get_running_loop()
        platform = on(loop.time)
        busy = Busy(platform, CallLimiter(platform.budgets.whole, learns=True), loop.time())

        for at, limit in limits.items():
            loop.call_at(busy.began + at, platform.change, limit)

        senders = [asyncio.create_task(busy.send()) for _ in range(SENDERS)]
        await asyncio.sleep(seconds)
        for sender in senders:
            sender.cancel()

        return busy

    with asyncio.Runner(loop_factory=SkippingLoop) as runner:
        return runner.run(play())
