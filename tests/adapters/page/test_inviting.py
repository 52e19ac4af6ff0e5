"""How friends come to the page, and how one looks on without a name."""

import pytest

from tests.adapters.contract.steps import says
from tests.adapters.web.site import Site, web_site
from tests.adapters.web.steps import hand, posted, posted_privately, shows, soon
from tests.wire.browser import PHONE, Browser, Guest

PUBLIC = "https://durak.example"


async def qr_code(guest: Guest, which: str) -> int:
    """Wait until a code is drawn; gives how wide it is."""
    image = guest.page.locator(which)
    await soon(lambda: image.evaluate("image => image.complete && image.naturalWidth"))
    return int(await image.evaluate("image => image.naturalWidth"))


async def test_an_invitation_is_a_link_and_its_picture(browser: Browser) -> None:
    async with web_site(public_url=PUBLIC) as site:
        anna = await browser.guest(site.url, "Anna", PHONE)
        await anna.page.click("#open-links")
        assert await qr_code(anna, "#room-code") > 100
        assert await anna.page.inner_text("#room-link") == f"{PUBLIC}/r/main"
        assert not await anna.page.is_visible("#only-here")
        secret = anna.secret_link.partition("#")[2]
        assert secret not in await anna.page.content()
        await anna.page.click("#show-own-link")
        assert await anna.page.inner_text("#own-link") == f"{PUBLIC}/r/main#{secret}"
        assert await qr_code(anna, "#own-code") > 100
        assert not anna.complaints


async def test_a_new_own_link_shuts_out_who_has_the_old_one(site: Site, browser: Browser) -> None:
    anna = await browser.guest(site.url, "Anna")
    thief = await browser.guest(anna.secret_link)
    await anna.page.click("#open-links")
    await anna.page.click("#show-own-link")
    await anna.page.click("#renew-own-link")
    await thief.page.wait_for_selector("#sign-in:visible")
    await anna.page.wait_for_selector("#people:has-text('Anna')")
    await anna.types("still me")
    (said,) = [message.content for message in await site.store.history("main", None, 10)]
    assert said["name"] == "Anna"
    assert [guest.name for guest in await site.store.guests()] == ["Anna"]


async def test_where_nobody_else_can_come_the_page_says_what_to_switch_on(
    site: Site, browser: Browser
) -> None:
    anna = await browser.guest(site.url, "Anna", PHONE)
    await anna.page.click("#open-links")
    await anna.page.wait_for_selector("#only-here:has-text('DURAK_HTTP_HOST=0.0.0.0')")
    assert await anna.page.inner_text("#room-link") == site.url


async def test_the_other_device_plays_as_the_same_guest(site: Site, browser: Browser) -> None:
    anna = await browser.guest(site.url, "Anna")
    await anna.page.click("#open-links")
    await anna.page.click("#show-own-link")
    phone = await browser.guest(await anna.page.inner_text("#own-link"), device=PHONE)
    await posted_privately(site, "Anna", says("my cards"))
    for device in (anna, phone):
        await shows(device, "my cards", private=True)
    assert phone.page.url == site.url
    assert [guest.name for guest in await site.store.guests()] == ["Anna"]


@pytest.mark.parametrize("comes_in", [False, True])
async def test_who_only_looks_sees_what_everybody_sees_and_can_do_nothing(
    site: Site, browser: Browser, comes_in: bool
) -> None:
    anna = await browser.guest(site.url, "Anna")
    await posted(site, says("the table", "Join"))
    await posted_privately(site, "Anna", hand())
    eve = await browser.stranger(PHONE)
    await eve.page.goto(site.url)
    await eve.page.click("#look")
    await shows(eve, "the table")
    assert await anna.page.inner_text("#people") == "Anna"
    for hidden in ("[data-token]", "#composer", "#pane"):
        assert not await eve.page.is_visible(hidden)
    assert "10\N{BLACK HEART SUIT}" not in "".join(received.text for received in eve.received)
    await eve.page.reload()
    await shows(eve, "the table")
    if comes_in:
        await eve.page.click("#come-in")
        await eve.page.fill("#name", "Eve")
        await eve.page.click("#sign-in-form button")
        await eve.touches("Join")
    assert len(await site.store.guests()) == 1 + comes_in
    assert not eve.complaints
