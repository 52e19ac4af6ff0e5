"""Plays a whole game on the page in WebKit, steps through its replay, and opens a live table in a frame.

    apt install webkit2gtk-driver xvfb && python -m tests.slow.webkit

It ends with an error if cards or the deck cannot be read in larger text, the game does not end as recorded,
the replay does not follow many quick steps, a browser that lost the page's storage is not known again, the
page's scripts fail, or a frame lets nobody play by touch to the result, or has no sentence where it has no
origin of its own.
"""

import asyncio
import random
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import cast

from tests.adapters.contract import eventually
from tests.adapters.page.frames import framed
from tests.adapters.page.live_table import card
from tests.e2e.live_table import Player, clicks
from tests.e2e.process import BotProcess
from tests.e2e.record import games
from tests.wire.browser import STANDS_STILL, Guest
from tests.wire.webkit import ENTER, WebKit

MAX_SECONDS = 120.0
QUICK_STEPS = 150  # more than WebKit lets a page change its address in ten seconds

_LISTEN = """(() => {
    window.complaints = [];
    addEventListener("error", ({ message }) => complaints.push(message));
    addEventListener("unhandledrejection", ({ reason }) => complaints.push(String(reason)));
})()"""

_STEPS = """const press = (id) => document.getElementById(id).click();
for (let n = 0; n < arguments[0]; n += 2) { press("forward"); press("back"); }
press("last");
return [document.getElementById("step").value, document.getElementById("told").textContent];"""

# Gives the cards whose suit lies over their rank, and the deck if something lies over it, in larger text.
_HARD_TO_READ = """const root = document.documentElement;
root.style.fontSize = "200%";
return new Promise((resolve) => setTimeout(resolve, 500)).then(() => {
    const box = (each) => each.getBoundingClientRect();
    const middle = (each) => box(each).top + box(each).height / 2;
    const isOver = ({ firstChild: rank, lastChild: suit }) => box(suit).top < middle(rank);
    const hard = [...document.querySelectorAll(".held .corner")].filter(isOver);
    const deck = document.querySelector(".talon .back");
    if (document.elementFromPoint(box(deck).x + box(deck).width / 2, middle(deck)) !== deck) hard.push(deck);
    root.style.fontSize = "";
    return hard.map((each) => each.outerHTML);
});"""


class Seated:
    """Somebody at the table, as far as a player needs them."""

    def __init__(self, page: WebKit) -> None:
        self.page = page

    async def sees_nothing_move(self) -> None:
        await self.page.runs(f"return ({STANDS_STILL})()")


async def play(page: WebKit, bot: BotProcess) -> int:
    """Play against a bot by the mouse, and look at the game again; gives its number of moves."""
    await page.goto(bot.address)
    await page.types("#name", f"Anna{ENTER}")
    await page.wait_for_selector("#people:not(:empty)")
    await page.evaluate("localStorage.clear(), sessionStorage.clear()")
    await page.goto(bot.address)
    await page.wait_for_selector("#people:not(:empty)")
    assert await page.evaluate("document.getElementById('people').textContent") == "Anna"

    await page.evaluate(_LISTEN)
    await page.types("#line", f"/durak podkidnoy-24 throw_in=none bots=beginner{ENTER}")
    await page.wait_for_selector("#room.live .held")
    assert await page.runs(_HARD_TO_READ) == []
    await Player(cast("Guest", Seated(page)), random.Random(1)).plays(clicks)
    (game,) = games(bot.database)
    assert game.outcome is not None
    assert await page.evaluate("complaints") == []

    await page.goto(await page.evaluate("document.querySelector('.way-back').href"))
    await page.wait_for_selector("#replay:not([hidden])")
    await page.evaluate(_LISTEN)
    last, told = await page.runs(_STEPS, QUICK_STEPS)
    assert told.startswith(f"{last} / {last}")
    assert await page.evaluate("complaints") == []
    return len(game.moves)


async def look_into_frames(page: WebKit) -> None:
    """Plays by touch in the frame of a chat's window, and looks at one that has no origin of its own."""
    async with framed() as window:
        await page.goto(window.address)
        await page.enters_frame(0)
        await page.wait_for_selector("#mine.mine .held.playable")
        await page.wait_for_selector(":root[data-theme=dark]")
        for _ in range(2):
            await page.taps(card("TD"))
        await eventually(lambda: window.inbox.pressed)

        window.views.is_over = True
        window.views.change()
        await page.wait_for_selector(".outcome .verdict")
        await page.leaves_frame()
        assert "web_app_ready" in await page.evaluate("heard.map(([type]) => type)")

    async with framed('sandbox="allow-scripts"') as window:
        await page.goto(window.address)
        await page.enters_frame(0)
        await page.wait_for_selector("#refused:not([hidden])")
        await page.leaves_frame()


async def main() -> None:
    """Play one game, and look into frames."""
    with TemporaryDirectory() as folder:
        bot = BotProcess(Path(folder), {})
        await bot.start()
        async with asyncio.timeout(MAX_SECONDS), WebKit(600, 900) as page:
            moves = await play(page, bot)
            await look_into_frames(page)
        await bot.stop()
    print(f"Played a game of {moves} moves in WebKit.")


if __name__ == "__main__":
    asyncio.run(main())
