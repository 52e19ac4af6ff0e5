"""What tells somebody who looks elsewhere that it is their turn, and that it tells no more than that."""

from dataclasses import replace

from tests.adapters.page.live_table import TWO_TO_BEAT, seated
from tests.adapters.web_site import Site
from tests.wire.browser import Browser


async def test_the_title_says_when_it_is_ones_turn_and_only_then(site: Site, browser: Browser) -> None:
    anna = await seated(site, browser, TWO_TO_BEAT)
    await anna.page.wait_for_function("() => document.title.startsWith('● Your turn')")
    assert await anna.page.get_attribute("link[rel=icon]", "href") == "/page/icon-turn.svg"
    await anna.holds(replace(TWO_TO_BEAT, moves=(), is_awaited=False))
    await anna.page.wait_for_function("() => !document.title.includes('●')")
    assert await anna.page.get_attribute("link[rel=icon]", "href") == "/page/icon.svg"
