"""After a refusal a player sees the reason above the hand, and the card shakes."""

import time
from dataclasses import replace

import pytest

from adapters.port import BoardIdle, Reply
from tests.adapters.boards import board, hand, lobby, screen
from tests.adapters.page.live_table import BOUT, TWO_TO_BEAT, Player, card, seated
from tests.adapters.web.site import Site
from tests.adapters.web.steps import posted, soon
from tests.wire.browser import DESKTOP, PHONE, Browser, Device

SMALL = Device(320, 640, has_touch=True)
SIDEWAYS = replace(PHONE, width=844, height=390)
OTHERS = ("Boris the Magnificent", "Clara", "Дмитрий", "Elena", "🤖 Ada")
REFUSAL = "The last seats are kept for those who were invited: try again in a few minutes."

LOOKED_AT = "#table .avatar, #table .backs, #table .pile, #table .laid, .held, .says .clock, .lobby .avatar"
WHAT_IT_COVERS = """looked_at => {
    const overlap = (one, other) =>
        one.left < other.right && other.left < one.right && one.top < other.bottom && other.top < one.bottom;
    const notice = document.querySelector(".toast").getBoundingClientRect();
    return [...document.querySelectorAll(looked_at)]
        .filter(each => overlap(notice, each.getBoundingClientRect()))
        .map(each => each.className);
}"""
NOTE_SHAKES = """() => {
    window.shaken = [];
    const { animate } = Element.prototype;
    Element.prototype.animate = function (path, how) {
        if (how.id === "shake") shaken.push(this.dataset.key ?? this.dataset.move);
        return animate.call(this, path, how);
    };
}"""


async def shaken(anna: Player) -> list[str]:
    keys: list[str] = await anna.page.evaluate("shaken")
    return keys


async def shakes(anna: Player, *things: str) -> None:
    """Waits until exactly these cards and moves have been shaken."""

    async def is_seen() -> bool:
        return await shaken(anna) == list(things)

    await soon(is_seen)


async def has_come(anna: Player, token: str) -> None:
    """Waits until the page has received a hand with this token."""

    async def is_there() -> bool:
        return any(token in each.text for each in anna.guest.received)

    await soon(is_there)


@pytest.mark.parametrize("device", [PHONE, SMALL, DESKTOP, SIDEWAYS])
async def test_a_refusal_stands_above_the_hand_and_covers_nothing_one_looks_at(
    site: Site, browser: Browser, device: Device
) -> None:
    anna = await seated(site, browser, TWO_TO_BEAT, device)
    user = (await site.store.guests())[0].id
    now = site.now
    table = board("Anna", user, *OTHERS, bout=BOUT, step=2, discard=8, since=now, until=now + 100)
    await site.adapter.edit(anna.table, screen(table, "My hand"))
    await anna.page.wait_for_selector(".seat:nth-child(5)")
    await anna.guest.sees_nothing_move()

    site.inbox.reply = Reply(toast=REFUSAL)
    await anna.taps(card("TD"), card("TD"))
    await anna.page.wait_for_selector(f".says .toast:has-text('{REFUSAL}')")
    await anna.page.wait_for_selector(card("TD"))
    await anna.guest.sees_nothing_move()
    assert await anna.page.evaluate(WHAT_IT_COVERS, LOOKED_AT) == []
    assert not await anna.page.is_visible(".says .status"), "the words would show around it"


async def test_a_refused_card_shakes_and_the_words_are_back_after_two_seconds(
    site: Site, browser: Browser
) -> None:
    anna = await seated(site, browser, TWO_TO_BEAT)
    await anna.page.evaluate(NOTE_SHAKES)
    site.inbox.reply = Reply(toast="No.")
    await anna.page.clock.install()
    await anna.taps(card("TD"), card("TD"))
    await anna.page.wait_for_selector(".says #toasts[role=status] .toast")
    assert await anna.page.get_attribute("#toasts", "aria-live") == "polite"
    await anna.page.wait_for_selector(card("TD"))
    await shakes(anna, "TD")

    await anna.page.clock.run_for(2_100)
    assert await anna.page.locator(".toast").count() == 0
    assert await anna.page.is_visible(".says .status")


async def test_a_card_that_cannot_be_played_shakes_and_so_does_the_button_of_a_refused_move(
    site: Site, browser: Browser
) -> None:
    idle = (BoardIdle("7C", "m:1:1:D 9D 7C"),)
    anna = await seated(site, browser, hand("6D 7C", "T", idle=idle))
    await anna.page.evaluate(NOTE_SHAKES)
    site.inbox.reply = Reply(toast="No.")
    await anna.taps(card("7C"))
    await shakes(anna, "7C")
    await anna.taps(".big .take")
    await shakes(anna, "7C", "take ")


async def test_nothing_shakes_for_a_reader_who_wants_no_motion(site: Site, browser: Browser) -> None:
    anna = await seated(site, browser, TWO_TO_BEAT, replace(PHONE, is_calm=True))
    await anna.page.evaluate(NOTE_SHAKES)
    site.inbox.reply = Reply(toast="No.")
    await anna.taps(card("TD"), card("TD"))
    await anna.page.wait_for_selector(".says .toast")
    await anna.page.wait_for_selector(card("TD"))
    assert await shaken(anna) == []


async def test_a_throw_in_that_the_next_hand_allows_again_is_not_too_late(
    site: Site, browser: Browser
) -> None:
    anna = await seated(site, browser, hand("9C 6D", "A 9C"))
    await anna.taps(card("9C"))
    await anna.page.clock.install()
    await anna.page.clock.pause_at(time.time() + 1)  # half of a moment is not drawn then
    await anna.holds(hand("9C 6D", "T", version=2, step=2))
    await has_come(anna, "m:1:2:T")
    await anna.taps(card("9C"))
    assert anna.pressed == []

    await anna.holds(hand("9C 6D", "A 9C", version=3, step=3))
    await anna.plays("A 9C")
    assert await anna.page.locator(".toast").count() == 0


async def test_a_throw_in_that_no_hand_allows_again_is_too_late(site: Site, browser: Browser) -> None:
    anna = await seated(site, browser, hand("9C 6D", "A 9C"))
    await anna.taps(card("9C"))
    await anna.page.clock.install()
    await anna.page.clock.pause_at(time.time() + 1)
    await anna.holds(hand("9C 6D", "T", version=2, step=2))
    await has_come(anna, "m:1:2:T")
    await anna.taps(card("9C"))
    assert await anna.page.locator(".toast").count() == 0

    await anna.page.clock.run_for(700)
    await anna.page.wait_for_selector(".says .toast:has-text('Too late')")
    assert anna.pressed == []


async def test_a_refusal_in_the_lobby_covers_no_face(site: Site, browser: Browser) -> None:
    anna = await browser.guest(site.url, "Anna", SMALL)
    user = (await site.store.guests())[0].id
    await posted(site, screen(lobby("Anna", *OTHERS[:3], user=user), "Start", "Leave"))
    await anna.page.wait_for_selector(".lobby .avatar")
    site.inbox.reply = Reply(toast=REFUSAL)
    await anna.page.locator("#mine [data-other]").first.click()
    await anna.page.wait_for_selector(f".toast:has-text('{REFUSAL}')")
    await anna.sees_nothing_move()
    assert await anna.page.evaluate(WHAT_IT_COVERS, LOOKED_AT) == []
