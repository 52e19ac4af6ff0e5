"""No press is lost, however often the page is drawn anew meanwhile."""

import asyncio
import time
from contextlib import suppress

from adapters.port import Reply, Span
from tests.adapters.boards import hand
from tests.adapters.page.live_table import BOUT, Player, seated
from tests.adapters.web_site import Site
from tests.adapters.web_steps import soon
from tests.examples import share
from tests.wire.browser import DESKTOP, Browser

PRESSES = 200
"""In a thorough run."""


async def keep_changing(anna: Player) -> None:
    """Let something happen at the table all the time."""
    step = 1
    while True:
        step += 1
        await anna.holds(hand("TD 9C" if step % 2 else "8C TD 9C", "D 9D TD", "T", version=step))
        await anna.sees(bout=BOUT[: 2 + step % 2], attacker=1, step=step, told=(Span(f"Moment {step}."),))
        await asyncio.sleep(0.01)


async def test_every_press_counts_under_constant_updates(site: Site, browser: Browser) -> None:
    anna = await seated(site, browser, hand("TD 9C", "D 9D TD", "T"), DESKTOP)
    site.inbox.reply = Reply()
    site.monotonic = time.monotonic()
    mouse, presses = anna.page.mouse, share(PRESSES)
    box = await anna.page.locator("[data-other]").first.bounding_box()
    assert box is not None
    changing = asyncio.create_task(keep_changing(anna))
    try:
        for _ in range(presses):
            site.monotonic += 1.0  # nobody is too fast for the server
            await mouse.move(box["x"] + 20, box["y"] + 20)
            await mouse.down()
            await mouse.up()

        async def have_arrived() -> bool:
            return len(site.inbox.pressed) == presses

        await soon(have_arrived)
    finally:
        changing.cancel()
        with suppress(asyncio.CancelledError):
            await changing
    assert {press.token for press in site.inbox.pressed} == {"t:⇅ By suit"}
    assert not anna.guest.complaints
