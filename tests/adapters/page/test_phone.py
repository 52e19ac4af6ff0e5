"""The page on a phone: everything finds room, and the table and the cards are a touch away."""

import pytest

from adapters.web import handlers
from tests.adapters.contract.steps import says
from tests.adapters.web.site import Site, web_site
from tests.adapters.web.steps import CARDS, hand, posted, posted_privately, soon
from tests.wire.browser import PHONE, Browser


async def test_the_table_is_one_touch_away_when_it_was_talked_out_of_sight(
    site: Site, browser: Browser
) -> None:
    anna = await browser.guest(site.url, "Anna", PHONE)
    await posted(site, says("the table", "Join"))
    assert not await anna.page.is_visible("#to-table")
    for number in range(30):
        await posted(site, says(f"words {number}"))
    await anna.page.tap("#to-table")
    await soon(lambda: anna.page.is_hidden("#to-table"))
    await anna.touches("Join")


async def test_six_cards_lie_side_by_side_on_a_phone(site: Site, browser: Browser) -> None:
    anna = await browser.guest(site.url, "Anna", PHONE)
    await posted_privately(site, "Anna", hand())
    await anna.page.wait_for_selector(".one-card")
    tops = await anna.page.eval_on_selector_all(
        ".one-card", "cards => cards.map(card => card.getBoundingClientRect().top)"
    )
    assert len(tops) == len(CARDS)
    assert len(set(tops)) == 1


async def test_the_pane_can_be_folded_and_says_when_there_is_news(site: Site, browser: Browser) -> None:
    anna = await browser.guest(site.url, "Anna", PHONE)
    mine = await posted_privately(site, "Anna", says("my cards"))
    await anna.page.wait_for_selector("text=my cards")
    await anna.page.tap("#pane-handle")
    assert not await anna.page.is_visible("text=my cards")
    await site.adapter.edit(mine, says("my other cards"))
    await anna.page.wait_for_selector("#pane-news:visible")
    await anna.page.tap("#pane-handle")
    assert await anna.page.is_visible("text=my other cards")
    assert not await anna.page.is_visible("#pane-news")


async def test_who_has_too_many_pages_open_is_told_so(
    browser: Browser, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(handlers, "MOST_PAGES", 1)
    async with web_site() as site:
        anna = await browser.guest(site.url, "Anna", PHONE)
        again = await browser.stranger(PHONE)
        await again.page.goto(anna.secret_link)
        await again.page.wait_for_selector("#offline:text('You have too many pages open.')")
