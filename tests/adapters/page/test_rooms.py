"""Several rooms on one page: the people in each, and opening a new one."""

from dataclasses import replace

import pytest

from adapters.port import Everyone
from tests.adapters.contract.steps import says
from tests.adapters.page.accessibility import violations
from tests.adapters.web.site import Site
from tests.adapters.web.steps import posted, soon
from tests.wire.browser import DESKTOP, PHONE, Browser, Device

TINY_AND_DARK = Device(320, 640, has_touch=True, is_dark=True)


@pytest.mark.parametrize("device", [PHONE, TINY_AND_DARK])
async def test_somebody_opens_a_room_by_name_and_others_find_it_in_the_list(
    site: Site, browser: Browser, device: Device
) -> None:
    anna = await browser.guest(site.url, "Anna", device)
    boris = await browser.guest(site.url, "Boris")
    await posted(site, says("the table"))
    await anna.page.click("#place")
    await anna.page.fill("#new-room-name", "  Бабушкина кухня! ")
    await anna.page.press("#new-room-name", "Enter")
    await anna.page.locator("#room-name").filter(has_text="Бабушкина-кухня").wait_for()
    await anna.page.wait_for_selector("#people:has-text('Anna')")
    assert (await anna.page.inner_text("#room-name")).removeprefix("Durak · ") == "Бабушкина-кухня"
    await anna.types("/hand")
    assert site.inbox.commands[-1].room.id == "Бабушкина-кухня"

    await boris.page.click("#place")
    ways = boris.page.locator(".room-way")
    await soon(ways.count)
    lists = {frozenset(text.split()) for text in await ways.all_inner_texts()}
    assert lists == {
        frozenset({"A", "Бабушкина-кухня", "Anna"}),
        frozenset(["B", "Main", "room", "·", "You", "are", "here", "Boris"]),
    }
    assert not await violations(boris)
    await ways.filter(has_text="кухня").click()
    await boris.page.wait_for_selector("#people:has-text('Anna, Boris')")
    assert [guest.name for guest in await site.store.guests()] == ["Anna", "Boris"]
    await anna.page.go_back()
    await anna.page.wait_for_selector("#public :text('the table')")
    assert not anna.complaints


async def test_the_list_begins_with_people_folds_empty_rooms_and_can_always_be_closed(
    site: Site, browser: Browser
) -> None:
    anna = await browser.guest(site.url, "Anna", PHONE)
    for number in range(50):
        room = replace(site.room, id=f"room-{number}")
        await site.adapter.post(Everyone(room), says("a table"))
    await anna.page.click("#place")
    await anna.page.wait_for_selector("#empty-rooms:has-text('50')")
    (way,) = await anna.page.locator(".room-way:visible").all_inner_texts()
    assert way.split() == ["A", "Main", "room", "·", "You", "are", "here", "Anna"], "a face comes first"
    await anna.page.click("#empty-rooms summary")
    close = anna.page.locator("#rooms").get_by_role("button", name="Close")
    await close.click(trial=True)
    box = await close.bounding_box()
    assert box is not None
    assert box["y"] + box["height"] <= PHONE.height


@pytest.mark.parametrize("has_games", [True, False])
async def test_results_are_offered_once_there_are_some(
    site: Site, browser: Browser, *, has_games: bool
) -> None:
    if not has_games:
        site.pages.finished = ()

    anna = await browser.guest(site.url, "Anna", PHONE)
    await anna.page.click("#place")
    await anna.page.wait_for_selector(".room-way")
    assert await anna.page.is_visible("#to-results") == has_games


async def test_the_main_room_has_no_name_in_titles(site: Site, browser: Browser) -> None:
    anna = await browser.guest(site.url, "Anna", DESKTOP)
    assert await anna.page.title() == "Durak"
    assert await anna.page.inner_text("#room-name") == "Durak"
    assert (await anna.page.text_content("#chat-head h2") or "").strip() == "Chat"
    assert "main" not in (await anna.page.inner_text("#room")).split()
    await anna.page.click("#place")
    await anna.page.wait_for_selector("#room-list strong:has-text('Main room')")
