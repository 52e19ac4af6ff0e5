"""Lessons on the page are played by the same gestures as the live table."""

import pytest

from adapters.port import Reply
from adapters.web.render import LIMITS
from bot.features.learn.screens import lesson_screen
from bot.locale import Translator
from tests.adapters.page.accessibility import violations
from tests.adapters.web.site import Site
from tests.adapters.web.steps import soon
from tests.wire.browser import DESKTOP, PHONE, Browser, Device, Guest

BEATING, LEADING = 0, 1  # turns of the first lesson
GERMAN_PHONE = Device(360, 740, has_touch=True, locale="de-DE")


async def lesson(site: Site, browser: Browser, turn: int, device: Device = PHONE) -> Guest:
    """Opens the first lesson at a turn."""
    anna = await browser.guest(site.url, "Anna", device)
    site.inbox.reply = Reply(secret=lesson_screen(0, turn, "", LIMITS, Translator("en")))
    await anna.types("/learn")
    await anna.page.wait_for_selector("#panel[open] .puzzle")
    return anna


async def tokens(site: Site) -> list[str]:
    return [press.token for press in site.inbox.pressed]


@pytest.mark.parametrize("device", [PHONE, DESKTOP, GERMAN_PHONE])
async def test_a_card_is_chosen_and_then_put_on_the_one_it_beats(
    site: Site, browser: Browser, device: Device
) -> None:
    anna = await lesson(site, browser, BEATING, device)
    card = anna.page.locator("#panel .puzzle-card[data-key='9S']")
    await card.click()
    target = anna.page.locator("#panel .pair.target[data-attack='7S']")
    await target.wait_for()
    assert await card.get_attribute("aria-pressed") == "true"
    assert await tokens(site) == []
    assert not await violations(anna)

    await target.click()
    await soon(lambda: tokens(site))
    assert await tokens(site) == ["y:0:0:D 7S 9S"]


@pytest.mark.parametrize("device", [PHONE, DESKTOP])
async def test_a_card_is_dragged_onto_the_one_it_beats_as_at_the_table(
    site: Site, browser: Browser, device: Device
) -> None:
    anna = await lesson(site, browser, BEATING, device)
    await anna.page.locator("#panel .puzzle-card[data-key='9S']").drag_to(
        anna.page.locator("#panel .pair[data-attack='7S']")
    )
    await soon(lambda: tokens(site))
    assert await tokens(site) == ["y:0:0:D 7S 9S"]


async def test_a_card_is_led_by_dragging_it_to_the_table_and_goes_back_from_elsewhere(
    site: Site, browser: Browser
) -> None:
    anna = await lesson(site, browser, LEADING)
    card = anna.page.locator("#panel .puzzle-card[data-key='6H']")
    await card.drag_to(anna.page.locator("#panel .puzzle-hand").first)
    await anna.page.wait_for_selector("#panel .dragged", state="detached")
    assert await tokens(site) == []

    await card.drag_to(anna.page.locator("#panel .puzzle-middle"))
    await soon(lambda: tokens(site))
    assert await tokens(site) == ["y:0:1:A 6H"]


async def test_a_card_is_led_by_a_second_tap_on_it_or_on_the_table(site: Site, browser: Browser) -> None:
    anna = await lesson(site, browser, LEADING)
    lowest = anna.page.locator("#panel .puzzle-card[data-key='6H']")
    other = anna.page.locator("#panel .puzzle-card[data-key='8C']")
    await other.click()
    await lowest.click()
    assert await tokens(site) == [], "another card was chosen instead"
    assert await other.get_attribute("aria-pressed") == "false"

    await lowest.click()
    await soon(lambda: tokens(site))
    assert await tokens(site) == ["y:0:1:A 6H"]
