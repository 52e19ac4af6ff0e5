"""The entry page names the room it leads to, and does not wait for files that only the room needs."""

import asyncio
from io import BytesIO

import pytest
from PIL import Image, ImageStat
from playwright.async_api import Route

from tests.adapters.boards import hand, lobby, screen
from tests.adapters.page.accessibility import violations
from tests.adapters.page.live_table import seated
from tests.adapters.page.test_page import overflows
from tests.adapters.web.site import Site
from tests.adapters.web.steps import posted
from tests.wire.browser import DESKTOP, PHONE, Browser, Device, Guest

OF_THE_ROOM = ("**/page/*/room.js", "**/page/*/*board*.css")


async def before_the_room_is_there(site: Site, browser: Browser) -> tuple[Guest, asyncio.Event]:
    """Opens the page; the room's files are not served before the event is set."""
    anna, arrive = await browser.stranger(PHONE), asyncio.Event()

    async def late(route: Route) -> None:
        await arrive.wait()
        await route.continue_()

    for files in OF_THE_ROOM:
        await anna.page.route(files, late)
    await anna.page.goto(site.url, wait_until="commit")
    return anna, arrive


async def test_a_name_can_be_given_before_the_room_is_there(site: Site, browser: Browser) -> None:
    anna, arrive = await before_the_room_is_there(site, browser)
    await anna.page.fill("#name", "Anna")
    async with anna.page.expect_response("**/guests"):
        await anna.page.click("#enter")
    await anna.page.wait_for_selector("#opening:visible")
    assert not await anna.page.is_visible("#sign-in"), "nobody comes in twice"
    arrive.set()
    await anna.page.wait_for_selector("#people:has-text('Anna')")
    assert [guest.name for guest in await site.store.guests()] == ["Anna"]
    assert not anna.complaints


async def test_a_face_is_chosen_at_the_door_and_seen_beside_the_name(site: Site, browser: Browser) -> None:
    anna = await browser.stranger(Device(320, 568, has_touch=True))
    await anna.page.goto(site.url)
    await anna.page.fill("#name", "Anna")
    assert await anna.page.inner_text("#face") == "A"
    await anna.page.click("#face")
    await anna.page.get_by_role("button", name="🦊").click()
    assert not await anna.page.is_visible("#faces")
    await anna.page.click("#enter")
    await anna.page.wait_for_selector("#people:has-text('🦊 Anna')")

    user = (await site.store.guests())[0].id
    await posted(site, screen(lobby("🦊 Anna", user=user), "Join"))
    seat = anna.page.locator(".lobby-seat.mine")
    await seat.wait_for()
    assert await seat.locator(".avatar").inner_text() == "🦊"
    assert await seat.locator(".name").inner_text() == "Anna"


async def test_whoever_finds_no_room_behind_the_door_may_try_again(site: Site, browser: Browser) -> None:
    anna = await browser.stranger(PHONE)
    await anna.page.route("**/page/*/room.js", lambda route: route.abort())
    await anna.page.goto(site.url)
    await anna.page.fill("#name", "Anna")
    await anna.page.click("#enter")
    await anna.page.wait_for_selector("#sign-in-notice:has-text('there is no connection')")
    await anna.page.unroute("**/page/*/room.js")
    await anna.page.click("#known-guests button")
    await anna.page.wait_for_selector("#people:has-text('Anna')")


@pytest.mark.parametrize("device", [Device(320, 568, has_touch=True), DESKTOP])
async def test_the_door_says_what_this_is_in_a_language_that_can_be_changed(
    site: Site, browser: Browser, device: Device
) -> None:
    anna = await browser.stranger(device)
    await anna.page.goto(site.url)
    await anna.page.wait_for_selector("#sign-in :text('The card game with one loser')")
    assert await anna.page.locator("#sign-in .face").count() == 6
    assert not await overflows(anna)
    language = Image.open(BytesIO(await anna.page.locator("#language").screenshot())).convert("L")
    assert ImageStat.Stat(language).median[0] < 128, "its letters are light"
    await anna.page.select_option("#language", "lt")
    await anna.page.wait_for_selector("html[lang=lt] #sign-in :text('su vienu pralaimėtoju')")
    await anna.page.fill("#name", "Ona")
    await anna.page.press("#name", "Enter")
    await anna.page.wait_for_selector("#hello:visible")
    await anna.page.click("#hello [data-play]")
    await anna.page.wait_for_selector(".rule-set")
    assert {locale for locale in site.pages.asked_in if locale} == {"lt"}
    assert not await violations(anna)


async def test_keys_go_on_in_the_room_where_one_can_begin_to_play(site: Site, browser: Browser) -> None:
    anna = await browser.stranger(DESKTOP)
    await anna.page.goto(site.url)
    await anna.page.fill("#name", "Anna")
    await anna.page.keyboard.press("Enter")
    await anna.page.wait_for_function("() => document.activeElement.id === 'hello-title'")
    await anna.page.keyboard.press("Tab")
    assert await anna.page.evaluate("document.activeElement.textContent") == "Open a table"


async def test_keys_go_on_at_the_table_where_one_plays(site: Site, browser: Browser) -> None:
    anna = await seated(site, browser, hand("6D", "A 6D"), DESKTOP)
    await anna.page.evaluate("sessionStorage.setItem('durak-guest', '')")  # as who has left
    await anna.page.reload()
    assert not await anna.page.is_visible("#name")
    await anna.page.locator("#known-guests button").focus()
    await anna.page.keyboard.press("Enter")
    await anna.page.wait_for_function("() => document.activeElement.matches('.held')")


async def test_who_plays_is_not_asked_to_play(site: Site, browser: Browser) -> None:
    anna = await seated(site, browser, hand("6D", "A 6D"), DESKTOP)
    assert not await anna.page.is_visible("header [data-play]")


async def test_an_address_at_which_there_is_nothing_leads_to_the_table(site: Site, browser: Browser) -> None:
    anna = await browser.stranger(PHONE)
    response = await anna.page.goto(site.url.removesuffix("/r/main") + "/durak/play")
    assert response is not None
    assert response.status == 404
    await anna.page.wait_for_selector("text=There is nothing at this address.")
    assert not await violations(anna)
    await anna.page.click("a:has-text('To the table')")
    await anna.page.wait_for_selector("#name")


# Adds up how far everything on the page moved without a touch, as browsers rate it.
SHIFT = """() => {
    window.shift = 0;
    new PerformanceObserver(list => {
        for (const entry of list.getEntries()) window.shift += entry.value;
    }).observe({ type: "layout-shift", buffered: true });
}"""


async def test_nothing_jumps_on_the_way_to_a_door_that_is_far_away(site: Site, browser: Browser) -> None:
    anna = await browser.stranger(PHONE)
    network = await anna.devtools()
    far_away = {"offline": False, "latency": 150, "downloadThroughput": 200_000, "uploadThroughput": 100_000}
    await network.send("Network.enable")
    await network.send("Network.emulateNetworkConditions", far_away)
    await anna.page.add_init_script(f"({SHIFT})()")
    await anna.page.goto(site.url)
    await anna.page.wait_for_selector("#name")
    await anna.page.wait_for_timeout(200)
    assert await anna.page.evaluate("window.shift") < 0.1
