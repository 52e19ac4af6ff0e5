"""The owner's link in a browser."""

from adapters.port import Reply
from tests.adapters.contract.steps import says
from tests.adapters.web.site import Site
from tests.adapters.web.steps import posted, shows
from tests.wire.browser import PHONE, Browser


async def test_the_owner_s_link_opens_the_door_and_leaves_the_key_in_no_address(
    site: Site, browser: Browser
) -> None:
    link = site.url.removesuffix("/r/main") + site.adapter.owner_path
    anna = await browser.stranger(PHONE)
    await anna.page.goto(link)
    await anna.page.wait_for_selector("#sign-in-owner:visible")
    assert site.owner_key not in anna.page.url
    await anna.page.fill("#name", "Anna")
    await anna.page.click("#enter")
    await anna.page.wait_for_selector("#toasts :text('You own this page')")
    assert anna.page.url == site.url
    (guest,) = await site.store.guests()
    assert (guest.name, guest.is_owner) == ("Anna", True)
    await anna.page.click("#open-links")
    await anna.page.wait_for_selector("#owner-note:visible")
    assert not anna.complaints


async def test_somebody_the_browser_knows_can_go_on_as_the_owner(site: Site, browser: Browser) -> None:
    anna = await browser.guest(site.url, "Anna", PHONE)
    await anna.page.goto(f"{site.url}#owner={site.owner_key}")
    await anna.page.click("#known-guests button:has-text('Anna')")
    await anna.page.wait_for_selector("#toasts :text('You own this page')")
    (guest,) = await site.store.guests()
    assert guest.is_owner


async def test_an_old_owner_s_link_lets_in_and_says_why_it_is_no_more(site: Site, browser: Browser) -> None:
    anna = await browser.stranger(PHONE)
    await anna.page.goto(f"{site.url}#owner=of-yesterday")
    await anna.page.fill("#name", "Anna")
    await anna.page.click("#enter")
    await anna.page.wait_for_selector("#toasts :text('each start of the bot makes a new one')")
    site.inbox.reply = Reply(toast="fine")
    await posted(site, says("table", "Join"))
    await shows(anna, "table")
    assert await anna.touches("Join") == "fine"
