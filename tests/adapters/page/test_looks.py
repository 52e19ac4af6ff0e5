"""The page still looks as it did when a player approved it; golden/ has the approved pictures."""

import json
from dataclasses import replace

import pytest
from PIL import Image

from tests.adapters.page.accessibility import cut_or_covered, violations
from tests.adapters.page.looks import DEVICES, FOLDER, MOST, difference, looks, moved
from tests.adapters.page.tour import Tour, sights
from tests.adapters.web.site import Site
from tests.golden import REGENERATE
from tests.wire.browser import DESKTOP, PHONE, Browser, Device

SMALL_PHONE = replace(PHONE, width=360, height=640, is_calm=True)


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
    async with sights() as site:
        anna = await browser.stranger(device)
        found = {}
        async for name in Tour(site, anna, locale).everything():
            await anna.sees_nothing_move()
            found[name] = [*await violations(anna.page), *await cut_or_covered(anna.page)]
    assert {name: wrong for name, wrong in found.items() if wrong} == {}
    assert not anna.complaints
