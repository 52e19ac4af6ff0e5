"""The page looks as a player who looked at it found right: golden/ holds what they saw."""

import json
from dataclasses import replace

import pytest
from PIL import Image

from tests.adapters.page.accessibility import violations
from tests.adapters.page.looks import DEVICES, FOLDER, MOST, difference, looks, moved
from tests.adapters.page.tour import Tour
from tests.adapters.web.site import Site, web_site
from tests.golden import REGENERATE
from tests.wire.browser import DESKTOP, PHONE, Browser, Device

SMALL_PHONE = replace(PHONE, width=360, height=640, is_calm=True)

# What is outside of the screen, labels that are cut, and buttons in view that cannot be touched.
_CUT_OR_COVERED = """() => {
    const root = document.querySelector("dialog[open]") ?? document.body;
    const found = [];
    for (const each of root.querySelectorAll("button, a, select, input, h1, h2, p, li")) {
        if (!each.checkVisibility({ visibilityProperty: true }) || each.closest(".unseen")) continue;
        const { left, right, top, width, height } = each.getBoundingClientRect();
        const note = (what) => found.push(`${what}: ${each.outerHTML.slice(0, 100)}`);
        if (left < -4 || right > innerWidth + 4) note("outside");
        if (!each.matches("button, a")) continue;
        if (each.clientWidth && each.scrollWidth > each.clientWidth + 1) note("cut");
        const [x, y] = each.matches(".held") ? [left + 15, top + 22] : [left + width / 2, top + height / 2];
        const { top: from, bottom: to } = each.closest("dialog, .lobby .told, #chat-scroll, #all-bouts, html")
            .getBoundingClientRect();
        if (y < Math.max(0, from) || y > Math.min(innerHeight, to)) continue;
        const seen = document.elementFromPoint(x, y);
        const above = "#steps, header, #side, dialog form > :last-child"; // what may lie over the rest
        const isScrolledUnder = seen?.closest(above) && !each.closest(above);
        if (!isScrolledUnder && !each.contains(seen)) note(`under ${seen?.outerHTML.slice(0, 60)}`);
    }
    return found;
}"""


@pytest.mark.parametrize("device", DEVICES)
async def test_everything_is_where_it_was_and_looks_as_it_did(
    site: Site, browser: Browser, device: str
) -> None:
    places = json.loads((FOLDER / "places.json").read_text(encoding="utf-8"))
    found = {}
    async for name, look in looks(site, browser, device):
        share = difference(Image.open(FOLDER / f"{name}.png"), look.picture)
        if wrong := [*moved(places[name], look.places), *([f"{share:.0%} differ"] if share > MOST else [])]:
            found[name] = wrong
    assert found == {}, f"`{REGENERATE} page` writes it, if this is wanted"


@pytest.mark.timeout(180)
@pytest.mark.parametrize(
    ("device", "locale"),
    [
        (replace(SMALL_PHONE, is_calm=True, locale="de-DE"), "de"),
        (replace(PHONE, is_calm=True, is_dark=True, locale="ru-RU"), "ru"),
        (replace(DESKTOP, is_calm=True), "en"),
    ],
)
async def test_every_screen_can_be_used_by_everybody_and_nothing_is_cut_or_covered(
    browser: Browser, device: Device, locale: str
) -> None:
    async with web_site(public_url="https://durak.example") as site:
        anna = await browser.stranger(device)
        found = {}
        async for name in Tour(site, anna, locale).everything():
            await anna.sees_nothing_move()
            found[name] = [*await violations(anna), *await anna.page.evaluate(_CUT_OR_COVERED)]
    assert {name: wrong for name, wrong in found.items() if wrong} == {}
    assert not anna.complaints
