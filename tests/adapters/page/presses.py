"""A player who presses a button again and again while the table changes all the time."""

import asyncio
import time
from contextlib import suppress

from adapters.port import Reply, Span
from tests.adapters.boards import hand
from tests.adapters.page.live_table import BOUT, Player, seated
from tests.adapters.web.site import Site
from tests.adapters.web.steps import soon
from tests.wire.browser import DESKTOP, Browser, Device

PRESSED = "t:⇅ By suit"
PAUSE = 0.03  # seconds between two changes of the table


async def keep_changing(anna: Player) -> None:
    """Keeps changing the table."""
    step = 1
    while True:
        step += 1
        await anna.holds(hand("TD 9C" if step % 2 else "8C TD 9C", "D 9D TD", "T", version=step))
        await anna.sees(bout=BOUT[: 2 + step % 2], attacker=1, step=step, latest=(Span(f"Moment {step}."),))
        await asyncio.sleep(PAUSE)


async def press_while_everything_changes(
    site: Site, browser: Browser, presses: int, device: Device = DESKTOP
) -> None:
    """Presses this often; fails if a press is lost, received twice, or received as another one."""
    anna = await seated(site, browser, hand("TD 9C", "D 9D TD", "T"), device)
    site.inbox.reply = Reply()
    site.monotonic = time.monotonic()
    mouse = anna.page.mouse
    box = await anna.page.locator("[data-other]").first.bounding_box()
    assert box is not None
    await mouse.move(box["x"] + 20, box["y"] + 20)
    changing = asyncio.create_task(keep_changing(anna))
    try:
        for _ in range(presses):
            site.monotonic += 1.0  # no one is too fast for the server
            await mouse.down()
            await mouse.up()
            anna.guest.received.clear()  # or a long run would keep every byte of it

        async def have_arrived() -> bool:
            return len(site.inbox.pressed) >= presses

        await soon(have_arrived)
    finally:
        changing.cancel()
        with suppress(asyncio.CancelledError):
            await changing
    assert [press.token for press in site.inbox.pressed] == [PRESSED] * presses
    assert len({press.id for press in site.inbox.pressed}) == presses
    assert not anna.guest.complaints
