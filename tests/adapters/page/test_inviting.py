"""Friends join the page, and spectators watch without giving a name."""

import pytest

from adapters.port import Reply
from tests.adapters.boards import board, lobby, screen
from tests.adapters.contract.steps import says
from tests.adapters.page.accessibility import violations
from tests.adapters.page.test_page import overflows
from tests.adapters.web.site import Site, web_site
from tests.adapters.web.steps import hand, posted, posted_privately, shows, soon
from tests.wire.browser import DESKTOP, PHONE, Browser, Device, Guest

PUBLIC = "https://durak.example"


async def qr_code(guest: Guest, which: str) -> int:
    """Waits until a code is drawn; returns its width."""
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


@pytest.mark.parametrize("device", [PHONE, DESKTOP])
async def test_an_invitation_shows_an_empty_chair_and_one_press_takes_it(
    site: Site, browser: Browser, device: Device
) -> None:
    anna = await browser.guest(site.url, "Anna", device)
    user = (await site.store.guests())[0].id
    await posted(site, screen(lobby("Anna", "Fuchs", user=user), "Join"))
    await anna.page.wait_for_selector(".lobby:visible")
    site.inbox.reply = Reply()

    friend = await browser.stranger(device)
    await friend.page.goto(site.url)
    assert await friend.page.inner_text("#invitation-title") == "Anna invites you to the table."
    seats = await friend.page.locator("#invitation-seats li").all_inner_texts()
    names = [seat.strip().split("\n")[-1] for seat in seats]  # WebKit ends them with a line
    assert names == ["Anna", "Fuchs", "Your seat"]
    assert await friend.page.input_value("#name") not in {"", "Anna", "Fuchs"}
    assert not await violations(friend)
    assert not await overflows(friend)

    await friend.page.click("#enter")
    await soon(lambda: _pressed(site))
    assert len(await site.store.guests()) == 2
    assert not friend.complaints


async def _pressed(site: Site) -> bool:
    return [press.token for press in site.inbox.pressed] == ["t:Join"]


async def test_the_entry_page_shows_who_plays_where_no_seat_is_free(site: Site, browser: Browser) -> None:
    await posted(site, screen(board("Anna", "anna", "Boris", "Clara", "Dima", "Eve")))
    friend = await browser.stranger(PHONE)
    await friend.page.goto(site.url)
    told = "At the table: Anna, Boris, Clara +2. Watch, and play the next game."
    assert await friend.page.inner_text("#invitation-title") == told
    assert await friend.page.locator("#invitation .avatar").count() == 4
    assert await friend.page.inner_text("#enter") == "Come in"
    assert not await violations(friend)
    assert not await overflows(friend)


async def test_a_spectator_sits_down_by_way_of_a_name(site: Site, browser: Browser) -> None:
    await posted(site, screen(lobby("Anna"), "Join"))
    site.inbox.reply = Reply()
    eve = await browser.stranger(PHONE)
    await eve.page.goto(site.url)
    await eve.page.click("#look")
    await eve.page.click(".lobby .chair")
    await eve.page.fill("#name", "Eve")
    await eve.page.click("#enter")
    await soon(lambda: _pressed(site))


async def test_a_link_has_a_sentence_for_messengers_about_who_is_there(site: Site, browser: Browser) -> None:
    async def sentence() -> str:
        guest = await browser.stranger()
        await guest.page.goto(site.url)
        return await guest.page.get_attribute("meta[property='og:description']", "content") or ""

    assert (await sentence()).startswith("The card game with one loser")
    message = await posted(site, screen(lobby('An"na', "Boris"), "Join"))
    assert await sentence() == 'An"na opened a table: 2 of 4 seats taken. Sit down!'
    await site.adapter.edit(message, screen(board("Anna", bout=(("9S", None),))))
    assert (await sentence()).startswith("At the table: Anna, ")


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
        await eve.page.click("#enter")
        await eve.touches("Join")
    assert len(await site.store.guests()) == 1 + comes_in
    assert not eve.complaints
