"""The page on a phone: everything finds room, and the table and the cards are a touch away."""

import pytest

from adapters.port import Reply
from adapters.web import handlers
from tests.adapters.contract.steps import says
from tests.adapters.web.site import Site, web_site
from tests.adapters.web.steps import CARDS, hand, posted, posted_privately, soon
from tests.wire.browser import PHONE, Browser, tap, tap_at


async def test_the_table_is_one_touch_away_when_it_was_talked_out_of_sight(
    site: Site, browser: Browser
) -> None:
    anna = await browser.guest(site.url, "Anna", PHONE)
    await posted(site, says("the table", "Join"))
    assert not await anna.page.is_visible("#to-table")
    for number in range(30):
        await posted(site, says(f"words {number}"))
    await tap(anna.page.locator("#to-table"))
    await soon(lambda: anna.page.is_hidden("#to-table"))
    await anna.touches("Join")


async def test_six_cards_lie_side_by_side_on_a_phone(site: Site, browser: Browser) -> None:
    anna = await browser.guest(site.url, "Anna", PHONE)
    await posted_privately(site, "Anna", hand())
    await tap(anna.page.locator("#open-notes"))
    await anna.page.wait_for_selector(".one-card:visible")
    tops = await anna.page.eval_on_selector_all(
        ".one-card", "cards => cards.map(card => card.getBoundingClientRect().top)"
    )
    assert len(tops) == len(CARDS)
    assert len(set(tops)) == 1


async def test_what_comes_for_one_alone_is_announced_and_waits_behind_the_lock(
    site: Site, browser: Browser
) -> None:
    anna = await browser.guest(site.url, "Anna", PHONE)
    assert not await anna.page.is_visible("#open-notes")
    await posted_privately(site, "Anna", says("a call for Anna"))
    await anna.page.wait_for_selector(".toast:has-text('a call for Anna')")
    assert await anna.page.is_visible("#notes-news")
    await tap(anna.page.locator("#open-notes"))
    await anna.page.wait_for_selector("#notes[open] #private :text('a call for Anna')")
    assert not await anna.page.is_visible("#notes-news")


async def test_what_one_asked_for_alone_opens_over_everything_and_a_tap_beside_it_closes_it(
    site: Site, browser: Browser
) -> None:
    anna = await browser.guest(site.url, "Anna", PHONE)
    site.inbox.reply = Reply(secret=says("about you"))
    await anna.types("/mydata")
    await anna.page.wait_for_selector("#panel[open]:has-text('about you')")
    await tap_at(anna.page, 195, 20)
    await anna.page.wait_for_selector("#panel", state="hidden")
    await tap(anna.page.locator("#open-notes"))
    await anna.page.wait_for_selector("#private :text('about you')")


async def test_who_has_too_many_pages_open_is_told_so(
    browser: Browser, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(handlers, "MAX_PAGES", 1)
    async with web_site() as site:
        anna = await browser.guest(site.url, "Anna", PHONE)
        again = await browser.stranger(PHONE)
        await again.page.goto(anna.secret_link)
        await again.page.wait_for_selector("#offline:text('You have too many pages open.')")
