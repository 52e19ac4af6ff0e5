"""Learned call rates: kept for the next start, and visible to the owner."""

from prometheus_client import REGISTRY

from adapters.port import UNLIMITED, Budget, CallLimiter
from bot.delivery.call_rates import CallRates
from bot.storage import CallRateStore, Database
from tests.bot.chat import PLATFORM, Chat

START = Budget(1 / 27, burst=2)


def shown() -> float | None:
    return REGISTRY.get_sample_value("durak_calls_a_second", {"platform": PLATFORM})


async def test_a_learned_rate_survives_a_restart(database: Database) -> None:
    store = CallRateStore(database)
    calls = CallLimiter(START, learns=True)
    rates = CallRates(store, {PLATFORM: Chat(calls=calls)})
    await rates.restore()
    assert shown() == 27

    calls.restore(63)
    await rates.save()
    assert shown() == 63

    later = CallLimiter(START, learns=True)
    await CallRates(store, {PLATFORM: Chat(calls=later)}).restore()
    assert later.rate == 63


async def test_a_rate_that_its_owner_fixed_is_neither_kept_nor_changed(database: Database) -> None:
    store = CallRateStore(database)
    await store.save(PLATFORM, 63)
    fixed = CallLimiter(Budget(1 / 40, burst=2))
    rates = CallRates(store, {PLATFORM: Chat(calls=fixed)})

    await rates.restore()
    await rates.save()

    assert fixed.rate == shown() == 40
    assert await store.load() == {PLATFORM: 63}


async def test_a_platform_that_takes_any_number_has_no_rate(database: Database) -> None:
    store = CallRateStore(database)
    rates = CallRates(store, {PLATFORM: Chat(calls=CallLimiter(UNLIMITED, learns=True))})
    await rates.restore()
    await rates.save()
    assert await store.load() == {}
