"""The first paint of the page on a slow phone and a slow network."""

import asyncio
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory

import pytest

from tests.bench.rows import Measured, MissingRivalError
from tests.e2e.process import BotProcess
from tests.wire.browser import PHONE, Browser
from tests.wire.chromium import Chromium

# How many times slower than this machine the phone is; with the next two, a "slow 4G" phone.
SLOWER = 4

ROUND_TRIP = 150  # milliseconds for each request
BYTES_PER_SECOND = 1_600_000 / 8

VISITS = 5

_FIRST_PAINT = """() => new Promise(resolve => new PerformanceObserver((entries, observer) => {
    const [paint] = entries.getEntriesByName("first-contentful-paint");
    if (paint) { observer.disconnect(); resolve(paint.startTime); }
}).observe({type: "paint", buffered: true}))"""

# The page reports the times itself: a throttled browser answers questions late.
_NOTE_WHEN_A_NAME_CAN_BE_TYPED = """globalThis.doorOpened = new Promise(resolve =>
    addEventListener("focusin", () => requestAnimationFrame(() => resolve(performance.now())),
    {once: true}))"""


def on_a_slow_phone(is_quick: bool, /) -> Measured:
    """Opens the page for the first time, with an empty cache."""
    visits = 1 if is_quick else VISITS
    paints, doors = asyncio.run(_visits(visits))
    return Measured([median(paints) / 1000], f"the door can be used after {median(doors) / 1000:.1f} s")


async def _visits(number: int) -> tuple[list[float], list[float]]:
    chromium = Chromium()
    try:
        with TemporaryDirectory() as folder:
            bot = BotProcess(Path(folder), {"DURAK_LOG_LEVEL": "info"}, is_forked=False)
            await bot.start()
            async with Browser(chromium) as browser:
                visits = [await _visit(browser, bot.address) for _ in range(number)]

            await bot.stop()
    except pytest.skip.Exception:
        raise MissingRivalError("Chromium") from None
    finally:
        await chromium.stop()

    return [paint for paint, _ in visits], [door for _, door in visits]


async def _visit(browser: Browser, address: str) -> tuple[float, float]:
    """Returns the milliseconds until the first paint, and until the name field accepts input."""
    guest = await browser.stranger(PHONE)
    devtools = await guest.page.context.new_cdp_session(guest.page)
    conditions = {"latency": ROUND_TRIP, "downloadThroughput": BYTES_PER_SECOND}

    await devtools.send("Network.enable")
    await devtools.send(
        "Network.emulateNetworkConditions",
        {"offline": False, "uploadThroughput": BYTES_PER_SECOND, **conditions},
    )
    await devtools.send("Emulation.setCPUThrottlingRate", {"rate": SLOWER})

    await guest.page.add_init_script(_NOTE_WHEN_A_NAME_CAN_BE_TYPED)
    await guest.page.goto(address, wait_until="commit")
    door = await guest.page.evaluate("doorOpened")
    paint = await guest.page.evaluate(_FIRST_PAINT)
    await guest.page.context.close()

    return float(paint), float(door)
