"""Plays a whole game on the page in WebKit, steps through its replay, and opens a live table in a frame.

    apt install libwebkit2gtk-4.1-0 xvfb && python -m tests.slow.webkit

It ends with an error if cards or the deck cannot be read in larger text, the game does not end as recorded,
the replay does not follow many quick steps, a browser that lost the page's storage is not known again, the
page's scripts fail, or a frame lets nobody play to the result, or has no sentence where it has no origin of
its own.
"""

import asyncio
import random
from pathlib import Path
from tempfile import TemporaryDirectory

from tests.adapters.contract import eventually
from tests.adapters.page.frames import framed
from tests.adapters.page.live_table import card
from tests.e2e.live_table import Player, clicks
from tests.e2e.process import BotProcess
from tests.e2e.record import games
from tests.wire.browser import Browser, Device, Guest, frame_in
from tests.wire.webkit import WebKit

WINDOW = Device(600, 900, is_calm=True)
MAX_SECONDS = 120.0
QUICK_STEPS = 150  # more than WebKit lets a page change its address in ten seconds

_STEPS = """(steps) => {
    const press = (id) => document.getElementById(id).click();
    for (let n = 0; n < steps; n += 2) { press("forward"); press("back"); }
    press("last");
    return [document.getElementById("step").value, document.getElementById("step-text").textContent];
}"""

# Returns the deck if something covers it, in larger text.
_HARD_TO_READ = """() => {
    const root = document.documentElement;
    root.style.fontSize = "200%";
    return new Promise((resolve) => setTimeout(resolve, 500)).then(() => {
        const box = (each) => each.getBoundingClientRect();
        const middle = (each) => box(each).top + box(each).height / 2;
        const hard = [];
        const deck = document.querySelector(".talon .back");
        const seen = document.elementFromPoint(box(deck).x + box(deck).width / 2, middle(deck));
        if (!seen?.closest(".talon")) hard.push(deck); // its own number lies on it
        root.style.fontSize = "";
        return hard.map((each) => each.outerHTML);
    });
}"""


async def play(guest: Guest, bot: BotProcess) -> int:
    """Plays against a bot by the mouse, then steps through the replay; returns the game's number of moves."""
    page = guest.page
    await guest.enters(bot.address, "Anna")
    await page.evaluate("localStorage.clear(), sessionStorage.clear()")
    await page.goto(bot.address)
    await page.wait_for_selector("#people:has-text('Anna')")

    await guest.types("/durak podkidnoy-24 throw_in=none bots=beginner")
    await page.wait_for_selector("#room.live .held")
    assert await page.evaluate(_HARD_TO_READ) == []

    await Player(guest, random.Random(1)).plays(clicks)
    (game,) = games(bot.database)
    assert game.outcome is not None

    await page.click(".replay")
    await page.wait_for_selector("#replay:not([hidden])")
    last, told = await page.evaluate(_STEPS, QUICK_STEPS)
    assert told.startswith(f"{last} / {last}")
    assert not guest.complaints, guest.complaints

    return len(game.moves)


async def look_into_frames(guest: Guest) -> None:
    """Plays in the frame of a chat's window, and opens one without its own origin."""
    async with framed() as window:
        await guest.page.goto(window.address)
        table = await frame_in(guest.page)
        await table.wait_for_selector("#mine.mine .held.playable")
        await table.wait_for_selector(":root[data-theme=dark]")

        for _ in range(2):
            await table.click(card("TD"), position={"x": 9, "y": 16})

        await eventually(lambda: window.inbox.pressed)

        window.views.is_over = True
        window.views.change()
        await table.wait_for_selector(".outcome .verdict")

        assert "web_app_ready" in await guest.page.evaluate("heard.map(([type]) => type)")

    async with framed('sandbox="allow-scripts"') as window:
        await guest.page.goto(window.address)
        table = await frame_in(guest.page)
        await table.wait_for_selector("#refused:not([hidden])")


async def main() -> None:
    """Plays one game and opens the frames."""
    webkit = WebKit()
    with TemporaryDirectory() as folder:
        bot = BotProcess(Path(folder), {})
        await bot.start()
        async with asyncio.timeout(MAX_SECONDS), Browser(webkit) as browser:
            anna = await browser.stranger(WINDOW)
            moves = await play(anna, bot)
            await look_into_frames(anna)
        await bot.stop()

    await webkit.stop()
    print(f"Played a game of {moves} moves in WebKit.")


if __name__ == "__main__":
    asyncio.run(main())
