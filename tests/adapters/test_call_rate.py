"""The number of calls per second that a platform accepts, learned from its refusals."""

import asyncio
from collections.abc import Callable, Coroutine

import pytest

from adapters.port import Budget, CallLimiter
from adapters.port.call_rate import MAX_CALL_RATE, MIN_CALL_RATE
from adapters.telegram.adapter import BUDGETS
from tests.adapters.busy_bot import HiddenDiscord, HiddenTelegram, Maker, played
from tests.adapters.skipping_loop import SkippingLoop

LEARNING_SECONDS = 120.0


@pytest.mark.parametrize("on", [HiddenTelegram, pytest.param(HiddenDiscord, marks=pytest.mark.slow)])
@pytest.mark.parametrize("limit", [25, 30, 60])
def test_a_hidden_limit_is_found_and_kept_to(limit: int, on: Maker) -> None:
    busy = played(on, 600.0, {0.0: limit})
    assert busy.throughput(LEARNING_SECONDS, 600.0) >= 0.9 * limit
    assert busy.refusals < 0.01


@pytest.mark.slow
@pytest.mark.parametrize("on", [HiddenTelegram, HiddenDiscord])
def test_a_platform_without_a_limit_is_sent_ever_more_up_to_a_bound(on: Maker) -> None:
    busy = played(on, 360.0, {0.0: None})
    assert not busy.refused
    assert busy.throughput(0.0, 10.0) < 1.1 / on.budgets.whole.seconds
    assert busy.calls.rate == MAX_CALL_RATE


@pytest.mark.slow
@pytest.mark.parametrize("on", [HiddenTelegram, HiddenDiscord])
def test_a_limit_that_changes_is_found_again(on: Maker) -> None:
    busy = played(on, 900.0, {0.0: 60, 300.0: 30, 600.0: 60})
    assert busy.throughput(300.0 + LEARNING_SECONDS, 600.0) >= 0.9 * 30
    assert busy.throughput(600.0 + LEARNING_SECONDS, 900.0) >= 0.9 * 60
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
        calls.note_refusal("a room", 3.0, kept_limits=False)
        calls.note_refusal("a room", 3.0, kept_limits=False)
        await asyncio.sleep(1.5)
        calls.note_refusal("another", 3.0, kept_limits=False)
        assert calls.rate == 27

        calls.note_refusal("a room", 3.0, kept_limits=False)
        assert calls.rate == MIN_CALL_RATE

        calls.restore(27)
        await asyncio.sleep(5.0)
        calls.note_refusal("a quiet room", 3.0, kept_limits=True)
        assert calls.rate == MIN_CALL_RATE

    run(refuse, CallLimiter(BUDGETS.whole, learns=True))


def test_a_rate_that_its_owner_fixed_stays() -> None:
    async def refuse(calls: CallLimiter) -> None:
        calls.throttle(3.0)
        calls.restore(200)
        assert calls.rate == 50
        assert calls.would_wait()

    run(refuse, CallLimiter(Budget(1 / 50, burst=2)))
