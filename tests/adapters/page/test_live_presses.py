"""No press is lost, however often the page is redrawn; tests/slow/presses.py presses longer."""

from tests.adapters.page.presses import press_while_everything_changes
from tests.adapters.web.site import Site
from tests.examples import share
from tests.wire.browser import Browser

PRESSES = 100  # in a thorough run


async def test_every_press_counts_under_constant_updates(site: Site, browser: Browser) -> None:
    await press_while_everything_changes(site, browser, share(PRESSES))
