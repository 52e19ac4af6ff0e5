"""Writes the files that tests compare with, after a wanted change: `python -m tests.regenerate [PART ...]`.

Without parts it writes all but those that have to be named: the images, which differ from machine to machine,
the puzzles, which take minutes, and the seal of new database steps, which is for good. Read the difference
before you commit it, and look at the pictures, also on a phone. To add a playthrough, write a file with the
line of an opening and lines such as `> 0 A 6S`, and run this.
"""

import asyncio
import json
import sys
from collections.abc import Callable, Mapping
from pathlib import Path

from bot.locale import LOCALES
from tests.adapters.page import looks, tour
from tests.adapters.web import deck, declarations
from tests.adapters.web.site import web_site
from tests.bot.features.puzzles import collecting
from tests.bot.pictures import positions
from tests.bot.screens import evening
from tests.bot.storage import seal
from tests.docs import decisions, setting_table
from tests.engine.rules import perft, playthrough, value_openings
from tests.wire.browser import Browser
from tests.wire.chromium import Chromium

README_PICTURE = Path(__file__).parents[1] / ".github" / "table.png"
README_PAGE = README_PICTURE.with_name("page.webp")


def write_perft() -> None:
    """Recounts the games of each position."""
    perft.FILE.write_text(perft.regenerated(perft.FILE.read_text()))


def write_playthroughs() -> None:
    """Writes out the views of each recorded game."""
    for file in playthrough.FILES:
        file.write_text(playthrough.regenerated(file.read_text()))


def write_openings() -> None:
    """Searches an opening for each value of a setting whose present one shows no difference."""
    value_openings.FILE.write_text(value_openings.regenerated())


def write_screens() -> None:
    """Writes the screens of one evening."""
    evening.FILE.write_text(evening.evening(LOCALES[0]), encoding="utf-8")


def write_types() -> None:
    """Declares the types of the page's data and elements, for the check of its scripts."""
    declarations.FILE.write_text(declarations.regenerated(declarations.FILE.read_text("utf-8")), "utf-8")


def write_deck() -> None:
    """Writes the page's copy of what is printed on cards."""
    deck.FILE.write_text(deck.generated(), "utf-8")


def write_puzzles() -> None:
    """Collects the puzzles that come with the program: a minute or two."""
    collecting.FILE.write_text(collecting.collected(), "utf-8")


def write_decisions() -> None:
    """Writes the index of the decisions."""
    decisions.INDEX.write_text(decisions.index(), "utf-8")


def write_rules() -> None:
    """Writes the table of settings into the rules; what each of them means stays as it is there."""
    file = setting_table.FILE
    file.write_text(setting_table.regenerated(file.read_text("utf-8")), "utf-8")


def write_pictures() -> None:
    """Draws the golden pictures, and the README's."""
    for name, draw in positions.GOLDEN.items():
        (positions.FOLDER / f"{name}.png").write_bytes(draw())
    README_PICTURE.write_bytes(positions.readme_picture())


def write_page() -> None:
    """Takes the screenshots of the page, the README's too, and records the places of its elements.

    Without an emoji font (fonts-noto-color-emoji of Debian) they have empty boxes.
    """
    asyncio.run(_write_page())


async def _write_page() -> None:
    places = {}
    chromium = Chromium()
    for device in looks.DEVICES:
        async with web_site() as site, Browser(chromium) as browser:
            async for name, look in looks.looks(site, browser, device):
                look.picture.save(looks.FOLDER / f"{name}.png", optimize=True)
                places[name] = look.places

    async with web_site() as site, Browser(chromium) as browser:
        (await tour.picture_of("six", site, browser)).save(README_PAGE, quality=80, method=6)

    await chromium.stop()
    lines = [f"{json.dumps(name)}: {_lines(each)}" for name, each in places.items()]
    (looks.FOLDER / "places.json").write_text("{\n" + ",\n".join(lines) + "\n}\n", encoding="utf-8")


def _lines(places: list[object]) -> str:
    """Writes one line for each element, for readable differences."""
    return "[\n" + ",\n".join(f"  {json.dumps(place)}" for place in places) + "\n]"


def seal_steps() -> None:
    """Tries the new steps on a database with rows in each table, and seals them."""
    seal.seal()


PARTS: Mapping[str, Callable[[], None]] = {
    "perft": write_perft,
    "openings": write_openings,
    "playthroughs": write_playthroughs,
    "screens": write_screens,
    "types": write_types,
    "deck": write_deck,
    "rules": write_rules,
    "decisions": write_decisions,
    "puzzles": write_puzzles,
    "pictures": write_pictures,
    "page": write_page,
    "steps": seal_steps,
}


# Parts that are written only by name: images depend on the machine, a sealed step is never edited, and
# puzzles remain good when the players who found them change.
ONLY_BY_NAME = {"pictures", "page", "puzzles", "steps"}


def main() -> None:
    """Writes the named parts, or all but those that have to be named."""
    chosen = sys.argv[1:] or [part for part in PARTS if part not in ONLY_BY_NAME]
    if unknown := [part for part in chosen if part not in PARTS]:
        sys.exit(f"no such part: {', '.join(unknown)}; there are: {', '.join(PARTS)}")
    for part in chosen:
        PARTS[part]()


if __name__ == "__main__":
    main()
