"""The loading time of the page on a slow phone, its traffic, and how smoothly a table appears."""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from typing import Any

import pytest

from tests.bench.rows import Measured, MissingRivalError
from tests.e2e.process import BotProcess
from tests.wire.browser import PHONE, Browser, Guest
from tests.wire.chromium import Chromium

# How many times slower than this machine the phone is.
SLOWER = 4

TYPING = 2  # seconds for a name

WATCHING = 1_500  # milliseconds, in which the opponent and the hand have come

VISITS = 5


@dataclass(frozen=True)
class Network:
    """A network as slow as that of a phone.

    Attributes:
        round_trip: Milliseconds for each request.
        bytes_per_second: In both directions.
    """

    round_trip: int
    bytes_per_second: float


SLOW_4G = Network(round_trip=150, bytes_per_second=1_600_000 / 8)
SLOW_3G = Network(round_trip=400, bytes_per_second=400_000 / 8)


@dataclass
class Visit:
    """A first visit with an empty cache.

    Attributes:
        paint: Seconds until the first paint.
        door: Seconds until a name can be typed.
        room: Seconds from the name to the room.
        requests: All requests so far.
        size: Bytes that came in for them.
        frame: Milliseconds of the longest frame on the way from the room to a hand; 0 if none took 50.
        shift: How far things moved on that way without a touch, as browsers rate it.
    """

    paint: float = 0.0
    door: float = 0.0
    room: float = 0.0
    requests: list[str] = field(default_factory=list)
    size: float = 0.0
    frame: float = 0.0
    shift: float = 0.0

    def note_request(self, event: dict[str, Any]) -> None:
        """Counts what Chromium reports as a request."""
        self.requests.append(event["request"]["url"])

    def note_end(self, event: dict[str, Any]) -> None:
        """Counts what Chromium reports as received."""
        self.size += event["encodedDataLength"]


_FIRST_PAINT = """() => new Promise(resolve => new PerformanceObserver((entries, observer) => {
    const [paint] = entries.getEntriesByName("first-contentful-paint");
    if (paint) { observer.disconnect(); resolve(paint.startTime / 1000); }
}).observe({type: "paint", buffered: true}))"""

# The page reports the times itself: a throttled browser answers questions late.
_NOTE_WHEN_A_NAME_CAN_BE_TYPED = """globalThis.doorOpened = new Promise(resolve =>
    addEventListener("focusin", () => requestAnimationFrame(() => resolve(performance.now() / 1000)),
    {once: true}))"""
_COME_IN = """() => new Promise(resolve => {
    const began = performance.now();
    const look = () => document.querySelector("#room:not([hidden]) #people:not(:empty)")
        ? resolve((performance.now() - began) / 1000) : requestAnimationFrame(look);
    document.getElementById("name").value = "Anna";
    document.querySelector("#enter").click();
    look();
})"""
_PLAY = """watching => new Promise(resolve => {
    let frame = 0, shift = 0;
    const watch = (type, note) =>
        new PerformanceObserver(list => list.getEntries().forEach(note)).observe({type});
    watch("long-animation-frame", ({ duration }) => frame = Math.max(frame, duration));
    watch("layout-shift", ({ hadRecentInput, value }) => shift += hadRecentInput ? 0 : value);

    document.querySelector("#hello [data-say*=beginner]").click();
    const look = () => document.querySelector(".held")
        ? setTimeout(() => resolve([frame, shift]), watching) : requestAnimationFrame(look);
    look();
})"""


def on_a_slow_phone(is_quick: bool, /) -> Measured:
    """Opens the page for the first time."""
    visits = asyncio.run(_visits(SLOW_4G, 1 if is_quick else VISITS))
    door = median(visit.door for visit in visits)
    return Measured(
        [median(visit.paint for visit in visits)], f"the entry page can be used after {door:.1f} s"
    )


def on_slow_3g(is_quick: bool, /) -> Measured:
    """Opens the page for the first time, gives a name and waits for the room."""
    visits = asyncio.run(_visits(SLOW_3G, 1 if is_quick else VISITS))
    door = median(visit.door for visit in visits)
    room = median(visit.room for visit in visits)
    size = median(visit.size for visit in visits) / 1000
    return Measured([door, room, size, median(len(visit.requests) for visit in visits)])


def from_room_to_table(is_quick: bool, /) -> Measured:
    """Begins a game against a bot, and watches the page until a moment after the hand has come."""
    visits = asyncio.run(_visits(SLOW_4G, 1 if is_quick else VISITS, plays=True))
    return Measured([median(visit.frame for visit in visits), median(visit.shift for visit in visits)])


async def _visits(network: Network, number: int, *, plays: bool = False) -> Sequence[Visit]:
    chromium = Chromium()
    try:
        with TemporaryDirectory() as folder:
            bot = BotProcess(Path(folder), {"DURAK_LOG_LEVEL": "info"}, is_forked=False)
            await bot.start()
            async with Browser(chromium) as browser:
                visits = [
                    await _visit(browser, f"{bot.address}r/visit-{each}", network, plays)
                    for each in range(number)
                ]

            await bot.stop()
    except pytest.skip.Exception:
        raise MissingRivalError("Chromium") from None
    finally:
        await chromium.stop()

    return visits


async def _visit(browser: Browser, address: str, network: Network, plays: bool) -> Visit:
    visit = Visit()
    guest = await browser.stranger(PHONE)
    await _slow_down(guest, network, visit)

    await guest.page.add_init_script(_NOTE_WHEN_A_NAME_CAN_BE_TYPED)
    await guest.page.goto(address, wait_until="commit")
    visit.door = await guest.page.evaluate("doorOpened")
    visit.paint = await guest.page.evaluate(_FIRST_PAINT)

    await asyncio.sleep(TYPING)
    visit.room = await guest.page.evaluate(_COME_IN)
    if plays:
        visit.frame, visit.shift = await guest.page.evaluate(_PLAY, WATCHING)

    await guest.page.context.close()
    return visit


async def _slow_down(guest: Guest, network: Network, visit: Visit) -> None:
    devtools = await guest.page.context.new_cdp_session(guest.page)
    devtools.on("Network.requestWillBeSent", visit.note_request)
    devtools.on("Network.loadingFinished", visit.note_end)
    await devtools.send("Network.enable")

    speed = network.bytes_per_second
    conditions = {"latency": network.round_trip, "downloadThroughput": speed, "uploadThroughput": speed}
    await devtools.send("Network.emulateNetworkConditions", {"offline": False, **conditions})
    await devtools.send("Emulation.setCPUThrottlingRate", {"rate": SLOWER})
