"""Writes the golden looks of the page anew after a wanted change: python -m tests.adapters.page.regenerate.

Look at what has changed before you commit it, as a player would.
"""

import asyncio
import json
from pathlib import Path

from tests.adapters.page.looks import DEVICES, looks
from tests.adapters.web_site import web_site
from tests.wire.browser import Browser
from tests.wire.chromium import Chromium

FOLDER = Path(__file__).with_name("golden")


async def write() -> None:
    """Rewrites every picture, and the places."""
    places = {}
    chromium = Chromium()
    FOLDER.mkdir(exist_ok=True)
    for device in DEVICES:
        async with web_site() as site, Browser(chromium) as browser:
            async for name, look in looks(site, browser, device):
                look.picture.save(FOLDER / f"{name}.png", optimize=True)
                places[name] = look.places
    await chromium.stop()
    lines = [f"{json.dumps(name)}: {_lines(each)}" for name, each in places.items()]
    (FOLDER / "places.json").write_text("{\n" + ",\n".join(lines) + "\n}\n", encoding="utf-8")


def _lines(places: list[object]) -> str:
    """One line for each thing, so that a difference can be read."""
    return "[\n" + ",\n".join(f"  {json.dumps(each)}" for each in places) + "\n]"


if __name__ == "__main__":
    asyncio.run(write())
