"""The calls a second that a platform takes, learned from its refusals."""

import asyncio
from collections.abc import Callable, Coroutine, Mapping
from dataclasses import dataclass, field
from itertools import count

import pytest

from adapters.port import Budget, CallLimiter
from adapters.port.call_rate import MAX_CALL_RATE, MIN_CALL_RATE
from adapters.telegram.adapter import BUDGETS
from tests.adapters.skipping_loop import SkippingLoop
from tests.wire.telegram.errors import ApiError
from tests.wire.telegram.faults import Faults

PEOPLE = 3000  # more than the fastest bot writes to before each may be written to again
SENDERS = 400  # calls that always wait
WAY_SECONDS = 0.05  # of a call to the platform, and of its answer
LEARNING_SECONDS = 120.0


@dataclass
class Busy:
    """A bot that always has something to send, on a Telegram with a hidden limit.

    Attributes:
        taken: When calls were taken.
        refused: When calls were refused.
    """

    faults: Faults
    calls: CallLimiter
    taken: list[float] = field(default_factory=list)
    refused: list[float] = field(default_factory=list)
    _chats: "count[int]" = field(default_factory=count)

    async def send(self) -> None:
        time = asyncio.get_running_loop().time
        while True:
            chat = 1 + next(self._chats) % PEOPLE
            refusal: ApiError | None = None
            async with self.calls.turn(chat):
                await asyncio.sleep(WAY_SECONDS)
                try:
                    self.faults.spend("sendMessage", chat)
                    self.taken.append(time())
                except ApiError as error:
                    refusal = error
                    self.refused.append(time())
                await asyncio.sleep(WAY_SECONDS)

            if refusal is not None:
                self.calls.refused(chat, refusal.parameters["retry_after"], kept_limits=True)

    def throughput(self, since: float, until: float) -> float:
        """Calls a second that were taken in a time."""
        return sum(since <= at < until for at in self.taken) / (until - since)

    @property
    def refusals(self) -> float:
        """The share of the calls that was refused."""
        return len(self.refused) / (len(self.taken) + len(self.refused))


def played(seconds: float, limits: Mapping[float, int | None]) -> tuple[Busy, float]:
    """A bot that was busy for so long, while the platform's limit changed; and when it began."""

    async def play() -> tuple[Busy, float]:
        loop = asyncio.get_running_loop()
        faults = Faults(loop.time)
        faults.budgets_enforced = True
        busy = Busy(faults, CallLimiter(BUDGETS.whole, learns=True))
        began = loop.time()
        for at, limit in limits.items():
            loop.call_at(began + at, setattr, faults, "whole_bot", limit)

        senders = [asyncio.create_task(busy.send()) for _ in range(SENDERS)]
        await asyncio.sleep(seconds)
        for sender in senders:
            sender.cancel()
        return busy, began

    with asyncio.Runner(loop_factory=SkippingLoop) as runner:
        return runner.run(play())


@pytest.mark.parametrize("limit", [25, 30, 60])
def test_a_hidden_limit_is_found_and_kept_to(limit: int) -> None:
    busy, began = played(600.0, {0.0: limit})
    assert busy.throughput(began + LEARNING_SECONDS, began + 600.0) >= 0.9 * limit
    assert busy.refusals < 0.01


@pytest.mark.slow
def test_a_platform_without_a_limit_is_sent_ever_more_up_to_a_bound() -> None:
    busy, began = played(360.0, {0.0: None})
    assert not busy.refused
    assert busy.throughput(began, began + 10.0) < 30
    assert busy.calls.rate == MAX_CALL_RATE


@pytest.mark.slow
def test_a_limit_that_changes_is_found_again() -> None:
    busy, began = played(900.0, {0.0: 60, 300.0: 30, 600.0: 60})
    assert busy.throughput(began + 300.0 + LEARNING_SECONDS, began + 600.0) >= 0.9 * 30
    assert busy.throughput(began + 600.0 + 1.5 * LEARNING_SECONDS, began + 900.0) >= 0.9 * 60
    assert busy.refusals < 0.01


def run(test: Callable[[CallLimiter], Coroutine[None, None, None]], calls: CallLimiter) -> None:
    with asyncio.Runner(loop_factory=SkippingLoop) as runner:
        runner.run(test(calls))


async def send(calls: CallLimiter, number: int) -> None:
    for _ in range(number):
        async with calls.turn(1):
            pass


def test_who_sends_little_learns_nothing() -> None:
    async def little(calls: CallLimiter) -> None:
        for _ in range(600):
            await send(calls, 5)
            await asyncio.sleep(1.0)
        assert calls.rate == 27

    run(little, CallLimiter(BUDGETS.whole, learns=True))


def test_a_refusal_leaves_three_quarters_of_what_was_sent_but_never_less_than_twenty() -> None:
    async def refuse(calls: CallLimiter) -> None:
        calls.restore(100)
        await send(calls, 100 + BUDGETS.whole.burst)
        calls.throttle(5.0)
        lowered = calls.rate
        assert lowered is not None
        assert 70 <= lowered <= 75
        calls.throttle(5.0)
        assert calls.rate == lowered, "another refusal of the same moment"
        assert calls.would_wait()
        await asyncio.sleep(5.1)
        assert not calls.would_wait()
        calls.throttle(5.0)
        assert calls.rate == MIN_CALL_RATE

    run(refuse, CallLimiter(BUDGETS.whole, learns=True))


def test_two_chats_in_one_moment_or_one_that_kept_its_limits_are_refused_for_all() -> None:
    async def refuse(calls: CallLimiter) -> None:
        calls.refused("a room", 3.0, kept_limits=False)
        calls.refused("a room", 3.0, kept_limits=False)
        await asyncio.sleep(1.5)
        calls.refused("another", 3.0, kept_limits=False)
        assert calls.rate == 27
        calls.refused("a room", 3.0, kept_limits=False)
        assert calls.rate == MIN_CALL_RATE
        calls.restore(27)
        await asyncio.sleep(5.0)
        calls.refused("a quiet room", 3.0, kept_limits=True)
        assert calls.rate == MIN_CALL_RATE

    run(refuse, CallLimiter(BUDGETS.whole, learns=True))


def test_a_rate_that_its_owner_fixed_stays() -> None:
    async def refuse(calls: CallLimiter) -> None:
        calls.throttle(3.0)
        calls.restore(200)
        assert calls.rate == 50
        assert calls.would_wait()

    run(refuse, CallLimiter(Budget(1 / 50, burst=2)))
