"""Finds obstacles to using the visible page: with axe-core, and from the positions of its elements."""

from axe_playwright_python.async_playwright import Axe
from playwright.async_api import Frame, Page

from tests.wire.browser import Guest

_FIND = 'axe.run({ resultTypes: ["violations"] }).then(({ violations }) => violations)'
_SCRIPT = Axe().axe_script


# Finds elements outside the screen, labels that are cut off, and visible buttons that cannot be touched.
_CUT_OR_COVERED = """() => {
    const root = [...document.querySelectorAll("dialog[open]")].at(-1) ?? document.body;
    const found = [];
    for (const each of root.querySelectorAll("button, a, select, input, h1, h2, p, li")) {
        if (!each.checkVisibility({ visibilityProperty: true }) || each.closest(".unseen")) continue;
        const { left, right, top, width, height } = each.getBoundingClientRect();
        const note = (what) => found.push(`${what}: ${each.outerHTML.slice(0, 100)}`);
        if (left < -4 || right > innerWidth + 4) note("outside");
        if (!each.matches("button, a")) continue;
        if (each.clientWidth && each.scrollWidth > each.clientWidth + 1) note("cut");
        const [x, y] = each.matches(".held") ? [left + 15, top + 22] : [left + width / 2, top + height / 2];
        const scrolled = "dialog, #commands, .lobby .scroll, .outcome, #chat-scroll, #all-bouts, html";
        const { top: from, bottom: to } = each.closest(scrolled).getBoundingClientRect();
        if (y < Math.max(0, from) || y > Math.min(innerHeight, to)) continue;
        const seen = document.elementFromPoint(x, y);
        const above = "#steps, header, #commands, dialog form > :last-child"; // what may lie over the rest
        const isScrolledUnder = seen?.closest(above) && !each.closest(above);
        const isUnderArrow = seen === each.closest(".goes-on"); // the arrow at the end of a box scrolls it
        const isFree = each.contains(seen) || isScrolledUnder || isUnderArrow;
        if (!isFree) note(`under ${seen?.outerHTML.slice(0, 60)}`);
    }
    return found;
}"""

# Finds the places where an attack's arrow covers something at the table.
_ARROW_OVER = """() => {
    const line = document.querySelector("#arrow.shown .line");
    if (!line?.checkVisibility()) return [];
    const toScreen = line.getScreenCTM();
    const length = line.getTotalLength();
    const spots = Array.from({ length: 100 }, (_, n) =>
        line.getPointAtLength(length * n / 99).matrixTransform(toScreen));
    const drawn = ".avatar, .badge, .backs b, .name, .face, .back, .count";
    const pile = ".round .pile"; // an arrow lies under it
    const all = [...document.querySelectorAll(`#table :is(${drawn})`)];
    const things = all.filter((each) => !each.closest(pile));
    return things.flatMap((each) => {
        const range = document.createRange();
        range.selectNodeContents(each);
        const { left, right, top, bottom } = (each.matches(".name") ? range : each).getBoundingClientRect();
        const isCrossed = spots.some(({ x, y }) => x > left && x < right && y > top && y < bottom);
        return isCrossed ? [`the arrow over ${each.outerHTML.slice(0, 60)}`] : [];
    });
}"""


async def violations(shown: Guest | Frame | Page) -> list[str]:
    """Returns the rules of axe-core that a page or a frame breaks, with the first place of each."""
    page = shown.page if isinstance(shown, Guest) else shown
    if not await page.evaluate("'axe' in window"):  # large: once for each page
        await page.evaluate(_SCRIPT)
    found = await page.evaluate(_FIND)
    return [f"{each['id']}: {each['help']}: {each['nodes'][0]['html'][:200]}" for each in found]


MIN_TOUCH = 40  # pixels of a finger

# Buttons in view that a finger would miss; cards in a hand overlap, and a pile is as large as its cards.
_TOO_SMALL = """(least) => {
    const root = [...document.querySelectorAll("dialog[open]")].at(-1) ?? document.body;
    const buttons = root.querySelectorAll("button:not(.held, .unbutton), a.button, select, label");
    return [...buttons].flatMap((each) => {
        const { width, height } = each.getBoundingClientRect();
        const isSeen = each.checkVisibility({ visibilityProperty: true });
        const isSmall = isSeen && Math.min(width, height) < least;
        return isSmall ? [`small (${width} x ${height}): ${each.outerHTML.slice(0, 100)}`] : [];
    });
}"""


async def too_small(page: Frame | Page) -> list[str]:
    """Returns the buttons that a finger would miss."""
    found: list[str] = await page.evaluate(_TOO_SMALL, MIN_TOUCH)
    return found


async def cut_or_covered(page: Frame | Page) -> list[str]:
    """Returns the parts of a page that are outside of the screen, cut, or out of a finger's reach."""
    found: list[str] = await page.evaluate(_CUT_OR_COVERED)
    crossed: list[str] = await page.evaluate(_ARROW_OVER)
    return [*found, *crossed]
