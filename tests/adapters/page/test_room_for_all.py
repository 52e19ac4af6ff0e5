"""Everything fits: two to eight seats on small phones, and all pages at 200% zoom."""

import pytest
from playwright.async_api import Page, ViewportSize

from adapters.port import Reply
from tests.adapters.boards import board, hand, screen
from tests.adapters.contract.steps import says
from tests.adapters.page.accessibility import violations
from tests.adapters.page.live_table import TWO_TO_BEAT, seated
from tests.adapters.page.test_beginning import form
from tests.adapters.page.test_page import overflows
from tests.adapters.web.site import Site
from tests.adapters.web.steps import posted
from tests.wire.browser import Browser, Device

NAMES = ("Wilhelma", "Bo", "Владимир", "Gertrude", "🤖 Ada", "Мар'яна", "Žydrūnas")
BOUT = (("9S", "JS"), ("9D", None), ("JD", None), ("6H", "7H"), ("6D", None), ("6C", None))
# How many others are looked at on which screen.
SCREENS = {(320, 640): range(1, 8), (640, 400): (2, 4, 7), (844, 390): (5, 7), (320, 256): (1, 3)}

# Names that are cut, and what covers what is not its own.
CLASHES = """() => {
    const seen = name => {
        const text = document.createRange();
        text.selectNodeContents(name);
        return text.getBoundingClientRect();
    };
    const all = document.querySelectorAll(".avatar, .backs, .seat .name, .pile, .laid, #mine");
    const parts = [...all].map(part => ({
        of: part.closest(".seat, .pile, .pair, #mine"),
        box: part.matches(".name") ? seen(part) : part.getBoundingClientRect(),
        called: `${part.className} ${part.textContent}`,
    }));
    const shared = (one, other) => Math.min(
        Math.min(one.right, other.right) - Math.max(one.left, other.left),
        Math.min(one.bottom, other.bottom) - Math.max(one.top, other.top),
    );
    const clashes = parts.flatMap((one, n) => parts.slice(n + 1)
        .filter(other => other.of !== one.of && shared(one.box, other.box) > 6) // cards lie at a slight angle
        .map(other => `${one.called} / ${other.called}`));
    const cut = [...document.querySelectorAll(".seat .name")]
        .filter(name => name.scrollWidth > name.clientWidth + 1)
        .map(name => `${name.textContent} is cut`);
    return [...clashes, ...cut];
}"""

OUTSIDE = """() => {
    const all = document.querySelectorAll(".bar button, .held, .avatar, .laid, .pile, .status");
    return [...all].filter(each => {
        const {left, right, top, bottom} = each.getBoundingClientRect();
        return left < -4 || right > innerWidth + 4 || top < 0 || bottom > innerHeight + 1;
    }).map(each => `${each.className} ${each.textContent} is outside`);
}"""


async def sees_others(page: Page, others: int) -> None:
    """Waits until the table shows this many people besides the reader, whose face is there if it has room."""
    is_drawn = "others => document.querySelectorAll('.seat:not(.own)').length === others"
    await page.wait_for_function(is_drawn, arg=others)


async def test_two_to_eight_people_sit_side_by_side_on_the_smallest_screens(
    site: Site, browser: Browser
) -> None:
    anna = await seated(site, browser, hand("TD QD KH 9C", "D 9D TD", "T"), Device(320, 640, has_touch=True))
    user = (await site.store.guests())[0].id
    wrong, step = dict[tuple[int, int, int], list[str]](), 1
    for (width, height), counts in SCREENS.items():
        await anna.page.set_viewport_size(ViewportSize(width=width, height=height))
        for others in counts:
            step += 1
            facts = board(
                "Anna", user, *NAMES[:others], bout=BOUT, step=step, discard=8, title=f"step {step}"
            )
            await site.adapter.edit(anna.table, screen(facts, "⚙️ Table"))
            await sees_others(anna.page, others)
            await anna.guest.sees_nothing_move()
            wrong[width, height, others] = await anna.page.evaluate(CLASHES) + await overflows(anna.guest)
    assert {where: clashes for where, clashes in wrong.items() if clashes} == {}


async def test_every_page_can_be_used_enlarged_twice(site: Site, browser: Browser) -> None:
    anna = await browser.stranger(Device(640, 400))
    page, home = anna.page, site.url.removesuffix("r/main")
    found = dict[str, list[str]]()

    async def looks(where: str) -> None:
        await anna.sees_nothing_move()
        found[where] = await violations(anna) + await overflows(anna)

    await page.goto(site.url)
    await page.wait_for_selector("#sign-in:visible")
    await looks("the door")
    await page.fill("#name", "Anna")
    await page.press("#name", "Enter")
    await page.click("header [data-play]")
    await page.wait_for_selector(".rule-set")
    await looks("the rules")
    await page.keyboard.press("Escape")
    await posted(site, says("Who plays?", "Join", "Settings"))
    site.inbox.reply = Reply(form=form())
    await anna.touches("Settings")
    await looks("the form")
    await page.click("#form button[type=submit]")
    await page.goto(f"{home}results")
    await page.wait_for_selector("#best li")
    await looks("the results")
    await page.goto(f"{home}games/7-2#1")
    await page.wait_for_selector("#replay:not([hidden])")
    await looks("a game")
    for needed in (".bout .pair", "#hands .face", "#forward"):
        box = await page.locator(needed).first.bounding_box()
        assert box is not None
        assert 0 <= box["y"] <= 400 - box["height"], needed
    assert {where: wrong for where, wrong in found.items() if wrong} == {}


@pytest.mark.parametrize("percent", [175, 200])
async def test_large_text_keeps_everything_that_plays_on_the_screen_and_apart(
    site: Site, browser: Browser, percent: int
) -> None:
    """Text as large as somebody has set their browser to."""
    anna = await seated(site, browser, TWO_TO_BEAT, Device(390, 844, has_touch=True))
    await anna.guest.enlarges_text(percent)
    both = hand("TD QD KH 9C", "D 9D TD", "T", "P", version=2)
    await site.adapter.edit(anna.mine, screen(both, "⇅ By suit", "💡 Hint", "🚪 Leave"))
    await anna.page.wait_for_selector(".big .done")
    user = (await site.store.guests())[0].id
    wrong, step = dict[tuple[int, int, int], list[str]](), 1
    for width, height in ((390, 844), (360, 640), (844, 390), (1280, 800)):
        await anna.page.set_viewport_size(ViewportSize(width=width, height=height))
        for others in (1, 2, 3, 5):
            step += 1
            facts = board("Anna", user, *NAMES[:others], bout=BOUT[:3], step=step, discard=8)
            await site.adapter.edit(anna.table, screen(facts, "⚙️ Table"))
            await sees_others(anna.page, others)
            await anna.guest.sees_nothing_move()
            outside = await anna.page.evaluate(OUTSIDE)
            clashes = await anna.page.evaluate(CLASHES)
            wrong[width, height, others] = clashes + outside + await overflows(anna.guest)
    assert {where: each for where, each in wrong.items() if each} == {}


async def test_fields_are_large_enough_that_no_phone_zooms_in(site: Site, browser: Browser) -> None:
    anna = await browser.guest(site.url, "Anna", Device(390, 844, has_touch=True))
    sizes = await anna.page.evaluate(
        """[...document.querySelectorAll("input, select")].map(
            each => parseFloat(getComputedStyle(each).fontSize))"""
    )
    assert min(sizes) >= 16
