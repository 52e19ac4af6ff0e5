"""Everyone can use the live table: axe-core finds nothing wrong with it, in both themes."""

from dataclasses import replace

import pytest

from adapters.port import CallbackButton, Span, Tone
from tests.adapters.boards import board, hand, screen
from tests.adapters.page.accessibility import violations
from tests.adapters.page.live_table import TWO_TO_BEAT, card, seated
from tests.adapters.web.site import Site
from tests.adapters.web.steps import posted
from tests.wire.browser import DESKTOP, PHONE, Browser, Device


@pytest.mark.parametrize("device", [replace(PHONE, is_dark=True), DESKTOP])
async def test_axe_finds_nothing_wrong_with_a_live_table(
    site: Site, browser: Browser, device: Device
) -> None:
    anna = await seated(site, browser, TWO_TO_BEAT, device, until=1.0, since=0.0, discarded=("6S", "7C"))
    page, found = anna.page, dict[str, list[str]]()
    await anna.guest.sees_nothing_move()
    found["the turn"] = await violations(anna.guest)
    await anna.taps(card("KH"))
    found["a chosen card"] = await violations(anna.guest)
    await anna.holds(hand("6D 7D", "A 6D", "E", "P", note=(Span("💡 An expert would play: 6♦"),)))
    await anna.taps(".big .done")
    await page.wait_for_selector(".armed")
    found["a button that waits for a second tap"] = await violations(anna.guest)
    await page.click("[data-menu]")
    found["the menu"] = await violations(anna.guest)
    await page.click("#menu button[type=submit]")
    asked = (Span("Stop this game?"),)
    user = (await site.store.guests())[0].id
    table = screen(board("Anna", user, asked=asked, step=3, talon=0, turn_up=None), "My hand")
    yes, no = CallbackButton("t:yes", "Yes, stop", Tone.DANGER), CallbackButton("t:no", "Play on", Tone.GOOD)
    await site.adapter.edit(anna.table, replace(table, rows=(*table.rows, (yes, no))))
    await page.wait_for_selector("#question button")
    found["a question"] = await violations(anna.guest)
    if device.has_touch:
        await page.click("#open-chat")
        await anna.guest.sees_nothing_move()
        found["the chat"] = await violations(anna.guest)
        await page.keyboard.press("Escape")
    await site.adapter.delete(anna.mine)
    over = board("Anna", user, is_over=True, losers=(1,), step=9, status=())
    await site.adapter.edit(anna.table, screen(over))
    await posted(site, screen(over, "Rematch"))
    await page.wait_for_selector(".outcome:visible")
    found["the end"] = await violations(anna.guest)
    assert {state: wrong for state, wrong in found.items() if wrong} == {}


@pytest.mark.parametrize("wants_calm", [False, True])
async def test_cards_move_unless_somebody_wants_no_motion(
    site: Site, browser: Browser, *, wants_calm: bool
) -> None:
    anna = await seated(site, browser, TWO_TO_BEAT, DESKTOP)
    await anna.page.emulate_media(reduced_motion="reduce" if wants_calm else "no-preference")
    await anna.page.evaluate(
        """() => {
            window.moved = 0;
            const animate = Element.prototype.animate;
            Element.prototype.animate = function (...how) {
                window.moved += 1;
                return animate.apply(this, how);
            };
        }"""
    )
    await anna.taps(card("TD"), card("TD"))
    await anna.plays("D 9D TD")
    assert (await anna.page.evaluate("window.moved") == 0) is wants_calm
    await anna.page.wait_for_selector(".ghost", state="detached")


async def test_the_focus_goes_to_the_next_card_when_one_is_played(site: Site, browser: Browser) -> None:
    anna = await seated(site, browser, TWO_TO_BEAT, DESKTOP)
    await anna.page.locator(card("TD")).focus()
    for _ in range(2):
        await anna.page.keyboard.press("Enter")
    await anna.plays("D 9D TD")
    assert await anna.page.evaluate("document.activeElement.dataset.key") == "QD"
