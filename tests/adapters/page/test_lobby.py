"""A table before the deal is shown where it will be played at."""

from dataclasses import replace

import pytest

from adapters.port import CallbackButton, MessageRef, Reply, Screen, Tone
from tests.adapters.boards import board, lobby, screen
from tests.adapters.page.accessibility import violations
from tests.adapters.page.test_page import overflows
from tests.adapters.web_site import Site
from tests.adapters.web_steps import posted, soon
from tests.wire.browser import DESKTOP, PHONE, Browser, Device, Guest

SMALL = Device(320, 568, has_touch=True)
ZOOMED = Device(640, 400)
ON_ITS_SIDE = replace(PHONE, width=844, height=390)
LABELS = (("Join", "Leave"), ("Add bot", "Remove bot"), ("Settings", "Change seats"), ("Start", "Close"))
ROWS = tuple(
    tuple(
        CallbackButton(f"l:{label}", label, Tone.PRIMARY if label == "Join" else Tone.NEUTRAL)
        for label in row
    )
    for row in LABELS
)


def gathering(*names: str, user: str = "anna") -> Screen:
    return replace(screen(lobby(*names, user=user)), rows=ROWS)


async def at_the_lobby(site: Site, browser: Browser, device: Device) -> tuple[Guest, MessageRef]:
    anna = await browser.guest(site.url, "Anna", device)
    site.inbox.reply = Reply()
    message = await posted(site, gathering("Anna"))
    await anna.page.wait_for_selector(".lobby:visible")
    return anna, message


@pytest.mark.parametrize("device", [PHONE, SMALL, ON_ITS_SIDE, DESKTOP, ZOOMED])
async def test_the_felt_says_who_sits_and_what_one_can_press(
    site: Site, browser: Browser, device: Device
) -> None:
    anna, message = await at_the_lobby(site, browser, device)
    await site.adapter.edit(message, gathering("Anna", "🤖 Ada"))
    names = anna.page.locator(".lobby-seat .name")
    await names.filter(has_text="🤖 Ada").wait_for()
    assert await names.all_inner_texts() == ["Anna", "🤖 Ada", "free seat", "free seat"]
    assert not await overflows(anna)
    for label in (label for row in LABELS for label in row):
        button = anna.button(label)
        await button.scroll_into_view_if_needed()
        box = await button.bounding_box()
        assert box is not None
        assert box["height"] >= 40
        assert await anna.touches(label) == ""
    assert [press.token for press in site.inbox.pressed] == [f"l:{label}" for row in LABELS for label in row]
    heard = "Players 2 of 4: Anna, 🤖 Ada. Press Start when everybody is here."
    await anna.page.wait_for_selector(f"#news:text-is('{heard}')", state="attached")


async def test_a_button_that_is_held_while_others_sit_down_counts(site: Site, browser: Browser) -> None:
    anna, message = await at_the_lobby(site, browser, DESKTOP)
    await anna.button("Start").hover()
    await anna.page.mouse.down()
    await site.adapter.edit(message, gathering("Anna", "Boris"))
    await anna.page.locator(".lobby-seat .name").filter(has_text="Boris").wait_for()
    await anna.page.mouse.up()

    async def counts() -> bool:
        return [press.token for press in site.inbox.pressed] == ["l:Start"]

    await soon(counts)


async def test_the_cards_are_dealt_where_the_lobby_was_and_it_comes_back_after_the_game(
    site: Site, browser: Browser
) -> None:
    anna, message = await at_the_lobby(site, browser, PHONE)
    user = (await site.store.guests())[0].id
    await site.adapter.edit(message, screen(board("Anna", user)))
    await anna.page.wait_for_selector("#table .seat")
    assert not await anna.page.is_visible(".lobby")
    await posted(site, gathering("Clara"))
    over = board("Anna", user, is_over=True, losers=(1,), step=9)
    await site.adapter.edit(message, screen(over))
    await anna.page.wait_for_selector(".lobby:visible")
    assert not await anna.page.is_visible("#table")
    await posted(site, screen(over, "Rematch"))
    await anna.page.wait_for_selector(".outcome:visible")
    assert not await anna.page.is_visible(".lobby")


async def test_who_only_looks_sees_who_sits_and_has_nothing_to_press(site: Site, browser: Browser) -> None:
    await posted(site, gathering("Anna"))
    eve = await browser.stranger(PHONE)
    await eve.page.goto(site.url)
    await eve.page.click("#look")
    await eve.page.wait_for_selector(".lobby:visible")
    assert not await eve.page.is_visible(".lobby button")


@pytest.mark.parametrize("device", [replace(PHONE, is_dark=True), SMALL, DESKTOP])
async def test_axe_finds_nothing_wrong_with_a_lobby(site: Site, browser: Browser, device: Device) -> None:
    anna, message = await at_the_lobby(site, browser, device)
    await site.adapter.edit(message, gathering("Anna", "Boris", "Clara", "Dima"))
    await anna.page.locator(".lobby-seat .name").filter(has_text="Dima").wait_for()
    await anna.sees_nothing_move()
    assert await violations(anna) == []
