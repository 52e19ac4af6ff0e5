"""The page looks as a player who looked at it found right: golden/ holds what they saw."""

import json

import pytest
from PIL import Image

from tests.adapters.page.looks import DEVICES, FOLDER, MOST, difference, looks, moved
from tests.adapters.web.site import Site
from tests.golden import REGENERATE
from tests.wire.browser import Browser


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
