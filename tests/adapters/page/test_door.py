"""The door does not wait for what only the room needs."""

import asyncio

from playwright.async_api import Route

from tests.adapters.web_site import Site
from tests.wire.browser import PHONE, Browser, Guest

OF_THE_ROOM = ("**/page/room.js", "**/page/live.js", "**/page/board.css")


async def before_the_room_is_there(site: Site, browser: Browser) -> tuple[Guest, asyncio.Event]:
    """Open the page where the room's files take until the event is set."""
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
        await anna.page.click("#sign-in-form button")
    await anna.page.wait_for_selector("#opening:visible")
    assert not await anna.page.is_visible("#sign-in"), "nobody comes in twice"
    arrive.set()
    await anna.page.wait_for_selector("#people:has-text('Anna')")
    assert [guest.name for guest in await site.store.guests()] == ["Anna"]
    assert not anna.complaints


async def test_whoever_finds_no_room_behind_the_door_may_try_again(site: Site, browser: Browser) -> None:
    anna = await browser.stranger(PHONE)
    await anna.page.route("**/page/live.js", lambda route: route.abort())
    await anna.page.goto(site.url)
    await anna.page.fill("#name", "Anna")
    await anna.page.click("#sign-in-form button")
    await anna.page.wait_for_selector("#sign-in-notice:has-text('there is no connection')")
    await anna.page.unroute("**/page/live.js")
    await anna.page.click("#known-guests button")
    await anna.page.wait_for_selector("#people:has-text('Anna')")
